// Socket charging in Linux 5.18 to 6.7: the global count is of pages, not of calls. The reference infers the releases
// from dates.
#include "kernels/memcg/mod_state_v3.hpp"
#include "kernels/memcg/sock_charge_variant.hpp"

namespace hitmark::memcg {
namespace {

struct G3V3b : LinuxG3Policy {
  using Statistics = StatisticsV3b;
};

const RegisteredVariant registered(sock_charge_variant<G3V3b>(
    "g3-v3b", "1 slot; pages past 64 of a CPU into one global count",
    "Linux 5.18 to 6.7 (20211118065350.697046-1-shakeelb@google.com; release numbers unverified)"));

}  // namespace
}  // namespace hitmark::memcg
