// `hitmark power`: which difference a number of runs could have shown at all. "Average of 3" is a claim like any
// other; this says what it can carry.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "analysis/statistics/power.hpp"
#include "harness/cli/command.hpp"
#include "harness/cli/load_comparison.hpp"

namespace hitmark::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string noise, effect, store, run = "latest";
  int runs = 3;
  double alpha = 0.05, power = 0.8;
  bool paired = false, json = false;
};

// One question: a design and what it is about.
struct Case {
  std::string name;  // a condition's name; empty: asked by --noise
  PowerDesign design;
  std::optional<double> effect;  // log
};

// "2", "2%", "2 %": per cent, as log of 1.02.
Result<double> log_of_percent(const std::string& option, const std::string& text) {
  std::size_t end = 0;
  double percent = 0;
  try {
    percent = std::stod(text, &end);
  } catch (const std::exception&) {
    end = 0;
  }
  std::string rest = text.substr(end);
  std::erase(rest, ' ');
  if (end == 0 || (rest != "" && rest != "%") || !std::isfinite(percent) || percent <= -100 || percent > 1e6)
    return Error{ErrorKind::kUsage, option + " takes per cent, not '" + text + "'", option + " 2%"};
  return std::log1p(percent / 100);
}

Result<void> check(const Options& options) {
  if (options.noise.empty() == options.store.empty())
    return Error{ErrorKind::kUsage, "the noise comes from --noise or from a stored run's --store: give one of them",
                 "hitmark power --noise 2% --runs 3"};
  if (!(options.alpha > 0 && options.alpha < 0.5))
    return Error{ErrorKind::kUsage, "--alpha lies between 0 and 0.5", "--alpha 0.05"};
  if (!(options.power > 0.5 && options.power < 1))
    return Error{ErrorKind::kUsage, "--power lies between 0.5 and 1", "--power 0.8"};
  if (options.runs < 1 || options.runs > 1'000'000)
    return Error{ErrorKind::kUsage, "--runs takes 1 to 1,000,000", "--runs 3"};
  return {};
}

Result<std::vector<Case>> cases_of(const Options& options) {
  std::optional<double> effect;
  if (!options.effect.empty()) {
    const auto parsed = log_of_percent("--effect", options.effect);
    if (!parsed) return parsed.error();
    effect = *parsed;
  }
  if (options.store.empty()) {
    const auto noise = log_of_percent("--noise", options.noise);
    if (!noise) return noise.error();
    if (!(*noise > 0)) return Error{ErrorKind::kUsage, "--noise is more than nothing", "--noise 2%"};
    return std::vector<Case>{{"", {*noise, options.runs, options.paired, options.alpha}, effect}};
  }
  const auto comparison = load_comparison(options.store, options.run);
  if (!comparison) return comparison.error();
  std::vector<Case> cases;
  for (const ConditionComparison& condition : comparison->conditions)
    for (const Contrast& contrast : condition.contrasts)
      if (contrast.arm == comparison->headline && contrast.deviation && *contrast.deviation > 0)
        cases.push_back(
            {condition.condition.name, {*contrast.deviation, contrast.invocations, true, options.alpha}, effect});
  if (cases.empty())
    return Error{ErrorKind::kInvalid,
                 "run " + comparison->run.run_id +
                     " does not show how much its invocations vary: that takes two or more with both arms",
                 "--noise 2%"};
  return cases;
}

std::string percent(double log_change) {
  const double change = 100 * std::expm1(log_change);
  return std::abs(change) < 10 ? fmt::format("{:.2g} %", change) : fmt::format("{:.0f} %", change);
}
std::string chance(double probability) {
  if (probability > 0.9995) return "over 99.9 %";
  return probability < 0.0005 ? "under 0.1 %" : fmt::format("{:.1f} %", 100 * probability);
}

// A single run has no spread that a test could go by.
std::optional<double> detectable(const PowerDesign& design, double power) {
  return design.n < 2 ? std::nullopt : std::optional(detectable_effect(design, power));
}

std::vector<int> other_counts(int n) {
  std::vector<int> counts{3, 5, 10, 20, 50, 100};
  if (n >= 2 && std::find(counts.begin(), counts.end(), n) == counts.end()) counts.push_back(n);
  std::sort(counts.begin(), counts.end());
  return counts;
}

