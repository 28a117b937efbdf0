// Reads /proc and /sys; never opens an event itself.
#include "harness/counters/access.hpp"

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstring>

#include "harness/counters/event_names.hpp"
#include "support/file.hpp"

namespace hitmark {
namespace {

// The rest of the first line that starts with `key`, after a colon and blanks.
std::string field(std::string_view text, std::string_view key) {
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    std::string_view line = text.substr(from, end - from);
    from = end + 1;
    if (!line.starts_with(key)) continue;
    line.remove_prefix(key.size());
    const std::size_t colon = line.find_first_not_of(" \t");
    if (colon == std::string_view::npos || line[colon] != ':') continue;
    line.remove_prefix(colon + 1);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    return std::string(line);
  }
  return {};
}

std::uint64_t number(std::string_view text, int base) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, base);
  return value;
}

bool bit(std::uint64_t mask, int position) { return (mask >> position & 1) != 0; }

}  // namespace

Access read_access(const std::string& root) {
  Access access;
  const auto paranoid = read_line(root + "/proc/sys/kernel/perf_event_paranoid");
  access.paranoid = Access::kNoParanoid;
  if (paranoid) std::from_chars(paranoid->data(), paranoid->data() + paranoid->size(), access.paranoid);

  const auto status = read_file(root + "/proc/self/status");
  if (status) {
    const std::uint64_t effective = number(field(*status, "CapEff"), 16);
    access.cap_perfmon = bit(effective, 38) || bit(effective, 21);  // CAP_PERFMON, CAP_SYS_ADMIN
    access.cap_rawio = bit(effective, 17);
    access.seccomp = field(*status, "Seccomp") == "2";
  }
  const auto cpuinfo = read_file(root + "/proc/cpuinfo");
  if (cpuinfo) {
    access.virtual_machine = (" " + field(*cpuinfo, "flags") + " ").find(" hypervisor ") != std::string::npos;
    access.cpu = field(*cpuinfo, "vendor_id") + " family " + field(*cpuinfo, "cpu family") + " model " +
                 field(*cpuinfo, "model");
  }
  const std::string sources = root + "/sys/bus/event_source/devices/";
  access.cpu_pmu = ::access((sources + "cpu").c_str(), F_OK) == 0;
  access.l3_pmu = ::access((sources + "amd_l3").c_str(), F_OK) == 0;
  access.ibs_pmu = ::access((sources + "ibs_op").c_str(), F_OK) == 0;
  return access;
}

Refusal no_cpu_pmu(const Access& access) {
  return {std::string("no CPU PMU: the kernel lists no 'cpu' event source (virtual machine: ") +
              (access.virtual_machine ? "yes" : "no") + ")",
          access.virtual_machine ? std::string(kNothingInGuest)
                                 : "dmesg | grep -i 'perf\\|pmu' says why the kernel found none"};
}

Refusal perf_refusal(int error_number, std::string_view event, bool with_kernel, const Access& access) {
  const std::string name(event);
  switch (error_number) {
    case ENOENT:
      if (!access.cpu_pmu) return no_cpu_pmu(access);
      return {name + " is not an event that this kernel can count on this CPU (ENOENT)", "hitmark doctor"};
    case EACCES: {
      // The permission is looked at first, so that EACCES does not say whether there is such an event.
      if (is_hardware_event(event) && !access.cpu_pmu) return no_cpu_pmu(access);
      const std::string level = access.paranoid == Access::kNoParanoid ? "unknown" : std::to_string(access.paranoid);
      // Counting the thread's own user mode is allowed up to 2, its kernel mode up to 1.
      return {"counter access refused (EACCES, perf_event_paranoid=" + level +
                  (access.cap_perfmon ? "" : ", no CAP_PERFMON") + ")" +
                  (with_kernel ? ": " + name + ": counting in the kernel needs 1 or less" : ""),
              std::string("sudo sysctl kernel.perf_event_paranoid=") + (with_kernel ? "1" : "2") +
                  ", or run as root or with CAP_PERFMON"};
    }
    case EPERM:
    case ENOSYS:
      if (error_number == ENOSYS && !access.seccomp && access.paranoid == Access::kNoParanoid)
        return {"this kernel has no perf_event_open (ENOSYS)", "a kernel with CONFIG_PERF_EVENTS=y"};
      return {std::string("perf_event_open is blocked (") + (error_number == EPERM ? "EPERM" : "ENOSYS") +
                  "), probably by the container's seccomp profile",
              "docker run --cap-add PERFMON --security-opt seccomp=unconfined ..., or run outside the container"};
    case EINVAL:
      return {"the kernel refuses " + name +
                  " as it was asked for (EINVAL): an attribute that this CPU or kernel lacks, "
                  "or a group that does not fit the counters",
              "ask for fewer events at once"};
    case EMFILE:
    case ENFILE:
      return {"no file descriptor left for " + name + (error_number == EMFILE ? " (EMFILE)" : " (ENFILE)"),
              "ulimit -n 65536"};
    case EBUSY:
      return {"another user holds the counter that " + name + " needs (EBUSY)",
              "sudo sysctl kernel.nmi_watchdog=0, and stop other users of perf"};
    case EOPNOTSUPP:
    case ENODEV:
      return {name + " is not supported by this CPU's PMU (" + std::strerror(error_number) + ")", "hitmark doctor"};
    default:
      return {"perf_event_open refused " + name + ": " + std::strerror(error_number), "hitmark doctor"};
  }
}

}  // namespace hitmark
