/* Layout L4 without protections. */
#include "kernels/codegen/reference_family.h"

#define VARIANT "l4-unprotected"
#define PAGE_COUNTER_PROTECTION(c) false

#include "kernels/codegen/page_counter/reference_layout_l4.h"
#include "kernels/codegen/page_counter/reference_operations.h"
