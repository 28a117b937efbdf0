#include "kernels/codegen/references.hpp"

#include <vector>

namespace hitmark::codegen {
namespace {

std::vector<const reference_operations*>& references() {  // filled before main()
  static std::vector<const reference_operations*> all;
  return all;
}

}  // namespace

const reference_operations* find_reference(const Variant& variant, bool plain) {
  for (const reference_operations* reference : references())
    if (reference->family == variant.family && reference->variant == variant.name && (reference->plain != 0) == plain)
      return reference;
  return nullptr;
}

ReferenceFunction function_of(const reference_operations& reference, std::string_view operation) {
  for (const reference_operation* one = reference.operations; one->name; ++one)
    if (one->name == operation) return one->run;
  return nullptr;
}

}  // namespace hitmark::codegen

void register_reference(const reference_operations* operations) {
  hitmark::codegen::references().push_back(operations);
}
