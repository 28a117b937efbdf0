// Ablation: inlining by itself. Linux 6.18 with consume and refill in the bodies of charge and uncharge.
#include "kernels/memcg/sock_charge_variant.hpp"

namespace hitmark::memcg {
namespace {

struct Percall7Inline : Linux618Policy {
  static constexpr Inlining kInlining = Inlining::kInlined;
};

const RegisteredVariant registered(sock_charge_variant<Percall7Inline>(
    "percall7-inline", "7 slots, statistics on every call, bodies inlined (so a miss scans twice)",
    "ablation of 20261028185034.3607746-5-kuniyu@google.com"));

}  // namespace
}  // namespace hitmark::memcg
