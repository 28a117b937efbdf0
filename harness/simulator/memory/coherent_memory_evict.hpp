// Filling a cache and what has to leave for it: L2 to L3, L3 to memory, and the directory's recalls. Included by
// coherent_memory.cpp, and by tests that give it other rules.
#pragma once

#include "harness/simulator/memory/coherent_memory.hpp"

namespace hitmark::simulator {

template <typename Rules, typename Data>
void BasicCoherentMemory<Rules, Data>::fill_l1(unsigned core, Line line, LineState state) {
  std::uint32_t* set = l1_.set_of(core, line);
  const int way = l1_.way_to_fill(set);  // what was there stays in the L2, which has its state
  CacheArray::put(set, way, line, state);
  l1_.touch(set, way);
}

template <typename Rules, typename Data>
void BasicCoherentMemory<Rules, Data>::fill_l2(unsigned core, Line line, LineState state, Outcome& outcome) {
  std::uint32_t* set = l2_.set_of(core, line);
  const int way = l2_.way_to_fill(set);
  records_[line].cores.set(core);
  if (set[way] != 0) {
    const Line victim = CacheArray::line_at(set, way);
    const LineState left = CacheArray::state_at(set, way);
    std::uint32_t* near = l1_.set_of(core, victim);
    if (const int near_way = l1_.find(near, victim); near_way >= 0) CacheArray::drop(near, near_way);
    records_[victim].cores.reset(core);
    outcome.l2_victim.begin(victim);
    if (l3_.exists())
      fill_l3(core, victim, left, outcome);
    else
      leave_ccx(ccx_of_[core], victim, left, core_place(core), outcome.l2_victim);
    data_.dropped(victim, core_place(core));
  }
  CacheArray::put(set, way, line, state);
  l2_.touch(set, way);
}

template <typename Rules, typename Data>
void BasicCoherentMemory<Rules, Data>::fill_l3(unsigned core, Line line, LineState state, Outcome& outcome) {
  const unsigned ccx = ccx_of_[core];
  std::uint32_t* set = l3_.set_of(ccx, line);
  Record& record = records_[line];
  int way = (record.l3s >> ccx & 1) != 0 ? l3_.find(set, line) : -1;
  if (way >= 0) {
    state = Rules::into_l3(state, CacheArray::state_at(set, way));
  } else {
    way = l3_.way_to_fill(set);
    if (set[way] != 0) {
      const Line victim = CacheArray::line_at(set, way);
      outcome.l3_victim.begin(victim);
      records_[victim].l3s &= ~(1u << ccx);
      leave_ccx(ccx, victim, CacheArray::state_at(set, way), l3_place(ccx), outcome.l3_victim);
      data_.dropped(victim, l3_place(ccx));
    }
    record.l3s |= 1u << ccx;
  }
  data_.copied(line, core_place(core), l3_place(ccx));
  CacheArray::put(set, way, line, state);
  l3_.touch(set, way);
}

// The copy at `place` is gone from the caches but for its data.
template <typename Rules, typename Data>
void BasicCoherentMemory<Rules, Data>::leave_ccx(unsigned ccx, Line line, LineState state, Place place,
                                                 Outcome::Eviction& eviction) {
  Record& record = records_[line];
  const bool remains = cores_in(record, ccx) != 0;
  const Departure departure = Rules::leave_ccx(state, remains, (record.exclusive >> ccx & 1) != 0);
  if (departure.write_back) {
    eviction.written_back = true;
    data_.copied(line, place, kDram);
  }
  if (!remains) record.exclusive &= ~(1u << ccx);
  if (departure.notice != Notice::kNone)
    set_directory(line, Rules::noticed(record.directory, ccx, departure.notice, switches_));
}

// Keeps the queue of a limited directory.
template <typename Rules, typename Data>
void BasicCoherentMemory<Rules, Data>::set_directory(Line line, const DirectoryEntry& next) {
  Record& record = records_[line];
  const bool was = record.directory.kind != DirectoryKind::kUncached, is = next.kind != DirectoryKind::kUncached;
  record.directory = next;
  if (was == is || switches_.directory_entries == 0) return;
  Queue& queue = queues_[channels_[line]];
  Link& link = links_[line];
  if (is) {
    link = {queue.newest, 0};
    (queue.newest != 0 ? links_[queue.newest - 1].newer : queue.oldest) = line + 1;
    queue.newest = line + 1;
    ++queue.entries;
  } else {
    (link.older != 0 ? links_[link.older - 1].newer : queue.oldest) = link.newer;
    (link.newer != 0 ? links_[link.newer - 1].older : queue.newest) = link.older;
    link = {};
    --queue.entries;
  }
}

// Before `line` gets an entry.
template <typename Rules, typename Data>
void BasicCoherentMemory<Rules, Data>::make_room(Line line, Outcome& outcome) {
  if (switches_.directory_entries == 0) return;
  const Queue& queue = queues_[channels_[line]];
  if (queue.entries < switches_.directory_entries) return;
  const Line victim = queue.oldest - 1;
  Record& record = records_[victim];
  const std::uint32_t ccxs = Rules::recalled(record.directory, all_ccxs_, switches_);
  outcome.recall.begin(victim);
  const auto write_back = [&](LineState state, Place place) {
    if (!Rules::recall_writes_back(state)) return;
    outcome.recall.written_back = true;
    data_.copied(victim, place, kDram);
  };
  record.cores.for_each([&](unsigned core) {
    if ((ccxs >> ccx_of_[core] & 1) != 0) write_back(state(core, victim), core_place(core));
  });
  for (std::uint32_t bits = record.l3s & ccxs; bits != 0; bits &= bits - 1) {
    const auto ccx = static_cast<unsigned>(std::countr_zero(bits));
    write_back(l3_state(ccx, victim), l3_place(ccx));
  }
  invalidate(victim, ccxs, outcome.recall.invalidated);
  set_directory(victim, {});
}

}  // namespace hitmark::simulator
