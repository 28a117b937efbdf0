// One line for each condition and arm: what `compare` prints.
#include "reports/report.hpp"
#include "reports/text_fit.hpp"
#include "reports/wording.hpp"

namespace hitmark {
namespace {

std::string render_rows(const RunComparison& comparison, const RenderOptions& options) {
  text_fit::Table table({{"verdict", false, 0, true},
                         {"change", true, 0, true},
                         {"95 % interval", false, options.width < 60 ? 2 : 0},
                         {"noise floor", true, 1},
                         {"arm"},
                         {"condition"}});
  std::string reasons;
  for (const ConditionComparison& condition : comparison.conditions)
    for (const Contrast& contrast : condition.contrasts) {
      table.add({{std::string(name_of(contrast.verdict))},
                 {shown_change_text(contrast)},
                 {shown_interval_text(contrast)},
                 {floor_text(condition.noise_floor)},
                 {contrast.arm},
                 {condition.condition.name}});
      if (!contrast.why.empty())
        reasons += text_fit::wrapped(contrast.arm + ", " + condition.condition.name + ": " + contrast.why,
                                     options.width, "", "  ");
    }
  const RunRecord& run = comparison.run;
  return text_fit::wrapped(run.family + " on " + machine_text(run) + ", run " + run.run_id + ": " +
                               (comparison.basis == CostBasis::kRaw ? "whole-loop cost" : "cost") +
                               " per operation against " + (run.arms.empty() ? "nothing" : run.arms.front().name),
                           options.width) +
         table.text(options.width, 0) + reasons;
}

const Registered<Renderer> registered{{"rows", "one line for each condition and arm", render_rows}};

}  // namespace
}  // namespace hitmark
