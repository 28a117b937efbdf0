// Every figure of a condition is made twice: from the operation's cost net of the empty loop, which the
// verdict is about, and raw.
#include "analysis/condition_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <utility>

#include "analysis/change_shares.hpp"
#include "analysis/evidence.hpp"
#include "analysis/statistics/effect_size.hpp"
#include "analysis/statistics/interval.hpp"
#include "analysis/statistics/permutation.hpp"
#include "analysis/verdict.hpp"

namespace hitmark {
namespace {

// One condition's costs, seen with or without subtraction of the empty loop.
class View {
 public:
  View(const BlockCosts& costs, const ArmRoles& roles, int empty, double confidence)
      : costs_(costs), roles_(roles), empty_(empty), confidence_(confidence) {
    for (const std::size_t null : roles.nulls) nulls_.push_back(log_ratios(null));
  }

  std::optional<MeanInterval> interval(const ByInvocation& by_invocation) const {
    const auto values = finite_values(by_invocation);
    return values ? std::optional(mean_interval(*values, confidence_)) : std::nullopt;
  }

  ByInvocation log_ratios(std::size_t arm) const { return costs_.log_ratios(arm, roles_.baseline, empty_); }
  Estimate cost(std::size_t arm) const {
    const auto found = interval(costs_.costs(arm, empty_));
    return found ? value_of(*found) : Estimate{};
  }
  Estimate ratio(std::size_t arm) const {
    const auto found = interval(log_ratios(arm));
    return found ? ratio_of(*found) : Estimate{};
  }
  // Of the arm and of the baseline, of the blocks that the ratio is made from.
  std::pair<Estimate, Estimate> costs_of_ratio(std::size_t arm) const {
    const auto estimate = [&](const ByInvocation& values) {
      const auto found = interval(values);
      return found ? value_of(*found) : Estimate{};
    };
    const auto [own, baseline] = costs_.costs_of_pair(arm, roles_.baseline, empty_);
    return {estimate(own), estimate(baseline)};
  }
  bool subtracts() const { return empty_ >= 0; }
  const std::vector<ByInvocation>& nulls() const { return nulls_; }

  // Is the cost of `arm` clearly above zero? Empty when it is, or when there is no interval to tell.
  std::string not_above_zero(std::size_t arm, const std::string& name) const {
    const Estimate estimate = cost(arm);
    if (!estimate.value || (*estimate.value > 0 && (!estimate.low || *estimate.low > 0))) return "";
    return "the cost of " + name + (empty_ < 0 ? "" : " minus that of the empty loop") + " is not clearly above zero";
  }

