/* The family stats-updates in C. A variant's file defines VARIANT, `struct stats`, count_update(), needs_flush() and
 * restart(), and includes reference_stats_operations.h.
 */
#include "kernels/codegen/reference_family.h"

struct stats_cpu {
  HITMARK_ONCE unsigned int stats_updates;
  HITMARK_ONCE unsigned int flushable;
  HITMARK_ONCE long state;
  HITMARK_ONCE long state_prev __cacheline_aligned;
};

#define per_cpu_stats(s, percpu, i) ((struct stats_cpu*)(READ_ELEMENT((s)->per_cpu_offset, i) + (percpu)))

/* Not 0 when this update makes a batch, which is then taken out. */
static __always_inline long full_batch(struct family_state* s, struct stats_cpu* pcpu, unsigned int magnitude) {
  unsigned int batch = (unsigned int)s->batch;

  if (this_cpu_add_return_int(pcpu->stats_updates, magnitude) < batch) return 0;
  return this_cpu_xchg_int(pcpu->stats_updates, 0);
}
