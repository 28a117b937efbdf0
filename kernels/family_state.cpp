// Runs outside of all operations: NativeCpu's loads and stores need no GS base.
#include "kernels/family_state.hpp"

#include "kernels/memory/arena_digest.hpp"
#include "kernels/memory/native_cpu.hpp"

namespace hitmark {
namespace {

constexpr NativeCpu kCpu;

FamilyState* as_state(void* state) { return static_cast<FamilyState*>(state); }

FamilyDriver& driver_of(FamilyState* state, unsigned cpu) {
  return state->setup->on<FamilyDriver>(cpu, kCpu.read(state->driver));
}

}  // namespace

unsigned FamilySetup::group_of(unsigned cpu) const {
  return static_cast<unsigned>(std::size_t{cpu} * workload.groups / arena.cpu_count());
}

unsigned long FamilySetup::threshold() const {
  return 64UL * (workload.online_cpus ? workload.online_cpus : arena.cpu_count());
}

FamilyState* new_family_state(Arena& arena, const Workload& workload, int default_batch) {
  const unsigned cpus = arena.cpu_count();
  HITMARK_CHECK(cpus <= FamilyState::kMaxCpus, "more CPUs than a family's state has room for");
  HITMARK_CHECK(workload.groups >= 1 && workload.groups <= cpus && workload.memcgs >= 1,
                "a workload needs an object, and a CPU in every group");
  auto* setup = new FamilySetup{arena, workload};
  auto* state = setup->shared<FamilyState>("state", "hitmark::FamilyState");
  state->setup = setup;
  kCpu.write(state->nr_cpus, cpus);
  kCpu.write(state->batch, workload.batch ? static_cast<int>(workload.batch) : default_batch);
  kCpu.write(state->threshold, setup->threshold());
  for (unsigned cpu = 0; cpu < cpus; ++cpu)
    kCpu.write(state->per_cpu_offset[cpu], reinterpret_cast<std::uintptr_t>(arena.percpu_address(cpu, 0)));
  kCpu.write(state->driver, setup->percpu<FamilyDriver>("driver", "hitmark::FamilyDriver", kLine));
  return state;
}

void finish_set_up(FamilyState* state) {
  FamilySetup& setup = *state->setup;
  std::size_t count = 0, at = 0;
  for (const auto& group : setup.objects) count += group.size();
  state->objects = setup.shared_array<Cell<void*>>("objects", "void *", count);
  for (const auto& group : setup.objects)
    for (void* object : group) kCpu.write(state->objects[at++], object);
  kCpu.write(state->nr_objects, static_cast<unsigned>(count));
  for (unsigned cpu = 0; cpu < setup.arena.cpu_count(); ++cpu)
    kCpu.write(driver_of(state, cpu).object, family_object(state, cpu, 0));
  setup.not_digested.push_back(&state->setup);
}

void tear_down_family_state(void* state) { delete as_state(state)->setup; }

void* family_object(void* state, unsigned cpu, unsigned index) {
  const FamilySetup& setup = *as_state(state)->setup;
  const unsigned partner = setup.workload.split ? cpu & ~1u : cpu;
  const auto& own = setup.objects[setup.objects.size() == 1 ? 0 : setup.group_of(partner)];
  return own[index % own.size()];
}

Phase no_phase(void*) { return Phase::kNone; }

std::uint64_t family_digest(void* state) {
  const FamilySetup& setup = *as_state(state)->setup;
  return arena_digest(setup.arena, setup.not_digested);
}

unsigned long failed_charges(FamilyState* state, unsigned cpu) {
  return kCpu.read_once(driver_of(state, cpu).failed_charges);
}
long last_sum(FamilyState* state, unsigned cpu) { return kCpu.read(driver_of(state, cpu).sum); }
long last_reading(FamilyState* state, unsigned cpu) { return kCpu.read(driver_of(state, cpu).reading); }

}  // namespace hitmark
