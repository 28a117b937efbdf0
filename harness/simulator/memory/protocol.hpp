// The coherence protocol as pure functions: no caches, no time. MOESI (and F), with the CCXs as agents at a
// serialising home and the cores as agents inside a CCX; README.md has the same as a table, with its sources.
//
// They are static members so that a test can derive from Protocol, replace one decision by a wrong one and see
// that the invariants notice.
#pragma once

#include <cstdint>

#include "harness/simulator/machine/machine_model.hpp"

namespace hitmark::simulator {

// In the order of what the holder answers for: of several copies, the one with the greatest state supplies.
enum class LineState : std::uint8_t { kI, kS, kF, kE, kO, kM };

constexpr bool dirty(LineState state) { return state == LineState::kO || state == LineState::kM; }
// May be written without asking anybody.
constexpr bool sole(LineState state) { return state == LineState::kE || state == LineState::kM; }
const char* to_string(LineState state);

enum class Request : std::uint8_t { kLoad, kStore };  // a read-modify-write is a store
enum class HomeRequest : std::uint8_t { kNone, kRead, kReadForStore, kChangeToDirty };

// What the L3's tags (which cover its cores' L2s) know when a core asks.
struct CcxView {
  LineState own = LineState::kI;   // of the core that asks
  LineState core = LineState::kI;  // the greatest among the CCX's other cores
  LineState l3 = LineState::kI;
  bool exclusive = false;  // no other CCX has a copy: what happens here is not the home's business
};

enum class Source : std::uint8_t { kOwn, kL3, kCore, kHome };

struct CcxAction {
  Source source = Source::kOwn;  // of the data
  HomeRequest home = HomeRequest::kNone;
  LineState own = LineState::kI;   // afterwards; when the home is asked, what it grants instead
  LineState core = LineState::kI;  // of the core that `view.core` described; kI: all other cores lose the line
  LineState l3 = LineState::kI;
};

enum class DirectoryKind : std::uint8_t {
  kUncached,
  kShared,     // clean copies, nobody answers for them but DRAM
  kForwarded,  // clean copies, `owner` answers (F)
  kOwned,      // `owner` has it dirty (O), others may have copies
  kExclusive,  // only `owner` has it, the home does not know whether dirty
};

struct DirectoryEntry {
  std::uint32_t sharers = 0;  // CCXs with a copy, the owner too; a directory that is not precise keeps none
  std::uint8_t owner = 0;     // kForwarded, kOwned, kExclusive; else 0
  DirectoryKind kind = DirectoryKind::kUncached;
  constexpr bool has_owner() const { return kind >= DirectoryKind::kForwarded; }
  friend constexpr bool operator==(const DirectoryEntry&, const DirectoryEntry&) = default;
};

enum class Supplier : std::uint8_t { kDram, kOwner, kRequester };

struct HomeAction {
  Supplier supplier = Supplier::kDram;
  std::uint32_t probed = 0;       // CCXs
  std::uint32_t invalidated = 0;  // those of them that lose the line
  bool broadcast = false;
  LineState owner = LineState::kI;  // of the supplying copy afterwards, when it keeps the line
  LineState granted = LineState::kI;
  DirectoryEntry next;
};

enum class Notice : std::uint8_t { kNone, kNoLongerOwner, kGone };

struct Departure {
  bool write_back = false;
  Notice notice = Notice::kNone;
};

struct Protocol {
  // A core of a CCX asks.
  static constexpr CcxAction in_ccx(Request request, const CcxView& view, const ProtocolSwitches& switches) {
    using enum LineState;
    if (request == Request::kLoad) {
      if (view.own != kI) return {Source::kOwn, HomeRequest::kNone, view.own, view.core, view.l3};
      // A victim cache gives the line up, unless several cores of the CCX use it.
      if (view.l3 != kI && view.core == kI) return {Source::kL3, HomeRequest::kNone, view.l3, kI, kI};
      if (view.l3 != kI) return {Source::kL3, HomeRequest::kNone, kS, view.core, view.l3};
      if (view.core != kI) return {Source::kCore, HomeRequest::kNone, kS, shared(view.core, switches), kI};
      return {Source::kHome, HomeRequest::kRead, kI, kI, kI};
    }
    const Source source = view.own != kI    ? Source::kOwn
                          : view.l3 != kI   ? Source::kL3
                          : view.core != kI ? Source::kCore
                                            : Source::kHome;
    if (source == Source::kHome) return {source, HomeRequest::kReadForStore, kM, kI, kI};
    const bool may_write = sole(view.own) || view.exclusive;
    return {source, may_write ? HomeRequest::kNone : HomeRequest::kChangeToDirty, kM, kI, kI};
  }

