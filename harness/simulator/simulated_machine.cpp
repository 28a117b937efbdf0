#include "harness/simulator/simulated_machine.hpp"

#include "harness/simulator/sim_bench.hpp"

namespace hitmark::simulator {
namespace {

class SimulatedMachine : public Machine {
 public:
  SimulatedMachine(const MachineModel& model, const SimulatedMachineOptions& options, InstructionTable instructions)
      : model_(model), options_(options), instructions_(std::move(instructions)) {}

  std::string name() const override { return model_.name; }
  double ticks_per_second() const override { return model_.core.ghz * 1e9; }
  bool deterministic() const override { return true; }

  Result<std::unique_ptr<Bench>> prepare(const Plan& plan, const Condition& condition) override {
    auto bench = SimBench::create(model_, options_, instructions_, plan, condition, known_);
    if (!bench) return bench.error();
    return std::unique_ptr<Bench>(std::move(*bench));
  }

 private:
  MachineModel model_;
  SimulatedMachineOptions options_;
  InstructionTable instructions_;
  std::shared_ptr<KnownLines> known_ = std::make_shared<KnownLines>();
};

}  // namespace

Result<std::unique_ptr<Machine>> make_simulated_machine(const MachineModel& model,
                                                        const SimulatedMachineOptions& options) {
  auto instructions =
      options.instructions ? Result<InstructionTable>(*options.instructions) : InstructionTable::built_in();
  if (!instructions) return instructions.error();
  return std::unique_ptr<Machine>(std::make_unique<SimulatedMachine>(model, options, std::move(*instructions)));
}

}  // namespace hitmark::simulator
