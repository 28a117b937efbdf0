// NativeCpu for ThreadSanitizer, which sees no inline assembly: per-CPU operations become relaxed atomics of
// the same meaning at GS base + offset. `read`/`write` stay plain, so TSan checks that their data really has
// one owner or a lock; `read_once`/`write_once` are relaxed atomics: a race there is intended (the fields and
// the kernel's reasons are listed in kernels/memcg/README.md).
#pragma once

#include <cstdint>

#include "kernels/memory/cell.hpp"
#include "kernels/memory/compiler.hpp"

namespace hitmark {

// For the test that proves that TSan watches the drain's hand-off: bit operations and acquiring loads, which
// only the hand-off uses, lose their ordering while this is true.
inline bool omit_handoff_order = false;

class NativeCpu : private CellAccess {
 public:
  template <typename T>
  HITMARK_INLINE T read_once(const Cell<T>& cell) const {
    return __atomic_load_n(raw(cell), __ATOMIC_RELAXED);
  }
  template <typename T>
  HITMARK_INLINE void write_once(Cell<T>& cell, std::type_identity_t<T> value) const {
    __atomic_store_n(raw(cell), value, __ATOMIC_RELAXED);
  }
  template <typename T, std::size_t N>
  HITMARK_INLINE T read_once(const Cell<T> (&array)[N], std::size_t i) const {
    return read_once(array[i]);
  }
  template <typename T, std::size_t N>
  HITMARK_INLINE void write_once(Cell<T> (&array)[N], std::size_t i, std::type_identity_t<T> value) const {
    write_once(array[i], value);
  }
  template <typename T>
  HITMARK_INLINE T read(const Cell<T>& cell) const {
    return *raw(cell);
  }
  template <typename T, std::size_t N>
  HITMARK_INLINE T read(const Cell<T> (&array)[N], std::size_t i) const {
    return read(array[i]);
  }
  template <typename T>
  HITMARK_INLINE void write(Cell<T>& cell, std::type_identity_t<T> value) const {
    *raw(cell) = value;
  }
  template <typename T>
  HITMARK_INLINE T load_acquire(const Cell<T>& cell) const {
    if (omit_handoff_order) return read_once(cell);
    return __atomic_load_n(raw(cell), __ATOMIC_ACQUIRE);
  }
  template <typename T>
  HITMARK_INLINE void store_release(Cell<T>& cell, std::type_identity_t<T> value) const {
    __atomic_store_n(raw(cell), value, __ATOMIC_RELEASE);
  }

  template <typename T>
  HITMARK_INLINE void atomic_add(Cell<T>& cell, std::type_identity_t<T> value) const {
    __atomic_fetch_add(raw(cell), value, __ATOMIC_RELAXED);
  }
  template <typename T>
  HITMARK_INLINE T atomic_add_return(Cell<T>& cell, std::type_identity_t<T> value) const {
    return __atomic_add_fetch(raw(cell), value, __ATOMIC_RELAXED);
  }
  template <typename T>
  HITMARK_INLINE T atomic_xchg(Cell<T>& cell, std::type_identity_t<T> value) const {
    return __atomic_exchange_n(raw(cell), value, __ATOMIC_RELAXED);
  }
  template <typename T>
  HITMARK_INLINE bool try_cmpxchg(Cell<T>& cell, T& expected, std::type_identity_t<T> desired) const {
    return __atomic_compare_exchange_n(raw(cell), &expected, desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  }
  HITMARK_INLINE bool test_and_set_bit(Cell<unsigned long>& word, unsigned bit) const {
    const unsigned long mask = 1UL << bit;
    if (omit_handoff_order) return __atomic_fetch_or(raw(word), mask, __ATOMIC_RELAXED) & mask;
    return __atomic_fetch_or(raw(word), mask, __ATOMIC_ACQ_REL) & mask;
  }
  HITMARK_INLINE void clear_bit(Cell<unsigned long>& word, unsigned bit) const {
    const unsigned long mask = ~(1UL << bit);
    if (omit_handoff_order)
      __atomic_fetch_and(raw(word), mask, __ATOMIC_RELAXED);
    else
      __atomic_fetch_and(raw(word), mask, __ATOMIC_RELEASE);
  }

  HITMARK_INLINE std::uintptr_t this_cpu_off() const {
    std::uintptr_t base;
    asm volatile("movq %%gs:0, %0" : "=r"(base));
    return base;
  }
  template <typename S>
  HITMARK_INLINE S& this_cpu_ptr(PerCpu<S> percpu) const {
    return *reinterpret_cast<S*>(this_cpu_off() + percpu.offset());
  }
  template <typename T>
  HITMARK_INLINE void this_cpu_add(PerCpuField<T> field, std::type_identity_t<T> value) const {
    __atomic_fetch_add(local(field), value, __ATOMIC_RELAXED);
  }
  template <typename T>
  HITMARK_INLINE T this_cpu_add_return(PerCpuField<T> field, std::type_identity_t<T> value) const {
    return __atomic_add_fetch(local(field), value, __ATOMIC_RELAXED);
  }
  template <typename T>
  HITMARK_INLINE T this_cpu_read(PerCpuField<T> field) const {
    return __atomic_load_n(local(field), __ATOMIC_RELAXED);
  }
  template <typename T>
  HITMARK_INLINE void this_cpu_write(PerCpuField<T> field, std::type_identity_t<T> value) const {
    __atomic_store_n(local(field), value, __ATOMIC_RELAXED);
  }
  template <typename T>
  HITMARK_INLINE T this_cpu_xchg(PerCpuField<T> field, std::type_identity_t<T> value) const {
    return __atomic_exchange_n(local(field), value, __ATOMIC_RELAXED);
  }
  template <typename T>
  HITMARK_INLINE bool this_cpu_try_cmpxchg(PerCpuField<T> field, T& expected, std::type_identity_t<T> desired) const {
    return __atomic_compare_exchange_n(local(field), &expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }

  HITMARK_INLINE void relax() const { __builtin_ia32_pause(); }

 private:
  template <typename T>
  HITMARK_INLINE T* local(PerCpuField<T> field) const {
    return reinterpret_cast<T*>(this_cpu_off() + field.offset());
  }
};

}  // namespace hitmark
