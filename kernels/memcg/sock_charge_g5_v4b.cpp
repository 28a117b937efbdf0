// For study, no release: today's stock and list with the statistics of 6.8 to 6.15, which read a memcg's shared count
// once a batch. Against g5-v5 it says what the read on every update costs.
#include "kernels/memcg/mod_state_v4.hpp"
#include "kernels/memcg/sock_charge_variant.hpp"

namespace hitmark::memcg {
namespace {

struct G5V4b : Linux618Policy {
  using Statistics = StatisticsV4b<StatisticsShape::Rstat::kLockless>;
};

const RegisteredVariant registered(sock_charge_variant<G5V4b>("g5-v4b",
                                                              "as percall7, the shared count read once per 64 updates",
                                                              "study: 9cee7e8ef3e3 on Linux 6.18"));

}  // namespace
}  // namespace hitmark::memcg
