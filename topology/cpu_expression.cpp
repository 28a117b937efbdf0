#include "topology/cpu_expression.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "topology/cpu_list.hpp"
#include "topology/cpu_order.hpp"

namespace hitmark {
namespace {

using Cpus = std::vector<const Cpu*>;

constexpr std::string_view kDomains = "NSDCM";

Error bad(std::string_view text, const std::string& why) {
  return {ErrorKind::kUsage, "'" + std::string(text) + "': " + why,
          "0-3,8 or S0:0-3@S1:0-3 or E:S0:4:1:2 or M:scatter:4"};
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

// A number from 0 to 2^20, or kUnknown.
int to_number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && value >= 0 && value <= 1 << 20 ? value : kUnknown;
}

int domain_of(const Cpu& cpu, char kind) {
  switch (kind) {
    case 'S':
      return cpu.package;
    case 'D':
      return cpu.die != kUnknown ? cpu.die : cpu.package;
    case 'C':
      return cpu.ccx;
    case 'M':
      return cpu.node;
    default:
      return 0;
  }
}

// The domains of a kind with their CPUs, the threads of a core side by side. M keeps the node numbers of the
// OS; the others are numbered as the whole machine numbers them.
std::map<int, Cpus> domains(const Topology& topology, char kind) {
  std::map<int, Cpus> found;
  for (const Cpu* cpu : cores_in_order(topology))
    if (const int number = domain_of(*cpu, kind); number != kUnknown) found[number].push_back(cpu);
  return found;
}

Result<Cpus> named_domain(const Topology& topology, std::string_view name, std::string_view text) {
  if (name.empty() || kDomains.find(name[0]) == std::string_view::npos)
    return bad(text, "a domain is N, S0, D0, C0 or M0, not '" + std::string(name) + "'");
  const bool whole = name[0] == 'N';
  const int number = whole && name.size() == 1 ? 0 : to_number(name.substr(1));
  if (number == kUnknown || (whole && name.size() > 1))
    return bad(text, "'" + std::string(name) + "' needs a number, as in " + std::string(1, name[0]) + "0");
  auto all = domains(topology, name[0]);
  if (const auto at = all.find(number); at != all.end()) return at->second;
  std::vector<int> present;
  for (const auto& entry : all) present.push_back(entry.first);
  return Error{
      ErrorKind::kUnavailable,
      "'" + std::string(text) + "': there is no domain " + std::string(name) + " here; " +
          (present.empty() ? "the machine does not say which CPUs form a " + std::string(1, name[0]) + " domain"
                           : "there is " + std::string(1, name[0]) + " " + format_cpu_list(present)),
      ""};
}

Cpus first_threads_first(Cpus cpus) {
  std::stable_sort(cpus.begin(), cpus.end(), [](const Cpu* a, const Cpu* b) { return a->thread < b->thread; });
  return cpus;
}

std::vector<int> os_numbers(const Cpus& cpus) {
  std::vector<int> found;
  for (const Cpu* cpu : cpus) found.push_back(cpu->os);
  return found;
}

Error too_few(std::string_view text, std::size_t wanted, std::size_t present) {
  return {ErrorKind::kUnavailable,
          "'" + std::string(text) + "' asks for " + std::to_string(wanted) + " CPUs of " + std::to_string(present), ""};
}

Result<std::vector<int>> by_index(const Topology& topology, std::string_view domain, std::string_view list,
                                  std::string_view text) {
  auto cpus = named_domain(topology, domain, text);
  if (!cpus) return cpus.error();
  const auto indices = parse_cpu_list(list);
  if (!indices) return bad(text, indices.error().message);
  const Cpus ordered = first_threads_first(*cpus);
  std::vector<int> found;
  for (const int index : *indices) {
    if (static_cast<std::size_t>(index) >= ordered.size())
      return Error{ErrorKind::kUnavailable,
                   "'" + std::string(text) + "': index " + std::to_string(index) + " is beyond the " +
                       std::to_string(ordered.size()) + " CPUs of domain " + std::string(domain),
                   ""};
    found.push_back(ordered[static_cast<std::size_t>(index)]->os);
  }
  return found;
}

// E:DOMAIN:COUNT[:CHUNK:STRIDE]: chunks of CPUs, `stride` apart, until there are enough.
Result<std::vector<int>> by_stride(const Topology& topology, const std::vector<std::string_view>& parts,
                                   std::string_view text) {
  if (parts.size() != 3 && parts.size() != 5)
    return bad(text, "the form is E:DOMAIN:COUNT or E:DOMAIN:COUNT:CHUNK:STRIDE");
  const auto cpus = named_domain(topology, parts[1], text);
  if (!cpus) return cpus.error();
  const int count = to_number(parts[2]);
  const int chunk = parts.size() == 5 ? to_number(parts[3]) : 1;
  const int stride = parts.size() == 5 ? to_number(parts[4]) : 1;
  if (count < 1 || chunk < 1 || stride < chunk)
    return bad(text, "count and chunk are at least 1, and the stride is at least the chunk");
  std::vector<int> found;
  for (std::size_t start = 0; start < cpus->size(); start += static_cast<std::size_t>(stride))
    for (std::size_t i = start; i < std::min(cpus->size(), start + static_cast<std::size_t>(chunk)); ++i)
      if (found.size() < static_cast<std::size_t>(count)) found.push_back((*cpus)[i]->os);
  if (found.size() < static_cast<std::size_t>(count))
    return too_few(text, static_cast<std::size_t>(count), found.size());
  return found;
}

// KIND:scatter[:N], KIND:balanced[:N], KIND:cbalanced[:N]
Result<std::vector<int>> over_domains(const Topology& topology, const std::vector<std::string_view>& parts,
                                      std::string_view text) {
  if (parts.size() > 3 || parts[0].size() != 1 || kDomains.find(parts[0][0]) == std::string_view::npos)
    return bad(text, "the form is M:scatter or M:scatter:COUNT, with one of the letters N, S, D, C and M");
  auto all = domains(topology, parts[0][0]);
  std::size_t present = 0, longest = 0;
  for (auto& [number, cpus] : all) {
    if (parts[1] != "balanced") cpus = first_threads_first(cpus);
    present += cpus.size();
    longest = std::max(longest, cpus.size());
  }
  if (all.empty())
    return Error{ErrorKind::kUnavailable, "'" + std::string(text) + "': the machine has no such domains", ""};
  const int asked = parts.size() == 3 ? to_number(parts[2]) : static_cast<int>(present);
  if (asked < 1) return bad(text, "the count is a number from 1");
  const auto count = static_cast<std::size_t>(asked);
  if (count > present) return too_few(text, count, present);

  Cpus found;
  if (parts[1] == "scatter") {
    for (std::size_t turn = 0; turn < longest; ++turn)
      for (const auto& [number, cpus] : all)
        if (turn < cpus.size() && found.size() < count) found.push_back(cpus[turn]);
    return os_numbers(found);
  }
  // Shares as even as the sizes allow, the first domains taking the remainder.
  std::map<int, std::size_t> share;
  for (std::size_t given = 0; given < count;)
    for (const auto& [number, cpus] : all)
      if (given < count && share[number] < cpus.size()) ++share[number], ++given;
  for (const auto& [number, cpus] : all)
    found.insert(found.end(), cpus.begin(), cpus.begin() + static_cast<std::ptrdiff_t>(share[number]));
  return os_numbers(found);
}

Result<std::vector<int>> resolve_part(const Topology& topology, std::string_view part) {
  if (part.empty()) return bad(part, "a part of the list is empty");
  if (part[0] >= '0' && part[0] <= '9') {
    auto list = parse_cpu_list(part);
    if (!list) return bad(part, list.error().message);
    return list;
  }
  const auto parts = split(part, ':');
  if (parts.size() < 2) return bad(part, "a domain needs a list, as in " + std::string(part) + ":0-3");
  if (parts[0] == "E") return by_stride(topology, parts, part);
  if (parts[1] == "scatter" || parts[1] == "balanced" || parts[1] == "cbalanced")
    return over_domains(topology, parts, part);
  if (parts[0] == "L" && !parts[1].empty() && parts[1][0] >= '0' && parts[1][0] <= '9')
    return by_index(topology, "N", part.substr(2), part);
  if (parts[0] == "L" && parts.size() == 2) return bad(part, "the form is L:0-3 or L:S0:0-3");
  if (parts[0] == "L") return by_index(topology, parts[1], part.substr(3 + parts[1].size()), part);
  return by_index(topology, parts[0], part.substr(1 + parts[0].size()), part);
}

bool has(const std::vector<int>& numbers, int number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

}  // namespace

bool looks_like_cpu_expression(std::string_view text) {
  if (text.empty()) return false;
  if (text[0] >= '0' && text[0] <= '9') return true;
  if (kDomains.find(text[0]) == std::string_view::npos && text[0] != 'E' && text[0] != 'L') return false;
  return text.size() == 1 || text[1] == ':' || (text[1] >= '0' && text[1] <= '9');
}

Result<std::vector<int>> resolve_cpu_expression(const Topology& topology, std::string_view text) {
  std::vector<int> cpus;
  for (const auto part : split(text, '@')) {
    const auto resolved = resolve_part(topology, part);
    if (!resolved) return resolved.error();
    cpus.insert(cpus.end(), resolved->begin(), resolved->end());
  }
  std::set<int> seen;
  for (const int os : cpus) {
    if (!topology.find(os)) {
      const char* why = has(topology.offline, os)      ? " is offline or hidden"
                        : has(topology.disallowed, os) ? " is not allowed here (cpuset)"
                                                       : " does not exist here or is not visible";
      std::vector<int> usable;
      for (const Cpu& cpu : topology.cpus()) usable.push_back(cpu.os);
      return Error{
          ErrorKind::kUnavailable,
          "'" + std::string(text) + "': CPU " + std::to_string(os) + why + "; usable are " + format_cpu_list(usable),
          ""};
    }
    if (!seen.insert(os).second) return bad(text, "CPU " + std::to_string(os) + " is named twice");
  }
  return cpus;
}

}  // namespace hitmark
