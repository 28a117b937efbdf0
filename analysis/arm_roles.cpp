// Roles and traits of arms, and whether a difference in traits is the one that was named.
#include "analysis/arm_roles.hpp"

#include <algorithm>
#include <utility>

#include "analysis/comparison.hpp"

namespace hitmark {

ArmRoles roles_of(const std::vector<ArmRecord>& arms) {
  ArmRoles roles;
  bool has_baseline = false;
  for (std::size_t i = 0; i < arms.size(); ++i) switch (arms[i].role) {
      case ArmRole::kBaseline:
        if (!std::exchange(has_baseline, true)) roles.baseline = i;
        break;
      case ArmRole::kVariant:
        roles.variants.push_back(i);
        break;
      case ArmRole::kNullSame:
      case ArmRole::kNullCopy:
        roles.nulls.push_back(i);
        break;
      case ArmRole::kEmpty:
        roles.empty = static_cast<int>(i);
        break;
    }
  return roles;
}

std::vector<std::string> differing_aspects(const NameValues& a, const NameValues& b) {
  std::vector<std::string> aspects;
  const auto missing_in = [&](const NameValues& from, const NameValues& other) {
    for (const auto& trait : from)
      if (std::find(other.begin(), other.end(), trait) == other.end() &&
          std::find(aspects.begin(), aspects.end(), trait.first) == aspects.end())
        aspects.push_back(trait.first);
  };
  missing_in(a, b);
  missing_in(b, a);
  return aspects;
}

std::optional<std::size_t> arm_of_variant(const RunRecord& run, const std::string& variant) {
  for (std::size_t i = 0; i < run.arms.size(); ++i)
    if (run.arms[i].variant == variant &&
        (run.arms[i].role == ArmRole::kBaseline || run.arms[i].role == ArmRole::kVariant))
      return i;
  return std::nullopt;
}

Result<void> check_same_change(const Contrast& contrast, const std::vector<std::string>& allowed) {
  std::string beyond, all;
  for (const std::string& aspect : contrast.differing_aspects) {
    all += (all.empty() ? "" : ",") + aspect;
    if (std::find(allowed.begin(), allowed.end(), aspect) == allowed.end())
      beyond += (beyond.empty() ? "" : ", ") + aspect;
  }
  if (beyond.empty()) return {};
  std::string named;
  for (const std::string& aspect : allowed) named += (named.empty() ? "" : ", ") + aspect;
  return Error{ErrorKind::kUsage,
               contrast.arm + " differs from " + contrast.baseline + " in more than the named change (" + named +
                   "): also in " + beyond,
               "--change " + all + ", or another --arm"};
}

}  // namespace hitmark