  // CCX `ccx` asks the home; `found`: the greatest state in the owner's CCX, when the entry has an owner.
  static constexpr HomeAction at_home(HomeRequest request, const DirectoryEntry& entry, unsigned ccx, LineState found,
                                      std::uint32_t all_ccxs, const ProtocolSwitches& switches) {
    using enum LineState;
    using Kind = DirectoryKind;
    const std::uint32_t self = 1u << ccx;
    const auto entry_of = [&](Kind kind, unsigned owner, std::uint32_t sharers) {
      return DirectoryEntry{switches.precise ? sharers : 0, static_cast<std::uint8_t>(owner), kind};
    };
    const DirectoryEntry mine = entry_of(Kind::kExclusive, ccx, self);
    HomeAction action;
    if (request == HomeRequest::kRead) {
      if (entry.kind == Kind::kUncached) {
        action.granted = kE;
        action.next = mine;
        return action;
      }
      if (entry.kind == Kind::kShared) {  // with a forwarder, the newest reader becomes it
        action.granted = switches.forwarder ? kF : kS;
        action.next = switches.forwarder ? entry_of(Kind::kForwarded, ccx, entry.sharers | self)
                                         : entry_of(Kind::kShared, 0, entry.sharers | self);
        return action;
      }
      action.supplier = Supplier::kOwner;
      action.probed = 1u << entry.owner;
      if (found == kM && switches.migratory) {
        action.invalidated = action.probed;
        action.granted = kM;
        action.next = mine;
        return action;
      }
      action.granted = kS;
      action.owner = dirty(found) ? kO : switches.forwarder ? kF : kS;
      const Kind kind = action.owner == kO ? Kind::kOwned : switches.forwarder ? Kind::kForwarded : Kind::kShared;
      action.next = entry_of(kind, kind == Kind::kShared ? 0 : entry.owner, entry.sharers | self);
      return action;
    }
    action.supplier = request == HomeRequest::kChangeToDirty ? Supplier::kRequester
                      : entry.has_owner()                    ? Supplier::kOwner
                                                             : Supplier::kDram;
    action.broadcast = !switches.precise && entry.kind != Kind::kUncached && entry.kind != Kind::kExclusive;
    action.probed = holders(entry, all_ccxs, switches) & ~self;
    action.invalidated = action.probed;
    action.granted = kM;
    action.next = mine;
    return action;
  }

  // An L2's victim goes to the L3, which may have a copy already.
  static constexpr LineState into_l3(LineState victim, LineState l3) { return victim > l3 ? victim : l3; }

  // A copy leaves a CCX: the L3's victim, or an L2's where there is no L3. `remains`: the CCX has other copies.
  static constexpr Departure leave_ccx(LineState victim, bool remains, bool exclusive) {
    const bool owner = victim == LineState::kO || victim == LineState::kF;
    const Notice notice = !remains ? Notice::kGone : owner && !exclusive ? Notice::kNoLongerOwner : Notice::kNone;
    return {dirty(victim), notice};
  }

  // The home hears of it.
  static constexpr DirectoryEntry noticed(const DirectoryEntry& entry, unsigned ccx, Notice notice,
                                          const ProtocolSwitches& switches) {
    using Kind = DirectoryKind;
    DirectoryEntry next = entry;
    if (entry.has_owner() && entry.owner == ccx) {
      if (entry.kind == Kind::kExclusive) return notice == Notice::kGone ? DirectoryEntry{} : entry;
      next.kind = Kind::kShared;
      next.owner = 0;
    }
    if (notice == Notice::kGone && switches.precise) {
      next.sharers &= ~(1u << ccx);
      if (next.sharers == 0) return {};
    }
    return next;
  }

  // The directory gives the entry up: who loses the line. Dirty data goes to DRAM.
  static constexpr std::uint32_t recalled(const DirectoryEntry& entry, std::uint32_t all_ccxs,
                                          const ProtocolSwitches& switches) {
    return holders(entry, all_ccxs, switches);
  }
  static constexpr bool recall_writes_back(LineState state) { return dirty(state); }

  // A copy that another core of the CCX, or another CCX, has read.
  static constexpr LineState shared(LineState state, const ProtocolSwitches& switches) {
    if (state == LineState::kM) return LineState::kO;
    if (state == LineState::kE) return switches.forwarder ? LineState::kF : LineState::kS;
    return state;
  }
  // As far as the directory knows.
  static constexpr std::uint32_t holders(const DirectoryEntry& entry, std::uint32_t all_ccxs,
                                         const ProtocolSwitches& switches) {
    if (entry.kind == DirectoryKind::kUncached) return 0;
    if (entry.kind == DirectoryKind::kExclusive) return 1u << entry.owner;
    return switches.precise ? entry.sharers : all_ccxs;
  }
};

}  // namespace hitmark::simulator
