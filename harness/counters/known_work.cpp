// One function per kind of work; each prepares outside of what is counted.
#include "harness/counters/known_work.hpp"

#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include <atomic>
#include <limits>
#include <system_error>
#include <thread>

namespace hitmark {
namespace {

using Action = std::function<void()>;
constexpr double kNoLimit = std::numeric_limits<double>::infinity();
constexpr double kSlack = 16;  // events that start and stop themselves may add: a lazy symbol, a cold stack page

// What this program was allowed when it started; a thread that pins itself keeps its second thread elsewhere.
const cpu_set_t allowed_at_start = [] {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  ::sched_getaffinity(0, sizeof allowed, &allowed);
  return allowed;
}();

WorkDone impossible(const char* obstacle) {
  WorkDone done;
  done.possible = false;
  done.obstacle = obstacle;
  return done;
}

WorkDone touch_pages(const Action& start, const Action& stop) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* mapped = ::mmap(nullptr, kKnownPages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return impossible("no memory for the pages to touch");
  ::madvise(mapped, kKnownPages * page, MADV_NOHUGEPAGE);  // fails only where there are none
  auto* bytes = static_cast<char*>(mapped);
  start();
  // In assembly, because a sanitizer would touch a page of its own shadow for each of ours.
  for (int i = 0; i < kKnownPages; ++i)
    asm volatile("movb $1, (%0)" : : "r"(bytes + static_cast<std::size_t>(i) * page) : "memory");
  stop();
  ::munmap(mapped, kKnownPages * page);
  return {kKnownPages, kKnownPages, kKnownPages + kSlack};
}

void loop() {
  long left = kKnownIterations;
  asm volatile("1:\n\tdec %0\n\tjnz 1b" : "+r"(left) : : "cc");
}

WorkDone loop_instructions(const Action& start, const Action& stop) {
  start();
  loop();
  stop();
  constexpr double kInstructions = 2.0 * kKnownIterations;
  constexpr double kStartStop = 10'000;
  return {kInstructions, kInstructions * 0.995, kInstructions * 1.005 + kStartStop};
}

WorkDone loop_cycles(const Action& start, const Action& stop) {
  start();
  const auto before = __rdtsc();
  loop();
  const auto ticks = static_cast<double>(__rdtsc() - before);
  stop();
  return {0, 0.2 * ticks, 5 * ticks};
}

double switches_so_far() {
  rusage usage{};
  ::getrusage(RUSAGE_THREAD, &usage);
  return static_cast<double>(usage.ru_nvcsw + usage.ru_nivcsw);
}

// The kernel keeps the same count for getrusage, by other code.
WorkDone block(const Action& start, const Action& stop) {
  const double before_start = switches_so_far();
  start();
  const double after_start = switches_so_far();
  const timespec shortly{0, 50'000};
  for (int i = 0; i < 8; ++i) ::nanosleep(&shortly, nullptr);
  const double before_stop = switches_so_far();
  stop();
  const double after_stop = switches_so_far();
  if (before_stop == after_start) return impossible("the thread could not be made to block");
  return {before_stop - after_start, before_stop - after_start, after_stop - before_start};
}

WorkDone migrate(const Action& start, const Action& stop) {
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return impossible("the CPU affinity cannot be read");
  if (CPU_COUNT(&allowed) < 2) return impossible("one CPU is allowed, so nothing can be made to migrate");
  const auto move_to = [](int cpu) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    return ::sched_setaffinity(0, sizeof one, &one) == 0;
  };
  int cpus[2] = {-1, -1};
  for (int cpu = 0, found = 0; cpu < CPU_SETSIZE && found < 2; ++cpu)
    if (CPU_ISSET(cpu, &allowed)) cpus[found++] = cpu;
  bool moved = move_to(cpus[0]);
  start();
  for (int i = 1; i <= kKnownMigrations; ++i) moved = move_to(cpus[i % 2]) && moved;
  stop();
  ::sched_setaffinity(0, sizeof allowed, &allowed);
  if (!moved) return impossible("the thread cannot be moved to another CPU");
  return {kKnownMigrations, kKnownMigrations, kKnownMigrations};
}

double cpu_time_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

WorkDone cpu_time(const Action& start, const Action& stop) {
  const double before_start = cpu_time_ns();
  start();
  const double after_start = cpu_time_ns();
  loop();
  const double spent = cpu_time_ns() - after_start;
  stop();
  const double around = cpu_time_ns() - before_start;
  return {spent, 0.9 * spent, 1.1 * around};
}

// Two threads read and then add to the same lines: fills from caches and upgrades, but how many is up to them.
WorkDone shared_line(const Action& start, const Action& stop) {
  struct alignas(64) Line {
    std::atomic<long> value{0};
  };
  static Line lines[16];
  constexpr int kRounds = 20'000;
  const auto share = [] {
    for (int i = 0; i < kRounds; ++i) {
      Line& line = lines[i % 16];
      if (line.value.load(std::memory_order_relaxed) >= 0) line.value.fetch_add(1, std::memory_order_relaxed);
    }
  };
  cpu_set_t others = allowed_at_start;
  if (const int here = ::sched_getcpu(); here >= 0) CPU_CLR(here, &others);
  if (CPU_COUNT(&others) == 0) return impossible("one CPU is allowed, so no line can be shared");
  try {
    std::atomic<bool> running{false};
    std::jthread other([&](const std::stop_token& token) {
      ::sched_setaffinity(0, sizeof others, &others);
      running = true;
      while (!token.stop_requested()) share();
    });
    while (!running) ::sched_yield();
    start();
    share();
    stop();
  } catch (const std::system_error&) {
    return impossible("no second thread can be started");
  }
  return {0, 1, kNoLimit};
}

}  // namespace

WorkDone do_known_work(KnownWork work, const Action& start, const Action& stop) {
  switch (work) {
    case KnownWork::kTouchPages:
      return touch_pages(start, stop);
    case KnownWork::kLoopInstructions:
      return loop_instructions(start, stop);
    case KnownWork::kLoopCycles:
      return loop_cycles(start, stop);
    case KnownWork::kBlock:
      return block(start, stop);
    case KnownWork::kMigrate:
      return migrate(start, stop);
    case KnownWork::kCpuTime:
      return cpu_time(start, stop);
    case KnownWork::kSharedLine:
      return shared_line(start, stop);
  }
  return impossible("unknown work");
}

}  // namespace hitmark
