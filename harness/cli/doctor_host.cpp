// Each check does the thing once, the way the study does it.
#include <asm/prctl.h>
#include <cpuid.h>
#include <fcntl.h>
#include <linux/mempolicy.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "harness/cli/doctor.hpp"
#include "harness/counters/access.hpp"
#include "harness/sysfs.hpp"

namespace hitmark::cli {
namespace {

using State = Check::State;

std::string plural(int count, const char* thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

double raw_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double tsc_megahertz() {
  const double from = raw_seconds();
  const auto ticks = __rdtsc();
  double now = from;
  while (now < from + 0.01) now = raw_seconds();
  return static_cast<double>(__rdtsc() - ticks) / (now - from) / 1e6;
}

Check timing() {
  Check check{"timing", State::kWorks, "", "", true};
  unsigned a = 0, b = 0, c = 0, d = 0;
  const bool invariant = __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & 1u << 8) != 0;
  const Sysfs files("");
  const std::string clock =
      files.line("/sys/devices/system/clocksource/clocksource0/current_clocksource").value_or("not exposed");
  char text[160];
  std::snprintf(text, sizeof text, "TSC %s, %.0f MHz; the kernel's clock source is %s",
                invariant ? "invariant" : "not invariant", tsc_megahertz(), clock.c_str());
  check.finding = text;
  if (!invariant) {
    check.state = State::kMissing;
    check.finding += "; CPUID 0x80000007 EDX bit 8 is clear, so its ticks are no measure of time";
    check.hint = "nothing on this CPU; in a guest let the host pass invtsc on (qemu: -cpu host,+invtsc)";
  }
  return check;
}

// Moves this thread to every CPU it may use, and sees whether it gets there.
Check pinning() {
  Check check{"pinning", State::kWorks, "", "", true};
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
    check.state = State::kMissing;
    check.finding = std::string("the affinity cannot be read: ") + std::strerror(errno);
    check.hint = "more than " + std::to_string(CPU_SETSIZE) + " CPUs need a larger build";
    return check;
  }
  int reached = 0, refused = -1;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed)) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    if (::sched_setaffinity(0, sizeof one, &one) == 0 && ::sched_getcpu() == cpu)
      ++reached;
    else
      refused = cpu;
  }
  ::sched_setaffinity(0, sizeof allowed, &allowed);
  const long online = ::sysconf(_SC_NPROCESSORS_ONLN);
  check.finding = std::to_string(reached) + " of " + plural(static_cast<int>(online), "online CPU") + " can be had";
  if (refused >= 0) {
    check.state = State::kMissing;
    check.finding += "; CPU " + std::to_string(refused) + " is allowed, but a thread does not get there";
    check.hint = "run outside of the sandbox that overrides sched_setaffinity";
  } else if (reached < online) {
    check.state = State::kLimited;
    check.hint = "taskset -cp " + Sysfs("").line("/sys/devices/system/cpu/online").value_or("0-N") +
                 " $$, or widen the cpuset of the container";
  } else if (reached == 1) {
    check.state = State::kLimited;
    check.finding += ": nothing can be shared between CPUs";
    check.hint = "nothing: one CPU";
  }
  return check;
}

// Binds a page to each node and asks the kernel where it went.
Check memory_binding() {
  Check check{"memory binding", State::kWorks, "", "", false};
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  int nodes = 0;
  for (unsigned node = 0; node < 64; ++node) {
    if (!Sysfs("").exists("/sys/devices/system/node/node" + std::to_string(node))) continue;
    void* memory = ::mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) break;
    const unsigned long mask = 1ul << node;
    int where = -1;
    bool bound = ::syscall(SYS_mbind, memory, page, MPOL_BIND, &mask, 65ul, 0u) == 0;
    int code = errno;
    if (bound) {
      *static_cast<volatile char*>(memory) = 1;
      bound = ::syscall(SYS_get_mempolicy, &where, nullptr, 0ul, memory, MPOL_F_NODE | MPOL_F_ADDR) == 0;
      code = errno;
    }
    ::munmap(memory, page);
    if (!bound || where != static_cast<int>(node)) {
      check.state = State::kLimited;
      check.finding = "memory cannot be bound to node " + std::to_string(node) + ": " +
                      (bound ? "the kernel put it on node " + std::to_string(where) : std::strerror(code));
      check.hint = code == EPERM && !bound ? "docker run --cap-add SYS_NICE ..., or run outside the container"
                                           : "widen the cpuset's mems, or use a kernel with CONFIG_NUMA=y";
      return check;
    }
    ++nodes;
  }
  check.finding = nodes == 0 ? "the kernel shows no memory nodes" : plural(nodes, "node") + ", bound and verified";
  if (nodes == 1) check.finding += "; there is no remote home";
  if (nodes == 0) {
    check.state = State::kLimited;
    check.hint = "a kernel with CONFIG_NUMA=y";
  }
  return check;
}

