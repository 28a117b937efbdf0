#include "harness/simulator/instructions/instruction_table.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "embedded/instructions_json.hpp"

namespace hitmark::simulator {
namespace {

using nlohmann::json;

// Paths of more accesses than this, or that execute more instructions, are a mistake in the file.
constexpr std::uint64_t kMost = 100'000'000;

bool parse_signature(const json& text, std::uint64_t& signature) {
  if (!text.is_string()) return false;
  const std::string& digits = text.get_ref<const std::string&>();
  if (digits.empty() || digits.size() > 16 || digits.find_first_not_of("0123456789abcdef") != std::string::npos)
    return false;
  signature = std::stoull(digits, nullptr, 16);
  return true;
}

bool is_count(const json& value) { return value.is_number_unsigned() && value.get<std::uint64_t>() <= kMost; }

// [accesses, "signature", instructions] and, where they were recorded, [self instructions by function].
bool parse_path(const json& row, std::size_t functions, InstructionPath& path) {
  if (!row.is_array() || row.size() < 3 || row.size() > 4) return false;
  if (!is_count(row[0]) || !parse_signature(row[1], path.signature) || !is_count(row[2])) return false;
  path.accesses = row[0].get<std::uint32_t>();
  path.instructions = row[2].get<double>();
  if (row.size() == 3) return true;
  if (!row[3].is_array() || row[3].size() != functions) return false;
  if (!std::all_of(row[3].begin(), row[3].end(), is_count)) return false;
  path.self = row[3].get<std::vector<std::uint32_t>>();
  return true;
}

Error bad(const std::string& name, const std::string& what) {
  return {ErrorKind::kInvalid, name + ": " + what,
          "the format is described in harness/simulator/instructions/README.md"};
}

Result<OperationCounts> parse_operation(const json& operation, const std::string& where) {
  if (!operation.is_object() || !operation.contains("paths") || !operation["paths"].is_array() ||
      operation["paths"].empty())
    return bad(where, "an operation needs paths");
  std::vector<std::string> functions;
  if (operation.contains("functions")) {
    for (const json& function : operation["functions"]) {
      if (!function.is_string()) return bad(where, "functions are names");
      functions.push_back(function.get<std::string>());
    }
  }
  std::vector<InstructionPath> paths;
  for (const json& row : operation["paths"])
    if (InstructionPath path; parse_path(row, functions.size(), path))
      paths.push_back(std::move(path));
    else
      return bad(where, "not a path: " + row.dump(-1, ' ', false, json::error_handler_t::replace).substr(0, 80));
  return OperationCounts(std::move(paths), std::move(functions));
}

}  // namespace

OperationCounts::OperationCounts(std::vector<InstructionPath> paths, std::vector<std::string> functions)
    : paths_(std::move(paths)), functions_(std::move(functions)) {
  std::size_t size = 2;
  while (size < 2 * paths_.size()) size *= 2;
  slots_.resize(size);
  mask_ = size - 1;
  std::map<std::uint32_t, std::pair<double, unsigned>> by_accesses;
  for (std::uint32_t i = 0; i < paths_.size(); ++i) {
    const InstructionPath& path = paths_[i];
    std::size_t at = path.signature & mask_;
    while (slots_[at].path != kNone) at = (at + 1) & mask_;
    slots_[at] = {path.signature, path.accesses, i, path.instructions};
    auto& [sum, count] = by_accesses[path.accesses];
    sum += path.instructions;
    ++count;
  }
  for (const auto& [accesses, total] : by_accesses)
    points_.push_back({static_cast<double>(accesses), total.first / total.second});
}

const InstructionPath* OperationCounts::find(std::uint32_t accesses, std::uint64_t signature) const {
  for (std::size_t at = signature & mask_; !slots_.empty() && slots_[at].path != kNone; at = (at + 1) & mask_)
    if (slots_[at].signature == signature && slots_[at].accesses == accesses) return &paths_[slots_[at].path];
  return nullptr;
}

// Between the neighbours; outside all points in proportion to the nearest.
InstructionCount OperationCounts::interpolate(std::uint32_t accesses) const {
  if (points_.empty()) return {};
  const auto proportional = [&](const Point& point) {
    return InstructionCount{point.accesses > 0 ? point.instructions * accesses / point.accesses : point.instructions,
                            false};
  };
  const auto above = std::lower_bound(points_.begin(), points_.end(), accesses,
                                      [](const Point& point, std::uint32_t n) { return point.accesses < n; });
  if (above == points_.end()) return proportional(points_.back());
  if (above->accesses == accesses) return {above->instructions, false};
  if (above == points_.begin()) return proportional(*above);
  const Point& below = *(above - 1);
  const double share = (accesses - below.accesses) / (above->accesses - below.accesses);
  return {below.instructions + share * (above->instructions - below.instructions), false};
}

Result<InstructionTable> InstructionTable::parse(std::string_view text, const std::string& name) {
  const json file = json::parse(text, nullptr, false);
  if (file.is_discarded() || !file.is_object()) return bad(name, "not JSON");
  if (!file.contains("format") || file["format"] != 1) return bad(name, "not of format 1");
  if (!file.contains("families") || !file["families"].is_object()) return bad(name, "no families");
  auto entries = std::make_shared<std::vector<Entry>>();
  for (const auto& [family, variants] : file["families"].items()) {
    if (!variants.is_object()) return bad(name, "a family is an object of variants");
    for (const auto& [variant, operations] : variants.items()) {
      if (!operations.is_object()) return bad(name, "a variant is an object of operations");
      for (const auto& [operation, counts] : operations.items()) {
        auto parsed = parse_operation(counts, name + ", " + family + "/" + variant + ", " + operation);
        if (!parsed) return parsed.error();
        entries->push_back({family, variant, operation, std::move(*parsed)});
      }
    }
  }
  InstructionTable table;
  table.entries_ = std::move(entries);
  return table;
}

Result<InstructionTable> InstructionTable::built_in() {
  return parse(embedded::instructions_json, "instructions.json");
}

Result<const OperationCounts*> InstructionTable::of(std::string_view family, std::string_view variant,
                                                    std::string_view operation) const {
  for (const Entry& entry : *entries_)
    if (entry.family == family && entry.variant == variant && entry.operation == operation) return &entry.counts;
  return Error{ErrorKind::kUnavailable,
               "no instruction counts for " + std::string(operation) + " of " + std::string(family) + "/" +
                   std::string(variant) + ": a simulated machine cannot run it",
               "measure them: see harness/simulator/instructions/README.md"};
}

}  // namespace hitmark::simulator
