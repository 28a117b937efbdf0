// One comparison of the simulator with something it should agree with, as numbers and targets; no text layout.
#pragma once

#include <string>
#include <vector>

namespace hitmark::simulator {

// Where the simulator's numbers come from, seen from what they are compared with.
enum class Basis {
  kFitted,     // to the very reference: the model can express it
  kPredicted,  // from elsewhere: the model knows it
  kExact,      // follows from the rules, whatever the parameters
  kStated,     // by a file of the user's own, which may have taken them from anywhere
};
const char* name_of(Basis basis);

struct ComparedValue {
  std::string what;
  double reference = 0, simulated = 0;
  double deviation() const { return reference != 0 ? simulated / reference - 1 : 0; }
};

// Passed when `value` is at most `target`.
struct Figure {
  std::string name, unit;  // "mean off", "%"
  double value = 0, target = 0;
  bool passed() const { return value <= target; }  // a NaN is not passed
};

struct Check {
  std::string name;  // "7742, all 36 pairs of quadrants"
  Basis basis = Basis::kPredicted;
  std::string foundation;  // what was fitted to what, in a phrase
  std::string reference;   // what is compared with
  std::string unit;        // of the values
  std::vector<ComparedValue> values;
  std::vector<Figure> figures;
  bool passed() const;  // false also without any figure
};

// "mean off" and "worst": how far simulated values are from their references, either way, in percent.
void add_deviations(Check& check, double mean_target, double worst_target);

}  // namespace hitmark::simulator
