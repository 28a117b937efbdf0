// Looking at the data more than once without more false alarms: alpha spending (Lan & DeMets 1983).
#pragma once

#include <span>
#include <vector>

namespace hitmark {

// How much of `alpha` may be used up when `fraction` of the largest sample is there; spends `alpha` at 1.
using Spending = double (*)(double fraction, double alpha);
double pocock_spending(double fraction, double alpha);          // nearly the same level at each look
double obrien_fleming_spending(double fraction, double alpha);  // hardly anything early, nearly all at the end

// The two-sided level to test at in each look, so that all of them together alarm with probability `alpha` where
// there is no difference. `fractions`: of the largest sample, ascending, the last is 1.
std::vector<double> nominal_levels(std::span<const double> fractions, double alpha,
                                   Spending spending = pocock_spending);

}  // namespace hitmark
