/* The family percpu-counter in C. A variant's file defines `struct counter`, counter_add(), counter_sum() and
 * counter_read(), with the helpers of this file's first half, and includes the second half by
 * reference_counter_operations.h.
 */
#include "kernels/codegen/reference_family.h"

struct slot {
  HITMARK_ONCE long count;
} __cacheline_aligned;

struct packed_slot {
  HITMARK_ONCE long count;
};

struct small_count {
  HITMARK_ONCE int count;
};

struct rseq_area {
  HITMARK_ONCE unsigned int cpu_id_start, cpu_id;
  HITMARK_ONCE unsigned long rseq_cs;
};

struct cpu_numbers {
  HITMARK_ONCE unsigned int cpu, half;
};
#define cpu_numbers (*(struct cpu_numbers*)64)

#define per_cpu_count(type, state, part, i) ((type*)(READ_ELEMENT((state)->per_cpu_offset, i) + (part)))->count

#define sum_of_parts(type, state, the_part)                                                         \
  __extension__({                                                                                   \
    unsigned long __part = (the_part);                                                              \
    size_t __cpus = (state)->nr_cpus, __i;                                                          \
    long __sum = 0;                                                                                 \
    for (__i = 0; __i < __cpus; ++__i) __sum += READ_ONCE(per_cpu_count(type, state, __part, __i)); \
    __sum;                                                                                          \
  })

#define sum_of_slots(slots, number)                                              \
  __extension__({                                                                \
    size_t __number = (number), __i;                                             \
    long __sum = 0;                                                              \
    for (__i = 0; __i < __number; ++__i) __sum += READ_ONCE((slots)[__i].count); \
    __sum;                                                                       \
  })
