// The caches of a simulated machine and the states of their lines: which access is served where, who is probed,
// what is evicted. No time: the engine prices what this reports. Values are not here either: they are in the
// memory of the variants, which is exact because accesses reach this in the one order that is simulated.
//
// Per core an L1D inside a private L2 (inclusive), per CCX an L3 that the L2s' victims fill, per line a directory
// entry at its home. The decisions are the pure functions of protocol.hpp. Two threads of a core share its caches.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/simulator/machine/machine_model.hpp"
#include "harness/simulator/memory/cache_array.hpp"
#include "harness/simulator/memory/core_set.hpp"
#include "harness/simulator/memory/protocol.hpp"
#include "harness/simulator/memory/zeroed_array.hpp"

namespace hitmark::simulator {

inline constexpr unsigned kMaxCcxs = 32;

// Where a line lives. Given by the memory's owner (an address map) for every line.
struct Home {
  std::uint8_t socket = 0, quadrant = 0, channel = 0;
};

// Where the data came from.
enum class Served : std::uint8_t {
  kL1,
  kL2,
  kL3,         // own CCX's L3
  kCore,       // another core of the CCX
  kRemoteCcx,  // through the home
  kDram,
  kUpgrade,  // the core had them, only ownership was missing
};

struct Outcome {
  Served served = Served::kL1;
  LineState supplied_from = LineState::kI;  // the supplier's state before (kCore, kRemoteCcx, kL3)
  LineState granted = LineState::kI;        // the requester's state after
  std::uint16_t supplier = 0;               // kCore: the core; kRemoteCcx: the CCX
  std::int16_t supplier_core = -1;          // kCore, kRemoteCcx: the core; -1: an L3
  // Data (kRemoteCcx, kDram) or, with kUpgrade, kCore and kL3, only ownership came from the home.
  bool home_asked = false;
  bool broadcast = false;
  std::uint32_t probed_ccxs = 0;  // CCXs that the home invalidated or asked for data, not the requester's
  CoreSet invalidated;            // cores that lost the line to this access
  // Side effects on other lines, each at most once per access. Read the rest only of what happened.
  struct Eviction {
    Line line = 0;
    bool happened = false;
    bool written_back = false;  // dirty: to its home's DRAM
    CoreSet invalidated;        // recall: cores that lost it
    void begin(Line of) { *this = {of, true, false, {}}; }
  };
  Eviction l2_victim;  // the core lost it; moved to the L3 (or dropped when the machine has none)
  Eviction l3_victim;
  Eviction recall;  // of the directory

  // As good as new, for less.
  void clear() {
    served = Served::kL1;
    supplied_from = granted = LineState::kI;
    supplier = 0;
    supplier_core = -1;
    home_asked = broadcast = false;
    probed_ccxs = 0;
    invalidated.reset();
    l2_victim.happened = l2_victim.written_back = false;
    l3_victim.happened = l3_victim.written_back = false;
    recall.happened = recall.written_back = false;
  }
};

// Who holds a copy: a core's L2, a CCX's L3, or DRAM.
struct Place {
  enum class Kind : std::uint8_t { kCore, kL3, kDram };
  Kind kind = Kind::kDram;
  std::uint8_t index = 0;
};

// Follows the data themselves. Nobody does in a run; tests give every copy a version.
struct NoData {
  void copied(Line, Place /*from*/, Place /*to*/) {}
  void dropped(Line, Place) {}
  void loaded(Line, unsigned /*core*/) {}
  void stored(Line, unsigned /*core*/) {}
};

// Rules: Protocol. A test's may differ in one decision.
template <typename Rules, typename Data>
class BasicCoherentMemory {
 public:
  // `homes` by line. The machine's geometry may be tiny (tests); at most kMaxCores, kMaxCcxs, kMaxWays, kMaxLines.
  BasicCoherentMemory(const MachineModel& machine, const std::vector<Home>& homes);

  // The hit path in one call: true when the access of `core` was served by its L1 (and it may write), and then it is
  // done. Else nothing has happened and hit_l2() or access() must be called.
  bool hit_l1(unsigned core, Line line, bool write) {
    std::uint32_t* set = l1_.set_of(core, line);
    int way = CacheArray::last_way(set);
    std::uint32_t state = set[way] ^ CacheArray::key(line);  // above 7: another line
    if (state > 7) [[unlikely]] {
      way = l1_.find(set, line);
      if (way < 0) return false;
      state = set[way] & 7;
      if (write && !sole(static_cast<LineState>(state))) return false;
      l1_.touch(set, way);
    }
    if (write && state != static_cast<std::uint32_t>(LineState::kM)) {
      if (state != static_cast<std::uint32_t>(LineState::kE)) return false;
      become_modified(core, line, set, way);
    }
    note(core, line, write);
    return true;
  }

  // For who remembers where in an L1 a line was: the entries of its set (CacheArray says what they are).
  const CacheArray& l1() const { return l1_; }
  std::uint32_t* l1_entries(unsigned core, Line line) { return l1_.set_of(core, line); }

  // After hit_l1() has said no: true when the core's L2 has served it (and it may write). Only this core's caches
  // change. Else nothing has happened and miss() must be called.
  bool hit_l2(unsigned core, Line line, bool write);
  // After both have said no. `outcome` is overwritten.
  [[gnu::flatten]] void miss(unsigned core, Line line, bool write, Outcome& outcome);

