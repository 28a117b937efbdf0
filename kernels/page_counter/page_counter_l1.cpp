// Linux 5.12 to 6.0: the parent pointer is out of the way of usage, the limits are not.
#include "kernels/page_counter/counter_variant.hpp"

namespace hitmark::page_counter {
namespace {

struct L1 : Direct<PageCounterL1, memcg::Protection::kAlways> {
  static constexpr const char* kLayoutType = "hitmark::page_counter::PageCounterL1";
  static constexpr std::array<Trait, 3> kTraits = {{{"layout", "L1"}, {"protection", "always"}, {"stock", "none"}}};
};

const RegisteredVariant registered(page_counter_variant<L1>("l1", "the parent is on the second line",
                                                            "Linux 5.12 (802f1d522d5f)"));

}  // namespace
}  // namespace hitmark::page_counter
