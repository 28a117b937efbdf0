// For tests: the same machine by maps and linear search, written from the README's table alone. It shares no code
// with CoherentMemory but the structs in which both tell what happened.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "harness/simulator/memory/coherent_memory.hpp"

namespace hitmark::simulator {

// 'S', 'F', 'E', 'O', 'M'.
struct NaiveLine {
  Line line;
  char state;
};

// One set. Ways that are empty are filled first, from the left.
struct NaiveSet {
  explicit NaiveSet(const CacheGeometry& shape) : geometry(shape), ways(shape.ways) {}
  CacheGeometry geometry;
  std::vector<std::optional<NaiveLine>> ways;
  std::vector<unsigned> newest_first;
  std::map<std::pair<unsigned, unsigned>, bool> right_is_older;  // by first and last leaf of a subtree

  NaiveLine* find(Line line) {
    for (auto& way : ways)
      if (way && way->line == line) return &*way;
    return nullptr;
  }
  void touch(unsigned way) {
    std::erase(newest_first, way);
    newest_first.insert(newest_first.begin(), way);
    point_away(way, 0, leaves());
  }
  void touch_line(Line line) {
    for (unsigned way = 0; way < ways.size(); ++way)
      if (ways[way] && ways[way]->line == line) touch(way);
  }
  unsigned victim() {
    for (unsigned way = 0; way < ways.size(); ++way)
      if (!ways[way]) return way;
    return geometry.replacement == Replacement::kLru ? newest_first.back() : older_leaf(0, leaves());
  }

 private:
  unsigned leaves() const {
    unsigned leaves = 1;
    while (leaves < ways.size()) leaves *= 2;
    return leaves;
  }
  void point_away(unsigned way, unsigned first, unsigned end) {
    if (end - first == 1) return;
    const unsigned middle = (first + end) / 2;
    right_is_older[{first, end}] = way < middle;
    if (way < middle)
      point_away(way, first, middle);
    else
      point_away(way, middle, end);
  }
  unsigned older_leaf(unsigned first, unsigned end) {
    if (end - first == 1) return first;
    const unsigned middle = (first + end) / 2;
    if (right_is_older[{first, end}] && middle < ways.size()) return older_leaf(middle, end);
    return older_leaf(first, middle);
  }
};

class NaiveCache {
 public:
  explicit NaiveCache(const CacheGeometry& geometry) : geometry_(geometry) {}
  NaiveLine* find(Line line) { return set_of(line).find(line); }
  void touch(Line line) { set_of(line).touch_line(line); }
  void erase(Line line) {
    for (auto& way : set_of(line).ways)
      if (way && way->line == line) way.reset();
  }
  // What has to go for `line`, if anything; it is gone afterwards.
  std::optional<NaiveLine> insert(Line line, char state) {
    NaiveSet& set = set_of(line);
    const unsigned way = set.victim();
    const std::optional<NaiveLine> gone = set.ways[way];
    set.ways[way] = NaiveLine{line, state};
    set.touch(way);
    return gone;
  }

 private:
  NaiveSet& set_of(Line line) { return sets_.try_emplace(line % geometry_.sets, geometry_).first->second; }
  CacheGeometry geometry_;
  std::map<unsigned, NaiveSet> sets_;
};

class NaiveMemory {
 public:
  NaiveMemory(const MachineModel& machine, std::vector<Home> homes) : machine_(machine), homes_(std::move(homes)) {
    l1_.assign(machine.cores(), NaiveCache(machine.l1));
    l2_.assign(machine.cores(), NaiveCache(machine.l2));
    l3_.assign(machine.ccxs(), NaiveCache(machine.l3));
  }

  Outcome access(unsigned core, Line line, bool write) {
    now_ = Outcome{};
    NaiveLine* near = l1_[core].find(line);
    NaiveLine* own = l2_[core].find(line);
    char state = own ? own->state : 'I';
    if (own && (!write || state == 'M' || state == 'E')) {
      now_.served = near ? Served::kL1 : Served::kL2;
      if (write) state = 'M';
    } else {
      state = write ? store(core, line, state) : load(core, line);
    }
    const bool had = l2_[core].find(line) != nullptr;
    if (had) {
      l2_[core].find(line)->state = state;
      if (!near) l2_[core].touch(line);
    } else if (const auto victim = l2_[core].insert(line, state)) {
      leave_l2(core, *victim);
    }
    if (near)
      l1_[core].touch(line);
    else
      l1_[core].insert(line, '?');
    now_.granted = to_state(state);
    return now_;
  }

  LineState state(unsigned core, Line line) {
    const NaiveLine* copy = l2_[core].find(line);
    return copy ? to_state(copy->state) : LineState::kI;
  }
  LineState l3_state(unsigned ccx, Line line) {
    const NaiveLine* copy = has_l3() ? l3_[ccx].find(line) : nullptr;
    return copy ? to_state(copy->state) : LineState::kI;
  }
  bool in_l1(unsigned core, Line line) { return l1_[core].find(line) != nullptr; }

