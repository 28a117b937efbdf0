// Socket charging in the release candidates of Linux 6.8: a count per memcg, and a walk through the memcgs that cost
// what 9cee7e8ef3e3 won back. The reference infers the release from dates.
#include "kernels/memcg/mod_state_v4.hpp"
#include "kernels/memcg/sock_charge_variant.hpp"

namespace hitmark::memcg {
namespace {

struct G3V4 : LinuxG3Policy {
  using Statistics = StatisticsV4<StatisticsShape::Rstat::kCpuLock>;
};

const RegisteredVariant registered(sock_charge_variant<G3V4>("g3-v4",
                                                             "1 slot; a count per memcg, three dependent loads a level",
                                                             "Linux 6.8-rc (8d59d2214c23; release number unverified)"));

}  // namespace
}  // namespace hitmark::memcg
