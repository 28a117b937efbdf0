// The two forms of `hitmark topology latency`: matrices and class means for a person, JSON (latency.schema.json).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/cli/latency_survey.hpp"

namespace hitmark::cli {

struct LatencyResult {
  std::string machine;  // "rome-2s", "this host"
  std::string cpu_model;
  bool modelled = false;
  std::vector<std::pair<std::string, LatencySurvey>> surveys;  // by kind: "hand-off", "dirty-load"
  std::vector<std::pair<std::string, std::string>> evidence;   // where the lines were, as the kernel says
  std::vector<std::string> remarks;
  std::vector<std::pair<std::string, std::string>> manifest;  // of the host that was measured, as runs have it
};

nlohmann::ordered_json latency_json(const LatencyResult& result);
std::string latency_text(const LatencyResult& result);

}  // namespace hitmark::cli
