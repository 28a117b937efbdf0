// Which function of the kernel makes an access of a charge or an uncharge: known from the field. A profile counts
// cycles by function, so a simulated call is told apart in the same way.
#pragma once

#include <cstdint>
#include <string_view>

#include "kernels/variant.hpp"

namespace hitmark::simulator {

enum class Part : std::uint8_t {
  kStock,       // consuming and refilling the stock: try_charge() and refill_stock(), or in the caller where inlined
  kStatistics,  // mod_memcg_state(), which the profiled kernel has inlined in its callers
  kRstat,       // css_rstat_updated()
  kSlow,        // page counters and whatever else a miss takes
  kNext,        // the per-CPU base: whoever uses it next
};

// `object`: name of the arena's object ("vmstats[root]"; "per-CPU area" for the base), `offset` in it, bytes.
Part part_of(std::string_view object, std::uint64_t offset);

// Whether the accesses of a part are those of charge and uncharge themselves in this variant.
bool is_own(const Variant& variant, Part part);
// The part whose instructions a function's are; kSlow when it is none of those of a hit. `operation`: "charge" or
// "uncharge", whose own instructions count as kStatistics when the stock is not inlined, else as kStock: both own.
Part part_of_function(std::string_view function, std::string_view operation);

}  // namespace hitmark::simulator