Json json_of(const Case& asked, const Options& options) {
  const PowerDesign& design = asked.design;
  const auto relative = [](const std::optional<double>& log) { return log ? Json(std::expm1(*log)) : Json(); };
  Json effect;
  if (asked.effect) {
    const auto needed = *asked.effect == 0 ? std::nullopt : runs_needed(design, *asked.effect, options.power);
    effect = {{"effect", std::expm1(*asked.effect)},
              {"power", design.n < 2 ? Json() : Json(power_of(design, *asked.effect))},
              {"wrong_order", wrong_order(design, *asked.effect)},
              {"runs_needed", needed ? Json(*needed) : Json()}};
  }
  Json table = Json::array();
  for (const int n : other_counts(design.n)) {
    PowerDesign other = design;
    other.n = n;
    table.push_back({{"runs", n}, {"detectable_effect", std::expm1(detectable_effect(other, options.power))}});
  }
  return {{"condition", asked.name.empty() ? Json() : Json(asked.name)},
          {"design", design.paired ? "paired" : "two averages"},
          {"noise", std::expm1(design.noise)},
          {"runs", design.n},
          {"alpha", design.alpha},
          {"power", options.power},
          {"null_difference", std::expm1(null_difference(design))},
          {"detectable_effect", relative(detectable(design, options.power))},
          {"asked", effect},
          {"table", table}};
}

void print_text(const Case& asked, const Options& options) {
  const PowerDesign& design = asked.design;
  const std::string each = design.paired ? "invocations" : "runs each";
  if (!asked.name.empty()) fmt::print("{}\n", asked.name);
  if (design.paired)
    fmt::print("{} invocations, whose log ratios vary by {} (standard deviation)\n", design.n, percent(design.noise));
  else
    fmt::print("Two averages of {} run{}, when runs vary by {} (standard deviation)\n", design.n,
               design.n == 1 ? "" : "s each", percent(design.noise));
  const auto line = [](const std::string& what, const std::string& figure) {
    fmt::print("  {:<54}{}\n", what, figure);
  };
  line("the same code differs by less than, 95 times of 100", percent(null_difference(design)));
  const auto least = detectable(design, options.power);
  line(fmt::format("effect that a t-test finds with {:.3g} % probability", 100 * options.power),
       least ? percent(*least) : "none: one run has no spread to test by");
  if (asked.effect) {
    fmt::print("  a true effect of {}\n", percent(*asked.effect));
    if (design.n >= 2) line("  is found with probability", chance(power_of(design, *asked.effect)));
    line("  comes out in the wrong order with probability", chance(wrong_order(design, *asked.effect)));
    const auto needed = *asked.effect == 0 ? std::nullopt : runs_needed(design, *asked.effect, options.power);
    line(fmt::format("  takes, to be found with {:.3g} % probability", 100 * options.power),
         needed ? fmt::format("{} {}", *needed, each) : "more than 1,000,000 " + each);
  }
  fmt::print("\n  {:>11}  detectable with {:.3g} %\n", each, 100 * options.power);
  for (const int n : other_counts(design.n)) {
    PowerDesign other = design;
    other.n = n;
    fmt::print("  {:>11}  {}\n", n, percent(detectable_effect(other, options.power)));
  }
}

int power(const Options& options) {
  if (auto valid = check(options); !valid) return fail(valid.error());
  const auto cases = cases_of(options);
  if (!cases) return fail(cases.error());
  if (options.json) {
    Json list = Json::array();
    for (const Case& asked : *cases) list.push_back(json_of(asked, options));
    fmt::print("{}\n", Json{{"schema_version", 1}, {"cases", list}}.dump(2));
  } else {
    for (const Case& asked : *cases) {
      if (&asked != &cases->front()) fmt::print("\n");
      print_text(asked, options);
    }
    fmt::print("\nTwo-sided t-test at {:.3g}; effects are relative to the cost.\n", options.alpha);
  }
  return kYes;
}

std::function<int()> declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("--noise", options->noise, "Standard deviation of a run (--paired: of an invocation's ratio)")
      ->type_name("PERCENT");
  app.add_option("--runs", options->runs, "Runs of each of the two (--paired: invocations)")
      ->capture_default_str()
      ->type_name("N");
  app.add_option("--effect", options->effect, "Also say how this effect would fare")->type_name("PERCENT");
  app.add_option("--power", options->power, "Probability of finding an effect that counts as detectable")
      ->capture_default_str()
      ->type_name("P");
  app.add_option("--alpha", options->alpha, "Level of the test, two-sided")->capture_default_str()->type_name("P");
  app.add_flag("--paired", options->paired, "Each value is a ratio already, as hitmark's invocations are");
  app.add_option("--store", options->store, "Take noise and invocations from a stored run")->type_name("FILE");
  app.add_option("--run", options->run, "Id of that run, or latest")->capture_default_str()->type_name("ID");
  app.add_flag("--json", options->json, "JSON, as power.schema.json describes it; effects as fractions");
  return [options] { return power(*options); };
}

const Registered<Command> registered{{"power", "Say which difference a number of runs could show at all", declare}};

}  // namespace
}  // namespace hitmark::cli
