// `hitmark man`: the man page in roff, made from the options that the program parses.
#include <cstdio>
#include <string>

#include "harness/cli/command.hpp"

namespace hitmark::cli {
namespace {

// A leading dot or quote would be a roff request; a backslash or hyphen-minus must be escaped.
std::string roff(const std::string& text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    line_start = c == '\n';
  }
  return out;
}

void append_options(const CLI::App& app, std::string& out) {
  for (const CLI::Option* option : app.get_options()) {
    const bool help = option->get_single_name().starts_with("help");  // the same for each command
    if (option->get_group().empty() || (help && app.get_parent())) continue;
    out += ".TP\n\\fB" + roff(option->get_name(false, true)) + "\\fR";
    if (option->get_type_size() != 0 && !option->get_type_name().empty() && !option->get_positional())
      out += " \\fI" + roff(option->get_type_name()) + "\\fR";
    out += "\n" + roff(option->get_description());
    if (!option->get_default_str().empty()) out += " [" + roff(option->get_default_str()) + "]";
    out += "\n";
  }
}

void append_command(const CLI::App& app, const std::string& path, std::string& out) {
  for (const CLI::App* sub : app.get_subcommands(nullptr)) {
    if (sub->get_group().empty()) continue;
    out += ".SS " + roff(path + sub->get_name()) + "\n" + roff(sub->get_description()) + ".\n";
    append_options(*sub, out);
    if (!sub->get_footer().empty()) out += ".PP\n.nf\n" + roff(sub->get_footer()) + "\n.fi\n";
    append_command(*sub, path + sub->get_name() + " ", out);
  }
}

std::string man_page(const CLI::App& root) {
  std::string out = ".TH HITMARK 1 \"\" \"hitmark " HITMARK_VERSION
                    "\" \"User Commands\"\n"
                    ".SH NAME\nhitmark \\- on which cache line should this field live?\n"
                    ".SH SYNOPSIS\n.B hitmark\n.I COMMAND\n.RI [ OPTIONS ]\n"
                    ".SH DESCRIPTION\n"
                    "Runs hand\\-tuned variants of Linux memory\\-cgroup hot paths on chosen CPUs, compares them with\n"
                    "intervals and a noise floor, reads counters and says how far each can be trusted, and shows and\n"
                    "compares the layout of structs in the running kernel and in ELF files.\n"
                    ".SH OPTIONS\n";
  append_options(root, out);
  out += ".SH COMMANDS\n";
  append_command(root, "hitmark ", out);
  out +=
      ".SH EXIT STATUS\n"
      ".TP\n0\nyes, or done\n.TP\n1\nno: a comparison or a rule says so\n"
      ".TP\n2\nthe command line is wrong\n.TP\n3\nthe environment or the input lacks something\n"
      ".SH EXAMPLES\n.nf\nhitmark run sock\\-charge\nhitmark run sock\\-charge \\-\\-placements "
      "same\\-ccx,cross\\-socket@home:remote\n"
      "hitmark layout memcg_stock_pcp\nhitmark doctor\n.fi\n";
  return out;
}

const Registered<Command> registered{{"man", "Print the man page (roff)", [](CLI::App& app) -> std::function<int()> {
                                        return [&app] {
                                          std::fputs(man_page(*app.get_parent()).c_str(), stdout);
                                          return static_cast<int>(kYes);
                                        };
                                      }}};

}  // namespace
}  // namespace hitmark::cli
