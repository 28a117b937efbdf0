// One table per enumeration: a new enumerator is one line here and one in schema.sql.
#include "harness/results/sample_text.hpp"

#include <array>
#include <utility>

namespace hitmark {
namespace {

constexpr std::array<std::pair<Quality, std::string_view>, 5> kQualities{{
    {Quality::kExact, "exact"},
    {Quality::kScaled, "scaled"},
    {Quality::kSampled, "sampled"},
    {Quality::kModelled, "modelled"},
    {Quality::kUnavailable, "unavailable"},
}};

constexpr std::array<std::pair<ArmRole, std::string_view>, 5> kRoles{{
    {ArmRole::kBaseline, "baseline"},
    {ArmRole::kVariant, "variant"},
    {ArmRole::kNullSame, "null:same"},
    {ArmRole::kNullCopy, "null:copy"},
    {ArmRole::kEmpty, "empty"},
}};

template <typename Table, typename Value>
std::string_view name_in(const Table& table, Value value) {
  for (const auto& [entry, name] : table)
    if (entry == value) return name;
  return "unknown";
}

template <typename Value, std::size_t kSize>
std::optional<Value> value_in(const std::array<std::pair<Value, std::string_view>, kSize>& table,
                              std::string_view name) {
  for (const auto& [value, entry] : table)
    if (entry == name) return value;
  return std::nullopt;
}

}  // namespace

std::string_view name_of(Quality quality) { return name_in(kQualities, quality); }
std::string_view name_of(ArmRole role) { return name_in(kRoles, role); }
std::optional<Quality> quality_named(std::string_view name) { return value_in(kQualities, name); }
std::optional<ArmRole> role_named(std::string_view name) { return value_in(kRoles, name); }

std::string_view phase_name(int phase) {
  switch (phase) {
    case 0:
      return "none";
    case 1:
      return "accumulating";
    case 2:
      return "saturated";
    default:
      return "unknown";
  }
}

}  // namespace hitmark
