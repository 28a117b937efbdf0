// Any bytes as a matrix: an error or a whole triangle.
#include <cstdlib>
#include <string_view>

#include "harness/simulator/validation/matrix_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto matrix = hitmark::simulator::parse_matrix({reinterpret_cast<const char*>(data), size}, "fuzzed");
  if (!matrix) return 0;
  for (unsigned a = 1; a < matrix->cpus(); ++a)
    if (!(matrix->at(0, a) > 0)) std::abort();
  return 0;
}
