// Linux 6.15 and later: failcnt is beside usage, three lines.
#include "kernels/page_counter/counter_variant.hpp"

namespace hitmark::page_counter {
namespace {

struct L4 : Direct<PageCounterL4, memcg::Protection::kOnChange> {
  static constexpr const char* kLayoutType = "hitmark::memcg::PageCounter";
  static constexpr std::array<Trait, 3> kTraits = {{{"layout", "L4"}, {"protection", "on change"}, {"stock", "none"}}};
};

const RegisteredVariant registered(page_counter_variant<L4>(
    "l4", "three lines again (Linux 6.18)", "Linux 6.15 (20250228075808.207484-4-shakeel.butt@linux.dev)"));

}  // namespace
}  // namespace hitmark::page_counter
