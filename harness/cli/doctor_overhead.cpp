// The one place where doctor meets harness/native: a build without that folder still has a doctor.
#include "harness/cli/doctor.hpp"

#if __has_include("harness/native/overhead.hpp")
#include "harness/native/overhead.hpp"
#define HITMARK_HAS_OVERHEAD 1
#endif

namespace hitmark::cli {

Result<std::vector<Overhead>> measure_overhead() {
#ifdef HITMARK_HAS_OVERHEAD
  const auto measured = native::measure_driver_overhead();
  if (!measured) return measured.error();
  std::vector<Overhead> all;
  for (const auto& one : *measured) all.push_back({one.driver, one.setting, one.instructions_per_operation});
  return all;
#else
  return Error{ErrorKind::kUnavailable, "this build cannot count the instructions of its drivers", ""};
#endif
}

}  // namespace hitmark::cli
