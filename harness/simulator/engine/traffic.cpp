#include "harness/simulator/engine/traffic.hpp"

#include <cstring>
#include <new>

#include "kernels/memory/traced_cpu.hpp"

namespace hitmark::simulator {
namespace {

constexpr std::size_t bytes_for(unsigned capacity) { return sizeof(Words) + capacity * sizeof(Word); }

Words* allocate(unsigned capacity) {
  void* memory = std::aligned_alloc(alignof(Words), bytes_for(capacity));
  if (!memory) throw std::bad_alloc();
  std::memset(memory, 0, bytes_for(capacity));
  auto* words = static_cast<Words*>(memory);
  words->capacity = capacity;
  return words;
}

constexpr auto kLoad = static_cast<unsigned>(AccessKind::kLoad);
constexpr auto kStore = static_cast<unsigned>(AccessKind::kStore);
static_assert(kLoad == 0 && kStore == 1, "Word counts on it");
constexpr auto kModify = static_cast<unsigned>(AccessKind::kReadModifyWrite);
constexpr auto kLocked = static_cast<unsigned>(AccessKind::kLockedReadModifyWrite);

}  // namespace

Words* Words::create() { return allocate(1); }

unsigned Words::add(Words*& words, unsigned offset, unsigned size) {
  if (words->count == words->capacity) {
    Words* larger = allocate(words->capacity * 4 < 64 ? words->capacity * 4 : 64);
    const unsigned capacity = larger->capacity;
    std::memcpy(static_cast<void*>(larger), words, bytes_for(words->capacity));
    larger->capacity = capacity;
    destroy(words);
    words = larger;
  }
  const unsigned number = ++words->count;
  words->index[offset] = static_cast<std::uint8_t>(number);
  Word& word = words->word(number);
  word.offset = static_cast<std::uint8_t>(offset);
  word.size = static_cast<std::uint8_t>(size);
  word.bytes = byte_mask(offset, size);
  return number;
}

std::uint64_t Words::bytes(bool written) const {
  std::uint64_t mask = 0;
  for (unsigned i = 1; i <= count; ++i) {
    const Word& w = word(i);
    const bool touched = written ? w.was_written() : w.was_read();
    if (touched) mask |= w.bytes;
  }
  return mask;
}

void Words::forget_bytes() {
  for (unsigned i = 1; i <= count; ++i) {
    Word& w = word(i);
    w.ever_read = w.ever_written = false;
    w.reads_before = w.reads();
    w.writes_before = w.writes();
  }
}

void Words::clear() {
  for (unsigned i = 1; i <= count; ++i) {
    Word& w = word(i);
    w.ever_read = w.was_read();
    w.ever_written = w.was_written();
    w.reads_before = w.writes_before = 0;
    w.accesses = {};
    if (w.detail) *w.detail = {};
  }
}

Traffic total(const Word& word) {
  Traffic t = word.detail ? *word.detail : Traffic{};
  const std::uint64_t both = word.accesses[kModify] + word.accesses[kLocked];
  t.loads = word.accesses[kLoad] + both;
  t.stores = word.accesses[kStore] + both;
  t.locked = word.accesses[kLocked];
  // What no other level served, an upgrade being served by the level that had the data: counted there.
  const std::uint64_t elsewhere = t.l2 + t.l3 + t.dram_local + t.dram_remote + t.ccx_clean + t.ccx_dirty + t.quadrant +
                                  t.cross_quadrant + t.cross_socket + t.smt + t.upgrades;
  t.l1 = word.accesses[kLoad] + word.accesses[kStore] + both - elsewhere;
  return t;
}

Traffic& Traffic::operator+=(const Traffic& o) {
  static_assert(sizeof(Traffic) % sizeof(std::uint64_t) == 0);
  auto* mine = reinterpret_cast<std::uint64_t*>(this);
  const auto* other = reinterpret_cast<const std::uint64_t*>(&o);
  for (std::size_t i = 0; i < sizeof(Traffic) / sizeof(std::uint64_t); ++i) mine[i] += other[i];
  return *this;
}

}  // namespace hitmark::simulator
