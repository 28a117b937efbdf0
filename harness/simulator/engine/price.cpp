// What an access costs its CPU, and where it is counted.
#include <algorithm>

#include "harness/simulator/engine/load_value.hpp"
#include "harness/simulator/engine/state.hpp"

namespace hitmark::simulator {
namespace {

std::uint64_t Traffic::*from(LineState supplier) {
  return supplier == LineState::kM   ? &Traffic::from_modified
         : supplier == LineState::kO ? &Traffic::from_owned
                                     : &Traffic::from_clean;
}

}  // namespace

Tlb::Level Engine::State::translate(Cpu& c, std::uint32_t page) {
  std::uint32_t evicted = 0;
  const Tlb::Level level = tlb.access(c.core, page, c.key, evicted);
  if (evicted != 0) {
    c.forget_page(evicted);
    if (c.core_cpus == 2) c.sibling->forget_page(evicted);
  }
  return level;
}

void Engine::State::charge(Cpu& c, const Access& access, LineRecord& record, Line line, bool l1) {
  const bool write = access.kind != AccessKind::kLoad, locked = access.kind == AccessKind::kLockedReadModifyWrite;
  Tlb::Level level = Tlb::Level::kL1;
  if (const unsigned slot = c.tlb_slots[record.page]; slot != 0)
    c.tlb_entries[slot - 1].used = c.key;
  else
    level = translate(c, record.page);
  Word& word = count(c, access, record);
  bool handoff = false;
  std::uint64_t Traffic::*sharing = &Traffic::no_conflict;
  if (record.shared()) {
    SharedLine& many = *record.many;
    handoff = l1 && taken_from_sibling(c, many, write);
    if (!l1) {
      sharing = sharing_of(c, many, word.bytes, write);
      account_losses(many, outcome.invalidated, &Traffic::invalidations_suffered);
    }
    see(c, access, word, many);
  }
  if (!l1 && outcome.recall.happened) account_recall();

  Price price;
  price.clock = price.start = c.clock();
  price.plain = l1 && !handoff && !locked && level == Tlb::Level::kL1 &&
                (!c.busy() || c.flight->unrelated(access.address, line, price.clock, write));
  if (price.plain) {
    if (!write) price_load(c, access, line, price, nullptr);
    return;
  }
  Traffic& traffic = lines.detail(word);
  if (level != Tlb::Level::kL1) {
    const bool walk = level == Tlb::Level::kWalk;
    ++(walk ? traffic.dtlb_walks : traffic.dtlb_l2_hits);
    price.start += walk ? tlb_walk_time : tlb_l2_time;
  }
  InFlight& flight = *c.flight;
  if (c.busy()) price.start = std::max(price.start, flight.address_known(access.address));
  if (!write && access.address - c.chain_value < kPointerReach) price.start = std::max(price.start, c.chain_ready);
  price.done = price.start;
  if (handoff) {
    ++traffic.smt;
    price.done = timing.smt_handoff(c.ccx, line, price.start);
  } else if (!l1) {
    if (account(c, traffic, line, write)) ++(traffic.*sharing);
    price.done = timing.complete(c.ccx, line, write, outcome, price.clock, price.start);
    if (outcome.served != Served::kL2 && outcome.served != Served::kUpgrade)
      traffic.l2_miss_time += price.done - price.start;
    if (outcome.served == Served::kRemoteCcx || outcome.served == Served::kDram)
      traffic.l3_miss_time += price.done - price.start;
  }
  if (locked) return price_locked(c, price, traffic);
  if (!write) return price_load(c, access, line, price, &traffic);

  const std::uint64_t bytes = byte_mask(word.offset, access.size);
  Picoseconds data = price.clock;
  price.done = std::max(price.done, flight.line_there(line));
  if (access.kind == AccessKind::kReadModifyWrite) {
    const Picoseconds loaded = flight.after_stores(line, bytes, price.start, price.done, c.limits.forward);
    if (loaded > price.clock + l1_time) {
      data = loaded;
      c.busy_till(loaded);
      c.set_clock(
          flight.load(c.clock(), line, load_value(access.address), loaded, c.instruction(), &traffic, c.limits));
    }
  }
  const Picoseconds clock = c.clock();
  c.set_clock(flight.store(clock, line, bytes, price.done, data, &traffic, c.limits));
  c.busy_till(flight.last_store_done());
}

// A chain of loads through the L1 costs its latency a link, but only what does not fit into the window is waited for.
void Engine::State::price_load(Cpu& c, const Access& access, Line line, const Price& price, Traffic* traffic) {
  const std::uint64_t value = load_value(access.address);
  if (price.plain) {
    if (access.size != sizeof value || access.address / 64 == c.line_before) return;
    Picoseconds ready = price.clock;
    if (access.address - c.chain_value < kPointerReach) ready = std::max(ready, c.chain_ready);
    c.chain_ready = ready + l1_time;
    c.chain_value = value;
    if (c.chain_ready <= price.clock + c.window_time) return;
    const Picoseconds clock = c.chain_ready - c.window_time;
    LineRecord& record = lines[line];
    Words& words = *lines.words(record, c.number);
    lines.detail(words.word(words.last)).stall += clock - price.clock;
    c.set_clock(clock);
    return;
  }
  Picoseconds done = std::max(price.done, price.start + l1_time);
  InFlight& flight = *c.flight;
  done = std::max(done, flight.line_there(line));
  done = flight.after_stores(line, byte_mask(access.address % 64, access.size), price.start, done, c.limits.forward);
  c.chain_value = value;
  c.chain_ready = done;
  if (done <= price.clock + l1_time) return;
  c.busy_till(done);
  c.set_clock(flight.load(price.clock, line, value, done, c.instruction(), traffic, c.limits));
}

void Engine::State::account_recall() {
  LineRecord& lost = lines[outcome.recall.line];
  if (lost.shared())
    account_losses(*lost.many, outcome.recall.invalidated, &Traffic::recalls_suffered);
  else if (lost.words && outcome.recall.invalidated.any())
    ++lines.detail(lost.words->word(lost.words->last)).recalls_suffered;
  outcome.recall.invalidated.for_each([&](unsigned core) { lines.forget_bytes(lost, core); });
}

void Engine::State::price_locked(Cpu& c, const Price& price, Traffic& traffic) {
  const Picoseconds done = price.done + lock_time;
  traffic.stall += done - price.clock;
  c.set_clock(done);
}

Word& Engine::State::count(Cpu& c, const Access& access, LineRecord& record) {
  Words*& words = lines.words(record, c.number);
  const unsigned offset = access.address % 64;
  unsigned number = words->index[offset];
  if (number == 0) {
    number = Words::add(words, offset, access.size);
    c.forget(access.address / 64);  // where the words were
  }
  words->last = static_cast<std::uint8_t>(number);
  c.words = words;
  Word& word = words->word(number);
  ++word.accesses[static_cast<unsigned>(access.kind)];
  return word;
}

// True: a transfer, an upgrade or a takeover.
bool Engine::State::account(Cpu& c, Traffic& t, Line line, bool write) {
  const Outcome& o = outcome;
  // The own core is never among those who lose a line to its access.
  const auto takeover = [&] {
    const bool taken = o.invalidated.any();
    t.takeovers += taken;
    return taken;
  };
  const bool near = timing.home_is_near(c.ccx, line);
  if (o.served != Served::kUpgrade) ++(write ? t.rd_blk_x : t.rd_blk_l);
  if (o.served == Served::kL2) {
    ++t.l2;
    return false;
  }
  if (o.served == Served::kUpgrade) {
    ++t.upgrades;
    t.upgrades_at_home += o.home_asked;
    return true;
  }
  switch (o.served) {
    case Served::kL3:
      ++t.l3;
      ++t.fill_lcl_cache;
      return takeover();
    case Served::kDram:
      ++t.l3_misses;
      ++(near ? t.dram_local : t.dram_remote);
      return takeover();
    case Served::kCore:
      ++(dirty(o.supplied_from) ? t.ccx_dirty : t.ccx_clean);
      ++t.fill_lcl_cache;
      break;
    default: {
      const bool same_socket = machine.socket_of_ccx(c.ccx) == machine.socket_of_ccx(o.supplier);
      const bool same_quadrant = machine.quadrant_of_ccx(c.ccx) == machine.quadrant_of_ccx(o.supplier);
      ++(!same_socket ? t.cross_socket : same_quadrant ? t.quadrant : t.cross_quadrant);
      ++t.l3_misses;
      ++(near ? t.fill_lcl_cache : t.fill_rmt_cache);
      if (dirty(o.supplied_from)) {
        ++(near ? t.hitm_home_local : t.hitm_home_remote);
        t.hitm_cross_socket += !same_socket;
      }
    }
  }
  ++(t.*from(o.supplied_from));
  if (!dirty(o.supplied_from)) return true;
  ++t.hitm_true;
  t.hitm_ccx += o.served == Served::kCore;
  t.hitm_ibs += !write && o.supplied_from == LineState::kM && (o.served == Served::kCore || near);
  return true;
}

// Of an access that the L1 did not serve: see Traffic::true_sharing.
std::uint64_t Traffic::*Engine::State::sharing_of(const Cpu& c, const SharedLine& line, std::uint64_t bytes,
                                                  bool write) const {
  bool somebody = false, really = false;
  const auto other = [&](unsigned core) {
    const CoreView& view = line.by_core[core];
    const std::uint64_t accessed = view.written | (write ? view.read : 0);
    somebody = somebody || accessed != 0;
    really = really || (accessed & bytes) != 0;
  };
  if (outcome.served == Served::kCore) other(static_cast<unsigned>(outcome.supplier_core));
  if (outcome.served == Served::kRemoteCcx)
    for (unsigned i = 0; i < machine.cores_per_ccx; ++i) other(outcome.supplier * machine.cores_per_ccx + i);
  outcome.invalidated.for_each([&](unsigned core) {
    if (core != c.core) other(core);
  });
  return really ? &Traffic::true_sharing : somebody ? &Traffic::false_sharing : &Traffic::no_conflict;
}

void Engine::State::account_losses(SharedLine& line, const CoreSet& lost, std::uint64_t Traffic::*counter) {
  const bool by_write = counter == &Traffic::invalidations_suffered;
  lost.for_each([&](unsigned core) {
    CoreView& view = line.by_core[core];
    if (Words* words = line.by_cpu[view.last_cpu]) ++(lines.detail(words->word(words->last)).*counter);
    if (by_write) view = {.read = 0, .written = 0, .last_cpu = view.last_cpu, .writer = 0};
  });
}

void Engine::State::spend_instructions(Cpu& c, double instructions) {
  double rest = instructions - static_cast<double>(c.accesses - c.accesses_at_spend);
  c.accesses_at_spend = c.accesses;
  if (!(rest > 0)) return;
  const auto advance = [&c](double count) {
    const double time = count * c.ps_per_instruction + c.fraction;
    const auto whole = static_cast<Picoseconds>(time);
    c.fraction = time - static_cast<double>(whole);
    c.key += whole << kCpuBits;
    c.spent_instructions += static_cast<std::uint64_t>(count);
  };
  while (c.busy()) {
    c.flight->retire(c.clock());
    const std::uint64_t end = c.flight->window_end(c.limits), here = c.instruction();
    const double room = end > here ? static_cast<double>(end - here) : 0;
    if (room >= rest) break;
    advance(room);
    rest -= room;
    c.set_clock(c.flight->window(c.clock(), c.instruction(), c.limits));
  }
  advance(rest);
}

// A pause also ends the overlap with what was loaded before: the loop's branch needs it.
void Engine::State::relax(Cpu& c) {
  c.last_key = c.key;
  c.set_clock(c.flight->drain_loads(c.clock()) + pause_time);
  in_turn(c);
}

}  // namespace hitmark::simulator
