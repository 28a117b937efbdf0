// Socket charging in Linux 6.17 and the first of 6.18: seven slots, and a random one is evicted. The reference infers
// the releases from dates.
#include "kernels/memcg/sock_charge_variant.hpp"

namespace hitmark::memcg {
namespace {

struct G4V5b : Linux618Policy {
  using Stock = MemcgStockPcpG4;
  static constexpr const char* kStockType = "hitmark::memcg::MemcgStockPcpG4";
  static constexpr Victim kVictim = Victim::kRandom;
};

const RegisteredVariant registered(sock_charge_variant<G4V5b>(
    "g4-v5b", "as percall7, a random slot is evicted",
    "Linux 6.17 (20250416180229.2902751-1-shakeel.butt@linux.dev; release number unverified)"));

}  // namespace
}  // namespace hitmark::memcg
