// The workload that a profile is taken of: pairs of one page on one CPU, which hit the stock.
#include <cstdio>

#include "kernels/memory/gs_base.hpp"
#include "kernels/memory/plain_arena.hpp"
#include "kernels/variant.hpp"

int main() {
  using namespace hitmark;
  const Variant& variant = Registry<Variant>::instance().all().front();
  PlainArena arena(1);
  void* state = variant.set_up(arena, Workload{});
  void* object = variant.object(state, 0, 0);
  set_gs_base(arena.percpu_address(0, 0));
  for (int i = 0; i < 1'000'000; ++i) variant.operations.front().native(state, object, 1);
  const std::string broken = variant.violated_invariant(state);
  if (!broken.empty()) std::fprintf(stderr, "%s\n", broken.c_str());
  variant.tear_down(state);
  return broken.empty() ? 0 : 1;
}
