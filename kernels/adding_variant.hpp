// Makes the operations "add" and "sub" and the events "work", "flush" and "read" of Bodies, which has, for any Cpu,
// add(cpu, state, object, amount), flush(cpu, state) and read(cpu, state): percpu-counter and stats-updates. Bodies
// must depend on a type in an unnamed namespace of the variant's file, so that all of this is the file's own.
#pragma once

#include "kernels/memory/compiler.hpp"
#include "kernels/memory/native_cpu.hpp"
#include "kernels/memory/traced_cpu.hpp"

namespace hitmark {
namespace {

template <typename Bodies>
struct Native {
  static constexpr NativeCpu kCpu{};
  HITMARK_NOIPA static void add(void* state, void* object, unsigned n) {
    Bodies::add(kCpu, state, object, static_cast<int>(n));
  }
  HITMARK_NOIPA static void sub(void* state, void* object, unsigned n) {
    Bodies::add(kCpu, state, object, -static_cast<int>(n));
  }
  HITMARK_NOIPA static void run_work(void*, void*, unsigned) {}
  HITMARK_NOIPA static void run_flush(void* state, void*, unsigned) { Bodies::flush(kCpu, state); }
  HITMARK_NOIPA static void run_read(void* state, void*, unsigned) { Bodies::read(kCpu, state); }
};

template <typename Bodies>
struct Traced {
  static void add(void* state, void* object, unsigned n, TracedCpu& cpu) {
    Bodies::add(cpu, state, object, static_cast<int>(n));
  }
  static void sub(void* state, void* object, unsigned n, TracedCpu& cpu) {
    Bodies::add(cpu, state, object, -static_cast<int>(n));
  }
  static void run_work(void*, void*, unsigned, TracedCpu&) {}
  static void run_flush(void* state, void*, unsigned, TracedCpu& cpu) { Bodies::flush(cpu, state); }
  static void run_read(void* state, void*, unsigned, TracedCpu& cpu) { Bodies::read(cpu, state); }
};

}  // namespace
}  // namespace hitmark
