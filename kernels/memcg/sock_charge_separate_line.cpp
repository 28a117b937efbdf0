// Counter-example: the patch with its counts in a line of their own, so that an operation touches two.
#include "kernels/memcg/sock_charge_variant.hpp"

namespace hitmark::memcg {
namespace {

struct SeparateLine : PatchPolicy {
  using Stock = MemcgStockPcp6Apart;
  static constexpr const char* kStockType = "hitmark::memcg::MemcgStockPcp6Apart";
};

const RegisteredVariant registered(sock_charge_variant<SeparateLine>("separate-line",
                                                                     "6 slots, MEMCG_SOCK batched in a line of its own",
                                                                     "counter-example"));

}  // namespace
}  // namespace hitmark::memcg