  // hit_l1() in steps. The L1's way of `line` in `core`, or -1; no side effect.
  int find_l1(unsigned core, Line line) const { return l1_.find(l1_.set_of(core, line), line); }
  bool writable(unsigned core, Line line, int l1_way) const {  // M or E
    return sole(CacheArray::state_at(l1_.set_of(core, line), l1_way));
  }
  void touch_l1(unsigned core, Line line, int l1_way, bool write) {  // replacement, E -> M
    std::uint32_t* set = l1_.set_of(core, line);
    l1_.touch(set, l1_way);
    if (write && CacheArray::state_at(set, l1_way) != LineState::kM) become_modified(core, line, set, l1_way);
    note(core, line, write);
  }

  // Any access of a core, hit or miss. `outcome` is overwritten.
  void access(unsigned core, Line line, bool write, Outcome& outcome);

  // For the engine. In an L2 (and so possibly an L1): one bit test.
  bool in_l1(unsigned core, Line line) const { return find_l1(core, line) >= 0; }
  bool in_l2(unsigned core, Line line) const { return records_[line].cores.test(core); }
  const CoreSet& holders(Line line) const { return records_[line].cores; }  // cores whose L2 has it
  std::uint32_t l3_holders(Line line) const { return records_[line].l3s; }  // CCXs whose L3 has it
  unsigned l1_set(Line line) const { return l1_.set_index(line); }
  unsigned l2_set(Line line) const { return l2_.set_index(line); }

  LineState state(unsigned core, Line line) const;  // kI: not in its L1/L2
  LineState l3_state(unsigned ccx, Line line) const;
  const DirectoryEntry& directory(Line line) const { return records_[line].directory; }
  Line lines() const { return static_cast<Line>(records_.size()); }
  // Empty when single-writer, inclusion and directory coverage hold; else the first that does not. Walks all caches.
  std::string violated_invariant() const;

  // For tests that walk all states: equal bytes when nothing later can differ.
  void save(std::string& bytes) const;
  void restore(std::string_view bytes);
  Data& data() { return data_; }

 private:
  struct Record {  // of a line
    CoreSet cores;
    std::uint32_t l3s = 0;
    std::uint32_t exclusive = 0;  // CCXs that know to be the only one with copies (a bit in their L3's tags)
    DirectoryEntry directory;
  };
  struct Queue {  // of a home channel: its directory's entries by age; links are line + 1
    std::uint32_t oldest = 0, newest = 0, entries = 0;
  };
  struct Link {
    std::uint32_t older = 0, newer = 0;
  };
  struct Copy {  // a line's copy inside a CCX
    LineState state = LineState::kI;
    Place place;
  };

  static Place core_place(unsigned core) { return {Place::Kind::kCore, static_cast<std::uint8_t>(core)}; }
  static Place l3_place(unsigned ccx) { return {Place::Kind::kL3, static_cast<std::uint8_t>(ccx)}; }
  static constexpr Place kDram{};

  void note(unsigned core, Line line, bool write) {
    if (write)
      data_.stored(line, core);
    else
      data_.loaded(line, core);
  }
  std::uint64_t cores_in(const Record& record, unsigned ccx) const {
    return record.cores.slice(ccx * cores_per_ccx_, cores_per_ccx_);
  }
  void become_modified(unsigned core, Line line, std::uint32_t* set, int way);
  LineState resolve(unsigned core, Line line, Request request, LineState own, Outcome& outcome);
  LineState ask_home(unsigned core, Line line, HomeRequest request, Outcome& outcome);
  Copy greatest_copy(unsigned ccx, Line line) const;
  void set_state(Line line, Place place, LineState state);
  void drop_core(unsigned core, Line line);
  void drop_l3(unsigned ccx, Line line);
  void invalidate(Line line, std::uint32_t ccxs, CoreSet& lost);
  void fill_l1(unsigned core, Line line, LineState state);
  void fill_l2(unsigned core, Line line, LineState state, Outcome& outcome);
  void fill_l3(unsigned core, Line line, LineState state, Outcome& outcome);
  void leave_ccx(unsigned ccx, Line line, LineState state, Place place, Outcome::Eviction& eviction);
  void set_directory(Line line, const DirectoryEntry& next);
  void make_room(Line line, Outcome& outcome);

  CacheArray l1_, l2_, l3_;
  ZeroedArray<Record> records_;
  // With a limited directory only.
  ZeroedArray<std::uint16_t> channels_;  // by line
  ZeroedArray<Link> links_;              // by line
  ZeroedArray<Queue> queues_;            // by channel
  unsigned cores_ = 0, ccxs_ = 0, cores_per_ccx_ = 1;
  std::uint32_t all_ccxs_ = 0;
  ProtocolSwitches switches_;
  std::uint8_t ccx_of_[kMaxCores] = {};
  [[no_unique_address]] Data data_;
};

using CoherentMemory = BasicCoherentMemory<Protocol, NoData>;
extern template class BasicCoherentMemory<Protocol, NoData>;

}  // namespace hitmark::simulator