 private:
  struct Entry {
    std::set<unsigned> sharers;  // true ones, even when the directory is not precise and may not use them
    std::optional<unsigned> answers;
    bool only = false;  // `answers` alone has the line
  };

  static LineState to_state(char state) {
    switch (state) {
      case 'S':
        return LineState::kS;
      case 'F':
        return LineState::kF;
      case 'E':
        return LineState::kE;
      case 'O':
        return LineState::kO;
      case 'M':
        return LineState::kM;
      default:
        return LineState::kI;
    }
  }
  static int rank(char state) { return static_cast<int>(std::string_view("ISFEOM").find(state)); }
  static bool is_dirty(char state) { return state == 'M' || state == 'O'; }
  bool has_l3() const { return machine_.l3.ways != 0 && machine_.l3.sets != 0; }
  std::vector<unsigned> cores_of(unsigned ccx) const {
    std::vector<unsigned> cores;
    for (unsigned core = 0; core < machine_.cores(); ++core)
      if (machine_.ccx_of_core(core) == ccx) cores.push_back(core);
    return cores;
  }
  std::vector<unsigned> holders_in(unsigned ccx, Line line) {
    std::vector<unsigned> holders;
    for (const unsigned core : cores_of(ccx))
      if (l2_[core].find(line)) holders.push_back(core);
    return holders;
  }
  bool ccx_has(unsigned ccx, Line line) {
    return !holders_in(ccx, line).empty() || (has_l3() && l3_[ccx].find(line) != nullptr);
  }
  // The copy that answers for a CCX, and the core that has it (-1: the L3).
  std::pair<NaiveLine*, int> best_in(unsigned ccx, Line line) {
    std::pair<NaiveLine*, int> best{has_l3() ? l3_[ccx].find(line) : nullptr, -1};
    for (const unsigned core : holders_in(ccx, line)) {
      NaiveLine* copy = l2_[core].find(line);
      if (!best.first || rank(copy->state) > rank(best.first->state)) best = {copy, static_cast<int>(core)};
    }
    return best;
  }
  bool alone(unsigned ccx, Line line) {
    const auto found = directory_.find(line);
    return found != directory_.end() && found->second.only && *found->second.answers == ccx;
  }

  char load(unsigned core, Line line) {
    const unsigned ccx = machine_.ccx_of_core(core);
    const std::vector<unsigned> others = holders_in(ccx, line);
    if (NaiveLine* in_l3 = has_l3() ? l3_[ccx].find(line) : nullptr) {
      now_.served = Served::kL3;
      now_.supplied_from = to_state(in_l3->state);
      if (!others.empty()) return 'S';
      const char state = in_l3->state;
      l3_[ccx].erase(line);
      return state;
    }
    if (!others.empty()) {
      const auto [copy, supplier] = best_in(ccx, line);
      now_.served = Served::kCore;
      now_.supplied_from = to_state(copy->state);
      now_.supplier = static_cast<std::uint16_t>(supplier);
      now_.supplier_core = static_cast<std::int16_t>(supplier);
      if (copy->state == 'M') copy->state = 'O';
      if (copy->state == 'E') copy->state = machine_.protocol.forwarder ? 'F' : 'S';
      return 'S';
    }
    now_.home_asked = true;
    const auto found = directory_.find(line);
    if (found == directory_.end()) {
      now_.served = Served::kDram;
      enter(line, Entry{{ccx}, ccx, true});
      return 'E';
    }
    Entry& entry = found->second;
    entry.sharers.insert(ccx);
    if (!entry.answers) {
      now_.served = Served::kDram;
      if (!machine_.protocol.forwarder) return 'S';
      entry.answers = ccx;
      return 'F';
    }
    const unsigned other = *entry.answers;
    const char state = supply(other, line);
    now_.probed_ccxs = 1u << other;
    if (state == 'M' && machine_.protocol.migratory) {
      kill(other, line, now_.invalidated);
      directory_[line] = Entry{{ccx}, ccx, true};
      return 'M';
    }
    entry.only = false;
    NaiveLine* copy = best_in(other, line).first;
    copy->state = is_dirty(state) ? 'O' : machine_.protocol.forwarder ? 'F' : 'S';
    if (copy->state == 'S') entry.answers.reset();
    return 'S';
  }

