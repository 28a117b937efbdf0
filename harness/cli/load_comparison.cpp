// Analysis does not know kernels/, and the store does not know either: they meet here.
#include "harness/cli/load_comparison.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "harness/cli/terminal.hpp"
#include "harness/results/result_store.hpp"
#include "kernels/variant.hpp"
#include "reports/report.hpp"
#include "support/file.hpp"
#include "support/nearest.hpp"
#include "support/registry.hpp"

namespace hitmark::cli {
namespace {

const std::vector<std::string> kFailOn{"worse", "undecided", "not-better"};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

bool matches(Verdict verdict, const std::string& fail_on) {
  if (fail_on == "worse") return verdict == Verdict::kWorse;
  if (fail_on == "undecided") return verdict == Verdict::kUndecided;
  return verdict != Verdict::kBetter;
}

RenderOptions options_of_stdout(const std::string& store) {
  RenderOptions options;
  options.store = store;
  if (!stdout_is_terminal()) return options;
  options.width = stdout_width(options.width);
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  options.colour =
      (no_colour == nullptr || *no_colour == '\0') && (terminal == nullptr || std::strcmp(terminal, "dumb") != 0);
  return options;
}

}  // namespace

Result<RunComparison> load_comparison(const std::string& store_path, const std::string& run_id_or_latest,
                                      const CompareOptions& options) {
  const auto store = ResultStore::open(store_path, ResultStore::Access::kRead);
  if (!store) return store.error();
  const auto run = run_id_or_latest == "latest" ? store->latest_run() : store->run(run_id_or_latest);
  if (!run) return run.error();
  const Family* family = Registry<Family>::instance().find(run->family);
  std::vector<ChangeStep> steps;
  if (family != nullptr)
    for (const Family::Step& step : family->steps)
      steps.push_back({std::string(step.from), std::string(step.to), std::string(step.change)});
  auto comparison = compare_run(
      *run, [&](const auto& use) { return store->for_each_block(run->run_id, use); }, steps, options);
  if (!comparison) return comparison.error();
  // An arm carries its variant's name unless it is a null.
  if (family != nullptr)
    for (const ArmRecord& arm : run->arms)
      if (arm.role == ArmRole::kVariant && arm.variant == family->headline) comparison->headline = arm.name;
  return comparison;
}

Result<void> check_fail_on(const std::string& fail_on) {
  for (const std::string& part : split(fail_on))
    if (std::find(kFailOn.begin(), kFailOn.end(), part) == kFailOn.end())
      return Error{ErrorKind::kUsage, "--fail-on does not know '" + part + "'" + did_you_mean(part, kFailOn),
                   "--fail-on worse"};
  return {};
}

Result<bool> fails(const RunComparison& comparison, const std::string& fail_on) {
  if (auto known = check_fail_on(fail_on); !known) return known.error();
  bool any = false, failed = false;
  for (const ConditionComparison& condition : comparison.conditions)
    for (const Contrast& contrast : condition.contrasts) {
      if (contrast.arm != comparison.headline) continue;
      any = true;
      for (const std::string& part : split(fail_on)) failed |= matches(contrast.verdict, part);
    }
  if (!any)
    return Error{ErrorKind::kInvalid,
                 "run " + comparison.run.run_id +
                     " has no verdict to judge by: no condition compares an arm with the "
                     "baseline",
                 "hitmark run STUDY with at least two --variants"};
  return failed;
}

Result<void> print_comparison(const RunComparison& comparison, const std::string& format, const std::string& store,
                              const std::string& output) {
  RenderOptions options = options_of_stdout(store);
  if (!output.empty()) options = {false, RenderOptions{}.width, store};
  const auto text = render(comparison, format, options);
  if (!text) return text.error();
  if (!output.empty()) return write_file(output, *text);
  if (std::fwrite(text->data(), 1, text->size(), stdout) != text->size() || std::fflush(stdout) != 0)
    return Error{ErrorKind::kIo, std::string("cannot write the report: ") + std::strerror(errno),
                 "hitmark report" + (store.empty() ? "" : " --store " + store) + " --output FILE"};
  return {};
}

}  // namespace hitmark::cli
