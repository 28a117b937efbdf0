// Socket charging as Linux 6.18 does it: seven slots, and MEMCG_SOCK updated on every call.
#include "kernels/memcg/sock_charge_variant.hpp"

namespace hitmark::memcg {
namespace {

struct Percall7 : Linux618Policy {};

const RegisteredVariant registered(sock_charge_variant<Percall7>("percall7",
                                                                 "7 slots, statistics updated on every call",
                                                                 "Linux 6.18 (mm/memcontrol.c, round-robin victims)"));

}  // namespace
}  // namespace hitmark::memcg
