// Misuse of a Cell does not compile, and what compiles has the layout of the plain struct.
#include "kernels/memory/cell.hpp"

#include <gtest/gtest.h>

#include <concepts>

#include "kernels/memory/native_cpu.hpp"
#include "kernels/memory/traced_cpu.hpp"

namespace hitmark {
namespace {

struct Plain {
  unsigned char a;
  short b[3];
  long c;
  void* d;
};
struct Celled {
  Cell<unsigned char> a;
  Cell<short> b[3];
  Cell<long> c;
  Cell<void*> d;
};
static_assert(sizeof(Celled) == sizeof(Plain) && alignof(Celled) == alignof(Plain));
static_assert(offsetof(Celled, b) == offsetof(Plain, b) && offsetof(Celled, d) == offsetof(Plain, d));

// No reading, assigning, copying, comparing or implicit making of a Cell.
static_assert(!std::convertible_to<Cell<long>, long>);
static_assert(!std::is_assignable_v<Cell<long>&, long>);
static_assert(!std::copy_constructible<Cell<long>>);
static_assert(!std::is_copy_assignable_v<Cell<long>> && !std::is_move_assignable_v<Cell<long>>);
static_assert(!std::convertible_to<long, Cell<long>>);
static_assert(!std::equality_comparable<Cell<long>>);
static_assert(!std::is_copy_constructible_v<Celled> && !std::is_copy_assignable_v<Celled>);

template <typename C>
concept Increments = requires(C& cell) {
  ++cell;
};
template <typename C>
concept AddsTo = requires(C& cell) {
  cell += 1;
};
static_assert(!Increments<Cell<long>> && !AddsTo<Cell<long>>);

// A shared Cell is no per-CPU field, a per-CPU field no shared Cell, and neither is a plain long.
template <typename Cpu, typename Where>
concept AddsPerCpu = requires(Cpu cpu, Where& where) {
  cpu.this_cpu_add(where, 1);
};
template <typename Cpu, typename Where>
concept Reads = requires(Cpu cpu, Where& where) {
  cpu.read_once(where);
};
static_assert(AddsPerCpu<NativeCpu, PerCpuField<long>> && AddsPerCpu<TracedCpu, PerCpuField<long>>);
static_assert(!AddsPerCpu<NativeCpu, Cell<long>> && !AddsPerCpu<TracedCpu, Cell<long>>);
static_assert(!AddsPerCpu<NativeCpu, long>);
static_assert(Reads<NativeCpu, Cell<long>> && Reads<TracedCpu, Cell<long>>);
static_assert(!Reads<NativeCpu, PerCpuField<long>> && !Reads<NativeCpu, long> && !Reads<TracedCpu, long>);

// The address inside a Cell is for Cpus only.
template <typename C>
concept ShowsItsValue = requires(C& cell) {
  cell.value_;
};
static_assert(!ShowsItsValue<Cell<long>>);

TEST(PerCpu, FieldsAreOffsets) {
  const PerCpu<Celled> percpu(4096);
  EXPECT_EQ(percpu.field(&Celled::c).offset(), 4096 + offsetof(Celled, c));
  EXPECT_EQ(percpu.field(&Celled::b, 2).offset(), 4096 + offsetof(Celled, b) + 4);
  EXPECT_FALSE(static_cast<bool>(PerCpu<Celled>()));
}

}  // namespace
}  // namespace hitmark