  char store(unsigned core, Line line, char own) {
    const unsigned ccx = machine_.ccx_of_core(core);
    std::vector<unsigned> others = holders_in(ccx, line);
    std::erase(others, core);
    NaiveLine* in_l3 = has_l3() ? l3_[ccx].find(line) : nullptr;
    const bool here = own != 'I' || in_l3 || !others.empty();
    if (own != 'I') {
      now_.served = Served::kUpgrade;
    } else if (in_l3) {
      now_.served = Served::kL3;
      now_.supplied_from = to_state(in_l3->state);
    } else if (!others.empty()) {
      const int supplier = best_in(ccx, line).second;
      now_.served = Served::kCore;
      now_.supplied_from = to_state(best_in(ccx, line).first->state);
      now_.supplier = static_cast<std::uint16_t>(supplier);
      now_.supplier_core = static_cast<std::int16_t>(supplier);
    }
    if (!alone(ccx, line)) {
      now_.home_asked = true;
      const auto found = directory_.find(line);
      if (found == directory_.end()) {
        now_.served = Served::kDram;
        enter(line, Entry{{ccx}, ccx, true});
      } else {
        const Entry entry = found->second;
        if (!here) {
          now_.served = Served::kDram;
          if (entry.answers) supply(*entry.answers, line);
        }
        now_.broadcast = !machine_.protocol.precise && !entry.only;
        for (unsigned other = 0; other < machine_.ccxs(); ++other) {
          if (other == ccx || !(now_.broadcast || entry.sharers.count(other) != 0)) continue;
          now_.probed_ccxs |= 1u << other;
          kill(other, line, now_.invalidated);
        }
        found->second = Entry{{ccx}, ccx, true};
      }
    }
    for (const unsigned other : others) {
      lose(other, line);
      now_.invalidated.set(other);
    }
    if (has_l3()) l3_[ccx].erase(line);
    return 'M';
  }

  // Another CCX sends the data; its state before.
  char supply(unsigned ccx, Line line) {
    const auto [copy, core] = best_in(ccx, line);
    now_.served = Served::kRemoteCcx;
    now_.supplied_from = to_state(copy->state);
    now_.supplier = static_cast<std::uint16_t>(ccx);
    now_.supplier_core = static_cast<std::int16_t>(core);
    return copy->state;
  }
  void lose(unsigned core, Line line) {
    l1_[core].erase(line);
    l2_[core].erase(line);
  }
  void kill(unsigned ccx, Line line, CoreSet& lost) {
    for (const unsigned core : holders_in(ccx, line)) {
      lose(core, line);
      lost.set(core);
    }
    if (has_l3()) l3_[ccx].erase(line);
  }

  void leave_l2(unsigned core, NaiveLine victim) {
    const unsigned ccx = machine_.ccx_of_core(core);
    l1_[core].erase(victim.line);
    now_.l2_victim.line = victim.line;
    now_.l2_victim.happened = true;
    if (!has_l3()) {
      now_.l2_victim.written_back = is_dirty(victim.state);
      left_caches(ccx, victim);
    } else if (NaiveLine* copy = l3_[ccx].find(victim.line)) {
      if (rank(victim.state) > rank(copy->state)) copy->state = victim.state;
      l3_[ccx].touch(victim.line);
    } else if (const auto gone = l3_[ccx].insert(victim.line, victim.state)) {
      now_.l3_victim.line = gone->line;
      now_.l3_victim.happened = true;
      now_.l3_victim.written_back = is_dirty(gone->state);
      left_caches(ccx, *gone);
    }
  }
  void left_caches(unsigned ccx, NaiveLine gone) {
    const auto found = directory_.find(gone.line);
    Entry& entry = found->second;
    if (ccx_has(ccx, gone.line)) {
      if ((gone.state == 'O' || gone.state == 'F') && !entry.only) entry.answers.reset();
      return;
    }
    entry.sharers.erase(ccx);
    const bool was_only = entry.only;
    if (entry.answers == ccx) entry.answers.reset();
    entry.only = entry.only && entry.answers.has_value();
    // A directory that does not know its sharers cannot know that the last has gone.
    if (machine_.protocol.precise ? entry.sharers.empty() : was_only) remove(gone.line);
  }

  auto channel_of(Line line) const {
    const Home& home = homes_[line];
    return std::make_tuple(home.socket, home.quadrant, home.channel);
  }
  void enter(Line line, const Entry& entry) {
    std::vector<Line> in_channel;
    for (const Line other : oldest_first_)
      if (channel_of(other) == channel_of(line)) in_channel.push_back(other);
    if (machine_.protocol.directory_entries != 0 && in_channel.size() >= machine_.protocol.directory_entries) {
      const Line gone = in_channel.front();
      now_.recall.line = gone;
      now_.recall.happened = true;
      for (unsigned ccx = 0; ccx < machine_.ccxs(); ++ccx) {
        for (const unsigned core : holders_in(ccx, gone))
          if (is_dirty(l2_[core].find(gone)->state)) now_.recall.written_back = true;
        if (has_l3() && l3_[ccx].find(gone) && is_dirty(l3_[ccx].find(gone)->state)) now_.recall.written_back = true;
        kill(ccx, gone, now_.recall.invalidated);
      }
      remove(gone);
    }
    directory_[line] = entry;
    oldest_first_.push_back(line);
  }
  void remove(Line line) {
    directory_.erase(line);
    std::erase(oldest_first_, line);
  }

  MachineModel machine_;
  std::vector<Home> homes_;
  std::vector<NaiveCache> l1_, l2_, l3_;
  std::map<Line, Entry> directory_;
  std::vector<Line> oldest_first_;
  Outcome now_;
};

}  // namespace hitmark::simulator
