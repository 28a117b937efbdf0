// What `run`, `compare` and `report` share: from a stored run to a comparison, to a verdict, to output.
#pragma once

#include <string>

#include "analysis/comparison.hpp"
#include "support/result.hpp"

namespace hitmark::cli {

// A run of the store by id, or "latest", compared along the chain of changes of its family. kUsage for an
// unknown id; otherwise what ResultStore and compare_run say.
Result<RunComparison> load_comparison(const std::string& store, const std::string& run_id_or_latest,
                                      const CompareOptions& options = {});

// Is `fail_on` one or more of worse, undecided, not-better, separated by commas? kUsage: no.
Result<void> check_fail_on(const std::string& fail_on);

// Does a primary verdict (the headline's arm, in any condition) match? kInvalid when there is no primary
// verdict at all: a gate that cannot fail must not pass.
Result<bool> fails(const RunComparison& comparison, const std::string& fail_on);

// Renders and writes to the file `output`, or to stdout when it is empty: as wide as the terminal is, in
// colour only there. `store` is said in the output. A full disk or a closed pipe is an Error.
Result<void> print_comparison(const RunComparison& comparison, const std::string& format, const std::string& store,
                              const std::string& output);

}  // namespace hitmark::cli
