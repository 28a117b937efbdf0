#include "harness/native/overhead.hpp"

#include <array>

#include "harness/native/trial_loop.hpp"
#include "support/instruction_counter.hpp"

// The linker's names for the ends of the section that holds the loops.
extern "C" const char __start_hitmark_loop[], __stop_hitmark_loop[];

namespace hitmark::native {
namespace {

constexpr std::uint64_t kOperations = 64;
constexpr std::size_t kPressureLines = 16;

Result<std::uint64_t> loop_instructions(Driver driver, LoopInput input, std::uint64_t operations) {
  std::uint64_t inside = 0;
  const auto begin = reinterpret_cast<std::uintptr_t>(__start_hitmark_loop);
  const auto end = reinterpret_cast<std::uintptr_t>(__stop_hitmark_loop);
  const auto total = count_instructions([&] { driver(input, operations); },
                                        [&](std::uintptr_t at) { inside += at >= begin && at < end; });
  if (!total) return total.error();
  return inside;
}

}  // namespace

Result<std::vector<DriverOverhead>> measure_driver_overhead() {
  alignas(64) static std::array<std::uint64_t, kPressureLines * 8> pressure;
  std::array<void*, 2> objects{};
  LoopInput input;
  input.operation = empty_operation;
  input.objects = objects.data();
  input.pressure = pressure.data();
  input.pressure_lines = kPressureLines;

  struct Case {
    const char* driver;
    const char* setting;
    Driver run;
    std::size_t objects;
  };
  const Case cases[] = {{"bare", "1 object", run_bare, 1},
                        {"cyclic", "2 objects", run_cyclic, 2},
                        {"pressure", "2 objects, 1 KiB", run_pressure, 2}};
  std::vector<DriverOverhead> overheads;
  for (const Case& each : cases) {
    input.object_count = each.objects;
    const auto once = loop_instructions(each.run, input, kOperations);
    if (!once) return once.error();
    const auto twice = loop_instructions(each.run, input, 2 * kOperations);
    if (!twice) return twice.error();
    overheads.push_back(
        {each.driver, each.setting, static_cast<double>(*twice - *once) / static_cast<double>(kOperations)});
  }
  return overheads;
}

}  // namespace hitmark::native
