// struct memcg_stock_pcp, the per-CPU charge cache, in every layout of the study: the kernel's own (the
// reference, section 1.1) and the ablations' and counter-examples'. All have the same member names, so the
// code in stock.hpp is one. None is aligned as a type: the arena puts it on a line, as the kernel's
// DEFINE_PER_CPU_ALIGNED does, and the size stays the kernel's.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/memcg/mem_cgroup.hpp"

namespace hitmark::memcg {

inline constexpr unsigned kFlushingCachedChargeBit = 0;  // of flags: a drain is queued (FLUSHING_CACHED_CHARGE)

struct MemcgStockPcp7 {  // Linux 6.18: line 0 is full
  Cell<std::uint8_t> lock;
  Cell<std::uint8_t> nr_pages[7];
  Cell<MemCgroup*> cached[7];
  WorkStruct work;
  Cell<unsigned long> flags;
  Cell<std::uint8_t> drain_idx;
};

struct MemcgStockPcp6Sock {  // the patch: one slot less makes room for the counts
  Cell<std::uint8_t> lock;
  Cell<std::uint8_t> nr_pages[6];
  Cell<std::int8_t> nr_sock[6];
  Cell<MemCgroup*> cached[6];
  WorkStruct work;
  Cell<unsigned long> flags;
  Cell<std::uint8_t> drain_idx;
};

struct MemcgStockPcp6 {  // the patch's layout without the counts, so that only they are added next
  Cell<std::uint8_t> lock;
  Cell<std::uint8_t> nr_pages[6];
  unsigned char unused[9];
  Cell<MemCgroup*> cached[6];
  WorkStruct work;
  Cell<unsigned long> flags;
  Cell<std::uint8_t> drain_idx;
};

struct MemcgStockPcp7Spill {  // 7 slots and the counts: the last pointer falls into line 1
  Cell<std::uint8_t> lock;
  Cell<std::uint8_t> nr_pages[7];
  Cell<std::int8_t> nr_sock[7];
  Cell<MemCgroup*> cached[7];
  WorkStruct work;
  Cell<unsigned long> flags;
  Cell<std::uint8_t> drain_idx;
};

struct MemcgStockPcp6Apart {  // the counts in a line of their own, everything else where the patch has it
  Cell<std::uint8_t> lock;
  Cell<std::uint8_t> nr_pages[6];
  unsigned char unused1[9];
  Cell<MemCgroup*> cached[6];
  WorkStruct work;
  Cell<unsigned long> flags;
  Cell<std::uint8_t> drain_idx;
  unsigned char unused2[23];
  Cell<std::int8_t> nr_sock[6];
};

// Where the fields are, for code that serves all layouts (state.hpp).
struct StockLayout {
  static constexpr std::size_t kNone = ~std::size_t{0};
  const char* type;  // as DWARF names it
  std::size_t size;
  unsigned slots;
  std::size_t lock, nr_pages, nr_sock, cached, work, flags, drain_idx;  // offsets; nr_sock may be kNone
};

template <typename Stock>
concept HasSockCounts = requires(Stock& stock) {
  stock.nr_sock[0];
};

template <typename Stock>
inline constexpr unsigned kSlots = sizeof(Stock::nr_pages);  // one byte each

template <typename Stock>
constexpr StockLayout stock_layout(const char* type) {
  std::size_t nr_sock = StockLayout::kNone;
  if constexpr (HasSockCounts<Stock>) nr_sock = offsetof(Stock, nr_sock);
  return {type,    sizeof(Stock),           kSlots<Stock>,         offsetof(Stock, lock),  offsetof(Stock, nr_pages),
          nr_sock, offsetof(Stock, cached), offsetof(Stock, work), offsetof(Stock, flags), offsetof(Stock, drain_idx)};
}

}  // namespace hitmark::memcg
