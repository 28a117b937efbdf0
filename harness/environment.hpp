// The manifest that goes with every run: what of this host, kernel and build may change a result.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/results/sample.hpp"

namespace hitmark {

struct Environment {
  NameValues manifest;                // "cpu", "microcode", "kernel", "governor", ...; absent facts say why
  std::vector<std::string> warnings;  // "frequency boost is on: ..."
};

// `root` replaces "/" of /proc and /sys, for tests.
Environment read_environment(const std::string& root = "");

std::string fact(const NameValues& manifest, std::string_view name);  // empty when it is not there

// Empty when measurements under both manifests can go into one run; else each difference of CPU, microcode, kernel,
// revision and compiler: "kernel was '6.1.0' and is '6.18.0'; ...".
std::string differences_that_matter(const NameValues& then, const NameValues& now);

}  // namespace hitmark
