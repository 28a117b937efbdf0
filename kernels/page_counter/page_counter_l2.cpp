// Linux 6.1 to 6.11: usage is alone, then what charges seldom write, then what they only read.
#include "kernels/page_counter/counter_variant.hpp"

namespace hitmark::page_counter {
namespace {

struct L2 : Direct<PageCounterL2, memcg::Protection::kOnChange> {
  static constexpr const char* kLayoutType = "hitmark::page_counter::PageCounterL2";
  static constexpr std::array<Trait, 3> kTraits = {{{"layout", "L2"}, {"protection", "on change"}, {"stock", "none"}}};
};

const RegisteredVariant registered(page_counter_variant<L2>("l2", "usage alone on its line, three lines",
                                                            "Linux 6.1 (20220825000506.239406-1-shakeelb@google.com)"));

}  // namespace
}  // namespace hitmark::page_counter
