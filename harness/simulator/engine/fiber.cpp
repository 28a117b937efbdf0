#include "harness/simulator/engine/fiber.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <new>

#if defined(__SANITIZE_ADDRESS__)
#define HITMARK_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HITMARK_ASAN 1
#endif
#endif
#ifdef HITMARK_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

#if !defined(__x86_64__)
#error "the switch between fibers is written for x86-64"
#endif

namespace hitmark::simulator {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kStack = 256 * 1024;  // address space; a page costs memory when it is touched

}  // namespace

// Saves what the System V ABI lets a function keep, and continues on the other stack. The rounding mode and the x87
// control word stay as they are: nothing that runs here changes them.
extern "C" void hitmark_fiber_start();
asm(R"(
.text
.p2align 4
.globl hitmark_switch_stack
.hidden hitmark_switch_stack
.type hitmark_switch_stack,@function
hitmark_switch_stack:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size hitmark_switch_stack, .-hitmark_switch_stack
.p2align 4
.type hitmark_fiber_start,@function
hitmark_fiber_start:
  .cfi_startproc
  .cfi_undefined rip
  movq %r12, %rdi
  movl %r13d, %esi
  call *%rbx
  ud2
  .cfi_endproc
.size hitmark_fiber_start, .-hitmark_fiber_start
)");

Fibers::Fibers(unsigned count) : count_(count), fibers_(count + 1) {
  for (unsigned i = 0; i < count; ++i) {
    void* memory = mmap(nullptr, kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    mprotect(memory, kPage, PROT_NONE);
    fibers_[i].memory = static_cast<char*>(memory);
    fibers_[i].bottom = fibers_[i].memory + kPage;
    fibers_[i].size = kStack - kPage;
  }
#if defined(__SANITIZE_THREAD__)
  for (unsigned i = 0; i < count; ++i) fibers_[i].tsan = __tsan_create_fiber(0);
  fibers_[count].tsan = __tsan_get_current_fiber();
#endif
}

Fibers::~Fibers() {
  for (unsigned i = 0; i < count_; ++i) {
    if (fibers_[i].memory) munmap(fibers_[i].memory, kStack);
#if defined(__SANITIZE_THREAD__)
    if (fibers_[i].tsan) __tsan_destroy_fiber(fibers_[i].tsan);
#endif
  }
}

void Fibers::prepare(unsigned index, void (*entry)(void*, unsigned), void* argument) {
  auto* top = reinterpret_cast<std::uint64_t*>(fibers_[index].memory + kStack);
  *--top = 0;
  *--top = 0;  // where a caller's return address would be: the stack is aligned as after a call
  *--top = reinterpret_cast<std::uint64_t>(&hitmark_fiber_start);
  *--top = 0;                                          // rbp
  *--top = reinterpret_cast<std::uint64_t>(entry);     // rbx
  *--top = reinterpret_cast<std::uint64_t>(argument);  // r12
  *--top = index;                                      // r13
  *--top = 0;                                          // r14
  *--top = 0;                                          // r15
  fibers_[index].stack_pointer = top;
  fibers_[index].sanitizer_stack = nullptr;
}

void Fibers::announce([[maybe_unused]] unsigned from, [[maybe_unused]] unsigned to, [[maybe_unused]] bool last) {
#ifdef HITMARK_ASAN
  previous_ = from;
  __sanitizer_start_switch_fiber(last ? nullptr : &fibers_[from].sanitizer_stack, fibers_[to].bottom, fibers_[to].size);
#endif
#if defined(__SANITIZE_THREAD__)
  __tsan_switch_to_fiber(fibers_[to].tsan, 0);
#endif
}

void Fibers::arrived([[maybe_unused]] unsigned index) {
#ifdef HITMARK_ASAN
  const void* bottom = nullptr;
  std::size_t size = 0;
  __sanitizer_finish_switch_fiber(fibers_[index].sanitizer_stack, &bottom, &size);
  if (previous_ == count_) {  // the caller's own stack is known only now
    fibers_[count_].bottom = bottom;
    fibers_[count_].size = size;
  }
#endif
}

void Fibers::leave(unsigned from, unsigned to) {
  announce(from, to, true);
  hitmark_switch_stack(&fibers_[from].stack_pointer, fibers_[to].stack_pointer);
}

void Fibers::entered(unsigned index) { arrived(index); }

}  // namespace hitmark::simulator
