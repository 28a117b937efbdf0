// Finds the paths that steady workloads take through the operations of a variant, by running them traced, and counts
// the instructions of each by single-stepping the native operation from the same state. Tests and the generator only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/simulator/instructions/instruction_table.hpp"
#include "kernels/variant.hpp"
#include "kernels/workload.hpp"

namespace hitmark::simulator {

// The function, by its number, that an instruction belongs to; SIZE_MAX: none of them.
struct FunctionMap {
  std::vector<std::string> names;
  std::function<std::size_t(std::uintptr_t instruction)> at;
};

struct MeasuredPath : InstructionPath {
  std::uint64_t taken = 0;             // by the workloads that were run
  double instructions_of_another = 0;  // `twice`: the last time that it was taken; the same, if the accesses say it all
};

struct MeasuredOperation {
  std::string name;
  std::vector<MeasuredPath> paths;  // most taken first
  std::uint64_t taken = 0;          // all paths, those that are left out as well
};

// Of all operations and events. Deterministic; the state is played by one thread on a few CPUs.
Result<std::vector<MeasuredOperation>> measure_paths(const Variant& variant, const FunctionMap& functions, bool twice);

}  // namespace hitmark::simulator
