// Does a set of values fall into separate groups (a latency of 27, 62 or 250 ns, and nothing between)?
#pragma once

#include <span>
#include <vector>

namespace hitmark {

struct Modes {
  std::vector<double> centres;  // medians, ascending; one when the values are of one kind, none without values
  std::vector<int> of;          // for each value the index of its centre
};

// Values > 0. Groups differ by at least a quarter, hold at least a twentieth of the values (and eight close to each
// other), and next to nothing lies between them.
Modes modes_of(std::span<const double> values);

}  // namespace hitmark
