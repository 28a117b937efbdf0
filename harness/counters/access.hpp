// What decides on this host whether a counter may and can be opened, and the words for a refusal. Nothing here
// says that a counter counts: only counting known work does.
#pragma once

#include <string>
#include <string_view>

namespace hitmark {

struct Access {
  int paranoid = 2;              // kernel.perf_event_paranoid; kNoParanoid when the kernel has no perf_event
  bool cap_perfmon = false;      // CAP_PERFMON or CAP_SYS_ADMIN, effective
  bool cap_rawio = false;        // CAP_SYS_RAWIO, effective
  bool seccomp = false;          // a system call filter is on
  bool virtual_machine = false;  // CPUID's hypervisor bit
  bool cpu_pmu = false;          // the kernel lists an event source "cpu"
  bool l3_pmu = false;           // "amd_l3"
  bool ibs_pmu = false;          // "ibs_op"
  std::string cpu;               // "AuthenticAMD family 23 model 49"
  static constexpr int kNoParanoid = -100;
};

// `root` replaces "/" for tests.
Access read_access(const std::string& root = "");

struct Refusal {
  std::string reason;
  std::string hint;
};

// Why perf_event_open refused `event` with `error_number`. `with_kernel`: the event had to count kernel mode too,
// which asks for more permission.
Refusal perf_refusal(int error_number, std::string_view event, bool with_kernel, const Access& access);

// "no CPU PMU: ..." and what would change it.
Refusal no_cpu_pmu(const Access& access);

// The hint of everything that a guest without a PMU cannot have.
inline constexpr std::string_view kNothingInGuest = "nothing: virtual machine without PMU";

}  // namespace hitmark
