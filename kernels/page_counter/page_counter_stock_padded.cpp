// The per-counter stock with a line for each CPU and counter: a drainer takes the stock it came for and no other.
#include "kernels/page_counter/stocked.hpp"

namespace hitmark::page_counter {
namespace {

struct StockPadded : Stocked<PaddedStock> {
  static constexpr const char* kLayoutType = "hitmark::page_counter::StockedPageCounter";
  static constexpr std::array<Trait, 3> kTraits = {
      {{"layout", "L4"}, {"protection", "on change"}, {"stock", "padded"}}};
};

const RegisteredVariant registered(
    page_counter_variant<StockPadded>("stock-padded", "a stock for each CPU and counter, each on its line",
                                      "ours, after 20260623180124.868655-1-joshua.hahnjy@gmail.com"));

}  // namespace
}  // namespace hitmark::page_counter
