// The dispatcher: finds the registered commands, parses, runs one, and alone decides the exit code.
#include <CLI/CLI.hpp>
#include <algorithm>
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

// What was typed wrong, with the nearest names: CLI11's own texts do not look for any.
std::string usage_message(const CLI::App& command, const std::string& what, const std::vector<std::string>& arguments) {
  std::vector<std::string> commands, options;
  for (const CLI::App* sub : command.get_subcommands(nullptr)) commands.push_back(sub->get_name());
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  for (const std::string& argument : arguments) {
    const std::string name = argument.substr(0, argument.find('='));
    if (name.starts_with("--") && std::find(options.begin(), options.end(), name) == options.end())
      return "'" + command.get_name() + "' has no option " + name + did_you_mean(name, options);
    if (!name.starts_with("-") && !commands.empty() && &argument == &arguments.front())
      return "there is no command '" + name + "'" + did_you_mean(name, commands);
  }
  return what;
}

int usage_error(const CLI::App& app, const CLI::ParseError& error, std::vector<std::string> arguments) {
  const CLI::App* command = &app;
  std::string path = "hitmark";
  while (!command->get_subcommands().empty()) {  // those that were parsed
    command = command->get_subcommands().front();
    path += " " + command->get_name();
    const auto typed = std::find(arguments.begin(), arguments.end(), command->get_name());
    arguments.erase(arguments.begin(), typed == arguments.end() ? typed : typed + 1);
  }
  std::fprintf(stderr, "hitmark: %s\n  try: %s --help\n", usage_message(*command, error.what(), arguments).c_str(),
               path.c_str());
  return kUsage;
}

int run(int argc, char** argv) {
  CLI::App app("On which cache line should this field live?", "hitmark");
  app.set_version_flag("--version", "hitmark " HITMARK_VERSION);
  app.require_subcommand(1);

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
