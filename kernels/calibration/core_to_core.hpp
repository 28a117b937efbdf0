// Kernels with a known answer: one line that goes back and forth between two CPUs, lines that another CPU has just
// written, one counter that all CPUs add to. They measure a machine, real or simulated, not a variant.
//
// Each is instantiated for NativeCpu and TracedCpu, with the kernels' own flags.
#pragma once

#include <cstdint>

#include "kernels/memory/arena.hpp"
#include "kernels/memory/cell.hpp"

namespace hitmark::calibration {

struct alignas(kLine) Flag {
  Cell<std::uint32_t> side;  // whose turn it is
};

// Flips the flag from `side` to the other side, `times` times; a lock cmpxchg that fails is tried again at once,
// without a pause (as nviennot/core-to-core-latency does it). One CPU plays side 0, another side 1; a time per flip is
// one hand-off of the line.
template <typename Cpu>
void hand_off(const Cpu& cpu, Flag& flag, std::uint32_t side, std::uint64_t times);

// A ring of lines, each holding the address of the next one.
struct alignas(kLine) Link {
  Cell<Link*> next;
};

// Writes the ring that visits lines[order[0]], lines[order[1]], ... and leaves every line modified.
template <typename Cpu>
void write_ring(const Cpu& cpu, Link* lines, const std::uint32_t* order, std::uint32_t count);

// Follows the ring for `steps` loads, each of which needs the one before. Returns where it ends.
template <typename Cpu>
Link* chase(const Cpu& cpu, Link* from, std::uint64_t steps);

struct alignas(kLine) Counter {
  Cell<std::uint64_t> value;
};

// `times` lock add.
template <typename Cpu>
void count(const Cpu& cpu, Counter& counter, std::uint64_t times);

}  // namespace hitmark::calibration
