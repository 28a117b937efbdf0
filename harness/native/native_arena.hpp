// The arena of one arm on this host. Shared objects lie on pages bound to their home node, one range per node;
// every CPU's area lies on 4 KiB pages bound to the CPU's own node, at the same offset from a 2 MiB boundary in
// every arm, so that no arm has other cache sets than another.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/native/numa_memory.hpp"
#include "harness/results/sample.hpp"
#include "kernels/memory/arena.hpp"
#include "support/result.hpp"

namespace hitmark::native {

inline constexpr int kAnyNode = -1;

struct NativeArenaOptions {
  std::vector<int> cpu_nodes;             // by arena CPU; kAnyNode: wherever the kernel puts it
  int home_node = kAnyNode;               // of shared objects without a home of their own
  std::map<std::string, int> homes = {};  // by object name
  bool must_bind = true;                  // false on a machine of one node: a refused binding changes nothing
};

class NativeArena : public Arena {
 public:
  static Result<std::unique_ptr<NativeArena>> create(NativeArenaOptions options);

  // Throw std::bad_alloc when memory is out or cannot be bound, so that a variant's set-up never sees a null;
  // failure() then says why.
  void* shared(std::string_view name, std::string_view type, std::size_t size, std::size_t alignment) override;
  std::uintptr_t percpu(std::string_view name, std::string_view type, std::size_t size, std::size_t alignment,
                        bool at_static) override;
  void* percpu_address(unsigned cpu, std::uintptr_t offset) override;
  unsigned cpu_count() const override { return static_cast<unsigned>(areas_.size()); }
  const std::vector<ArenaObject>& objects() const override { return objects_; }

  const std::optional<Error>& failure() const { return failure_; }
  void* area(unsigned cpu) const { return areas_[cpu].data(); }
  // What the kernel says about every page in use, or an Error when one is not where it was bound to.
  Result<NameValues> verify() const;
  void insist_on_homes() { options_.must_bind = true; }  // for tests: verify as on a machine of several nodes

 private:
  struct SharedRange {
    AddressRange range;
    std::size_t used = 0, committed = 0;
  };
  explicit NativeArena(NativeArenaOptions options) : options_(std::move(options)) {}
  Result<void> grow(AddressRange& range, std::size_t& committed, std::size_t wanted, int node, bool huge);
  Result<SharedRange*> range_of(int node);
  [[noreturn]] void give_up(const Error& error);

  NativeArenaOptions options_;
  std::map<int, SharedRange> shared_;  // by home node
  std::vector<AddressRange> areas_;    // by arena CPU
  std::size_t area_used_ = 0, area_committed_ = 0;
  bool has_static_ = false;
  std::vector<ArenaObject> objects_;
  std::optional<Error> failure_;
};

}  // namespace hitmark::native
