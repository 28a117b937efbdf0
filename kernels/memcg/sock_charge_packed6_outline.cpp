// Ablation: the patch without its inlining. consume_stock and refill_stock are one function each for all callers,
// and a miss scans the stock twice: once counting, once again in try_charge.
#include "kernels/memcg/sock_charge_variant.hpp"

namespace hitmark::memcg {
namespace {

struct Packed6Outline : PatchPolicy {
  static constexpr Inlining kInlining = Inlining::kOutOfLine;
};

const RegisteredVariant registered(sock_charge_variant<Packed6Outline>(
    "packed6-outline", "6 slots, MEMCG_SOCK batched (so a miss scans twice), bodies out of line",
    "ablation of 20261028185034.3607746-5-kuniyu@google.com"));

}  // namespace
}  // namespace hitmark::memcg
