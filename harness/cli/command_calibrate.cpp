// hitmark calibrate: what the model makes of the 2026 patch, with one parameter fitted on the baseline.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>

#include "harness/cli/command.hpp"
#include "harness/cli/run_arguments.hpp"
#include "harness/plan.hpp"
#include "harness/simulator/validation/calibrate.hpp"
#include "harness/simulator/validation/calibrate_report.hpp"
#include "support/file.hpp"

namespace hitmark::cli {
namespace {

struct Options {
  std::string machine = "rome-2s", before = "percall7", after = "packed6", output;
  unsigned most_kib = 256;
  bool json = false, no_rows = false;
};

int calibrate(const Options& options) {
  const auto machine = simulator::load_machine(options.machine);
  if (!machine) return fail(machine.error());
  const auto before = find_variant("sock-charge", options.before), after = find_variant("sock-charge", options.after);
  if (!before) return fail(before.error());
  if (!after) return fail(after.error());
  simulator::CalibrationOptions calibration;
  calibration.before = *before;
  calibration.after = *after;
  calibration.rows = !options.no_rows;
  calibration.most_lines = options.most_kib * 16;
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const auto start = std::chrono::steady_clock::now();
  calibration.progress = [terminal, start](const std::string& now, unsigned done, unsigned all) {
    if (!terminal) return;
    std::fprintf(stderr, "\r\033[Kcalibrate: %u of %u", done, all);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (done > 0) std::fprintf(stderr, ", %.0f s left", seconds / done * (all - done));
    std::fprintf(stderr, ": %s", now.c_str());
  };
  const auto result = simulator::calibrate(*machine, calibration);
  if (terminal) std::fputs("\r\033[K", stderr);
  if (!result) return fail(result.error());
  const std::string json = calibration_json(*result) + "\n";
  std::fputs((options.json ? json : calibration_text(*result)).c_str(), stdout);
  const auto path = beside_the_store(options.output, "calibration-" + result->machine + ".json");
  if (!path) return fail(path.error());
  if (const auto written = write_file(*path, json); !written) return fail(written.error());
  if (!options.json) std::printf("\nstored in %s\n", path->c_str());
  return calibration_holds(*result) ? kYes : kNo;
}

std::function<int()> declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("--machine", options->machine, "Simulated machine: a name or a file, see hitmark list machines")
      ->capture_default_str()
      ->type_name("M");
  app.add_option("--before", options->before, "Variant that the pressure is fitted on")->capture_default_str();
  app.add_option("--after", options->after, "Variant that is predicted")->capture_default_str();
  app.add_option("--most-pressure", options->most_kib, "Try no more private data than this; 256 is a thread's L2 share")
      ->capture_default_str()
      ->check(CLI::Range(1u, 16384u))
      ->type_name("KIB");
  app.add_flag("--no-sensitivity", options->no_rows, "Leave the sensitivity and the protocol switches out: faster");
  app.add_option("--output", options->output, "Where the JSON is stored; else beside the results of runs")
      ->type_name("FILE");
  app.add_flag("--json", options->json, "Print JSON");
  return [options] { return calibrate(*options); };
}

const Registered<Command> registered{
    {"calibrate", "Fit the model's one parameter on the patch's baseline and predict the rest", declare}};

}  // namespace
}  // namespace hitmark::cli
