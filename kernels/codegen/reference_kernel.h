/* The yardstick's kernel: what the reference C needs of Linux, in Linux's words. READ_ONCE and WRITE_ONCE are
 * volatile accesses, the per-CPU operations are one instruction with a %gs operand each.
 *
 * HITMARK_ONCE marks the members of a shared struct that are accessed without them. It is `volatile`: each access
 * in the source is one in the machine code, which is NativeCpu's contract too (a traced run could not know what
 * the compiler merges). With HITMARK_REFERENCE_PLAIN it is empty, as in Linux.
 */
#ifndef HITMARK_REFERENCE_KERNEL_H
#define HITMARK_REFERENCE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef int8_t s8;
typedef uint32_t u32;
typedef uint64_t u64;

#ifndef HITMARK_REFERENCE_PLAIN
#define HITMARK_REFERENCE_PLAIN 0
#endif
#if HITMARK_REFERENCE_PLAIN
#define HITMARK_ONCE
#else
#define HITMARK_ONCE volatile
#endif

#undef __always_inline
#define __always_inline __attribute__((always_inline)) inline
#ifdef __clang__
#define noinline __attribute__((noinline))
#else
#define noinline __attribute__((noipa)) /* and neither cloned nor specialised for a caller */
#endif
#define __cacheline_aligned __attribute__((aligned(64)))

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#define READ_ONCE(x) (*(const volatile __typeof__(x)*)&(x))
#define WRITE_ONCE(x, value) ((void)(*(volatile __typeof__(x)*)&(x) = (value)))
/* READ_ONCE(array[i]), which gcc 12 turns into an addition and a load where the array starts at a multiple of
 * its elements' size. This form is the shorter code. */
#define READ_ELEMENT(array, i) ((*(const volatile __typeof__(array)*)&(array))[i])
#define WRITE_ELEMENT(array, i, value) ((void)((*(volatile __typeof__(array)*)&(array))[i] = (value)))
#define container_of(ptr, type, member) ((type*)((char*)(ptr)-offsetof(type, member)))

/* A per-CPU pointer is an offset into every CPU's area; %gs:0 holds the address of this CPU's. */
#define this_cpu_off (*(const volatile __seg_gs unsigned long*)0)
#define per_cpu_ptr(ptr, base) ((__typeof__(ptr))((base) + (unsigned long)(ptr)))
#define this_cpu_ptr(ptr)                             \
  __extension__({                                     \
    unsigned long __offset = (unsigned long)(ptr);    \
    (__typeof__((ptr) + 0))(this_cpu_off + __offset); \
  })

/* `pcp` is an lvalue in per-CPU space. */
#define this_cpu_add_long(pcp, value) \
  asm volatile("addq %1, %%gs:%0" : "+m"(*(long*)&(pcp)) : "er"((long)(value)) : "cc")

#define this_cpu_add_return_int(pcp, value)                                                           \
  __extension__({                                                                                     \
    unsigned int __value = (value), __old = __value;                                                  \
    asm volatile("xaddl %0, %%gs:%1" : "+r"(__old), "+m"(*(unsigned int*)&(pcp)) : : "memory", "cc"); \
    __old + __value;                                                                                  \
  })

#define this_cpu_read_long(pcp)                                             \
  __extension__({                                                           \
    long __value;                                                           \
    asm volatile("movq %%gs:%1, %0" : "=r"(__value) : "m"(*(long*)&(pcp))); \
    __value;                                                                \
  })
#define this_cpu_write_long(pcp, value) asm volatile("movq %1, %%gs:%0" : "=m"(*(long*)&(pcp)) : "er"((long)(value)))
#define this_cpu_read_int(pcp)                                                      \
  __extension__({                                                                   \
    unsigned int __value;                                                           \
    asm volatile("movl %%gs:%1, %0" : "=r"(__value) : "m"(*(unsigned int*)&(pcp))); \
    __value;                                                                        \
  })
#define this_cpu_write_int(pcp, value) \
  asm volatile("movl %1, %%gs:%0" : "=m"(*(unsigned int*)&(pcp)) : "ir"((unsigned int)(value)))

/* xchg with memory implies LOCK, a load and a cmpxchg loop do not. */
#define this_cpu_xchg_int(pcp, value)                \
  __extension__({                                    \
    unsigned int __old;                              \
    asm volatile(                                    \
        "movl %%gs:%1, %0\n"                         \
        "1:\tcmpxchgl %2, %%gs:%1\n\t"               \
        "jnz 1b"                                     \
        : "=&a"(__old), "+m"(*(unsigned int*)&(pcp)) \
        : "r"((unsigned int)(value))                 \
        : "memory", "cc");                           \
    __old;                                           \
  })

#define this_cpu_read_ptr(type, pcp)                                        \
  __extension__({                                                           \
    type __value;                                                           \
    asm volatile("movq %%gs:%1, %0" : "=r"(__value) : "m"(*(type*)&(pcp))); \
    __value;                                                                \
  })
#define this_cpu_add_int(pcp, value) asm volatile("addl %1, %%gs:%0" : "+m"(*(int*)&(pcp)) : "ir"((int)(value)) : "cc")

/* As the _int forms above, of a signed word. */
#define this_cpu_add_return_s32(pcp, value)                                                  \
  __extension__({                                                                            \
    int __value = (value), __old = __value;                                                  \
    asm volatile("xaddl %0, %%gs:%1" : "+r"(__old), "+m"(*(int*)&(pcp)) : : "memory", "cc"); \
    __old + __value;                                                                         \
  })
#define this_cpu_xchg_s32(pcp, value)       \
  __extension__({                           \
    int __old;                              \
    asm volatile(                           \
        "movl %%gs:%1, %0\n"                \
        "1:\tcmpxchgl %2, %%gs:%1\n\t"      \
        "jnz 1b"                            \
        : "=&a"(__old), "+m"(*(int*)&(pcp)) \
        : "r"((int)(value))                 \
        : "memory", "cc");                  \
    __old;                                  \
  })

#define this_cpu_try_cmpxchg_int(pcp, expected, value)                     \
  __extension__({                                                          \
    bool __done;                                                           \
    asm volatile("cmpxchgl %3, %%gs:%1"                                    \
                 : "=@ccz"(__done), "+m"(*(int*)&(pcp)), "+a"(*(expected)) \
                 : "r"((int)(value))                                       \
                 : "memory", "cc");                                        \
    __done;                                                                \
  })

#define atomic_add(ptr, value) ((void)__atomic_fetch_add(ptr, value, __ATOMIC_SEQ_CST))
#define atomic_add_return(ptr, value) __atomic_add_fetch(ptr, value, __ATOMIC_SEQ_CST)
#define xchg(ptr, value) __atomic_exchange_n(ptr, value, __ATOMIC_SEQ_CST)
#define try_cmpxchg(ptr, expected, value) \
  __atomic_compare_exchange_n(ptr, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define smp_load_acquire(ptr) READ_ONCE(*(ptr))
#define smp_store_release(ptr, value) WRITE_ONCE(*(ptr), value)

static __always_inline bool test_and_set_bit(unsigned int bit, HITMARK_ONCE unsigned long* word) {
  return __atomic_fetch_or(word, 1UL << bit, __ATOMIC_SEQ_CST) & (1UL << bit);
}

static __always_inline void clear_bit(unsigned int bit, HITMARK_ONCE unsigned long* word) {
  __atomic_fetch_and(word, ~(1UL << bit), __ATOMIC_SEQ_CST);
}

#endif
