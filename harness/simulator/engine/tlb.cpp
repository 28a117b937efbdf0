#include "harness/simulator/engine/tlb.hpp"

#include <algorithm>

#include "support/check.hpp"

namespace hitmark::simulator {
namespace {

const auto kOlder = [](const auto& a, const auto& b) { return a.used < b.used; };

}  // namespace

Tlb::Tlb(const TlbGeometry& geometry, unsigned cores, std::size_t pages)
    : pages_(pages),
      l1_entries_(geometry.l1_entries),
      l2_sets_(geometry.l2_ways ? std::max(1u, geometry.l2_entries / geometry.l2_ways) : 0),
      l2_ways_(geometry.l2_ways),
      slots_(cores * pages),
      l1_(std::size_t{cores} * l1_entries_),
      l2_(std::size_t{cores} * l2_sets_ * l2_ways_) {
  HITMARK_CHECK(l1_entries_ >= 1 && l1_entries_ <= 255, "an L1 TLB has 1 to 255 entries");
}

Tlb::Level Tlb::access(unsigned core, std::uint32_t page, Key now, std::uint32_t& evicted) {
  evicted = 0;
  Entry* const first = entries(core);
  if (const unsigned slot = slots_[core * pages_ + page]; slot != 0) {
    first[slot - 1].used = now;
    return Level::kL1;
  }
  const Level level = fill_from_l2(core, page, now);
  Entry* const victim = std::min_element(first, first + l1_entries_, kOlder);
  evicted = victim->page;
  if (evicted != 0) slots_[core * pages_ + victim->page - 1] = 0;
  *victim = {now, page + 1};
  slots_[core * pages_ + page] = static_cast<std::uint8_t>(victim - first + 1);
  return level;
}

Tlb::Level Tlb::fill_from_l2(unsigned core, std::uint32_t page, Key now) {
  if (l2_ways_ == 0) return Level::kWalk;
  Entry* const first = &l2_[(std::size_t{core} * l2_sets_ + page % l2_sets_) * l2_ways_];
  Entry* const end = first + l2_ways_;
  Entry* const found = std::find_if(first, end, [page](const Entry& e) { return e.page == page + 1; });
  if (found != end) {
    found->used = now;
    return Level::kL2;
  }
  *std::min_element(first, end, kOlder) = {now, page + 1};
  return Level::kWalk;
}

}  // namespace hitmark::simulator
