// Socket charging in Linux 5.16: readers flush only when calls of all memcgs, counted in one global word, are enough
// (11192d9c124d). The reference infers the release from dates.
#include "kernels/memcg/mod_state_v3.hpp"
#include "kernels/memcg/sock_charge_variant.hpp"

namespace hitmark::memcg {
namespace {

struct G2V3 : LinuxG2Policy {
  using Statistics = StatisticsV3;
};

const RegisteredVariant registered(sock_charge_variant<G2V3>("g2-v3",
                                                             "1 slot; every 64th call of a CPU into one global count",
                                                             "Linux 5.16 (11192d9c124d; release number unverified)"));

}  // namespace
}  // namespace hitmark::memcg
