#include "topology/topology_input.hpp"

#include <algorithm>
#include <charconv>

namespace hitmark {
namespace {

constexpr const char* kHowToWrite = "lstopo --of xml FILE.xml on the machine in question (hwloc 2)";

// The value of version="..." in the <topology> tag; empty for hwloc 1, which has none.
std::string_view version_of(std::string_view tag) {
  const auto at = tag.find("version=\"");
  if (at == std::string_view::npos) return {};
  tag.remove_prefix(at + 9);
  return tag.substr(0, tag.find('"'));
}

}  // namespace

Result<void> check_topology_xml(std::string_view xml, const std::string& name) {
  const auto invalid = [&name](const std::string& what, const char* hint = kHowToWrite) {
    return Error{ErrorKind::kInvalid, name + what, hint};
  };
  if (xml.empty()) return invalid(" is empty");
  const auto open = xml.find("<topology");
  if (open == std::string_view::npos || xml.find('\0') != std::string_view::npos)
    return invalid(" is not an hwloc XML file: it has no <topology> element");
  const auto close = xml.find('>', open);
  if (close == std::string_view::npos) return invalid(" is cut off within its <topology> element");
  const auto version = version_of(xml.substr(open, close - open));
  if (version.empty())
    return invalid(" is hwloc XML of version 1, and hitmark reads version 2", "lstopo -i FILE --of xml NEW.xml");
  if (!version.starts_with("2."))
    return invalid(" is hwloc XML of version " + std::string(version.substr(0, 16)) + ", and hitmark reads version 2",
                   "lstopo --export-xml-flags v2 --of xml FILE.xml, or lstopo of hwloc 2");
  if (xml.find("</topology>", close) == std::string_view::npos)
    return invalid(" is cut off: it has no closing </topology>");
  return {};
}

Result<void> check_synthetic(std::string_view text) {
  long cpus = 1;
  bool in_memory = false, in_attributes = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[') in_memory = true;
    if (text[i] == ']') in_memory = false;
    if (text[i] == '(') in_attributes = true;
    if (text[i] == ')') in_attributes = false;
    // "l3:16" counts; a bare "16" is an old spelling of a level.
    const bool starts_number = text[i] >= '0' && text[i] <= '9' && (i == 0 || text[i - 1] == ':' || text[i - 1] == ' ');
    if (!starts_number || in_memory || in_attributes) continue;
    long count = 0;
    const auto [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), count);
    const long factor = std::max(count, 1L);
    if (error != std::errc{} || factor > kMaxCpus || (cpus *= factor) > kMaxCpus)
      return Error{ErrorKind::kUsage,
                   "the synthetic topology would have more than " + std::to_string(kMaxCpus) + " CPUs", ""};
    i = static_cast<std::size_t>(end - text.data()) - 1;
  }
  return {};
}

}  // namespace hitmark
