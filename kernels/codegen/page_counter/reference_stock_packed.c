/* Layout L4 with the per-counter stock, four bytes. */
#include "kernels/codegen/reference_family.h"

#define VARIANT "stock-packed"
#define PAGE_COUNTER_STOCK

#include "kernels/codegen/page_counter/reference_layout_l4.h"

struct stock {
  HITMARK_ONCE int nr_pages;
};

#include "kernels/codegen/page_counter/reference_operations.h"
