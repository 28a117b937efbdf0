// `hitmark layout TYPE`: a struct line by line, from the running kernel's BTF or a file. `layout diff`: a
// variant's struct beside the kernel's. What a layout is worth is judged elsewhere; here it is only shown.
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/layout/btf_reader.hpp"
#include "analysis/layout/diff_text.hpp"
#include "analysis/layout/dwarf_reader.hpp"
#include "analysis/layout/layout_diff.hpp"
#include "analysis/layout/pahole_text.hpp"
#include "harness/cli/command.hpp"
#include "harness/cli/layout_json.hpp"
#include "kernels/variant.hpp"
#include "support/nearest.hpp"

namespace hitmark::cli {
namespace {

struct LayoutOptions {
  std::vector<std::string> type;  // the words of TYPE: "struct", "memcg_stock_pcp"
  std::string btf, elf, format = "text";
  bool json = false;
  std::string variant, with_btf, with_elf, with_type;  // diff

  bool as_json() const { return json || format == "json"; }
  std::string type_name() const {
    std::string joined;
    for (const std::string& word : type) joined += (joined.empty() ? "" : " ") + word;
    return joined;
  }
};

Result<StructLayout> read_layout(const std::string& type, const std::string& btf, const std::string& elf) {
  if (!elf.empty()) {
    const auto reader = DwarfReader::open(elf);
    return reader ? reader->find(type) : reader.error();
  }
  const auto reader = BtfReader::open(btf.empty() ? kKernelBtf : btf);
  return reader ? reader->find(type) : reader.error();
}

int print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) == 0) return kYes;
  return fail({ErrorKind::kIo, "the layout could not be written to standard output", ""});
}

int show(const LayoutOptions& options) {
  const auto layout = read_layout(options.type_name(), options.btf, options.elf);
  if (!layout) return fail(layout.error());
  return print(options.as_json() ? layout_json(*layout) : pahole_text(*layout));
}

// "FAMILY/NAME", a NAME alone, or nothing: the one that its family's headline is about.
Result<const Variant*> chosen_variant(std::string key) {
  const auto& variants = Registry<Variant>::instance();
  if (variants.all().empty())
    return Error{ErrorKind::kUnavailable, "this build of hitmark has no variants to compare with",
                 "--with-btf FILE or --with-elf FILE compares with another file"};
  if (key.empty()) {
    const Family* family = Registry<Family>::instance().find("sock-charge");
    if (family == nullptr) return &variants.all().front();
    key = std::string(family->name) + "/" + std::string(family->headline);
  }
  std::vector<std::string> known;
  for (const Variant& variant : variants.all()) {
    known.push_back(registry_key(variant));
    if (known.back() == key || variant.name == key) return &variant;
  }
  return Error{ErrorKind::kUsage, "there is no variant '" + key + "'" + did_you_mean(key, known),
               "hitmark list variants"};
}

// The kernel's struct that a family's variants stand for.
std::string kernel_type(std::string_view family) {
  if (family == "sock-charge") return "memcg_stock_pcp";
  return family == "page-counter" ? "page_counter" : "";
}

Result<StructLayout> variant_layout(const Variant& variant) {
  const auto program = DwarfReader::open();
  if (!program) return program.error();
  auto layout = program->find(variant.layout_type);
  if (layout) {
    layout->source = "variant " + registry_key(variant);
    return layout;
  }
  // Nobody typed this name: that it is not found is no mistake of usage.
  Error error = layout.error();
  error.kind = ErrorKind::kInvalid;
  error.message = "the struct of variant " + registry_key(variant) + ": " + error.message;
  error.hint = "a build of hitmark with -g, not stripped: ./run build";
  return error;
}

