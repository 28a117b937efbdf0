/* What the families of plain counters share (kernels/family_state.hpp), and how a variant's file ends. */
#ifndef HITMARK_REFERENCE_FAMILY_H
#define HITMARK_REFERENCE_FAMILY_H

#include "kernels/codegen/reference_kernel.h"
#include "kernels/codegen/reference_operations.h"

struct family_state {
  HITMARK_ONCE unsigned int nr_cpus;
  HITMARK_ONCE int batch;
  HITMARK_ONCE unsigned long threshold;
  HITMARK_ONCE unsigned long driver; /* per-CPU offset of a struct driver */
  HITMARK_ONCE unsigned int nr_objects;
  void* HITMARK_ONCE* HITMARK_ONCE objects;
  void* setup;
  HITMARK_ONCE unsigned long per_cpu_offset[512] __cacheline_aligned;
};

struct driver {
  void* HITMARK_ONCE object;
  HITMARK_ONCE long sum;
  HITMARK_ONCE long reading;
  HITMARK_ONCE unsigned long failed_charges;
};

static __always_inline struct driver* this_driver(struct family_state* state) {
  unsigned long offset = state->driver, base;

  asm volatile("movq %%gs:0, %0" : "=r"(base)); /* as NativeCpu: gcc schedules a load of this_cpu_off otherwise */
  return (struct driver*)(base + offset);
}

static __always_inline void spin_lock(HITMARK_ONCE unsigned int* lock) {
  unsigned int unlocked;

  for (unlocked = 0; unlikely(!try_cmpxchg(lock, &unlocked, 1)); unlocked = 0)
    while (READ_ONCE(*lock)) __builtin_ia32_pause();
}

static __always_inline void spin_unlock(HITMARK_ONCE unsigned int* lock) { smp_store_release(lock, 0); }

#define REGISTER_REFERENCE(family_name, variant_name)     \
  static const struct reference_operations operations = { \
      .family = family_name,                              \
      .variant = variant_name,                            \
      .plain = HITMARK_REFERENCE_PLAIN,                   \
      .operations = all,                                  \
  };                                                      \
  static __attribute__((constructor)) void register_operations(void) { register_reference(&operations); }

#endif
