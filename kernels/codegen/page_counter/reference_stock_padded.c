/* Layout L4 with the per-counter stock, a line. */
#include "kernels/codegen/reference_family.h"

#define VARIANT "stock-padded"
#define PAGE_COUNTER_STOCK

#include "kernels/codegen/page_counter/reference_layout_l4.h"

struct stock {
  HITMARK_ONCE int nr_pages;
} __cacheline_aligned;

#include "kernels/codegen/page_counter/reference_operations.h"
