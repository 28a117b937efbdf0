// The manifest that goes with every run: what of this host, kernel and build may change a result.
#pragma once

#include <string>
#include <vector>

#include "harness/results/sample.hpp"

namespace hitmark {

struct Environment {
  NameValues manifest;                // "cpu", "microcode", "kernel", "governor", ...; absent facts say why
  std::vector<std::string> warnings;  // "frequency boost is on: ..."
};

// `root` replaces "/" of /proc and /sys, for tests.
Environment read_environment(const std::string& root = "");

}  // namespace hitmark
