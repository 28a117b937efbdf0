// One stack per simulated CPU and a switch between them: fifteen instructions, no system call. A switch goes
// straight from one CPU to the next. One thread runs all of them; under ASan and TSan each switch is announced.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

// Continues on the stack `load` and leaves the own one in `save`.
extern "C" void hitmark_switch_stack(void** save, void* load);

namespace hitmark::simulator {

class Fibers {
 public:
  // Number `count` is the caller of run(); the fibers are 0 .. count - 1.
  explicit Fibers(unsigned count);
  ~Fibers();
  Fibers(const Fibers&) = delete;
  Fibers& operator=(const Fibers&) = delete;

  // Sets fiber `index` to start with `entry(argument, index)`, which must never return.
  void prepare(unsigned index, void (*entry)(void* argument, unsigned index), void* argument);
  // By `from`, which goes on when somebody switches to it.
  void switch_to(unsigned from, unsigned to) {
    if constexpr (kAnnounced) announce(from, to, false);
    hitmark_switch_stack(&fibers_[from].stack_pointer, fibers_[to].stack_pointer);
    if constexpr (kAnnounced) arrived(from);
  }
  // By `from` for the last time: its stack is free for prepare().
  void leave(unsigned from, unsigned to);
  // First statement of an entry.
  void entered(unsigned index);
  unsigned count() const { return count_; }

 private:
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  static constexpr bool kAnnounced = true;
#elif defined(__clang__)
  static constexpr bool kAnnounced = true;  // costs two calls that do nothing without a sanitizer
#else
  static constexpr bool kAnnounced = false;
#endif
  struct alignas(64) Fiber {
    void* stack_pointer = nullptr;
    char* memory = nullptr;  // guard page first
    void* sanitizer_stack = nullptr;
    const void* bottom = nullptr;
    std::size_t size = 0;
    void* tsan = nullptr;
  };
  void announce(unsigned from, unsigned to, bool last);
  void arrived(unsigned index);

  unsigned count_;
  [[maybe_unused]] unsigned previous_ = 0;
  std::vector<Fiber> fibers_;
};

}  // namespace hitmark::simulator
