#include "harness/native/native_arm.hpp"

#include <new>

namespace hitmark::native {
namespace {

// Somewhere for the empty arm's loop to point at.
std::uint64_t nothing;

Result<const Operation*> find_operation(const Variant& variant, std::span<const Operation> among,
                                        std::string_view name) {
  for (const Operation& operation : among)
    if (operation.name == name) return &operation;
  return Error{ErrorKind::kUnsupported,
               "variant " + std::string(variant.name) + " has no '" + std::string(name) + "', which the workload needs",
               "hitmark list variants"};
}

// Every CPU does the first operation, or even ones charge and odd ones uncharge.
Result<const Operation*> operation_on(const Variant& variant, const Workload& workload, unsigned cpu) {
  if (workload.split) return find_operation(variant, variant.operations, cpu % 2 == 0 ? "charge" : "uncharge");
  if (!variant.operations.empty()) return &variant.operations.front();
  return Error{ErrorKind::kUnsupported, "variant " + std::string(variant.name) + " has no operation", ""};
}

Result<std::vector<PeriodicEvent>> events_of(const Variant& variant, const Workload& workload) {
  const std::pair<const char*, std::uint64_t> periods[] = {
      {"drain", workload.drain_period}, {"flush", workload.flush_period}, {"read", workload.read_period}};
  std::vector<PeriodicEvent> events;
  for (const auto& [name, period] : periods) {
    if (period == 0) continue;
    const auto run = find_operation(variant, variant.events, name);
    if (!run) return run.error();
    events.push_back({(*run)->native, period});
  }
  return events;
}

// Drains come from the workload, or from a limit that is hit.
bool has_drains(const Workload& workload) { return workload.drain_period > 0 || workload.limit_pages > 0; }

}  // namespace

Result<PressureBuffers> make_pressure_buffers(const Workload& workload, const NativeArenaOptions& arena) {
  PressureBuffers buffers;
  if (workload.pressure_kib == 0) return buffers;
  const std::size_t size = std::size_t{workload.pressure_kib} << 10;
  for (const int node : arena.cpu_nodes) {
    auto buffer = AddressRange::reserve((size + kHugePage - 1) / kHugePage * kHugePage);
    if (!buffer) return buffer.error();
    if (const auto done = buffer->commit(buffer->size(), true); !done) return done.error();
    if (node != kAnyNode) {
      const auto bound = bind_to_node(buffer->data(), buffer->size(), node);
      if (!bound && arena.must_bind) return bound.error();
    }
    buffers.push_back(std::move(*buffer));
  }
  return buffers;
}

Driver driver_of(const Workload& workload) {
  if (workload.pressure_kib > 0) return run_pressure;
  return workload.memcgs > 1 ? run_cyclic : run_bare;
}

std::string driver_name(const Workload& workload) {
  const Driver driver = driver_of(workload);
  return driver == run_bare ? "bare" : driver == run_cyclic ? "cyclic" : "pressure";
}

Result<std::unique_ptr<NativeArm>> NativeArm::set_up(const Arm& arm, const Workload& workload,
                                                     const NativeArenaOptions& arena, const PressureBuffers& pressure) {
  std::unique_ptr<NativeArm> made(new NativeArm);
  made->name_ = arm.record.name;
  made->variant_ = arm.variant;
  made->cpus_ = std::vector<OnOneCpu>(arena.cpu_nodes.size());
  if (arm.variant) {
    auto created = NativeArena::create(arena);
    if (!created) return created.error();
    made->arena_ = std::move(*created);
    try {
      made->state_ = arm.variant->set_up(*made->arena_, workload);
    } catch (const std::bad_alloc&) {
      if (made->arena_->failure()) return *made->arena_->failure();
      return Error{ErrorKind::kUnavailable, "there is not enough memory to set up " + arm.record.name,
                   "use fewer memcgs, levels or CPUs"};
    }
  }
  if (const auto connected = made->connect(workload, pressure); !connected) return connected.error();
  return made;
}

NativeArm::~NativeArm() {
  if (state_) variant_->tear_down(state_);
}

Result<void> NativeArm::connect(const Workload& workload, const PressureBuffers& pressure) {
  for (unsigned cpu = 0; cpu < cpus_.size(); ++cpu) {
    auto& [on_cpu, objects] = cpus_[cpu];
    on_cpu.driver = driver_of(workload);
    objects.assign(workload.memcgs, &nothing);
    on_cpu.loop.operation = empty_operation;
    if (variant_)
      if (const auto done = connect_variant(cpu, workload); !done) return done.error();
    on_cpu.loop.objects = objects.data();
    on_cpu.loop.object_count = objects.size();
    on_cpu.loop.amount = workload.pages;
    if (!pressure.empty()) {
      on_cpu.loop.pressure = reinterpret_cast<std::uint64_t*>(pressure[cpu].data());
      on_cpu.loop.pressure_lines = (std::size_t{workload.pressure_kib} << 10) / kLine;
    }
  }
  return {};
}

Result<void> NativeArm::connect_variant(unsigned cpu, const Workload& workload) {
  auto& [on_cpu, objects] = cpus_[cpu];
  const auto operation = operation_on(*variant_, workload, cpu);
  if (!operation) return operation.error();
  on_cpu.loop.operation = (*operation)->native;
  on_cpu.loop.state = state_;
  for (unsigned i = 0; i < workload.memcgs; ++i) objects[i] = variant_->object(state_, cpu, i);
  if (cpu == 0) {
    auto events = events_of(*variant_, workload);
    if (!events) return events.error();
    on_cpu.events = std::move(*events);
  }
  if (has_drains(workload)) {
    const auto work = find_operation(*variant_, variant_->events, "work");
    if (!work) return work.error();
    on_cpu.work = (*work)->native;
  }
  return {};
}

std::string NativeArm::violated_invariant() const {
  return variant_ && variant_->violated_invariant ? variant_->violated_invariant(state_) : std::string();
}

}  // namespace hitmark::native
