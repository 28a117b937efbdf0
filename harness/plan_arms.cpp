// The arms of a run: baseline, variants, and the two nulls that measure what no change at all looks like.
#include <algorithm>

#include "harness/plan_parts.hpp"
#include "support/nearest.hpp"

namespace hitmark {
namespace {

Arm arm_of(const Variant& variant, ArmRole role, std::string name) {
  ArmRecord record{std::move(name), role, std::string(variant.name), {}};
  for (const Trait& trait : variant.traits) record.traits.emplace_back(trait.aspect, trait.value);
  return {std::move(record), &variant};
}

std::vector<std::string> variants_of(const std::string& family) {
  std::vector<std::string> names;
  for (const Variant& variant : Registry<Variant>::instance().all())
    if (variant.family == family) names.emplace_back(variant.name);
  return names;
}

Result<const Family*> find_family(const std::string& name) {
  if (const Family* family = Registry<Family>::instance().find(name)) return family;
  std::vector<std::string> known;
  for (const Family& family : Registry<Family>::instance().all()) known.emplace_back(family.name);
  return Error{ErrorKind::kUsage, "there is no study '" + name + "'" + did_you_mean(name, known), "hitmark list"};
}

}  // namespace

Result<const Variant*> find_variant(const std::string& family, const std::string& name) {
  if (const Variant* variant = Registry<Variant>::instance().find(family + "/" + name)) return variant;
  return Error{ErrorKind::kUsage, family + " has no variant '" + name + "'" + did_you_mean(name, variants_of(family)),
               "hitmark list variants"};
}

Arm empty_arm() { return {{"empty", ArmRole::kEmpty, "", {}}, nullptr}; }

bool driver_works_between_operations(const Workload& workload) {
  return workload.pressure_kib > 0 || workload.memcgs > 1;
}

Result<std::vector<Arm>> plan_arms(const RunRequest& request, std::vector<std::string>& warnings) {
  const auto family = find_family(request.family);
  if (!family) return family.error();
  const std::string baseline_name = request.baseline.empty() ? std::string((*family)->baseline) : request.baseline;

  std::vector<std::string> names;
  if (request.variants.empty()) names.assign((*family)->default_arms.begin(), (*family)->default_arms.end());
  for (const std::string& name : request.variants) {
    if (name == "all")
      for (std::string& every : variants_of(request.family)) names.push_back(std::move(every));
    else
      names.push_back(name);
  }
  const auto baseline = find_variant(request.family, baseline_name);
  if (!baseline) return baseline.error();

  std::vector<Arm> arms = {arm_of(**baseline, ArmRole::kBaseline, baseline_name)};
  for (const std::string& name : names) {
    if (std::any_of(arms.begin(), arms.end(), [&](const Arm& arm) { return arm.record.name == name; })) continue;
    const auto variant = find_variant(request.family, name);
    if (!variant) return variant.error();
    arms.push_back(arm_of(**variant, ArmRole::kVariant, name));
  }
  if (arms.size() == 1)
    return Error{ErrorKind::kUsage, "nothing to compare: no variant beside the baseline " + baseline_name,
                 "name another variant, --variants all for every one of them"};
  arms.push_back(arm_of(**baseline, ArmRole::kNullSame, "null:same"));
  if (request.deterministic) return arms;  // no address of code costs anything there: null:copy would be null:same
  if (const auto* copy = Registry<VariantCopy>::instance().find(request.family + "/" + baseline_name))
    arms.push_back(arm_of(copy->variant, ArmRole::kNullCopy, "null:copy"));
  else
    warnings.push_back("this build has no copy of " + baseline_name +
                       ": what code placement alone does (null:copy) is not measured");
  return arms;
}

}  // namespace hitmark
