// The per-counter stock as posted: four bytes for each CPU and counter, sixteen counters of a CPU on a line.
#include "kernels/page_counter/stocked.hpp"

namespace hitmark::page_counter {
namespace {

struct StockPacked : Stocked<PackedStock> {
  static constexpr const char* kLayoutType = "hitmark::page_counter::StockedPageCounter";
  static constexpr std::array<Trait, 3> kTraits = {
      {{"layout", "L4"}, {"protection", "on change"}, {"stock", "packed"}}};
};

const RegisteredVariant registered(
    page_counter_variant<StockPacked>("stock-packed", "a stock for each CPU and counter, sixteen on a line",
                                      "20260623180124.868655-1-joshua.hahnjy@gmail.com"));

}  // namespace
}  // namespace hitmark::page_counter
