// An Arena in ordinary memory, bound to nothing: for tests and for simulated machines. Objects lie one after
// the other in two reservations (shared, per-CPU), so equal requests give equal distances in every run.
#pragma once

#include "kernels/memory/arena.hpp"

namespace hitmark {

class PlainArena final : public Arena {
 public:
  // Sizes are address space, not memory: pages cost nothing until they are touched. Running out of them is
  // a broken invariant (HITMARK_CHECK).
  explicit PlainArena(unsigned cpus, std::size_t percpu_bytes = std::size_t{4} << 20,
                      std::size_t shared_bytes = std::size_t{64} << 20);
  ~PlainArena() override;
  PlainArena(const PlainArena&) = delete;
  PlainArena& operator=(const PlainArena&) = delete;

  void* shared(std::string_view name, std::string_view type, std::size_t size, std::size_t alignment) override;
  std::uintptr_t percpu(std::string_view name, std::string_view type, std::size_t size, std::size_t alignment,
                        bool at_static = false) override;
  void* percpu_address(unsigned cpu, std::uintptr_t offset) override;
  unsigned cpu_count() const override { return cpus_; }
  const std::vector<ArenaObject>& objects() const override { return objects_; }

 private:
  unsigned cpus_;
  std::size_t percpu_bytes_, shared_bytes_;
  char* percpu_memory_;
  char* shared_memory_;
  std::uintptr_t percpu_used_ = kStaticPercpu + kStaticPercpuSize;
  std::size_t shared_used_ = 0;
  bool static_given_ = false;
  std::vector<ArenaObject> objects_;
};

}  // namespace hitmark
