/* The structs of the charging paths (Linux 6.18, x86-64), by the offsets in reference sections 2.2 and 3.1.
 * Only what the paths touch has a name. The struct of the stock is in each variant's own file.
 */
#ifndef HITMARK_REFERENCE_MEMCG_H
#define HITMARK_REFERENCE_MEMCG_H

#include "kernels/codegen/reference_kernel.h"

#define MEMCG_CHARGE_BATCH 64U
#define MEMCG_STATE_ITEMS 40
#define MEMCG_EVENT_ITEMS 31
#define MEMCG_SOCK_INDEX 34

struct cgroup_subsys_state;

struct list_head {
  void* HITMARK_ONCE next;
  void* HITMARK_ONCE prev;
};

struct work_struct {
  HITMARK_ONCE unsigned long data;
  struct list_head entry;
  void* func;
};
#define WORK_STRUCT_PENDING_BIT 0

struct llist_node {
  struct llist_node* HITMARK_ONCE next;
};

struct llist_head {
  struct llist_node* HITMARK_ONCE first;
};

struct percpu_ref_data {
  HITMARK_ONCE long count;
};

struct percpu_ref {
  HITMARK_ONCE unsigned long percpu_count_ptr;
  struct percpu_ref_data* HITMARK_ONCE data;
};
#define PERCPU_REF_ATOMIC_DEAD 3UL

struct css_rstat_cpu {
  struct cgroup_subsys_state* HITMARK_ONCE updated_children;
  struct cgroup_subsys_state* HITMARK_ONCE updated_next;
  struct llist_node lnode;
  void* owner;
};

struct cgroup_subsys {
  char callbacks[56];
  void* HITMARK_ONCE css_rstat_flush;
  char others[184];
  HITMARK_ONCE unsigned long lhead; /* per-CPU offset of a struct llist_head; before 6.17 of a lock */
};
_Static_assert(offsetof(struct cgroup_subsys, lhead) == 248, "reference, section 3.1");

struct cgroup_subsys_state {
  void* HITMARK_ONCE cgroup;
  struct cgroup_subsys* HITMARK_ONCE ss;
  struct percpu_ref refcnt;
  HITMARK_ONCE unsigned long rstat_cpu; /* per-CPU offset of a struct css_rstat_cpu */
  char lists_and_id[36];
  HITMARK_ONCE unsigned int flags;
  char serial_and_destroy[104];
  struct cgroup_subsys_state* HITMARK_ONCE parent;
  char descendants_and_flush[16];
};
#define CSS_NO_REF 1U
_Static_assert(offsetof(struct cgroup_subsys_state, flags) == 76, "reference, section 3.1");
_Static_assert(sizeof(struct cgroup_subsys_state) == 208, "BTF of 6.18.44");

struct page_counter {
  HITMARK_ONCE long usage;
  HITMARK_ONCE unsigned long failcnt;
  char pad1[48];
  unsigned long emin;
  HITMARK_ONCE long min_usage;
  HITMARK_ONCE long children_min_usage;
  unsigned long elow;
  HITMARK_ONCE long low_usage;
  HITMARK_ONCE long children_low_usage;
  HITMARK_ONCE unsigned long watermark;
  HITMARK_ONCE unsigned long local_watermark;
  HITMARK_ONCE bool protection_support;
  HITMARK_ONCE bool track_failcnt;
  HITMARK_ONCE unsigned long min;
  HITMARK_ONCE unsigned long low;
  HITMARK_ONCE unsigned long high;
  HITMARK_ONCE unsigned long max;
  struct page_counter* HITMARK_ONCE parent;
} __cacheline_aligned;
_Static_assert(offsetof(struct page_counter, parent) == 168 && sizeof(struct page_counter) == 192,
               "reference, section 2.2");

struct memcg_vmstats {
  HITMARK_ONCE long state[MEMCG_STATE_ITEMS];
  long others[2 * MEMCG_STATE_ITEMS + 3 * MEMCG_EVENT_ITEMS];
  HITMARK_ONCE int stats_updates;
};
_Static_assert(offsetof(struct memcg_vmstats, stats_updates) == 1704, "reference, section 3.1");

struct memcg_vmstats_percpu {
  HITMARK_ONCE unsigned int stats_updates;
  struct memcg_vmstats_percpu* HITMARK_ONCE parent_pcpu; /* per CPU */
  struct memcg_vmstats* HITMARK_ONCE vmstats;
  HITMARK_ONCE long state[MEMCG_STATE_ITEMS];
};
_Static_assert(offsetof(struct memcg_vmstats_percpu, state) == 24, "reference, section 3.1");

struct mem_cgroup {
  struct cgroup_subsys_state css;
  char id_and_pad[48];
  struct page_counter memory;
  struct page_counter swap;
  char peaks[40];
  struct work_struct high_work;
  char others[312];
  struct memcg_vmstats* HITMARK_ONCE vmstats;
  char events_and_objcg[192];
  struct memcg_vmstats_percpu* HITMARK_ONCE vmstats_percpu; /* per CPU */
} __cacheline_aligned;
_Static_assert(offsetof(struct mem_cgroup, memory) == 256 && offsetof(struct mem_cgroup, swap) == 448 &&
                   offsetof(struct mem_cgroup, vmstats) == 1024 && offsetof(struct mem_cgroup, vmstats_percpu) == 1224,
               "reference, section 3.1");

/* Not Linux's: here the kernel's static data belongs to an arena, and the CPU's caller counts refused charges. */
struct globals {
  HITMARK_ONCE unsigned int nr_online_cpus;
  HITMARK_ONCE unsigned int nr_cpu_ids;
  struct mem_cgroup* HITMARK_ONCE root_mem_cgroup;
  HITMARK_ONCE bool keep_low;
  HITMARK_ONCE unsigned int low;
  struct driver* HITMARK_ONCE driver; /* per CPU */
  void* setup;
  HITMARK_ONCE unsigned int percpu_charge_mutex __cacheline_aligned;
  unsigned long per_cpu_offset[512] __cacheline_aligned;
  HITMARK_ONCE int stats_flush_threshold __cacheline_aligned;
} __cacheline_aligned;

struct driver {
  HITMARK_ONCE long failed_charges;
} __cacheline_aligned;

#endif
