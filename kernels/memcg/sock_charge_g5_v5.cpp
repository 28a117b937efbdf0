// For study, no release: today's stock and list with the first form of today's statistics, which counts by load and
// store. Against g5-v4b the shared count is read on every update; against percall7 it is counted by two instructions.
#include "kernels/memcg/mod_state_v5.hpp"
#include "kernels/memcg/sock_charge_variant.hpp"

namespace hitmark::memcg {
namespace {

struct G5V5 : Linux618Policy {
  using Statistics = StatisticsV5<StatisticsShape::Rstat::kLockless>;
};

const RegisteredVariant registered(
    sock_charge_variant<G5V5>("g5-v5", "as percall7, updates counted by load and store",
                              "study: 20250410025752.92159-1-shakeel.butt@linux.dev on Linux 6.18"));

}  // namespace
}  // namespace hitmark::memcg
