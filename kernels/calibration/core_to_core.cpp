#include "kernels/calibration/core_to_core.hpp"

#include "kernels/memory/native_cpu.hpp"
#include "kernels/memory/traced_cpu.hpp"

namespace hitmark::calibration {

template <typename Cpu>
HITMARK_NOIPA void hand_off(const Cpu& cpu, Flag& flag, std::uint32_t side, std::uint64_t times) {
  for (std::uint64_t i = 0; i < times; ++i) {
    std::uint32_t expected = side;
    while (!cpu.try_cmpxchg(flag.side, expected, 1 - side)) expected = side;
  }
}

template <typename Cpu>
HITMARK_NOIPA void write_ring(const Cpu& cpu, Link* lines, const std::uint32_t* order, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i)
    cpu.write_once(lines[order[i]].next, &lines[order[i + 1 == count ? 0 : i + 1]]);
}

template <typename Cpu>
HITMARK_NOIPA Link* chase(const Cpu& cpu, Link* from, std::uint64_t steps) {
  for (std::uint64_t i = 0; i < steps; ++i) from = cpu.read_once(from->next);
  return from;
}

template <typename Cpu>
HITMARK_NOIPA void count(const Cpu& cpu, Counter& counter, std::uint64_t times) {
  for (std::uint64_t i = 0; i < times; ++i) cpu.atomic_add(counter.value, 1);
}

#define HITMARK_INSTANTIATE(Cpu)                                                         \
  template void hand_off<Cpu>(const Cpu&, Flag&, std::uint32_t, std::uint64_t);          \
  template void write_ring<Cpu>(const Cpu&, Link*, const std::uint32_t*, std::uint32_t); \
  template Link* chase<Cpu>(const Cpu&, Link*, std::uint64_t);                           \
  template void count<Cpu>(const Cpu&, Counter&, std::uint64_t);
HITMARK_INSTANTIATE(NativeCpu)
HITMARK_INSTANTIATE(TracedCpu)
#undef HITMARK_INSTANTIATE

}  // namespace hitmark::calibration
