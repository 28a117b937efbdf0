// Counter-example: the patch with all seven slots. 1 + 7 + 7 bytes and seven pointers are 72 bytes, so the last
// pointer falls into the line of the work item.
#include "kernels/memcg/sock_charge_variant.hpp"

namespace hitmark::memcg {
namespace {

struct Packed7Spill : PatchPolicy {
  using Stock = MemcgStockPcp7Spill;
  static constexpr const char* kStockType = "hitmark::memcg::MemcgStockPcp7Spill";
};

const RegisteredVariant registered(sock_charge_variant<Packed7Spill>(
    "packed7-spill", "7 slots and their counts: the last pointer is in the next line", "counter-example"));

}  // namespace
}  // namespace hitmark::memcg
