// Socket charging up to Linux 5.12: a stock of one memcg; what a CPU has not passed on yet is kept per memcg and item,
// and goes into the items of the memcg and all its ancestors at once. The reference infers the release from dates.
#include "kernels/memcg/mod_state_v0.hpp"
#include "kernels/memcg/sock_charge_variant.hpp"

namespace hitmark::memcg {
namespace {

struct G0V0 : LinuxG0Policy {
  using Statistics = StatisticsV0;
};

const RegisteredVariant registered(
    sock_charge_variant<G0V0>("g0-v0", "1 slot; past 32 pages into the shared item of every level",
                              "Linux up to 5.12 (release number unverified)"));

}  // namespace
}  // namespace hitmark::memcg
