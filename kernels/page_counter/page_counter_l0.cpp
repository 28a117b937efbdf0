// Linux up to 5.11: each charge takes the line away from all who read limit and parent, and a set protection costs two
// atomics a level.
#include "kernels/page_counter/counter_variant.hpp"

namespace hitmark::page_counter {
namespace {

struct L0 : Direct<PageCounterL0, memcg::Protection::kAlways> {
  static constexpr const char* kLayoutType = "hitmark::page_counter::PageCounterL0";
  static constexpr std::array<Trait, 3> kTraits = {{{"layout", "L0"}, {"protection", "always"}, {"stock", "none"}}};
};

const RegisteredVariant registered(page_counter_variant<L0>("l0", "usage, limits and parent on one line",
                                                            "Linux 5.11"));

}  // namespace
}  // namespace hitmark::page_counter
