// The program that runs under lackey: every path of one variant (the argument), natively, on a fresh arena each. All
// that it does is traced, so it does little. Prints, tab-separated:
//   stack  START SIZE
//   path   PERCPU SHARED NAME   the addresses of the per-CPU areas and of the first shared object; path i is marked
//                               by a store to kMarkers + 8 * i
#include <sys/mman.h>

#include <cstdio>

#include "kernels/codegen/lackey.hpp"
#include "kernels/codegen/paths.hpp"
#include "kernels/memory/gs_base.hpp"
#include "support/check.hpp"

namespace hitmark::codegen {
namespace {

void run(const Variant& variant, const Path& path, std::size_t number) {
  const auto simulation = tested_family(variant).simulate(variant, path.workload, nullptr);
  Simulation& s = *simulation;
  path.prepare(s);
  const auto function = operation_named(variant, path.operation).native;
  void* const percpu = s.arena().percpu_address(0, 0);
  void* const state = s.state();  // the first shared object
  void* const object = variant.object(state, 0, path.index);
  const unsigned amount = path.amount;
  std::printf("path\t%p\t%p\t%s\n", percpu, state, path.name.c_str());

  set_gs_base(percpu);
  auto* const markers = reinterpret_cast<volatile std::uint64_t*>(kMarkers);
  auto* const end = reinterpret_cast<volatile std::uint64_t*>(kPathEnd);
  markers[number] = 1;
  function(state, object, amount);
  *end = 1;
}

void run_all(const Variant& variant) {
  void* at = mmap(reinterpret_cast<void*>(kMarkers), kMarkersSize, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  HITMARK_CHECK(at == reinterpret_cast<void*>(kMarkers), "the markers' address is taken");
  static constexpr std::size_t kStack = std::size_t{256} << 10;
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  std::printf("stack\t0x%lx\t%zu\n", here - kStack / 2, kStack);
  const std::vector<Path> paths = paths_of(variant);
  HITMARK_CHECK(kMarkers + 8 * paths.size() < kPathEnd, "more paths than markers");
  for (std::size_t i = 0; i < paths.size(); ++i) run(variant, paths[i], i);
}

}  // namespace
}  // namespace hitmark::codegen

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FAMILY/VARIANT\n", argv[0]);
    return 2;
  }
  const hitmark::Variant* variant = hitmark::Registry<hitmark::Variant>::instance().find(argv[1]);
  if (!variant) {
    std::fprintf(stderr, "there is no variant %s\n", argv[1]);
    return 2;
  }
  hitmark::codegen::run_all(*variant);
  return 0;
}
