// Every path through charging, uncharging, draining and the statistics, for any variant of sock-charge: what to do
// to a fresh state, then the one operation that takes the path. Used to count instructions (codegen_test.cpp) and
// to compare accesses (trace_equivalence_test.cpp); that together they execute every instruction is tested, too.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/memcg/simulation.hpp"
#include "kernels/workload.hpp"

namespace hitmark::codegen {

struct Path {
  std::string name;
  Workload workload;
  std::function<void(memcg::Simulation&)> prepare;  // on kCpus simulated CPUs, from a fresh state
  std::string_view operation;                       // then this Operation or event of the variant, on CPU 0
  unsigned index = 0;                               // of the memcg among those that CPU 0 uses
  unsigned amount = 1;
  bool has_reference = true;  // false: the flusher and the reader, which the reference C leaves out
};

inline constexpr unsigned kCpus = 3;

std::vector<Path> paths_of(const Variant& variant);

}  // namespace hitmark::codegen
