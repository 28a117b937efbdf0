// Socket charging in Linux 6.8 to 6.14: per-CPU parts know their parents and shared parts. Of 6.15, which puts a lock
// word before this stock, the layout is unverified. The reference infers the releases from dates.
#include "kernels/memcg/mod_state_v4.hpp"
#include "kernels/memcg/sock_charge_variant.hpp"

namespace hitmark::memcg {
namespace {

struct G3V4b : LinuxG3Policy {
  using Statistics = StatisticsV4b<StatisticsShape::Rstat::kCpuLock>;
};

const RegisteredVariant registered(
    sock_charge_variant<G3V4b>("g3-v4b", "1 slot; as g3-v4 through cached pointers",
                               "Linux 6.8 to 6.14 (9cee7e8ef3e3; release numbers unverified)"));

}  // namespace
}  // namespace hitmark::memcg
