// --set NAME=VALUE with anything in it: no crash, and whatever is accepted is written and read back the same.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "harness/workload_text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hitmark;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto equals = text.find('=');
  Workload workload;
  const auto value = equals == text.npos ? std::string_view() : text.substr(equals + 1);
  if (!set_parameter(workload, text.substr(0, equals), value)) return 0;
  Workload again;
  for (const auto& [name, written] : to_name_values(workload))
    if (!set_parameter(again, name, written)) std::abort();
  if (to_name_values(again) != to_name_values(workload)) std::abort();
  return 0;
}
