// A p-value without a distribution: were there no difference, each invocation's log ratio could as well have
// come out with the other sign.
#pragma once

#include <cstdint>
#include <span>

namespace hitmark {

inline constexpr int kExactSignFlips = 16;  // up to so many values all arrangements are gone through
inline constexpr int kRandomSignFlips = 9'999;

// Two-sided p of "symmetric about 0". Above kExactSignFlips values from random arrangements, the observed one
// counted in (Phipson & Smyth 2010), so that it is never 0. 1 for no values.
double sign_flip_p(std::span<const double> values, std::uint64_t seed = 0x68697466u);

// The least that sign_flip_p can be for `count` values: 2 of 2^count arrangements.
double least_sign_flip_p(int count);

}  // namespace hitmark
