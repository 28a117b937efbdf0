// L4 for a counter without protections: no charge reads them. The test of the flag is compiled away.
#include "kernels/page_counter/counter_variant.hpp"

namespace hitmark::page_counter {
namespace {

struct L4Unprotected : Direct<PageCounterL4, memcg::Protection::kNone> {
  static constexpr const char* kLayoutType = "hitmark::memcg::PageCounter";
  static constexpr std::array<Trait, 3> kTraits = {{{"layout", "L4"}, {"protection", "none"}, {"stock", "none"}}};
};

const RegisteredVariant registered(page_counter_variant<L4Unprotected>("l4-unprotected",
                                                                       "L4 without protections, as swap counters are",
                                                                       "Linux 6.15, protection_support = false"));

}  // namespace
}  // namespace hitmark::page_counter
