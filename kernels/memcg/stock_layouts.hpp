// struct memcg_stock_pcp, the per-CPU charge cache, in every layout of the study: the kernel's own (the
// reference, section 1.1) and the ablations' and counter-examples'. All have the same member names, so the
// code in stock.hpp is one; a single slot is an array of one. None is aligned as a type: the arena puts it on a
// line, as the kernel's DEFINE_PER_CPU_ALIGNED does since 6.16, and the size stays the kernel's.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/memcg/mem_cgroup.hpp"

namespace hitmark::memcg {

inline constexpr unsigned kFlushingCachedChargeBit = 0;  // of flags: a drain is queued (FLUSHING_CACHED_CHARGE)

struct MemcgStockPcpG0 {  // up to 5.13: one slot, guarded by disabled interrupts; flags begin the second line
  Cell<MemCgroup*> cached[1];
  Cell<unsigned> nr_pages[1];
  Cell<void*> cached_objcg;
  Cell<unsigned> nr_bytes;
  WorkStruct work;
  Cell<unsigned long> flags;
};

struct ObjStock {  // 5.14 to 5.17: bytes of one objcg and its cached slab statistics
  Cell<void*> cached_objcg;
  Cell<void*> cached_pgdat;
  Cell<unsigned> nr_bytes;
  Cell<int> nr_slab_reclaimable_b, nr_slab_unreclaimable_b;
};

struct MemcgStockPcpG2 {  // 5.14 to 5.17: byte stocks for tasks and for interrupts; the second straddles the lines
  Cell<MemCgroup*> cached[1];
  Cell<unsigned> nr_pages[1];
  ObjStock task_obj, irq_obj;
  WorkStruct work;
  Cell<unsigned long> flags;
};

struct MemcgStockPcpG3 {  // 5.18 to 6.14: one byte stock, as first merged in 2021
  Cell<MemCgroup*> cached[1];
  Cell<unsigned> nr_pages[1];
  Cell<void*> cached_objcg;
  Cell<void*> cached_pgdat;
  Cell<unsigned> nr_bytes;
  Cell<int> nr_slab_reclaimable_b, nr_slab_unreclaimable_b;
  WorkStruct work;
  Cell<unsigned long> flags;
};

struct MemcgStockPcpG4 {  // 6.16: seven slots, a random victim
  Cell<std::uint8_t> lock;
  Cell<std::uint8_t> nr_pages[7];
  Cell<MemCgroup*> cached[7];
  WorkStruct work;
  Cell<unsigned long> flags;
};

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
  std::size_t page_count_size;  // of one nr_pages, in bytes
  // Offsets; lock, nr_sock and drain_idx may be kNone.
  std::size_t lock, nr_pages, nr_sock, cached, work, flags, drain_idx;
};

template <typename Stock>
concept HasSockCounts = requires(Stock& stock) {
  stock.nr_sock[0];
};

template <typename Stock>
concept HasTrylock = requires(Stock& stock) {
  stock.lock;
};

template <typename Stock>
concept HasDrainIdx = requires(Stock& stock) {
  stock.drain_idx;
};

template <typename Stock>
inline constexpr unsigned kSlots = sizeof(Stock::cached) / sizeof(void*);

template <typename Stock>
constexpr StockLayout stock_layout(const char* type) {
  StockLayout layout{.type = type,
                     .size = sizeof(Stock),
                     .slots = kSlots<Stock>,
                     .page_count_size = sizeof(Stock::nr_pages) / kSlots<Stock>,
                     .lock = StockLayout::kNone,
                     .nr_pages = offsetof(Stock, nr_pages),
                     .nr_sock = StockLayout::kNone,
                     .cached = offsetof(Stock, cached),
                     .work = offsetof(Stock, work),
                     .flags = offsetof(Stock, flags),
                     .drain_idx = StockLayout::kNone};
  if constexpr (HasTrylock<Stock>) layout.lock = offsetof(Stock, lock);
  if constexpr (HasSockCounts<Stock>) layout.nr_sock = offsetof(Stock, nr_sock);
  if constexpr (HasDrainIdx<Stock>) layout.drain_idx = offsetof(Stock, drain_idx);
  return layout;
}

}  // namespace hitmark::memcg
