// An access that the L1 does not serve: what BasicCoherentMemory does with the decisions of its rules. Included by
// coherent_memory.cpp, and by tests that give it other rules.
#pragma once

#include "harness/simulator/memory/coherent_memory.hpp"

namespace hitmark::simulator {

template <typename Rules, typename Data>
bool BasicCoherentMemory<Rules, Data>::hit_l2(unsigned core, Line line, bool write) {
  std::uint32_t* set = l2_.set_of(core, line);
  const int way = l2_.find(set, line);
  if (way < 0) return false;
  LineState state = CacheArray::state_at(set, way);
  if (write) {
    if (!sole(state)) return false;
    state = LineState::kM;
    CacheArray::put(set, way, line, state);
  }
  l2_.touch(set, way);
  fill_l1(core, line, state);
  note(core, line, write);
  return true;
}

template <typename Rules, typename Data>
void BasicCoherentMemory<Rules, Data>::access(unsigned core, Line line, bool write, Outcome& outcome) {
  outcome.clear();
  std::uint32_t* near = l1_.set_of(core, line);
  if (hit_l1(core, line, write)) {
    outcome.granted = CacheArray::state_at(near, CacheArray::last_way(near));
    return;
  }
  if (hit_l2(core, line, write)) {
    outcome.served = Served::kL2;
    outcome.granted = CacheArray::state_at(near, CacheArray::last_way(near));
    return;
  }
  miss(core, line, write, outcome);
}

template <typename Rules, typename Data>
void BasicCoherentMemory<Rules, Data>::miss(unsigned core, Line line, bool write, Outcome& outcome) {
  outcome.clear();
  const Request request = write ? Request::kStore : Request::kLoad;
  if (!in_l2(core, line)) {
    outcome.granted = resolve(core, line, request, LineState::kI, outcome);
    fill_l2(core, line, outcome.granted, outcome);
    fill_l1(core, line, outcome.granted);
  } else {  // only ownership is missing
    outcome.granted = resolve(core, line, request, state(core, line), outcome);
    set_state(line, core_place(core), outcome.granted);
    std::uint32_t* near = l1_.set_of(core, line);
    if (const int way = l1_.find(near, line); way >= 0) {
      l1_.touch(near, way);
    } else {
      std::uint32_t* far = l2_.set_of(core, line);
      l2_.touch(far, l2_.find(far, line));
      fill_l1(core, line, outcome.granted);
    }
  }
  note(core, line, write);
}

template <typename Rules, typename Data>
void BasicCoherentMemory<Rules, Data>::become_modified(unsigned core, Line line, std::uint32_t* set, int way) {
  CacheArray::put(set, way, line, LineState::kM);
  std::uint32_t* far = l2_.set_of(core, line);
  CacheArray::put(far, l2_.find(far, line), line, LineState::kM);
}

// Inside the CCX, and at the home where that must be asked. Returns the state that the core gets; the others have
// theirs afterwards, and the data have been copied.
template <typename Rules, typename Data>
LineState BasicCoherentMemory<Rules, Data>::resolve(unsigned core, Line line, Request request, LineState own,
                                                    Outcome& outcome) {
  const Record& record = records_[line];
  const unsigned ccx = ccx_of_[core], first = ccx * cores_per_ccx_;
  const std::uint64_t others = cores_in(record, ccx) & ~(std::uint64_t{1} << (core - first));
  CcxView view{own, LineState::kI, l3_state(ccx, line), (record.exclusive >> ccx & 1) != 0};
  unsigned best = core;
  for (std::uint64_t bits = others; bits != 0; bits &= bits - 1) {
    const unsigned other = first + static_cast<unsigned>(std::countr_zero(bits));
    const LineState found = state(other, line);
    if (found > view.core) {
      view.core = found;
      best = other;
    }
  }
  const CcxAction action = Rules::in_ccx(request, view, switches_);
  LineState granted = action.own;
  if (action.source == Source::kL3) {
    outcome.served = Served::kL3;
    outcome.supplied_from = view.l3;
    data_.copied(line, l3_place(ccx), core_place(core));
  } else if (action.source == Source::kCore) {
    outcome.served = Served::kCore;
    outcome.supplied_from = view.core;
    outcome.supplier = static_cast<std::uint16_t>(best);
    outcome.supplier_core = static_cast<std::int16_t>(best);
    data_.copied(line, core_place(best), core_place(core));
  } else if (action.source == Source::kOwn) {
    outcome.served = Served::kUpgrade;
  }
  if (action.home != HomeRequest::kNone) granted = ask_home(core, line, action.home, outcome);
  if (others != 0) {
    if (action.core != view.core && action.core != LineState::kI) set_state(line, core_place(best), action.core);
    for (std::uint64_t bits = action.core == LineState::kI ? others : 0; bits != 0; bits &= bits - 1) {
      const unsigned other = first + static_cast<unsigned>(std::countr_zero(bits));
      drop_core(other, line);
      outcome.invalidated.set(other);
    }
  }
  if (view.l3 != LineState::kI && action.l3 == LineState::kI) drop_l3(ccx, line);
  return granted;
}

template <typename Rules, typename Data>
LineState BasicCoherentMemory<Rules, Data>::ask_home(unsigned core, Line line, HomeRequest request, Outcome& outcome) {
  Record& record = records_[line];
  const unsigned ccx = ccx_of_[core], owner = record.directory.owner;
  Copy copy{LineState::kI, l3_place(owner)};
  if (record.directory.has_owner()) copy = greatest_copy(owner, line);
  const HomeAction action = Rules::at_home(request, record.directory, ccx, copy.state, all_ccxs_, switches_);
  outcome.home_asked = true;
  outcome.probed_ccxs = action.probed;
  outcome.broadcast = action.broadcast;
  if (action.supplier == Supplier::kDram) {
    outcome.served = Served::kDram;
    data_.copied(line, kDram, core_place(core));
  } else if (action.supplier == Supplier::kOwner) {
    outcome.served = Served::kRemoteCcx;
    outcome.supplied_from = copy.state;
    outcome.supplier = static_cast<std::uint16_t>(owner);
    if (copy.place.kind == Place::Kind::kCore) outcome.supplier_core = copy.place.index;
    data_.copied(line, copy.place, core_place(core));
    if ((action.invalidated >> owner & 1) == 0) {
      set_state(line, copy.place, action.owner);
      record.exclusive &= ~(1u << owner);
    }
  }
  if (action.invalidated != 0) invalidate(line, action.invalidated, outcome.invalidated);
  if (sole(action.granted)) record.exclusive |= 1u << ccx;
  if (record.directory.kind == DirectoryKind::kUncached) make_room(line, outcome);
  set_directory(line, action.next);
  return action.granted;
}

template <typename Rules, typename Data>
typename BasicCoherentMemory<Rules, Data>::Copy BasicCoherentMemory<Rules, Data>::greatest_copy(unsigned ccx,
                                                                                                Line line) const {
  Copy greatest{l3_state(ccx, line), l3_place(ccx)};
  for (std::uint64_t bits = cores_in(records_[line], ccx); bits != 0; bits &= bits - 1) {
    const unsigned core = ccx * cores_per_ccx_ + static_cast<unsigned>(std::countr_zero(bits));
    const LineState found = state(core, line);
    if (found > greatest.state) greatest = {found, core_place(core)};
  }
  return greatest;
}

template <typename Rules, typename Data>
LineState BasicCoherentMemory<Rules, Data>::state(unsigned core, Line line) const {
  const std::uint32_t* set = l2_.set_of(core, line);
  const int way = l2_.find(set, line);
  return way < 0 ? LineState::kI : CacheArray::state_at(set, way);
}

template <typename Rules, typename Data>
LineState BasicCoherentMemory<Rules, Data>::l3_state(unsigned ccx, Line line) const {
  if ((records_[line].l3s >> ccx & 1) == 0) return LineState::kI;
  const std::uint32_t* set = l3_.set_of(ccx, line);
  const int way = l3_.find(set, line);
  return way < 0 ? LineState::kI : CacheArray::state_at(set, way);
}

template <typename Rules, typename Data>
void BasicCoherentMemory<Rules, Data>::set_state(Line line, Place place, LineState state) {
  const auto put = [line, state](CacheArray& cache, unsigned index) {
    std::uint32_t* set = cache.set_of(index, line);
    if (const int way = cache.find(set, line); way >= 0) CacheArray::put(set, way, line, state);
  };
  if (place.kind == Place::Kind::kL3) {
    if ((records_[line].l3s >> place.index & 1) != 0) put(l3_, place.index);
  } else {
    put(l1_, place.index);
    put(l2_, place.index);
  }
}

template <typename Rules, typename Data>
void BasicCoherentMemory<Rules, Data>::drop_core(unsigned core, Line line) {
  for (CacheArray* cache : {&l1_, &l2_}) {
    std::uint32_t* set = cache->set_of(core, line);
    if (const int way = cache->find(set, line); way >= 0) CacheArray::drop(set, way);
  }
  records_[line].cores.reset(core);
  data_.dropped(line, core_place(core));
}

template <typename Rules, typename Data>
void BasicCoherentMemory<Rules, Data>::drop_l3(unsigned ccx, Line line) {
  std::uint32_t* set = l3_.set_of(ccx, line);
  if (const int way = l3_.find(set, line); way >= 0) CacheArray::drop(set, way);
  records_[line].l3s &= ~(1u << ccx);
  data_.dropped(line, l3_place(ccx));
}

template <typename Rules, typename Data>
void BasicCoherentMemory<Rules, Data>::invalidate(Line line, std::uint32_t ccxs, CoreSet& lost) {
  Record& record = records_[line];
  const CoreSet holding = record.cores;
  holding.for_each([&](unsigned core) {
    if ((ccxs >> ccx_of_[core] & 1) == 0) return;
    drop_core(core, line);
    lost.set(core);
  });
  for (std::uint32_t bits = record.l3s & ccxs; bits != 0; bits &= bits - 1)
    drop_l3(static_cast<unsigned>(std::countr_zero(bits)), line);
  record.exclusive &= ~ccxs;
}

}  // namespace hitmark::simulator
