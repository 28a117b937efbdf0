#include "kernels/codegen/references.hpp"

#include <vector>

namespace hitmark::codegen {
namespace {

std::vector<const reference_operations*>& references() {  // filled before main()
  static std::vector<const reference_operations*> all;
  return all;
}

}  // namespace

const reference_operations* find_reference(std::string_view variant, bool plain) {
  for (const reference_operations* reference : references())
    if (reference->variant == variant && (reference->plain != 0) == plain) return reference;
  return nullptr;
}

ReferenceFunction function_of(const reference_operations& reference, std::string_view operation) {
  if (operation == "pair") return reference.pair;
  if (operation == "charge") return reference.charge;
  if (operation == "uncharge") return reference.uncharge;
  if (operation == "work") return reference.work;
  if (operation == "drain") return reference.drain;
  return nullptr;
}

}  // namespace hitmark::codegen

void register_reference(const reference_operations* operations) {
  hitmark::codegen::references().push_back(operations);
}
