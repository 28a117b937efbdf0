// A subcommand: one file, registered by one `const Registered<Command>`.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string_view>

#include "support/registry.hpp"
#include "support/result.hpp"

namespace hitmark::cli {

enum ExitCode : int {
  kYes = 0,
  kNo = 1,  // a comparison or a rule says so
  kUsage = 2,
  kEnvironment = 3,  // the machine or the input lacks something
};

struct Command {
  std::string_view name;
  std::string_view summary;
  // Declares options and nested subcommands on `app`; the result runs after parsing.
  std::function<int()> (*declare)(CLI::App& app);
};

// Prints "hitmark: what, where, why" and the hint to stderr; kUsage errors exit with 2, all others with 3.
int fail(const Error& error);

}  // namespace hitmark::cli
