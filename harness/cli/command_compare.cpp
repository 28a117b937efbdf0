// `hitmark compare`: the chosen verdicts of one stored run, and an exit code to build on.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "harness/cli/command.hpp"
#include "harness/cli/load_comparison.hpp"
#include "reports/wording.hpp"
#include "support/nearest.hpp"

namespace hitmark::cli {
namespace {

struct Options {
  std::string store, run = "latest", placement, metric = "cost", arm, fail_on = "worse", format = "rows", output;
  std::vector<std::string> change;
  double margin_percent = 100 * CompareOptions{}.margin;
  bool json = false;
};

Result<CostBasis> basis_of(const std::string& metric) {
  if (metric == "cost") return CostBasis::kNet;
  if (metric == "raw-cost") return CostBasis::kRaw;
  return Error{
      ErrorKind::kUsage,
      "there is no metric '" + metric + "'" + did_you_mean(metric, std::vector<std::string>{"cost", "raw-cost"}),
      "--metric cost (the operation alone) or --metric raw-cost (the whole loop)"};
}

// "same-ccx" chooses every home of it; "same-ccx@home:local" and a condition's full name choose exactly that.
Result<void> choose_placement(RunComparison& comparison, const std::string& placement) {
  if (placement.empty()) return {};
  std::vector<std::string> known;
  for (const ConditionComparison& condition : comparison.conditions) known.push_back(condition.condition.placement);
  std::erase_if(comparison.conditions, [&](const ConditionComparison& condition) {
    const ConditionRecord& record = condition.condition;
    return record.name != placement && record.placement != placement &&
           record.placement.substr(0, record.placement.find('@')) != placement;
  });
  if (!comparison.conditions.empty()) return {};
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  return Error{
      ErrorKind::kUsage,
      "run " + comparison.run.run_id + " has no placement '" + placement + "'" + did_you_mean(placement, known), ""};
}

// The chosen arm becomes the primary one, and the only one shown.
Result<void> choose_arm(RunComparison& comparison, const std::string& arm) {
  if (arm.empty()) return {};
  std::vector<std::string> known;
  for (const ArmRecord& record : comparison.run.arms)
    if (record.role == ArmRole::kVariant) known.push_back(record.name);
  if (std::find(known.begin(), known.end(), arm) == known.end())
    return Error{ErrorKind::kUsage,
                 "run " + comparison.run.run_id + " has no arm '" + arm + "'" + did_you_mean(arm, known), ""};
  comparison.headline = arm;
  for (ConditionComparison& condition : comparison.conditions)
    std::erase_if(condition.contrasts, [&](const Contrast& contrast) { return contrast.arm != arm; });
  return {};
}

Result<void> check_change(const RunComparison& comparison, const std::vector<std::string>& change) {
  std::vector<std::string> known;
  for (const ArmRecord& arm : comparison.run.arms)
    for (const auto& [aspect, value] : arm.traits)
      if (std::find(known.begin(), known.end(), aspect) == known.end()) known.push_back(aspect);
  for (const std::string& aspect : change)
    if (std::find(known.begin(), known.end(), aspect) == known.end())
      return Error{ErrorKind::kUsage, "no arm has an aspect '" + aspect + "'" + did_you_mean(aspect, known), ""};
  for (const ConditionComparison& condition : comparison.conditions)
    for (const Contrast& contrast : condition.contrasts)
      if (auto same = check_same_change(contrast, change); !same) return same;
  return {};
}

// Two runs are never compared with each other; why not, is said of the two that were asked for.
Error two_runs(const Options& options) {
  const auto comma = options.run.find(',');
  const auto a = load_comparison(options.store, options.run.substr(0, comma), {CostBasis::kNet});
  if (!a) return a.error();
  const auto b = load_comparison(options.store, options.run.substr(comma + 1), {CostBasis::kNet});
  if (!b) return b.error();
  const std::string on_a = machine_text(a->run), on_b = machine_text(b->run);
  if (a->run.machine != b->run.machine)
    return {ErrorKind::kUsage,
            "run " + a->run.run_id + " is of " + on_a + " and run " + b->run.run_id + " of " + on_b +
                ": costs of two machines, or of a model and a machine, are not comparable",
            "compare the arms of each run: --run " + a->run.run_id};
  return {ErrorKind::kUsage,
          "two runs are not comparable: only the arms of one run have shared machine, kernel and workload",
          "run both variants in one: hitmark run STUDY --variants A,B"};
}

int compare(const Options& options) {
  if (auto known = check_fail_on(options.fail_on); !known) return fail(known.error());
  const auto basis = basis_of(options.metric);
  if (!basis) return fail(basis.error());
  if (options.run.find(',') != std::string::npos) return fail(two_runs(options));
  if (!(options.margin_percent > 0 && options.margin_percent <= 100))
    return fail({ErrorKind::kUsage, "--margin is above 0 and at most 100 per cent", "--margin 1"});
  auto comparison = load_comparison(options.store, options.run, {*basis, options.margin_percent / 100});
  if (!comparison) return fail(comparison.error());
  if (auto chosen = choose_placement(*comparison, options.placement); !chosen) return fail(chosen.error());
  const bool one_arm = !options.change.empty() || !options.arm.empty();
  if (auto chosen = choose_arm(*comparison, options.arm.empty() && one_arm ? comparison->headline : options.arm);
      !chosen)
    return fail(chosen.error());
  if (!options.change.empty())
    if (auto same = check_change(*comparison, options.change); !same) return fail(same.error());
  const auto failed = fails(*comparison, options.fail_on);
  if (!failed) return fail(failed.error());
  if (auto printed =
          print_comparison(*comparison, options.json ? "json" : options.format, options.store, options.output);
      !printed)
    return fail(printed.error());
  return *failed ? kNo : kYes;
}

std::function<int()> declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("--store", options->store, "File that holds the run")->required()->type_name("FILE");
  app.add_option("--run", options->run, "Id of the run, or latest; always one run: two runs are not comparable")
      ->capture_default_str()
      ->type_name("ID");
  app.add_option("--placement", options->placement, "Only this placement, with or without its home")->type_name("P");
  app.add_option("--metric", options->metric, "cost (the operation alone) or raw-cost (the whole loop)")
      ->capture_default_str()
      ->type_name("M");
  app.add_option("--arm", options->arm, "Only this arm, instead of the study's headline")->type_name("NAME");
  app.add_option("--margin", options->margin_percent, "Differences of up to so many per cent are equivalent")
      ->capture_default_str()
      ->type_name("PERCENT");
  app.add_option("--change", options->change, "Refuse arms that differ from the baseline in any other aspect")
      ->delimiter(',')
      ->type_name("ASPECT,...");
  app.add_option("--fail-on", options->fail_on,
                 "Exit 1 when the headline's arm is: worse, undecided or not-better, in any chosen condition")
      ->capture_default_str()
      ->type_name("VERDICT");
  app.add_option("--format", options->format, "rows, text, commit or json")->capture_default_str()->type_name("F");
  app.add_flag("--json", options->json, "Same as --format json");
  app.add_option("--output", options->output, "Write to this file instead of stdout")->type_name("FILE");
  return [options] { return compare(*options); };
}

const Registered<Command> registered{{"compare", "Judge the arms of a stored run; exit 1 when one is worse", declare}};

}  // namespace
}  // namespace hitmark::cli
