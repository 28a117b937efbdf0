// Socket charging with the patch of 2026: six slots, and MEMCG_SOCK batched in the stock line, so that an
// operation that hits the stock touches one private line.
#include "kernels/memcg/sock_charge_variant.hpp"

namespace hitmark::memcg {
namespace {

struct Packed6 : PatchPolicy {};

const RegisteredVariant registered(
    sock_charge_variant<Packed6>("packed6", "6 slots, MEMCG_SOCK batched in the stock line, bodies inlined",
                                 "20261028185034.3607746-5-kuniyu@google.com"));

}  // namespace
}  // namespace hitmark::memcg
