/* The operations of one variant's reference C, called like an Operation's native function (variant.hpp). Every
 * reference_VARIANT.c hands its own to register_reference before main() runs.
 */
#ifndef HITMARK_REFERENCE_OPERATIONS_H
#define HITMARK_REFERENCE_OPERATIONS_H

#ifdef __cplusplus
extern "C" {
#endif

struct reference_operation {
  const char* name; /* of the Operation or event; null after the last */
  void (*run)(void* state, void* object, unsigned int amount);
};

struct reference_operations {
  const char* family;
  const char* variant;
  int plain; /* compiled with plain accesses (reference_kernel.h) */
  const struct reference_operation* operations;
};

void register_reference(const struct reference_operations* operations);

#ifdef __cplusplus
}
#endif

#endif
