// Linux 6.12 to 6.14: with the local watermark, which every charge reads, and by accident a fourth line.
#include "kernels/page_counter/counter_variant.hpp"

namespace hitmark::page_counter {
namespace {

struct L3 : Direct<PageCounterL3, memcg::Protection::kOnChange> {
  static constexpr const char* kLayoutType = "hitmark::page_counter::PageCounterL3";
  static constexpr std::array<Trait, 3> kTraits = {{{"layout", "L3"}, {"protection", "on change"}, {"stock", "none"}}};
};

const RegisteredVariant registered(page_counter_variant<L3>("l3", "a local watermark makes it four lines",
                                                            "Linux 6.12 (c6f53ed8f213a)"));

}  // namespace
}  // namespace hitmark::page_counter
