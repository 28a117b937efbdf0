// What happened to each word of memory, seen from each CPU: counters that the hit path increments, and details that
// only misses touch.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>

#include "harness/simulator/engine/scheduler.hpp"

namespace hitmark::simulator {

// What happened to one word of memory, seen from one CPU; the sum over words and CPUs is what a report shows.
// Accesses, unless a comment says otherwise.
struct Traffic {
  std::uint64_t loads = 0, stores = 0, locked = 0;  // by kind; a read-modify-write is a load and a store
  std::uint64_t l1 = 0, l2 = 0, l3 = 0, dram_local = 0, dram_remote = 0;  // served; DRAM by the requester's NUMA node
  std::uint64_t smt = 0, ccx_clean = 0, ccx_dirty = 0;  // L1 lines taken from the core's other thread; from its CCX
  std::uint64_t quadrant = 0, cross_quadrant = 0, cross_socket = 0;  // through the home, by where the supplier is
  // The same transfers but for `smt`, by the supplier's state: two threads have one copy, and nobody supplies it.
  std::uint64_t from_modified = 0, from_owned = 0, from_clean = 0;
  std::uint64_t upgrades = 0, upgrades_at_home = 0;  // the data were here, only ownership was missing; asked the home
  std::uint64_t invalidations_suffered = 0;          // by the word that this CPU had accessed last
  std::uint64_t recalls_suffered = 0;                // the same, because the home's directory was full
  std::uint64_t takeovers = 0;                       // served by the own L3 or DRAM, but other cores lost it to this
  // What each transfer (but for `smt`), upgrade and takeover was; the three sum to these. True: the other side had
  // written bytes that are accessed now (or read them, when they are written now) since a write or a recall last took
  // the line from it; an eviction takes no bytes away. False: only other bytes. No conflict: none at all, as when what
  // nobody has written is loaded. The other side are the supplier's cores (all of the CCX, of another) and all cores
  // that lose the line.
  std::uint64_t true_sharing = 0, false_sharing = 0, no_conflict = 0;
  std::uint64_t hitm_true = 0, hitm_ibs = 0;  // dirty transfers between cores; those that perf c2c flags
  std::uint64_t hitm_ccx = 0, hitm_home_local = 0, hitm_home_remote = 0;  // hitm_true: in the CCX; by the home's node
  std::uint64_t hitm_cross_socket = 0;  // of hitm_home_*: the supplier is on the other socket
  // L2 misses as Zen 2's counters see them (reference, sections 1.8 and 6): by the home's NUMA node, not the owner's.
  std::uint64_t fill_lcl_cache = 0, fill_rmt_cache = 0;  // events 0x43/02 and 0x43/10; DRAM: dram_local, dram_remote
  std::uint64_t rd_blk_l = 0, rd_blk_x = 0;  // event 0x60/80 and /40: L1 misses of loads, of stores. /08: upgrades
  std::uint64_t l3_misses = 0;               // answered by the home
  std::uint64_t dtlb_l2_hits = 0, dtlb_walks = 0;  // L1 DTLB misses
  Picoseconds l2_miss_time = 0, l3_miss_time = 0;  // sums of latencies, overlapped or not
  Picoseconds stall = 0;  // the CPU's clock stood still for this access, beyond its instructions
  Traffic& operator+=(const Traffic& other);
  friend bool operator==(const Traffic&, const Traffic&) = default;
};

// Bit i: byte i of the line.
constexpr std::uint64_t byte_mask(unsigned offset, unsigned size) {
  return (size >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1) << offset;
}

// Of one CPU and word.
struct alignas(64) Word {
  std::array<std::uint64_t, 4> accesses{};  // by AccessKind
  Traffic* detail = nullptr;
  std::uint64_t bytes = 0;  // byte_mask(offset, size)
  // Low bits of the accesses that read, or wrote, when a recall took the line: bytes() starts from there.
  std::uint32_t reads_before = 0, writes_before = 0;
  std::uint8_t size = 0, offset = 0;             // bytes, of the first access; in the line
  bool ever_read = false, ever_written = false;  // since that recall, before the counters were cleared

  std::uint32_t reads() const { return static_cast<std::uint32_t>(accesses[0] + accesses[2] + accesses[3]); }
  std::uint32_t writes() const { return static_cast<std::uint32_t>(accesses[1] + accesses[2] + accesses[3]); }
  bool was_read() const { return ever_read || reads() != reads_before; }
  bool was_written() const { return ever_written || writes() != writes_before; }
};

// The words of one CPU and line, in one piece of memory: this, then the words, which count from 1.
struct alignas(64) Words {
  std::uint32_t count = 0, capacity = 0;
  std::uint8_t last = 0;                 // the word that was accessed last
  alignas(64) std::uint8_t index[64]{};  // by offset in the line; 0: not yet accessed

  Word& word(unsigned i) { return reinterpret_cast<Word*>(&index)[i]; }
  const Word& word(unsigned i) const { return reinterpret_cast<const Word*>(&index)[i]; }

  static Words* create();
  static void destroy(Words* words) { std::free(words); }
  // Adds the word at `offset`; `words` may move. Returns its number.
  static unsigned add(Words*& words, unsigned offset, unsigned size);
  // Bytes of the line that were read, or written, since the last forget_bytes().
  std::uint64_t bytes(bool written) const;
  void forget_bytes();
  void clear();
};
static_assert(sizeof(Words) == 128 && sizeof(Word) == 64);

// Counters and details of a word, as one.
Traffic total(const Word& word);

}  // namespace hitmark::simulator
