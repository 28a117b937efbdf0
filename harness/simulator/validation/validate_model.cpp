#include "harness/simulator/validation/validate_model.hpp"

#include <cstdio>

#include "harness/simulator/validation/matrix_fit.hpp"
#include "support/nearest.hpp"

namespace hitmark::simulator {
namespace {

const std::string kOwnFit = "path model's 12 numbers, to these medians";

Result<Measured> measured(std::string_view machine) {
  for (const MeasuredMachine& known : measured_machines())
    if (known.machine == machine) return load_measured(known);
  std::vector<std::string> names;
  for (const MeasuredMachine& known : measured_machines()) names.emplace_back(known.machine);
  return Error{ErrorKind::kUsage,
               "there is no published matrix of '" + std::string(machine) + "'" + did_you_mean(machine, names),
               "hitmark list machines"};
}

void check_against_matrix(const Measured& real, std::vector<Check>& checks) {
  checks.push_back(check_all_pairs(real, Basis::kFitted, kOwnFit));
  checks.push_back(check_in_core_and_ccx(real));
  checks.push_back(check_class_means(real));
}

std::string fixed(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", value);
  return text;
}

}  // namespace

Result<std::vector<Check>> validate_all() {
  std::vector<Check> checks;
  auto big = measured("rome-2s-7742"), middle = measured("rome-2s-7702"), small = measured("rome-2s-7302");
  for (auto* real : {&big, &middle, &small}) {
    if (!*real) return real->error();
    check_against_matrix(**real, checks);
  }
  const std::string from_7702 = "all parameters from the 7702 alone";
  small->machine = with_latencies_of(small->machine, middle->machine);
  checks.push_back(check_all_pairs(*small, Basis::kPredicted, from_7702));
  big->machine = with_latencies_of(big->machine, middle->machine);
  checks.push_back(check_home_socket(*big, from_7702));
  big->machine.path.link = fit_link(big->machine, find_home(*big), quadrant_medians(*big));
  checks.push_back(check_cross_socket(
      *big, "all parameters from the 7702, but one: link = " + fixed(big->machine.path.link) + ", to these medians"));
  const auto generic = load_machine("rome-2s");
  if (!generic) return generic.error();
  for (const auto check : {check_levels, check_contention, check_exact_counts}) checks.push_back(check(*generic));
  return checks;
}

std::string lacks_measurement(const MachineModel& machine, std::string_view against) {
  if (!against.empty() || measured(without_nodes(machine.name))) return "";
  std::string names;
  for (const MeasuredMachine& known : measured_machines())
    names += (names.empty() ? "" : ", ") + std::string(known.machine);
  return "no measurement of " + machine.name +
         " is known:\n  its hand-offs and levels are compared with its own file. --against takes " + names;
}

Result<std::vector<Check>> validate_machine(const MachineModel& machine, std::string_view against) {
  std::vector<Check> checks;
  // Nodes change no hand-off.
  auto real = measured(against.empty() ? without_nodes(machine.name) : against);
  if (!real && !against.empty()) return real.error();
  if (real) {
    MachineModel as_measured = machine;
    as_measured.threads_per_core = real->machine.threads_per_core;
    if (as_measured.cpus() != real->matrix.cpus())
      return Error{ErrorKind::kInvalid,
                   "the matrix of " + real->machine.name + " has " + std::to_string(real->matrix.cpus()) +
                       " CPUs, this machine " + std::to_string(as_measured.cpus()),
                   "only a machine of the same size can be compared with it"};
    real->machine = as_measured;
    check_against_matrix(*real, checks);
    if (!against.empty())
      for (Check& check : checks) {
        check.basis = Basis::kStated;
        check.foundation = "the numbers of " + machine.name;
        check.reference += " of " + std::string(against);
        check.name += ", against " + std::string(against);
      }
  } else if (machine.cores() > 1) {
    checks.push_back(check_path_model(machine));
  }
  checks.push_back(check_levels(machine));
  if (machine.ccxs() > 1) checks.push_back(check_contention(machine));
  checks.push_back(check_exact_counts(machine));
  return checks;
}

}  // namespace hitmark::simulator
