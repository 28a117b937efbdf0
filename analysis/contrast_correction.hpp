// One run makes many comparisons, and a reader looks at all of them: Holm's correction over the run's contrasts.
#pragma once

#include "analysis/comparison.hpp"

namespace hitmark {

// Chooses each contrast's p (sign flips or Student's t), sets adjusted_p_value, and takes back a better or worse
// whose adjusted p is above comparison.alpha. Contrasts are those of all conditions, whichever are shown later.
void correct_for_all_contrasts(RunComparison& comparison);

}  // namespace hitmark
