// Looks at an input before hwloc does, to say in plain words what is wrong with it.
#pragma once

#include <string>
#include <string_view>

#include "support/result.hpp"

namespace hitmark {

inline constexpr std::size_t kMaxXmlBytes = std::size_t{16} << 20;  // 1024 CPUs take about 1 MiB
inline constexpr long kMaxCpus = 2048;  // hwloc's time grows with the square; the largest EPYC host has 768

// `name` is the file, for the message.
Result<void> check_topology_xml(std::string_view xml, const std::string& name);

// Refuses a synthetic string that would have more than kMaxCpus CPUs: hwloc would build it for minutes.
Result<void> check_synthetic(std::string_view text);

}  // namespace hitmark
