// Counter-example: 8-bit arithmetic on the counts. 63 + 64 and -63 - 64 still fit (the reference, section 1.8).
#include "kernels/memcg/sock_charge_variant.hpp"

namespace hitmark::memcg {
namespace {

struct Packed6S8arith : PatchPolicy {
  using Count = std::int8_t;
};

const RegisteredVariant registered(sock_charge_variant<Packed6S8arith>("packed6-s8arith",
                                                                       "as packed6, the count computed in 8 bits",
                                                                       "counter-example"));

}  // namespace
}  // namespace hitmark::memcg
