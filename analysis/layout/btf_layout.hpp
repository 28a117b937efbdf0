// The type graph of BTF as a StructLayout. Internal to btf_reader.cpp: with it, the only user of libbpf.
#pragma once

#include <cstdint>
#include <string>

#include "analysis/layout/struct_layout.hpp"

struct btf;

namespace hitmark {

// `id` is that of a struct or union; `name` is for errors.
Result<StructLayout> btf_layout(const btf* types, std::uint32_t id, const std::string& name);

}  // namespace hitmark
