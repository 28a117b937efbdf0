// How fast the engine is: a variant of sock-charge, traced, on CPUs of a generic Rome.
//   hitmark_engine_bench VARIANT CPUS OPERATIONS run-ahead|lockstep [PRESSURE_KIB [FLUSH_PERIOD]]
// Prints accesses, ordered accesses, switches, seconds, accesses per second, peak memory and a checksum of clocks and
// traffic. Under callgrind --instr-atstart=no the instructions of the run alone are counted, kernels included
// (support/verify/simulator-speed.sh). VARIANT "private": each CPU adds to words of its own.
#include <sys/mman.h>
#include <sys/resource.h>
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION static_cast<void>(0)
#define CALLGRIND_STOP_INSTRUMENTATION static_cast<void>(0)
#endif

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "harness/simulator/engine/engine.hpp"
#include "kernels/memory/arena.hpp"
#include "kernels/variant.hpp"
#include "support/check.hpp"

namespace hitmark::simulator {
namespace {

constexpr std::size_t kShared = std::size_t{2} << 20, kPerCpu = std::size_t{64} << 10;
constexpr double kInstructions = 100;  // of an operation; of no weight here

// One mapping: shared objects, per-CPU areas, pressure.
class OneArena final : public Arena {
 public:
  OneArena(unsigned cpus, std::size_t pressure) : cpus_(cpus), pressure_(pressure) {
    void* at = mmap(nullptr, size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    HITMARK_CHECK(at != MAP_FAILED, "no address space");
    memory_ = static_cast<char*>(at);
    for (unsigned cpu = 0; cpu < cpus; ++cpu) {
      void* area = percpu_address(cpu, 0);
      *static_cast<std::uintptr_t*>(area) = reinterpret_cast<std::uintptr_t>(area);
    }
  }
  ~OneArena() override { munmap(memory_, size()); }
  OneArena(const OneArena&) = delete;
  OneArena& operator=(const OneArena&) = delete;

  void* shared(std::string_view, std::string_view, std::size_t bytes, std::size_t alignment) override {
    const std::size_t at = (shared_used_ + alignment - 1) / alignment * alignment;
    shared_used_ = at + bytes;
    HITMARK_CHECK(shared_used_ <= kShared, "shared memory used up");
    return memory_ + at;
  }
  std::uintptr_t percpu(std::string_view, std::string_view, std::size_t bytes, std::size_t alignment,
                        bool at_static) override {
    if (at_static) return kStaticPercpu;
    const std::size_t at = (percpu_used_ + alignment - 1) / alignment * alignment;
    percpu_used_ = at + bytes;
    HITMARK_CHECK(percpu_used_ <= kPerCpu, "per-CPU memory used up");
    return at;
  }
  void* percpu_address(unsigned cpu, std::uintptr_t offset) override {
    return memory_ + kShared + std::size_t{cpu} * kPerCpu + offset;
  }
  unsigned cpu_count() const override { return cpus_; }
  const std::vector<ArenaObject>& objects() const override { return objects_; }

  std::uintptr_t base() const { return reinterpret_cast<std::uintptr_t>(memory_); }
  std::uintptr_t pressure(unsigned cpu) const { return base() + kShared + cpus_ * kPerCpu + cpu * pressure_; }
  std::size_t size() const { return kShared + cpus_ * (kPerCpu + pressure_); }

 private:
  unsigned cpus_;
  std::size_t pressure_, shared_used_ = 0, percpu_used_ = kStaticPercpu + kStaticPercpuSize;
  char* memory_ = nullptr;
  std::vector<ArenaObject> objects_;
};

struct Job {
  std::string_view variant;
  unsigned cpus = 128;
  std::uint64_t operations = 1000;
  bool run_ahead = true;
  std::size_t pressure = 0;
  std::uint64_t flush_period = 100'000;
  bool counted = false;
};

struct Figures {
  std::uint64_t accesses = 0, ordered = 0, switches = 0, checksum = 0;
  double seconds = 0;
};

const Operation* named(std::span<const Operation> list, std::string_view name) {
  for (const Operation& operation : list)
    if (operation.name == name) return &operation;
  return nullptr;
}

bool try_job(const Job& job, std::vector<bool>& shared_lines, Figures& figures) {
  const bool private_only = job.variant == "private";
  const Variant* variant =
      private_only ? nullptr : Registry<Variant>::instance().find("sock-charge/" + std::string(job.variant));
  HITMARK_CHECK(private_only || variant, "no such variant of sock-charge");
  MachineModel machine;
  OneArena arena(job.cpus, job.pressure);
  std::vector<unsigned> os_cpus;
  for (unsigned cpu = 0; cpu < job.cpus; ++cpu) os_cpus.push_back(cpu);
  std::vector<Home> homes(arena.size() / 64);
  for (std::size_t line = 0; line < homes.size(); ++line) {  // areas near their CPUs, channels by line
    const std::size_t offset = line * 64;
    const unsigned cpu = offset < kShared ? 0 : static_cast<unsigned>((offset - kShared) / kPerCpu);
    const unsigned ccx = machine.ccx_of_core(machine.core_of(cpu % machine.cpus()));
    homes[line] = {static_cast<std::uint8_t>(machine.socket_of_ccx(ccx)), static_cast<std::uint8_t>(line / 4 % 4),
                   static_cast<std::uint8_t>(line / 16 % 2)};
  }
  Workload workload;
  void* state = variant ? variant->set_up(arena, workload) : nullptr;
  const Operation* pair = variant ? &variant->operations[0] : nullptr;
  const Operation* flush = variant ? named(variant->events, "flush") : nullptr;
  Engine engine(machine, arena.base(), std::move(homes), {}, os_cpus,
                {.run_ahead = job.run_ahead, .shared_lines = shared_lines});
  std::vector<TracedCpu> traced;
  for (unsigned cpu = 0; cpu < job.cpus; ++cpu)
    traced.emplace_back(cpu, reinterpret_cast<std::uintptr_t>(arena.percpu_address(cpu, 0)), &engine);

  const auto start = std::chrono::steady_clock::now();
  if (job.counted) CALLGRIND_START_INSTRUMENTATION;
  const bool fine = engine.run([&](unsigned cpu) {
    TracedCpu& own = traced[cpu];
    void* object = variant ? variant->object(state, cpu, 0) : nullptr;
    auto* words = static_cast<Cell<unsigned long>*>(arena.percpu_address(cpu, kStaticPercpu));
    for (std::uint64_t i = 0; i < job.operations; ++i) {
      for (std::size_t at = 0; at < job.pressure; at += 64) {
        engine.on_access(cpu, {arena.pressure(cpu) + at, 8, AccessKind::kLoad});
        engine.on_access(cpu, {arena.pressure(cpu) + at, 8, AccessKind::kStore});
      }
      if (pair) {
        pair->traced(state, object, workload.pages, own);
      } else {
        for (unsigned word = 0; word < 32; ++word) own.write_once(words[word], own.read_once(words[word]) + 1);
      }
      engine.spend_instructions(cpu, kInstructions);
      if (cpu == 0 && flush && (i + 1) % job.flush_period == 0) flush->traced(state, nullptr, 0, own);
    }
  });
  if (job.counted) CALLGRIND_STOP_INSTRUMENTATION;
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  const Engine::Work work = engine.work();
  figures = {work.accesses, work.ordered, work.switches, 0, time.count()};
  if (fine) {
    const auto mix = [&figures](std::uint64_t value) {
      figures.checksum = (figures.checksum ^ value) * 1099511628211ull;
    };
    for (unsigned cpu = 0; cpu < job.cpus; ++cpu) mix(engine.now(cpu));
    for (const Engine::Row& row : engine.traffic()) {
      mix(row.offset);
      const auto* fields = reinterpret_cast<const std::uint64_t*>(&row.traffic);
      for (std::size_t i = 0; i < sizeof(Traffic) / 8; ++i) mix(fields[i]);
    }
  }
  shared_lines = engine.shared_lines();
  if (variant) variant->tear_down(state);
  return fine;
}

int bench(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(
        stderr,
        "usage: hitmark_engine_bench VARIANT CPUS OPERATIONS run-ahead|lockstep [PRESSURE_KIB [FLUSH_PERIOD]]\n");
    return 2;
  }
  Job job;
  job.variant = argv[1];
  job.cpus = static_cast<unsigned>(std::atoi(argv[2]));
  job.operations = std::strtoull(argv[3], nullptr, 10);
  job.run_ahead = std::string_view(argv[4]) == "run-ahead";
  if (argc > 5) job.pressure = std::strtoull(argv[5], nullptr, 10) << 10;
  if (argc > 6) job.flush_period = std::strtoull(argv[6], nullptr, 10);
  // A short first try learns the shared lines, so that the costs of the long one do not depend on a surprise.
  std::vector<bool> shared_lines;
  unsigned tries = 0;
  Figures figures;
  for (Job learning = job; job.run_ahead;) {
    learning.operations = std::min<std::uint64_t>(job.operations, 400);
    learning.flush_period = 300;
    ++tries;
    if (try_job(learning, shared_lines, figures)) break;
  }
  job.counted = true;
  do ++tries;
  while (!try_job(job, shared_lines, figures));
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  std::printf(
      "accesses %llu ordered %llu switches %llu seconds %.3f per_second %.1fM peak_mib %ld tries %u checksum %016llx\n",
      static_cast<unsigned long long>(figures.accesses), static_cast<unsigned long long>(figures.ordered),
      static_cast<unsigned long long>(figures.switches), figures.seconds,
      static_cast<double>(figures.accesses) / figures.seconds / 1e6, usage.ru_maxrss / 1024, tries,
      static_cast<unsigned long long>(figures.checksum));
  return 0;
}

}  // namespace
}  // namespace hitmark::simulator

int main(int argc, char** argv) { return hitmark::simulator::bench(argc, argv); }
