// What a variant of the family sock-charge is made of. A variant's file derives a policy from one of those
// here and changes what it is about. The traits are computed from the policy, so they cannot disagree with
// the code. A variant without counts has the usual values for the counts' aspects: they never set it apart.
#pragma once

#include <array>
#include <type_traits>

#include "kernels/memcg/mod_state_v5.hpp"
#include "kernels/memcg/stock_layouts.hpp"
#include "kernels/variant.hpp"

namespace hitmark::memcg {

// Where the hot path's body is: a call away (per call: try_charge and refill_stock, as 6.18 has them; batched:
// consume_stock and refill_stock, each one function for all callers), or in charge and uncharge themselves.
enum class Inlining { kOutOfLine, kInlined };

// Whose slot is taken when none is free.
enum class Victim { kTheOnlySlot, kRandom, kRoundRobin };

namespace {

struct Linux618Policy {
  using Stock = MemcgStockPcp7;
  using Statistics = StatisticsV5b;
  using Count = int;  // of the arithmetic on nr_sock
  static constexpr const char* kStockType = "hitmark::memcg::MemcgStockPcp7";
  static constexpr const char* kBesides = "nothing";  // what else the stock's struct holds
  static constexpr Victim kVictim = Victim::kRoundRobin;
  static constexpr bool kBatched = false;
  static constexpr Inlining kInlining = Inlining::kOutOfLine;
};

struct PatchPolicy : Linux618Policy {
  using Stock = MemcgStockPcp6Sock;
  static constexpr const char* kStockType = "hitmark::memcg::MemcgStockPcp6Sock";
  static constexpr bool kBatched = true;
  static constexpr Inlining kInlining = Inlining::kInlined;
};

// The releases with one slot, from the latest (6.8 to 6.14) back; the statistics are each variant's own.
struct LinuxG3Policy : Linux618Policy {
  using Stock = MemcgStockPcpG3;
  static constexpr const char* kStockType = "hitmark::memcg::MemcgStockPcpG3";
  static constexpr const char* kBesides = "bytes of an objcg, its slab statistics";
  static constexpr Victim kVictim = Victim::kTheOnlySlot;
};

struct LinuxG2Policy : LinuxG3Policy {
  using Stock = MemcgStockPcpG2;
  static constexpr const char* kStockType = "hitmark::memcg::MemcgStockPcpG2";
  static constexpr const char* kBesides = "as later, for tasks and interrupts each";
};

struct LinuxG0Policy : LinuxG3Policy {
  using Stock = MemcgStockPcpG0;
  static constexpr const char* kStockType = "hitmark::memcg::MemcgStockPcpG0";
  static constexpr const char* kBesides = "bytes of an objcg";
};

}  // namespace

template <typename Policy>
constexpr std::string_view count_place() {
  if constexpr (HasSockCounts<typename Policy::Stock>)
    if (offsetof(typename Policy::Stock, nr_sock) >= kLine) return "own line";
  return "stock line";
}

constexpr std::string_view text_of(Victim victim) {
  if (victim == Victim::kTheOnlySlot) return "the only slot";
  return victim == Victim::kRandom ? "random" : "round robin";
}

template <typename Policy>
constexpr std::string_view slot_count() {
  constexpr unsigned kCount = kSlots<typename Policy::Stock>;
  static_assert(kCount == 1 || kCount == 6 || kCount == 7, "a number of slots without a text");
  return kCount == 1 ? "1" : kCount == 6 ? "6" : "7";
}

template <typename Policy>
inline constexpr std::array<Trait, 10> kTraits = {{
    {"slots", slot_count<Policy>()},
    {"statistics", Policy::kBatched ? "batched" : "per call"},
    {"inlining", Policy::kInlining == Inlining::kInlined ? "inlined" : "out of line"},
    {"count-place", count_place<Policy>()},
    {"arithmetic", std::is_same_v<typename Policy::Count, int> ? "int" : "8 bit"},
    {"victim", text_of(Policy::kVictim)},
    {"guard", HasTrylock<typename Policy::Stock> ? "lock byte" : "interrupts off"},
    {"besides", Policy::kBesides},
    {"update-rule", Policy::Statistics::kShape.update_rule},
    {"rstat", text_of(Policy::Statistics::kShape.rstat)},
}};

}  // namespace hitmark::memcg
