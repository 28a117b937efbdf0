/* Layout L4. */
#include "kernels/codegen/reference_family.h"

#define VARIANT "l4"

#include "kernels/codegen/page_counter/reference_layout_l4.h"
#include "kernels/codegen/page_counter/reference_operations.h"