int diff(const LayoutOptions& options) {
  std::string type = options.type_name();
  std::optional<StructLayout> right;
  const bool with_file = !options.with_btf.empty() || !options.with_elf.empty();
  if (with_file) {
    if (type.empty())
      return fail({ErrorKind::kUsage, "layout diff with a file needs a TYPE", "hitmark layout diff memcg_stock_pcp"});
    const std::string other = options.with_type.empty() ? type : options.with_type;
    auto layout = read_layout(other, options.with_btf, options.with_elf);
    if (!layout) return fail(layout.error());
    right = std::move(*layout);
  } else {
    const auto variant = chosen_variant(options.variant);
    if (!variant) return fail(variant.error());
    if (type.empty()) type = kernel_type((*variant)->family);
    if (type.empty())
      return fail({ErrorKind::kUsage,
                   "no kernel struct is known for the family " + std::string((*variant)->family) + "; name it",
                   "hitmark layout diff TYPE --variant " + registry_key(**variant)});
    auto layout = variant_layout(**variant);
    if (!layout) return fail(layout.error());
    right = std::move(*layout);
  }
  const auto left = read_layout(type, options.btf, options.elf);
  if (!left) return fail(left.error());
  const LayoutDiff found = diff_layouts(*left, *right);
  const int written = print(options.as_json() ? diff_json(found) : diff_text(found));
  return written != kYes ? written : found.equal() ? kYes : kNo;
}

void declare_source(CLI::App& app, LayoutOptions& options) {
  auto* btf = app.add_option("--btf", options.btf, "Read this raw BTF file, or the .BTF section of this ELF file");
  auto* elf = app.add_option("--elf", options.elf, "Read the DWARF of this ELF file (a vmlinux, a module, a program)");
  btf->excludes(elf);
  app.add_option("--format", options.format, "text or json")->check(CLI::IsMember({"text", "json"}));
  app.add_flag("--json", options.json, "The same as --format json");
}

std::function<int()> declare(CLI::App& app) {
  auto options = std::make_shared<LayoutOptions>();
  const char* type_help = "The type: memcg_stock_pcp, 'struct sock', or in C++ the end of a qualified name";
  app.add_option("TYPE", options->type, type_help)->expected(1, 2);
  declare_source(app, *options);
  app.require_subcommand(0, 1);

  CLI::App* show_app = app.add_subcommand("show", "A struct line by line, as pahole prints it (default)");
  show_app->add_option("TYPE", options->type, type_help)->expected(1, 2)->required();
  declare_source(*show_app, *options);

  CLI::App* diff_app = app.add_subcommand(
      "diff", "The kernel's struct beside a variant's, and every difference; exits 0 if the layouts are equal, else 1");
  diff_app->add_option("TYPE", options->type, "The kernel's type (default: the one that the variant stands for)")
      ->expected(1, 2);
  declare_source(*diff_app, *options);
  auto* variant = diff_app->add_option("--variant", options->variant, "FAMILY/NAME; see hitmark list variants");
  auto* with_btf = diff_app->add_option("--with-btf", options->with_btf, "Compare with the type in this BTF instead");
  auto* with_elf = diff_app->add_option("--with-elf", options->with_elf, "Compare with the type in this DWARF instead");
  diff_app->add_option("--with-type", options->with_type, "The other type's name there (default: TYPE)");
  variant->excludes(with_btf)->excludes(with_elf);
  with_btf->excludes(with_elf);

  std::vector<CLI::App*> reserved;
  for (const char* word : {"check", "what-if", "search"}) {
    reserved.push_back(app.add_subcommand(word, "Not in this version")->group(""));
    reserved.back()->prefix_command();
  }
  return [options, show_app, diff_app, reserved] {
    for (const CLI::App* word : reserved)
      if (word->parsed())
        return fail({ErrorKind::kUsage, "layout " + word->get_name() + " is not in this version of hitmark",
                     "hitmark layout show " + word->get_name() + ", if that is a type's name"});
    if (diff_app->parsed()) return diff(*options);
    if (!show_app->parsed() && options->type.empty())
      return fail({ErrorKind::kUsage, "layout needs a TYPE", "hitmark layout memcg_stock_pcp"});
    return show(*options);
  };
}

const Registered<Command> registered{Command{"layout", "Where a struct's fields lie, line by line", &declare}};

}  // namespace
}  // namespace hitmark::cli
