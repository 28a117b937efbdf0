// Runs a kernel variant on the CPU that the thread is pinned to: each operation is the instruction that Linux
// emits for it on x86-64, and nothing else (the table is in README.md).
//
// Per-CPU data is addressed through %gs, as in the kernel: every thread points its GS base at the per-CPU area
// of the CPU that it plays (gs_base.hpp), and the area's first word holds the area's own address.
// Accesses are volatile, so that each one in the source is one in the machine code, in the same order.
// `read`/`write` are for data of one owner or under a lock; `read_once`/`write_once` for data that races by
// intent. Here they are the same instruction; under TSan (tsan_cpu.hpp) the first pair is checked.
#pragma once

#include "kernels/memory/compiler.hpp"

#if HITMARK_TSAN
#include "kernels/memory/tsan_cpu.hpp"
#else

#include <cstdint>

#include "kernels/memory/cell.hpp"

namespace hitmark {

class NativeCpu : private CellAccess {
 public:
  template <typename T>
  HITMARK_INLINE T read_once(const Cell<T>& cell) const {
    return *static_cast<const volatile T*>(raw(cell));
  }
  template <typename T>
  HITMARK_INLINE void write_once(Cell<T>& cell, std::type_identity_t<T> value) const {
    *static_cast<volatile T*>(raw(cell)) = value;
  }
  // Element i of an array, without a Cell& to it: a reference is an address, which the compiler computes into a
  // register and keeps, where C's array access is one indexed operand.
  template <typename T, std::size_t N>
  HITMARK_INLINE T read_once(const Cell<T> (&array)[N], std::size_t i) const {
    return const_cast<const volatile T(&)[N]>(raw(array))[i];
  }
  template <typename T, std::size_t N>
  HITMARK_INLINE void write_once(Cell<T> (&array)[N], std::size_t i, std::type_identity_t<T> value) const {
    const_cast<volatile T(&)[N]>(raw(array))[i] = value;
  }
  template <typename T>
  HITMARK_INLINE T read(const Cell<T>& cell) const {
    return read_once(cell);
  }
  template <typename T, std::size_t N>
  HITMARK_INLINE T read(const Cell<T> (&array)[N], std::size_t i) const {
    return read_once(array, i);
  }
  template <typename T>
  HITMARK_INLINE void write(Cell<T>& cell, std::type_identity_t<T> value) const {
    write_once(cell, value);
  }
  // On x86-64 every load acquires and every store releases.
  template <typename T>
  HITMARK_INLINE T load_acquire(const Cell<T>& cell) const {
    return read_once(cell);
  }
  template <typename T>
  HITMARK_INLINE void store_release(Cell<T>& cell, std::type_identity_t<T> value) const {
    write_once(cell, value);
  }

  template <typename T>
  HITMARK_INLINE void atomic_add(Cell<T>& cell, std::type_identity_t<T> value) const {
    __atomic_fetch_add(raw(cell), value, __ATOMIC_SEQ_CST);
  }
  template <typename T>
  HITMARK_INLINE T atomic_add_return(Cell<T>& cell, std::type_identity_t<T> value) const {
    return __atomic_add_fetch(raw(cell), value, __ATOMIC_SEQ_CST);
  }
  template <typename T>
  HITMARK_INLINE T atomic_xchg(Cell<T>& cell, std::type_identity_t<T> value) const {
    return __atomic_exchange_n(raw(cell), value, __ATOMIC_SEQ_CST);
  }
  template <typename T>
  HITMARK_INLINE bool try_cmpxchg(Cell<T>& cell, T& expected, std::type_identity_t<T> desired) const {
    return __atomic_compare_exchange_n(raw(cell), &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }
  HITMARK_INLINE bool test_and_set_bit(Cell<unsigned long>& word, unsigned bit) const {
    return __atomic_fetch_or(raw(word), 1UL << bit, __ATOMIC_SEQ_CST) & (1UL << bit);
  }
  HITMARK_INLINE void clear_bit(Cell<unsigned long>& word, unsigned bit) const {
    __atomic_fetch_and(raw(word), ~(1UL << bit), __ATOMIC_SEQ_CST);
  }

  // The address of this CPU's area (`this_cpu_off`).
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
    static_assert(sizeof(T) == 8 || sizeof(T) == 4);
    T* at = reinterpret_cast<T*>(field.offset());
    if constexpr (sizeof(T) == 8) asm volatile("addq %1, %%gs:%0" : "+m"(*at) : "er"(value) : "cc");
    if constexpr (sizeof(T) == 4) asm volatile("addl %1, %%gs:%0" : "+m"(*at) : "ir"(value) : "cc");
  }
  template <typename T>
  HITMARK_INLINE T this_cpu_add_return(PerCpuField<T> field, std::type_identity_t<T> value) const {
    static_assert(sizeof(T) == 8 || sizeof(T) == 4);
    T* at = reinterpret_cast<T*>(field.offset());
    T old = value;
    if constexpr (sizeof(T) == 8) asm volatile("xaddq %0, %%gs:%1" : "+r"(old), "+m"(*at) : : "memory", "cc");
    if constexpr (sizeof(T) == 4) asm volatile("xaddl %0, %%gs:%1" : "+r"(old), "+m"(*at) : : "memory", "cc");
    return old + value;
  }
  template <typename T>
  HITMARK_INLINE T this_cpu_read(PerCpuField<T> field) const {
    static_assert(sizeof(T) == 8 || sizeof(T) == 4);
    T* at = reinterpret_cast<T*>(field.offset());
    T value;
    if constexpr (sizeof(T) == 8) asm volatile("movq %%gs:%1, %0" : "=r"(value) : "m"(*at));
    if constexpr (sizeof(T) == 4) asm volatile("movl %%gs:%1, %0" : "=r"(value) : "m"(*at));
    return value;
  }
  template <typename T>
  HITMARK_INLINE void this_cpu_write(PerCpuField<T> field, std::type_identity_t<T> value) const {
    static_assert(sizeof(T) == 8 || sizeof(T) == 4);
    T* at = reinterpret_cast<T*>(field.offset());
    if constexpr (sizeof(T) == 8) asm volatile("movq %1, %%gs:%0" : "=m"(*at) : "er"(value));
    if constexpr (sizeof(T) == 4) asm volatile("movl %1, %%gs:%0" : "=m"(*at) : "ir"(value));
  }
  // A load and a cmpxchg loop, as in Linux: xchg with memory would imply LOCK.
  template <typename T>
  HITMARK_INLINE T this_cpu_xchg(PerCpuField<T> field, std::type_identity_t<T> value) const {
    static_assert(sizeof(T) == 4);
    T* at = reinterpret_cast<T*>(field.offset());
    T old;
    asm volatile(
        "movl %%gs:%1, %0\n\t"
        "1: cmpxchgl %2, %%gs:%1\n\t"
        "jnz 1b"
        : "=&a"(old), "+m"(*at)
        : "r"(value)
        : "memory", "cc");
    return old;
  }

  // One cmpxchg without LOCK.
  template <typename T>
  HITMARK_INLINE bool this_cpu_try_cmpxchg(PerCpuField<T> field, T& expected, std::type_identity_t<T> desired) const {
    static_assert(sizeof(T) == 4);
    T* at = reinterpret_cast<T*>(field.offset());
    bool done;
    asm volatile("cmpxchgl %3, %%gs:%1" : "=@ccz"(done), "+m"(*at), "+a"(expected) : "r"(desired) : "memory", "cc");
    return done;
  }

  HITMARK_INLINE void relax() const { __builtin_ia32_pause(); }
};

}  // namespace hitmark
#endif
