// Ablation: what one slot less costs by itself. Linux 6.18 with the patch's six slots, where the patch has them.
#include "kernels/memcg/sock_charge_variant.hpp"

namespace hitmark::memcg {
namespace {

struct Percall6 : Linux618Policy {
  using Stock = MemcgStockPcp6;
  static constexpr const char* kStockType = "hitmark::memcg::MemcgStockPcp6";
};

const RegisteredVariant registered(sock_charge_variant<Percall6>(
    "percall6", "6 slots, statistics updated on every call", "ablation of 20261028185034.3607746-5-kuniyu@google.com"));

}  // namespace
}  // namespace hitmark::memcg
