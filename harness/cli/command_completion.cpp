// `hitmark completion SHELL`: the completion script of a shell, made from the very options that the program
// parses, so that the two cannot differ.
#include <cstdio>
#include <string>
#include <vector>

#include "harness/cli/command.hpp"

namespace hitmark::cli {
namespace {

// Everything that may follow `app` on a command line: its commands and its long options.
std::string words_after(const CLI::App& app) {
  std::string words;
  for (const CLI::App* sub : app.get_subcommands(nullptr))
    if (!sub->get_group().empty()) words += sub->get_name() + " ";
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames())
      if (!option->get_group().empty()) words += "--" + name + " ";
  if (!words.empty()) words.pop_back();
  return words;
}

// One `case` branch per command, keyed by the path of commands typed so far: "hitmark layout diff".
void append_branches(const CLI::App& app, const std::string& path, std::string& out) {
  out += "    \"" + path + "\") words=\"" + words_after(app) + "\" ;;\n";
  for (const CLI::App* sub : app.get_subcommands(nullptr))
    if (!sub->get_group().empty()) append_branches(*sub, path + " " + sub->get_name(), out);
}

std::string bash_script(const CLI::App& root) {
  std::string branches;
  append_branches(root, "hitmark", branches);
  return "# bash completion of hitmark; made by `hitmark completion bash`\n"
         "_hitmark_words() {\n"
         "  local words=\n"
         "  case \"$1\" in\n" +
         branches +
         "    *) return 1 ;;\n"
         "  esac\n"
         "  printf '%s' \"$words\"\n"
         "}\n"
         "_hitmark() {\n"
         "  local path=hitmark word current=${COMP_WORDS[COMP_CWORD]}\n"
         "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
         "    _hitmark_words \"$path $word\" >/dev/null && path=\"$path $word\"\n"
         "  done\n"
         "  COMPREPLY=($(compgen -W \"$(_hitmark_words \"$path\")\" -- \"$current\"))\n"
         "  [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- \"$current\"))\n"
         "}\n"
         "complete -F _hitmark hitmark\n";
}

std::string quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return "'" + text + "'";
}

void append_fish(const CLI::App& app, const std::string& condition, std::string& out) {
  const std::string head = "complete -c hitmark" + condition;
  for (const CLI::App* sub : app.get_subcommands(nullptr)) {
    if (sub->get_group().empty()) continue;
    out += head + " -f -a " + sub->get_name() + " -d " + quoted(sub->get_description()) + "\n";
    append_fish(*sub, " -n '__fish_seen_subcommand_from " + sub->get_name() + "'", out);
  }
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames())
      if (!option->get_group().empty()) out += head + " -l " + name + " -d " + quoted(option->get_description()) + "\n";
}

std::string script_for(const std::string& shell, const CLI::App& root) {
  if (shell == "fish") {
    std::string out = "# fish completion of hitmark; made by `hitmark completion fish`\n";
    append_fish(root, "", out);
    return out;
  }
  const std::string bash = bash_script(root);
  return shell == "zsh" ? "#compdef hitmark\nautoload -U bashcompinit && bashcompinit\n" + bash : bash;
}

const Registered<Command> registered{
    {"completion", "Print the completion script of a shell", [](CLI::App& app) -> std::function<int()> {
       auto shell = std::make_shared<std::string>();
       app.add_option("SHELL", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
       app.footer("  bash:  hitmark completion bash > /etc/bash_completion.d/hitmark");
       return [&app, shell] {
         std::fputs(script_for(*shell, *app.get_parent()).c_str(), stdout);
         return static_cast<int>(kYes);
       };
     }}};

}  // namespace
}  // namespace hitmark::cli