 private:
  const BlockCosts& costs_;
  const ArmRoles& roles_;
  int empty_;
  double confidence_;
  std::vector<ByInvocation> nulls_;
};

struct Judged {
  Estimate ratio;
  MeanInterval log_ratio;
  std::optional<double> sign_flip_p;
  Judgement judgement;
};

Judged judged(const View& view, const RunRecord& run, std::size_t arm, std::size_t baseline, double imprecision,
              const JudgeRule& rule) {
  Judged result;
  const ByInvocation log_ratios = view.log_ratios(arm);
  if (const auto values = finite_values(log_ratios)) {
    Evidence evidence = evidence_of(log_ratios, view.nulls(), 1 - rule.alpha);
    evidence.imprecision = imprecision;
    result.log_ratio = evidence.difference;
    result.ratio = ratio_of(evidence.difference);
    if (evidence.difference.p_value) result.sign_flip_p = sign_flip_p(*values);
    result.judgement = judge(evidence, rule);
  } else {
    result.judgement.why = "in most blocks of an invocation the cost is not above zero";
  }
  for (const std::size_t either : {baseline, arm})
    if (std::string why = view.not_above_zero(either, run.arms[either].name); !why.empty()) {
      if (view.subtracts()) {
        // A quotient of what may be zero: whatever it came out as would be read as a finding.
        result.ratio = {};
        result.log_ratio.p_value.reset();
        result.sign_flip_p.reset();
        why += ", so only the change with the loop is known";
      }
      result.judgement = {Verdict::kUndecided, std::move(why)};
      break;
    }
  return result;
}

Contrast contrast_of(const RunRecord& run, const ArmRoles& roles, const View& net, const View& raw, std::size_t arm,
                     double imprecision, const JudgeRule& rule) {
  Contrast contrast;
  contrast.arm = run.arms[arm].name;
  contrast.baseline = run.arms[roles.baseline].name;
  contrast.differing_aspects = differing_aspects(run.arms[roles.baseline].traits, run.arms[arm].traits);
  const Judged by_net = judged(net, run, arm, roles.baseline, imprecision, rule);
  contrast.ratio = by_net.ratio;
  contrast.raw_ratio = raw.ratio(arm);
  // Without a ratio the costs are those of all blocks: they show why there is none.
  if (contrast.ratio.value)
    std::tie(contrast.arm_cost, contrast.baseline_cost) = net.costs_of_ratio(arm);
  else
    contrast.arm_cost = net.cost(arm), contrast.baseline_cost = net.cost(roles.baseline);
  contrast.raw_baseline_cost = raw.cost(roles.baseline);
  contrast.raw_arm_cost = raw.cost(arm);
  contrast.p_value = by_net.log_ratio.p_value;
  contrast.sign_flip_p = by_net.sign_flip_p;
  if (contrast.ratio.value) {
    contrast.effect_size = hedges_g(by_net.log_ratio);
    if (by_net.log_ratio.count > 1) contrast.deviation = by_net.log_ratio.standard_deviation;
  }
  contrast.verdict = by_net.judgement.verdict;
  contrast.why = by_net.judgement.why;
  contrast.invocations = by_net.log_ratio.count;
  return contrast;
}

void shares_of(const RunRecord& run, const View& view, const std::vector<ChangeStep>& steps, const JudgeRule& rule,
               ConditionComparison& into) {
  if (steps.empty()) return;
  std::vector<ByInvocation> nodes;  // of each variant along the chain
  for (std::size_t i = 0; i <= steps.size(); ++i) {
    const std::string& variant = i == 0 ? steps.front().from : steps[i - 1].to;
    const auto arm = arm_of_variant(run, variant);
    if (!arm) {
      into.shares_note = "no shares of the changes: the run lacks the arm " + variant;
      return;
    }
    if (const std::string why = view.not_above_zero(*arm, variant); !why.empty()) {
      into.shares_note = "no shares of the changes: " + why;
      return;
    }
    nodes.push_back(view.log_ratios(*arm));
  }
  std::vector<ByInvocation> differences(steps.size());
  for (const auto& [invocation, first] : nodes.front()) {
    const int key = invocation;
    const auto usable = [key](const ByInvocation& node) {
      const auto at = node.find(key);
      return at != node.end() && std::isfinite(at->second);
    };
    if (!std::all_of(nodes.begin(), nodes.end(), usable)) continue;
    for (std::size_t i = 0; i < steps.size(); ++i) differences[i][key] = nodes[i + 1].at(key) - nodes[i].at(key);
  }
  add_shares(steps, differences, view.nulls(), rule, into);
}

// The contrasts again, in each state of the latency for itself.
void strata_of(const ArmRoles& roles, const ConditionBlocks& blocks, int empty, double confidence,
               ConditionComparison& into) {
  const LatencyStates states = latency_states(blocks.probes);
  into.drift = drift_flags(blocks.probes, states);
  if (states.centres.size() < 2) return;
  for (std::size_t state = 0; state < states.centres.size(); ++state) {
    const BlockCosts costs = blocks.costs.only([&](std::size_t n) { return states.of[n] == static_cast<int>(state); });
    const View view(costs, roles, empty, confidence);
    Stratum stratum{states.centres[state], costs.blocks(), {}};
    for (const std::size_t arm : roles.variants) stratum.ratios.push_back(view.ratio(arm));
    into.strata.push_back(std::move(stratum));
  }
}

}  // namespace

ConditionComparison compare_condition(const RunRecord& run, const ConditionRecord& condition,
                                      const ConditionBlocks& blocks, const std::vector<ChangeStep>& steps,
                                      const CompareOptions& options) {
  ConditionComparison result;
  result.condition = condition;
  const BlockCosts& costs = blocks.costs;
  const ArmRoles roles = roles_of(run.arms);
  // Only conditions whose driver works between operations have slices of the empty arm.
  const bool has_empty = roles.empty >= 0 && !costs.costs(static_cast<std::size_t>(roles.empty), -1).empty();
  const int empty = options.basis == CostBasis::kRaw || !has_empty ? -1 : roles.empty;
  const double confidence = 1 - options.alpha;
  const View raw(costs, roles, -1, confidence), net(costs, roles, empty, confidence);
  const JudgeRule rule{options.margin, options.alpha,
                       std::max(1, static_cast<int>(roles.variants.size() * run.conditions.size())), is_simulated(run)};
  result.noise_floor = noise_floor_of(net.nulls());
  for (const std::size_t null : roles.nulls)
    (run.arms[null].role == ArmRole::kNullSame ? result.null_same : result.null_copy) = net.ratio(null);
  if (has_empty) result.empty_cost = raw.cost(static_cast<std::size_t>(roles.empty));
  const auto imprecision = [&](std::size_t arm) {
    const auto of_cost = [&](std::size_t which) {  // what is known of the whole loop is less of what is left without it
      const auto with = raw.cost(which).value, without = net.cost(which).value;
      return blocks.summary.imprecision(which) * (with && without && *without > 0 ? *with / *without : 1);
    };
    return 2 * std::hypot(of_cost(arm), of_cost(roles.baseline));
  };
  for (const std::size_t arm : roles.variants)
    result.contrasts.push_back(contrast_of(run, roles, net, raw, arm, imprecision(arm), rule));
  shares_of(run, net, steps, rule, result);
  strata_of(roles, blocks, empty, confidence, result);
  result.blocks_used = costs.blocks();
  result.invocations = costs.invocations();
  blocks.summary.report(run.arms, result);
  return result;
}

}  // namespace hitmark
