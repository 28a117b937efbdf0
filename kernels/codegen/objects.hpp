// For tests: the object files of a variant and of its reference C, disassembled, and why they may not be comparable.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "kernels/codegen/disassembly.hpp"
#include "kernels/codegen/paths.hpp"
#include "kernels/simulation.hpp"
#include "support/registry.hpp"

namespace hitmark::codegen {

inline bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The path of the only object file that ends in `ending`; HITMARK_CODEGEN_OBJECTS lists those of the build.
inline std::string object_file(const std::string& ending) {
  std::ifstream list(HITMARK_CODEGEN_OBJECTS);
  for (std::string line; std::getline(list, line);)
    if (const std::string path = std::filesystem::path(line).lexically_normal(); path.ends_with(ending)) return path;
  return "";
}

// The functions of the variant's native instantiation.
inline std::vector<Function> native_functions(const Variant& variant, std::string& error) {
  const std::string object = object_file("/" + as_identifier(registry_key(variant)) + ".cpp.o");
  if (object.empty()) error = "no object file of " + registry_key(variant) + " is in " + HITMARK_CODEGEN_OBJECTS;
  std::vector<Function> functions;
  if (!object.empty()) functions = disassemble(object, error);
  std::erase_if(functions, [](const Function& f) {
    return f.symbol.find("NativeCpu") == std::string::npos && f.symbol.find("Native<") == std::string::npos;
  });
  return functions;
}

inline std::vector<Function> reference_functions(const Variant& variant, std::string& error) {
  const std::string file =
      std::string(tested_family(variant).references) + "reference_" + as_identifier(std::string(variant.name)) + ".c";
  const std::string object = object_file("/hitmark_reference.dir/" + file + ".o");
  if (object.empty()) error = "the variant has no reference C: add kernels/codegen/" + file;
  return object.empty() ? std::vector<Function>{} : disassemble(object, error);
}

inline const Function* function_named(const std::vector<Function>& functions, const std::string& name) {
  for (const Function& function : functions)
    if (function.name == name) return &function;
  return nullptr;
}

// For what takes seconds a variant: all of them with HITMARK_LONG, else of each family the study's baseline and
// headline, and of sock-charge all that its study runs.
inline std::vector<const Variant*> variants_to_step() {
  std::vector<const Variant*> chosen = every_variant();
  if (std::getenv("HITMARK_LONG")) return chosen;
  std::erase_if(chosen, [&](const Variant* variant) {
    const Family* family = Registry<Family>::instance().find(std::string(variant->family));
    if (!family) return false;
    if (family->name != "sock-charge") return variant->name != family->baseline && variant->name != family->headline;
    return std::ranges::find(family->default_arms, variant->name) == family->default_arms.end();
  });
  return chosen;
}

inline std::string test_name(const testing::TestParamInfo<const Variant*>& tested) {
  return as_identifier(registry_key(*tested.param));
}

}  // namespace hitmark::codegen
