// One number for the contents of an arena: equal for two arenas that had equal requests and equal operations, wherever
// their memory lies.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/memory/arena.hpp"

namespace hitmark {

// Of every byte of every object, pointers into the arena as (object, offset). `left_out` are the addresses of 8-byte
// words, aligned to 8 within their object, that count as 0: pointers to elsewhere, and what equal runs may differ in.
std::uint64_t arena_digest(Arena& arena, std::span<const void* const> left_out);

}  // namespace hitmark
