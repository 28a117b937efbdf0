// What `hitmark run` is told on its command line, read into a RunRequest.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "support/result.hpp"

namespace hitmark::cli {

struct RunArguments {
  std::string study;
  std::vector<std::string> variants, placements, settings, events;
  std::string baseline, machine = "native", machine_from, counters, store, budget, format = "text", fail_on;
  std::uint64_t seed = 1;
  int invocations = 0;
  bool json = false, resume = false;
  std::vector<std::string> plan_options;  // as given: "--seed", ...; a resumed run has its plan and takes none
  std::string run_id;                     // hidden: of the run to resume; empty: the latest that is not complete
  int invocation = -1;                    // hidden: run this one alone, in this process
  double seconds = 0;                     // hidden: for that long
};

// "20s", "1.5m", "2h", "90": seconds.
Result<double> parse_duration(const std::string& text);

// "single,same-ccx@home:local": commas part placements, but within a list of CPUs ("0-3,8" or "S0:0,2") they
// belong to it: a part that begins with a digit goes on with the list before it.
std::vector<std::string> split_placements(const std::vector<std::string>& arguments);

// "NAME=VALUE"
Result<std::vector<std::pair<std::string, std::string>>> split_settings(const std::vector<std::string>& arguments);

// XDG_STATE_HOME/hitmark/results.db, or below ~/.local/state; its folder is made.
Result<std::string> default_store_path();
// `output`, or else a file called `name` in the folder of default_store_path().
Result<std::string> beside_the_store(const std::string& output, const std::string& name);

}  // namespace hitmark::cli
