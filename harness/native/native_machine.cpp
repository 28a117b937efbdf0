#include "harness/native/native_machine.hpp"

#include "harness/native/native_bench.hpp"
#include "harness/native/tsc.hpp"

namespace hitmark {
namespace {

class NativeMachine : public Machine {
 public:
  NativeMachine(const Topology& topology, double ticks_per_second)
      : topology_(topology), ticks_per_second_(ticks_per_second) {}

  std::string name() const override { return std::string(kNative); }
  double ticks_per_second() const override { return ticks_per_second_; }

  Result<std::unique_ptr<Bench>> prepare(const Plan& plan, const Condition& condition) override {
    native::NativeBenchOptions options;
    options.ticks_per_second = ticks_per_second_;
    options.arena.home_node = condition.placement.home_node;
    options.arena.homes = condition.workload.homes;
    options.arena.must_bind = topology_.nodes().size() > 1;
    for (const int os : condition.placement.cpus) {
      const Cpu* cpu = topology_.find(os);
      options.arena.cpu_nodes.push_back(cpu ? cpu->node : native::kAnyNode);
    }
    auto bench = native::NativeBench::create(plan, condition, options);
    if (!bench) return bench.error();
    return std::unique_ptr<Bench>(std::move(*bench));
  }

 private:
  Topology topology_;
  double ticks_per_second_;
};

}  // namespace

Result<std::unique_ptr<Machine>> make_native_machine(const Topology& topology) {
  const auto ticks_per_second = native::tsc_ticks_per_second();
  if (!ticks_per_second) return ticks_per_second.error();
  return std::unique_ptr<Machine>(std::make_unique<NativeMachine>(topology, *ticks_per_second));
}

}  // namespace hitmark
