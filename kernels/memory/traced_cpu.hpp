// Runs a kernel variant on an imaginary CPU: the values are real (they live in ordinary memory), and every
// access is first told to an AccessObserver, which may be a coherence simulator, a recorder or a test. The
// accesses are those of the instructions of native_cpu.hpp, in the same order.
//
// This header knows no simulator; a simulator knows this header. Threads: none. One thread plays all CPUs.
#pragma once

#include <cstdint>

#include "kernels/memory/cell.hpp"
#include "kernels/memory/compiler.hpp"

namespace hitmark {

enum class AccessKind : std::uint8_t { kLoad, kStore, kReadModifyWrite, kLockedReadModifyWrite };

struct Access {
  std::uintptr_t address;
  std::uint8_t size;  // bytes
  AccessKind kind;

  bool operator==(const Access&) const = default;
};

class AccessObserver {
 public:
  virtual ~AccessObserver() = default;
  virtual void on_access(unsigned cpu, const Access& access) = 0;
  // The CPU waits in a spin loop: an interleaver lets another one run.
  virtual void on_relax(unsigned cpu) { static_cast<void>(cpu); }
};

class TracedCpu : private CellAccess {
 public:
  // `percpu_base` is the address of this CPU's area (Arena::percpu_address(cpu, 0)). Without an observer
  // nothing is told, which is fast. The observer must outlive the TracedCpu.
  TracedCpu(unsigned cpu, std::uintptr_t percpu_base, AccessObserver* observer = nullptr)
      : percpu_base_(percpu_base), observer_(observer), cpu_(cpu) {}

  template <typename T>
  T read_once(const Cell<T>& cell) const {
    return *touch(raw(cell), AccessKind::kLoad);
  }
  template <typename T>
  void write_once(Cell<T>& cell, std::type_identity_t<T> value) const {
    *touch(raw(cell), AccessKind::kStore) = value;
  }
  template <typename T, std::size_t N>
  T read_once(const Cell<T> (&array)[N], std::size_t i) const {
    return read_once(array[i]);
  }
  template <typename T, std::size_t N>
  void write_once(Cell<T> (&array)[N], std::size_t i, std::type_identity_t<T> value) const {
    write_once(array[i], value);
  }
  template <typename T>
  T read(const Cell<T>& cell) const {
    return read_once(cell);
  }
  template <typename T, std::size_t N>
  T read(const Cell<T> (&array)[N], std::size_t i) const {
    return read(array[i]);
  }
  template <typename T>
  void write(Cell<T>& cell, std::type_identity_t<T> value) const {
    write_once(cell, value);
  }
  template <typename T>
  T load_acquire(const Cell<T>& cell) const {
    return read_once(cell);
  }
  template <typename T>
  void store_release(Cell<T>& cell, std::type_identity_t<T> value) const {
    write_once(cell, value);
  }

  template <typename T>
  void atomic_add(Cell<T>& cell, std::type_identity_t<T> value) const {
    *touch(raw(cell), AccessKind::kLockedReadModifyWrite) += value;
  }
  template <typename T>
  T atomic_add_return(Cell<T>& cell, std::type_identity_t<T> value) const {
    return *touch(raw(cell), AccessKind::kLockedReadModifyWrite) += value;
  }
  template <typename T>
  T atomic_xchg(Cell<T>& cell, std::type_identity_t<T> value) const {
    T* at = touch(raw(cell), AccessKind::kLockedReadModifyWrite);
    const T old = *at;
    *at = value;
    return old;
  }
  template <typename T>
  bool try_cmpxchg(Cell<T>& cell, T& expected, std::type_identity_t<T> desired) const {
    T* at = touch(raw(cell), AccessKind::kLockedReadModifyWrite);
    if (*at != expected) {
      expected = *at;
      return false;
    }
    *at = desired;
    return true;
  }
  bool test_and_set_bit(Cell<unsigned long>& word, unsigned bit) const {
    unsigned long* at = touch(raw(word), AccessKind::kLockedReadModifyWrite);
    const bool was_set = (*at >> bit) & 1;
    *at |= 1UL << bit;
    return was_set;
  }
  void clear_bit(Cell<unsigned long>& word, unsigned bit) const {
    *touch(raw(word), AccessKind::kLockedReadModifyWrite) &= ~(1UL << bit);
  }

  std::uintptr_t this_cpu_off() const {
    return *touch(reinterpret_cast<std::uintptr_t*>(percpu_base_), AccessKind::kLoad);
  }
  template <typename S>
  S& this_cpu_ptr(PerCpu<S> percpu) const {
    return *reinterpret_cast<S*>(this_cpu_off() + percpu.offset());
  }
  template <typename T>
  void this_cpu_add(PerCpuField<T> field, std::type_identity_t<T> value) const {
    *touch(local(field), AccessKind::kReadModifyWrite) += value;
  }
  template <typename T>
  T this_cpu_add_return(PerCpuField<T> field, std::type_identity_t<T> value) const {
    return *touch(local(field), AccessKind::kReadModifyWrite) += value;
  }
  template <typename T>
  T this_cpu_read(PerCpuField<T> field) const {
    return *touch(local(field), AccessKind::kLoad);
  }
  template <typename T>
  void this_cpu_write(PerCpuField<T> field, std::type_identity_t<T> value) const {
    *touch(local(field), AccessKind::kStore) = value;
  }
  template <typename T>
  T this_cpu_xchg(PerCpuField<T> field, std::type_identity_t<T> value) const {
    touch(local(field), AccessKind::kLoad);  // mov, then cmpxchg: as NativeCpu does it
    T* at = touch(local(field), AccessKind::kReadModifyWrite);
    const T old = *at;
    *at = value;
    return old;
  }
  template <typename T>
  bool this_cpu_try_cmpxchg(PerCpuField<T> field, T& expected, std::type_identity_t<T> desired) const {
    T* at = touch(local(field), AccessKind::kReadModifyWrite);
    const bool done = *at == expected;
    (done ? *at : expected) = done ? desired : *at;
    return done;
  }

  void relax() const {
    if (observer_) observer_->on_relax(cpu_);
  }

 private:
  template <typename T>
  T* local(PerCpuField<T> field) const {
    return reinterpret_cast<T*>(percpu_base_ + field.offset());
  }
  template <typename T>
  T* touch(T* at, AccessKind kind) const {
    if (observer_) observer_->on_access(cpu_, {reinterpret_cast<std::uintptr_t>(at), sizeof(T), kind});
    return at;
  }

  std::uintptr_t percpu_base_;
  AccessObserver* observer_;
  unsigned cpu_;
};

}  // namespace hitmark
