#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/simulator/validation/latency_path.hpp"
#include "harness/simulator/validation/latency_probe.hpp"
#include "harness/simulator/validation/matrix_fit.hpp"

namespace hitmark::simulator {
namespace {

using testing::HasSubstr;

TEST(Matrix, ReadsTheLowerTriangle) {
  const auto matrix = parse_matrix("\n5\n6.5,7\n", "m");
  ASSERT_TRUE(matrix) << matrix.error().message;
  EXPECT_EQ(matrix->cpus(), 3u);
  EXPECT_EQ(matrix->at(1, 0), 5);
  EXPECT_EQ(matrix->at(0, 2), 6.5);
  EXPECT_EQ(matrix->at(2, 1), 7);
  EXPECT_TRUE(parse_matrix(",,\r\n5,,\r\n6.5,7,", "as published"));
}

TEST(Matrix, RefusesWhatIsNone) {
  const auto why = [](const char* text) {
    const auto matrix = parse_matrix(text, "m");
    return matrix ? "taken" : matrix.error().message;
  };
  EXPECT_EQ(why("\n5\n6,\n"), "m, line 3: column 2 is not a time in ns");
  EXPECT_EQ(why("\nx\n"), "m, line 2: column 1 is not a time in ns");
  EXPECT_EQ(why("\n-1\n"), "m, line 2: column 1 is not a time in ns");
  EXPECT_EQ(why("\nnan\n"), "m, line 2: column 1 is not a time in ns");
  EXPECT_EQ(why("\n5,6\n"), "m, line 2: values beyond the diagonal");
  EXPECT_THAT(why(""), HasSubstr("at least two"));
  EXPECT_THAT(why(std::string(5000, '\n').c_str()), HasSubstr("line 2: column 1"));
}

// Threads of a core share its L1: what one has written, the other hits, each load after the one before.
TEST(Probe, ADirtyLineOfTheSiblingIsInTheSameL1) {
  const MachineModel machine = *load_machine("rome-2s");
  const unsigned sibling = machine.cores();
  ASSERT_EQ(machine.core_of(sibling), 0u);
  EXPECT_NEAR(simulate_dirty_load(machine, 0, sibling, {}), machine.core.l1_cycles / machine.core.ghz, 0.001);
  const double within_ccx = simulate_dirty_load(machine, 0, 1, {});
  EXPECT_GT(within_ccx, 10 * machine.core.l1_cycles / machine.core.ghz);
  EXPECT_GT(simulate_dirty_load(machine, 0, machine.cores_per_ccx, {}), 2 * within_ccx);
}

Measured measured(std::size_t index) { return *load_measured(measured_machines()[index]); }

// What the publishers' neighbours found by rerunning with a known home, read off the data alone.
TEST(Matrix, TellsTheHomeOfTheFlag) {
  const std::pair<int, int> expected[] = {{1, 3}, {0, 0}, {1, 0}};
  for (std::size_t i = 0; i < 3; ++i) {
    const Home home = find_home(measured(i));
    EXPECT_EQ(home.socket, expected[i].first) << i;
    EXPECT_EQ(home.quadrant, expected[i].second) << i;
  }
}

TEST(Matrix, MediansAndMeansAreThoseOfTheData) {
  const Measured rome = measured(0);
  const auto medians = quadrant_medians(rome);
  ASSERT_EQ(medians.size(), 36u);
  EXPECT_NEAR(medians[0], 248.61, 0.01);   // quadrant 0 with itself, home on the other socket
  EXPECT_NEAR(medians[35], 101.82, 0.01);  // the home's own
  EXPECT_NEAR(ccx_median(rome), 25.33, 0.01);
  EXPECT_NEAR(smt_median(rome), 8.05, 0.01);
  EXPECT_EQ(smt_median(measured(1)), 0) << "measured without SMT";
  const auto means =
      class_means(rome.machine, find_home(rome), [&](unsigned a, unsigned b) { return rome.matrix.at(a, b); });
  EXPECT_NEAR(means[static_cast<std::size_t>(PairClass::kSameCcd)], 116.3, 0.05);
  EXPECT_NEAR(means[static_cast<std::size_t>(PairClass::kOtherQuadrantRemoteHome)], 268.6, 0.05);
  EXPECT_NEAR(means[static_cast<std::size_t>(PairClass::kCrossSocket)], 265.3, 0.05);
}

// The numbers in the machine files are those that come out here, to the rounding of the files.
TEST(MatrixFit, MachineFilesAreCurrent) {
  for (std::size_t i = 0; i < measured_machines().size(); ++i) {
    const Measured machine = measured(i);
    SCOPED_TRACE(machine.machine.name);
    const PathModel fitted = fit_path(machine.machine, find_home(machine), quadrant_medians(machine));
    const PathModel& file = machine.machine.path;
    EXPECT_NEAR(file.fixed_fabric_ns, fitted.fixed_fabric_ns, 0.006);
    EXPECT_NEAR(file.d_across, fitted.d_across, 0.006);
    for (std::size_t hop = 0; hop < 4; ++hop) {
      EXPECT_NEAR(file.r[hop], fitted.r[hop], 0.006);
      EXPECT_NEAR(file.r_other[hop], fitted.r_other[hop], 0.006);
      EXPECT_NEAR(file.d[hop], fitted.d[hop], 0.006);
    }
    EXPECT_NEAR(machine.machine.core.ccx_handoff_cycles, ccx_median(machine) * machine.machine.core.ghz, 0.06);
    if (smt_median(machine) > 0) {
      EXPECT_NEAR(machine.machine.core.smt_handoff_cycles, smt_median(machine) * machine.machine.core.ghz, 0.06);
    }
  }
}

TEST(MatrixFit, FindsPlantedParameters) {
  MachineModel model = *load_machine("rome-2s");
  model.path.r_other = {61, 62, 63, 64};
  Home home;
  home.socket = 1;
  home.quadrant = 2;
  std::vector<double> ns;
  for (const QuadrantPair& pair : quadrant_pairs(model))
    ns.push_back(ccx_hand_off_ns(model, pair.a * 4, pair.b * 4, home));
  const PathModel fitted = fit_path(model, home, ns);
  EXPECT_NEAR(fitted.fixed_fabric_ns, model.path.fixed_fabric_ns, 1e-6);
  EXPECT_NEAR(fitted.r[3], model.path.r[3], 1e-6);
  EXPECT_NEAR(fitted.r_other[1], 62, 1e-6);
  EXPECT_NEAR(fitted.d[2], model.path.d[2], 1e-6);
  model.path.link = 1.1;
  ns.clear();
  for (const QuadrantPair& pair : quadrant_pairs(model))
    ns.push_back(ccx_hand_off_ns(model, pair.a * 4, pair.b * 4, home));
  model.path.link = 1;
  EXPECT_NEAR(fit_link(model, home, ns), 1.1, 1e-9);
}

struct Errors {
  double mean = 0, worst = 0;
};

Errors errors(const MachineModel& model, const Measured& real, auto wanted) {
  const auto pairs = quadrant_pairs(model);
  const auto medians = quadrant_medians(real);
  const Home home = find_home(real);
  Errors errors;
  unsigned count = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (!wanted(pairs[i].a / 4, pairs[i].b / 4)) continue;
    const double ns =
        ccx_hand_off_ns(model, pairs[i].a * model.ccxs_per_quadrant, pairs[i].b * model.ccxs_per_quadrant, home);
    const double error = std::abs(ns / medians[i] - 1);
    errors.mean += error;
    errors.worst = std::max(errors.worst, error);
    ++count;
  }
  errors.mean /= count;
  return errors;
}

// The closed form alone; `hitmark validate-model` does the same with the simulated loop.
TEST(MatrixFit, ClosedFormMeetsTheTargets) {
  const auto all = [](unsigned, unsigned) { return true; };
  for (std::size_t i = 0; i < 3; ++i) {
    const Errors own = errors(measured(i).machine, measured(i), all);
    EXPECT_LT(own.mean, 0.015) << i;
    EXPECT_LT(own.worst, 0.05) << i;
  }
  const PathModel from_7702 = measured(1).machine.path;
  Measured big = measured(0), small = measured(2);
  small.machine.path = big.machine.path = from_7702;
  const Errors predicted = errors(small.machine, small, all);
  EXPECT_LT(predicted.mean, 0.02);
  EXPECT_LT(predicted.worst, 0.05);
  const unsigned home_socket = find_home(big).socket;
  const Errors on_socket =
      errors(big.machine, big, [=](unsigned a, unsigned b) { return a == home_socket && b == home_socket; });
  EXPECT_LT(on_socket.mean, 0.02);
  EXPECT_LT(on_socket.worst, 0.05);
  big.machine.path.link = fit_link(big.machine, find_home(big), quadrant_medians(big));
  EXPECT_NEAR(big.machine.path.link, 1.24, 0.01);
  EXPECT_LT(errors(big.machine, big, [](unsigned a, unsigned b) { return a != b; }).mean, 0.03);
  big.machine.path.link = 1;
  EXPECT_GT(errors(big.machine, big, [](unsigned a, unsigned b) { return a != b; }).mean, 0.03) << "without the knob";
}

}  // namespace
}  // namespace hitmark::simulator
