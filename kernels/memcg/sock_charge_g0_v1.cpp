// Socket charging in Linux 5.13: as before, but statistics wait in the CPU's tree for a flusher (2d146aa3aa842). The
// reference infers the release from dates.
#include "kernels/memcg/mod_state_v1.hpp"
#include "kernels/memcg/sock_charge_variant.hpp"

namespace hitmark::memcg {
namespace {

struct G0V1 : LinuxG0Policy {
  using Statistics = StatisticsV1;
};

const RegisteredVariant registered(
    sock_charge_variant<G0V1>("g0-v1", "1 slot; statistics wait for a flusher, every reader flushes",
                              "Linux 5.13 (2d146aa3aa842; release number unverified)"));

}  // namespace
}  // namespace hitmark::memcg
