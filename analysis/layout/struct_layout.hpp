// Where the members of a struct are: from BTF (btf_reader.hpp) or DWARF (dwarf_reader.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/result.hpp"

namespace hitmark {

inline constexpr std::uint32_t kLineBytes = 64;  // of x86-64

struct Member {
  std::string name;    // empty for an anonymous struct or union
  std::string type;    // as C writes it before the name: "u8", "struct mem_cgroup *"; "struct" if expanded
  std::string prefix;  // between type and name: "(*" of a pointer to a function or to an array
  std::string suffix;  // what follows the name: "[7]", ":3" for a bit-field, ")(struct sock *)"
  // What the type is whatever it is called, to compare by: "u8[7]", "ptr", "struct(32)", "s32:3".
  std::string representation;
  std::uint32_t bit_offset = 0;         // from the start of the outermost struct
  std::uint32_t bit_size = 0;           // 0: flexible array, or empty
  std::uint32_t storage_bits = 0;       // of the declared type: of a bit-field its unit, else bit_size
  std::uint32_t natural_alignment = 1;  // bytes, of the type without alignment attributes
  std::uint32_t alignment = 0;          // bytes, as an attribute demands it; 0: none, or not said (BTF)
  std::uint32_t tail_padding = 0;       // bytes at the end of the member's own struct that hold nothing
  bool bit_field = false;
  bool is_union = false;
  std::vector<Member> members;           // of an anonymous struct or union, which is expanded in place
  std::vector<std::string> enumerators;  // of an anonymous enum: "NAME = 1"
};

struct StructLayout {
  std::string name;                     // "memcg_stock_pcp"
  std::string keyword;                  // "struct" or "union"
  std::uint32_t size = 0;               // bytes
  std::uint32_t alignment = 0;          // bytes; 0: none demanded, or not said (BTF)
  std::uint32_t natural_alignment = 1;  // bytes, of the largest member
  bool alignment_stated = false;        // the source says alignments where there are any (DWARF)
  bool is_typedef = false;              // `name` is a typedef of an anonymous struct
  std::vector<Member> members;
  std::string source;  // "BTF of the running kernel 6.18.44", a file name
};

inline std::uint32_t line_count(const StructLayout& layout) { return (layout.size + kLineBytes - 1) / kLineBytes; }

}  // namespace hitmark
