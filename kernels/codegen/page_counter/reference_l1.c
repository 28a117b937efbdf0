/* Layout L1, the protection rule up to 6.0. */
#include "kernels/codegen/reference_family.h"

#define VARIANT "l1"
#define PAGE_COUNTER_WITHOUT_FLAGS
#define PAGE_COUNTER_WITHOUT_LOCAL_WATERMARK
#define PAGE_COUNTER_ALWAYS_PROTECT

#include "kernels/codegen/page_counter/reference_layout_l1.h"
#include "kernels/codegen/page_counter/reference_operations.h"
