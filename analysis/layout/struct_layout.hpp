// Where the members of a struct are: from BTF (btf_reader.hpp) or DWARF (dwarf_reader.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/result.hpp"

namespace hitmark {

struct Member {
  std::string name;  // empty for an anonymous struct or union
  std::string type;  // as C writes it around the name: "u8", "struct mem_cgroup *"
  std::string suffix;  // what follows the name: "[7]", ":3" for a bit-field
  std::uint32_t bit_offset = 0;  // from the start of the outermost struct
  std::uint32_t bit_size = 0;    // 0: flexible array, or empty
  bool bit_field = false;
  std::vector<Member> members;   // of an anonymous or expanded struct or union
  bool is_union = false;
};

struct StructLayout {
  std::string name;     // "memcg_stock_pcp"
  std::string keyword;  // "struct" or "union"
  std::uint32_t size = 0;       // bytes
  std::uint32_t alignment = 0;  // bytes; 0: not said (BTF)
  std::vector<Member> members;
  std::string source;   // "BTF of the running kernel 6.18.44", a file name
};

}  // namespace hitmark
