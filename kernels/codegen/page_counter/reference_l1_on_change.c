/* Layout L1, the protection rule of 6.1. */
#include "kernels/codegen/reference_family.h"

#define VARIANT "l1-on-change"
#define PAGE_COUNTER_WITHOUT_FLAGS
#define PAGE_COUNTER_WITHOUT_LOCAL_WATERMARK

#include "kernels/codegen/page_counter/reference_layout_l1.h"
#include "kernels/codegen/page_counter/reference_operations.h"
