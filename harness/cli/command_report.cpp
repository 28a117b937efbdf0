// `hitmark report`: a stored run, printed again in any format. Never fails because of a verdict.
#include <memory>
#include <string>

#include "harness/cli/command.hpp"
#include "harness/cli/load_comparison.hpp"

namespace hitmark::cli {
namespace {

struct Options {
  std::string store, run = "latest", format = "text", output;
  bool json = false;
};

int report(const Options& options) {
  const auto comparison = load_comparison(options.store, options.run);
  if (!comparison) return fail(comparison.error());
  const auto printed =
      print_comparison(*comparison, options.json ? "json" : options.format, options.store, options.output);
  return printed ? kYes : fail(printed.error());
}

std::function<int()> declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("--store", options->store, "File that holds the run")->required()->type_name("FILE");
  app.add_option("--run", options->run, "Id of the run, or latest")->capture_default_str()->type_name("ID");
  app.add_option("--format", options->format, "text, commit, json or rows")->capture_default_str()->type_name("F");
  app.add_flag("--json", options->json, "Same as --format json");
  app.add_option("--output", options->output, "Write to this file instead of stdout")->type_name("FILE");
  return [options] { return report(*options); };
}

const Registered<Command> registered{{"report", "Print a stored run", declare}};

}  // namespace
}  // namespace hitmark::cli
