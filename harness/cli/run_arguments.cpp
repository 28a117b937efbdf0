#include "harness/cli/run_arguments.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <system_error>

namespace hitmark::cli {
namespace {

bool begins_with_digit(const std::string& text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) != 0;
}

// A list of CPUs, or one of likwid's expressions: their names begin with a capital letter.
bool is_cpu_list(const std::string& text) {
  return begins_with_digit(text) || (!text.empty() && std::isupper(static_cast<unsigned char>(text[0])) != 0);
}

}  // namespace

Result<double> parse_duration(const std::string& text) {
  static const std::map<std::string, double> units = {{"", 1}, {"s", 1}, {"m", 60}, {"min", 60}, {"h", 3600}};
  double number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number, std::chars_format::fixed);
  const auto unit = units.find(std::string(end, last));
  if (!begins_with_digit(text) || error != std::errc() || unit == units.end() || number <= 0 || number > 1e6)
    return Error{ErrorKind::kUsage, "'" + text + "' is no duration: a number and s, m or h", "--budget 20s"};
  return number * unit->second;
}

std::vector<std::string> split_placements(const std::vector<std::string>& arguments) {
  std::vector<std::string> placements;
  for (const std::string& argument : arguments) {
    bool goes_on = false;
    for (std::size_t at = 0; at <= argument.size();) {
      const std::size_t comma = std::min(argument.find(',', at), argument.size());
      const std::string part = argument.substr(at, comma - at);
      at = comma + 1;
      if (goes_on && begins_with_digit(part) && is_cpu_list(placements.back()))
        placements.back() += "," + part;
      else
        placements.push_back(part);
      goes_on = true;
    }
  }
  return placements;
}

Result<std::vector<std::pair<std::string, std::string>>> split_settings(const std::vector<std::string>& arguments) {
  std::vector<std::pair<std::string, std::string>> settings;
  for (const std::string& argument : arguments) {
    const auto equals = argument.find('=');
    if (equals == std::string::npos || equals == 0)
      return Error{ErrorKind::kUsage, "--set wants NAME=VALUE, not '" + argument + "'", "hitmark list parameters"};
    settings.emplace_back(argument.substr(0, equals), argument.substr(equals + 1));
  }
  return settings;
}

Result<std::string> default_store_path() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  std::filesystem::path folder;
  if (state && *state == '/')
    folder = state;
  else if (home && *home)
    folder = std::filesystem::path(home) / ".local/state";
  else
    return Error{ErrorKind::kUnavailable, "neither HOME nor XDG_STATE_HOME says where results are kept",
                 "--store FILE"};
  folder /= "hitmark";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return Error{ErrorKind::kIo, "cannot make " + folder.string() + ": " + error.message(), "--store FILE"};
  return (folder / "results.db").string();
}

Result<std::string> beside_the_store(const std::string& output, const std::string& name) {
  if (!output.empty()) return output;
  const auto store = default_store_path();
  if (!store) return Error{store.error().kind, store.error().message, "--output FILE"};
  return store->substr(0, store->rfind('/') + 1) + name;
}

}  // namespace hitmark::cli
