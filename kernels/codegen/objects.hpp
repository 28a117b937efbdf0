// For tests: the object files of a variant and of its reference C, disassembled, and why they may not be comparable.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "kernels/codegen/disassembly.hpp"
#include "kernels/memcg/simulation.hpp"

namespace hitmark::codegen {

// The flusher and the reader of memory.stat: off the paths of a charge, so the reference C leaves them out.
inline const std::vector<std::string> kWithoutReference = {
    "css_rstat_flush", "mem_cgroup_css_rstat_flush", "flush", "read_memory_stat", "run_flush", "run_read"};

inline bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

inline std::string file_name_part(std::string_view variant) {
  std::string part(variant);
  std::replace(part.begin(), part.end(), '-', '_');
  return part;
}

// The path of the only object file that ends in `ending`; HITMARK_CODEGEN_OBJECTS lists those of the build.
inline std::string object_file(const std::string& ending) {
  std::ifstream list(HITMARK_CODEGEN_OBJECTS);
  for (std::string line; std::getline(list, line);)
    if (line.ends_with(ending)) return line;
  return "";
}

// The functions of the variant's native instantiation.
inline std::vector<Function> native_functions(const Variant& variant, std::string& error) {
  const std::string object = object_file("/sock_charge_" + file_name_part(variant.name) + ".cpp.o");
  if (object.empty()) error = "no object file of " + std::string(variant.name) + " is in " + HITMARK_CODEGEN_OBJECTS;
  std::vector<Function> functions;
  if (!object.empty()) functions = disassemble(object, error);
  std::erase_if(functions, [](const Function& f) {
    return f.symbol.find("NativeCpu") == std::string::npos && f.symbol.find("Native<") == std::string::npos;
  });
  return functions;
}

inline std::vector<Function> reference_functions(const Variant& variant, std::string& error) {
  const std::string name = "reference_" + file_name_part(variant.name) + ".c";
  const std::string object = object_file("/" + name + ".o");
  if (object.empty()) error = "the variant has no reference C: add kernels/codegen/" + name;
  return object.empty() ? std::vector<Function>{} : disassemble(object, error);
}

inline const Function* function_named(const std::vector<Function>& functions, const std::string& name) {
  for (const Function& function : functions)
    if (function.name == name) return &function;
  return nullptr;
}

inline std::string test_name(const testing::TestParamInfo<const Variant*>& tested) {
  return file_name_part(tested.param->name);
}

}  // namespace hitmark::codegen
