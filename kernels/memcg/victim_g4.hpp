// Which slot 6.16 evicts: a random one. Linux takes a word from this CPU's batch of random bytes; here the word is a
// xorshift generator's own state, which set-up seeds by the CPU's number: as there, one private line, and no two
// CPUs alike. The generator's instructions stand for get_random_u32_below()'s, which are more.
#pragma once

#include "kernels/memcg/mem_cgroup.hpp"

namespace hitmark::memcg {
namespace {

// Below `slots`, each with the same probability but for 2^-32.
template <typename Cpu>
HITMARK_INLINE std::size_t random_slot(Cpu cpu, unsigned slots) {
  constexpr PerCpuField<std::uint32_t> kWord(kSecondStaticPercpu);  // BatchedEntropy::word
  std::uint32_t word = cpu.this_cpu_read(kWord);
  word ^= word << 13;
  word ^= word >> 17;
  word ^= word << 5;
  cpu.this_cpu_write(kWord, word);
  return static_cast<std::size_t>(std::uint64_t{word} * slots >> 32);
}

}  // namespace
}  // namespace hitmark::memcg