// The variants find their per-CPU area through %gs, as the kernel does.
Check gs_base() {
  Check check{"per-CPU areas", State::kWorks, "the GS base can be set", "", true};
  unsigned long before = 0, after = 0;
  static char area[64];
  const auto wanted = reinterpret_cast<unsigned long>(area);
  const bool set = ::syscall(SYS_arch_prctl, ARCH_GET_GS, &before) == 0 &&
                   ::syscall(SYS_arch_prctl, ARCH_SET_GS, wanted) == 0 &&
                   ::syscall(SYS_arch_prctl, ARCH_GET_GS, &after) == 0 && after == wanted;
  const int code = errno;
  ::syscall(SYS_arch_prctl, ARCH_SET_GS, before);
  if (set) return check;
  check.state = State::kMissing;
  check.finding = std::string("the GS base cannot be set: ") + std::strerror(code);
  check.hint = "run outside of the sandbox that blocks arch_prctl";
  return check;
}

Check huge_pages() {
  const auto enabled = Sysfs("").line("/sys/kernel/mm/transparent_hugepage/enabled");
  const std::string setting = enabled ? selected(*enabled) : "not built into the kernel";
  Check check{"huge pages", State::kWorks, "transparent huge pages: " + setting, "", false};
  if (setting == "never" || !enabled) {
    check.state = State::kLimited;
    check.finding += "; page walks add to what is measured";
    check.hint = enabled ? "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled"
                         : "a kernel with CONFIG_TRANSPARENT_HUGEPAGE=y";
  }
  return check;
}

Check btf() {
  const char* path = "/sys/kernel/btf/vmlinux";
  Check check{"kernel layouts", State::kWorks, std::string(path) + " is readable", "", false};
  std::array<unsigned char, 2> magic{};
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  const int code = errno;
  const bool good = fd >= 0 && ::read(fd, magic.data(), magic.size()) == 2 && magic[0] == 0x9f && magic[1] == 0xeb;
  if (fd >= 0) ::close(fd);
  if (good) return check;
  check.state = State::kMissing;
  check.finding = std::string(path) + ": " + (fd < 0 ? std::strerror(code) : "not little-endian BTF");
  check.hint =
      fd < 0 && code == EACCES ? "sudo chmod a+r /sys/kernel/btf/vmlinux" : "a kernel with CONFIG_DEBUG_INFO_BTF=y";
  return check;
}

// Steps a child of ours by one instruction: how instructions are counted where there is no PMU.
Check ptrace_step() {
  Check check{"single-stepping", State::kWorks, "ptrace steps a child of ours", "", false};
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(1);
    ::raise(SIGSTOP);
    ::_exit(0);
  }
  int status = 0;
  bool stepped = child > 0 && ::waitpid(child, &status, 0) == child && WIFSTOPPED(status);
  if (stepped)
    stepped = ::ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) == 0 && ::waitpid(child, &status, 0) == child &&
              WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP;
  if (child > 0 && !WIFEXITED(status)) {
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
  }
  if (stepped) return check;
  check.state = State::kMissing;
  check.finding = "ptrace does not step a child of ours: instruction counts and traces cannot be taken";
  check.hint = "sudo sysctl kernel.yama.ptrace_scope=1; in a container: docker run --cap-add SYS_PTRACE ...";
  return check;
}

Check permissions() {
  const Access access = read_access();
  Check check{"permissions", State::kWorks, "", "", false};
  check.finding = access.paranoid == Access::kNoParanoid
                      ? "the kernel has no perf events"
                      : "perf_event_paranoid=" + std::to_string(access.paranoid) +
                            (access.cap_perfmon ? ", CAP_PERFMON" : ", no CAP_PERFMON") +
                            (access.cap_rawio ? ", CAP_SYS_RAWIO" : ", no CAP_SYS_RAWIO") +
                            (access.seccomp ? ", behind a seccomp filter" : "");
  if (access.cap_perfmon || (access.paranoid != Access::kNoParanoid && access.paranoid <= 1)) return check;
  check.state = State::kLimited;
  check.finding += ": events inside the kernel, the L3 and IBS are closed";
  check.hint = "sudo sysctl kernel.perf_event_paranoid=1 (per task), 0 (per CPU, L3, IBS), or run as root";
  return check;
}

}  // namespace

std::vector<Check> check_host() {
  return {timing(), pinning(), memory_binding(), gs_base(), huge_pages(), permissions(), ptrace_step(), btf()};
}

}  // namespace hitmark::cli
