// The dispatcher: finds the registered commands, parses, runs one, and alone decides the exit code.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <map>
#include <regex>
#include <sstream>
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

// "--format: yaml not in {text,json}", as CLI11 words it, with the nearest of the values.
std::string with_nearest_value(const std::string& what) {
  static const std::regex not_in(R"(^(.*): (.*) not in \{(.*)\}$)");
  std::smatch match;
  if (!std::regex_match(what, match, not_in)) return what;
  std::vector<std::string> values;
  std::istringstream list(match[3]);
  for (std::string value; std::getline(list, value, ',');) values.push_back(value);
  return match[1].str() + " does not take '" + match[2].str() + "'" + did_you_mean(match[2].str(), values);
}

// What was typed wrong, with the nearest names: CLI11's own texts do not look for any.
std::string usage_message(const CLI::App& command, const std::string& what, const std::vector<std::string>& arguments) {
  std::vector<std::string> commands, options;
  for (const CLI::App* sub : command.get_subcommands(nullptr)) commands.push_back(sub->get_name());
  for (const CLI::Option* option : command.get_options())
    if (!option->get_group().empty())  // hidden ones are for hitmark itself
      for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  for (const std::string& argument : arguments) {
    const std::string name = argument.substr(0, argument.find('='));
    if (name.starts_with("--") && std::find(options.begin(), options.end(), name) == options.end())
      return "'" + command.get_name() + "' has no option " + name + did_you_mean(name, options);
    if (!name.starts_with("-") && !commands.empty() && &argument == &arguments.front())
      return "there is no command '" + name + "'" + did_you_mean(name, commands);
  }
  return with_nearest_value(what);
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

// A closed descriptor would be given to the next file that is opened, and what is printed would land in it. A
// stdout that is closed stays unwritable, so that finish() sees it.
void keep_standard_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(fd, F_GETFD) == -1 && ::open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY) != fd)
      std::exit(kEnvironment);
}

// What was printed may still be in buffers; a full disk or a closed stdout shows only now.
int finish(int exit_code) {
  std::cout.flush();
  const bool written = std::fflush(stdout) == 0 && !std::ferror(stdout) && std::cout.good();
  if (written || exit_code != kYes) return exit_code;
  return fail(
      {ErrorKind::kIo, "cannot write the output to stdout", "write it where there is room, or not into a closed pipe"});
}

int perform(const std::function<int()>& action) {
  try {
    return action();
  } catch (const std::exception& error) {  // of a library: fmt, the JSON writer, allocation
    return fail({ErrorKind::kIo, std::string("cannot go on: ") + error.what(), ""});
  }
}

int run(int argc, char** argv) {
  keep_standard_descriptors();
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
    return finish(kYes);
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error, arguments);
  }
  return finish(perform(actions.at(app.get_subcommands().front())));
}

}  // namespace
}  // namespace hitmark::cli

int main(int argc, char** argv) { return hitmark::cli::run(argc, argv); }
