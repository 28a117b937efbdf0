// The first patch of August 2022 alone, on the layout that it found: protection atomics only when the share changes.
#include "kernels/page_counter/counter_variant.hpp"

namespace hitmark::page_counter {
namespace {

struct L1OnChange : Direct<PageCounterL1, memcg::Protection::kOnChange> {
  static constexpr const char* kLayoutType = "hitmark::page_counter::PageCounterL1";
  static constexpr std::array<Trait, 3> kTraits = {{{"layout", "L1"}, {"protection", "on change"}, {"stock", "none"}}};
};

const RegisteredVariant registered(page_counter_variant<L1OnChange>(
    "l1-on-change", "L1, protection atomics only on a change", "20220825000506.239406-1-shakeelb@google.com, patch 1"));

}  // namespace
}  // namespace hitmark::page_counter
