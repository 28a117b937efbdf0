// The dispatcher: finds the registered commands, parses, runs one, and alone decides the exit code.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "harness/cli/command.hpp"
#include "support/nearest.hpp"

namespace hitmark::cli {

int fail(const Error& error) {
  std::fprintf(stderr, "hitmark: %s\n", error.message.c_str());
  if (!error.hint.empty()) std::fprintf(stderr, "  try: %s\n", error.hint.c_str());
  return error.kind == ErrorKind::kUsage ? kUsage : kEnvironment;
}

namespace {

// CLI11 words its errors for the program that threw; say also which names are near.
int usage_error(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& arguments) {
  std::string message = error.what();
  if (!arguments.empty() && app.get_subcommands().empty() && !arguments.front().starts_with("-")) {
    std::vector<std::string> names;
    for (const Command& command : Registry<Command>::instance().all()) names.emplace_back(command.name);
    message = "there is no command '" + arguments.front() + "'" + did_you_mean(arguments.front(), names);
  }
  std::fprintf(stderr, "hitmark: %s\n  try: hitmark --help\n", message.c_str());
  return kUsage;
}

int run(int argc, char** argv) {
  CLI::App app("On which cache line should this field live?", "hitmark");
  app.set_version_flag("--version", "hitmark " HITMARK_VERSION);
  app.require_subcommand(1);
  app.set_help_all_flag("--help-all", "Help of every command");

  std::map<const CLI::App*, std::function<int()>> actions;
  for (const Command& command : Registry<Command>::instance().all()) {
    CLI::App* sub = app.add_subcommand(std::string(command.name), std::string(command.summary));
    actions[sub] = command.declare(*sub);
  }
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version
    app.exit(success);
    return kYes;
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error, arguments);
  }
  return actions.at(app.get_subcommands().front())();
}

}  // namespace
}  // namespace hitmark::cli

int main(int argc, char** argv) { return hitmark::cli::run(argc, argv); }
