// One function per aspect; each adds its facts in display order and the warnings that follow from them.
#include "harness/environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "embedded/build_info.hpp"
#include "harness/sysfs.hpp"

namespace hitmark {
namespace {

constexpr const char* kCpus = "/sys/devices/system/cpu/";

struct Collector {
  Sysfs files;
  Environment found;

  void add(const char* name, std::string value) { found.manifest.emplace_back(name, std::move(value)); }
  void add_line(const char* name, const std::string& path, const std::string& absent) {
    add(name, files.line(path).value_or(absent));
  }
  void warn(std::string text) { found.warnings.push_back(std::move(text)); }
};

std::string joined(const std::set<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : ", ") + value;
  return text;
}

// The first CPU's fields of /proc/cpuinfo.
std::map<std::string, std::string> cpu_fields(const std::string& cpuinfo) {
  std::map<std::string, std::string> fields;
  for (std::size_t from = 0; from < cpuinfo.size();) {
    const std::size_t end = std::min(cpuinfo.find('\n', from), cpuinfo.size());
    const std::string line = cpuinfo.substr(from, end - from);
    from = end + 1;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) {
      if (!fields.empty()) break;
      continue;
    }
    const std::string key = line.substr(0, line.find_last_not_of(" \t", colon - (colon > 0)) + 1);
    fields[key] = colon + 2 <= line.size() ? line.substr(colon + 2) : "";
  }
  return fields;
}

void add_cpu(Collector& c) {
  auto fields = cpu_fields(c.files.text("/proc/cpuinfo").value_or(""));
  if (fields.empty()) {
    for (const char* name : {"cpu", "cpu_id", "microcode"}) c.add(name, "not exposed: /proc/cpuinfo cannot be read");
  } else {
    c.add("cpu", fields["model name"]);
    c.add("cpu_id", fields["vendor_id"] + " family " + fields["cpu family"] + " model " + fields["model"] +
                        " stepping " + fields["stepping"]);
    c.add("microcode", fields["microcode"].empty() ? "not exposed by the kernel" : fields["microcode"]);
  }
  const std::string online = c.files.line(std::string(kCpus) + "online").value_or("");
  c.add("cpus_online", online.empty() ? "not exposed: no /sys/devices/system/cpu/online" : online);
  const auto isolated = c.files.line(std::string(kCpus) + "isolated");
  c.add("cpus_isolated", !isolated ? "not exposed by the kernel" : isolated->empty() ? "none" : *isolated);
  c.add_line("smt", std::string(kCpus) + "smt/control", "not exposed: no SMT control in sysfs");
}

// Nodes with CPUs per package. Firmware chooses it; nothing tells it directly.
void add_numa(Collector& c) {
  const auto nodes = c.files.line("/sys/devices/system/node/has_cpu");
  std::set<std::string> packages;
  for (const std::string& name : c.files.names(kCpus))
    if (name.starts_with("cpu"))
      if (const auto id = c.files.line(kCpus + name + "/topology/physical_package_id")) packages.insert(*id);
  if (!nodes || packages.empty()) {
    c.add("nps", "not exposed: no NUMA nodes in sysfs");
    return;
  }
  const int node_count = count_of_list(*nodes), package_count = static_cast<int>(packages.size());
  const std::string counts = std::to_string(node_count) + (node_count == 1 ? " node in " : " nodes in ") +
                             std::to_string(package_count) + (package_count == 1 ? " package" : " packages");
  const int per_package = node_count % package_count == 0 ? node_count / package_count : 0;
  const bool usual = per_package == 1 || per_package == 2 || per_package == 4;
  c.add("nps", usual ? "NPS" + std::to_string(per_package) + ", inferred from " + counts
                     : counts + ", which is no NPS setting (inferred: L3 as NUMA node, or uneven firmware)");
}

void add_kernel(Collector& c) {
  c.add_line("kernel", "/proc/sys/kernel/osrelease", "not exposed: no /proc/sys/kernel/osrelease");
  c.add_line("kernel_version", "/proc/sys/kernel/version", "not exposed: no /proc/sys/kernel/version");
  c.add_line("command_line", "/proc/cmdline", "not exposed: /proc/cmdline cannot be read");
  const auto clock = c.files.line("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  c.add("clocksource", clock.value_or("not exposed by the kernel"));
  if (clock && *clock != "tsc" && *clock != "kvm-clock" && !clock->starts_with("hyperv"))
    c.warn("the clock source is " + *clock + ": the kernel does not trust the TSC here, and slices are timed with it");
}

void add_frequency(Collector& c) {
  std::set<std::string> drivers, governors;
  const std::string policies = std::string(kCpus) + "cpufreq/";
  for (const std::string& policy : c.files.names(policies)) {
    if (!policy.starts_with("policy")) continue;
    if (const auto driver = c.files.line(policies + policy + "/scaling_driver")) drivers.insert(*driver);
    if (const auto governor = c.files.line(policies + policy + "/scaling_governor")) governors.insert(*governor);
  }
  const std::string none = "not exposed: no cpufreq driver";
  c.add("frequency_driver", drivers.empty() ? none : joined(drivers));
  c.add("governor", governors.empty() ? none : joined(governors));
  if (!governors.empty() && governors != std::set<std::string>{"performance"})
    c.warn("the governor is " + joined(governors) +
           ": the frequency follows the load; cpupower frequency-set -g performance");

  const auto boost = c.files.line(policies + "boost");
  const auto no_turbo = c.files.line(std::string(kCpus) + "intel_pstate/no_turbo");
  const bool known = boost || no_turbo;
  const bool on = boost ? *boost == "1" : no_turbo && *no_turbo == "0";
  c.add("boost", !known ? (drivers.empty() ? none : "not exposed by " + joined(drivers)) : on ? "on" : "off");
  if (on)
    c.warn("frequency boost is on: the clock depends on temperature and on the neighbours; " +
           std::string(boost ? "echo 0 > /sys/devices/system/cpu/cpufreq/boost"
                             : "echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo"));
  c.add_line("cpuidle_driver", std::string(kCpus) + "cpuidle/current_driver", "not exposed: no cpuidle");
}

void add_memory(Collector& c) {
  const auto thp = c.files.line("/sys/kernel/mm/transparent_hugepage/enabled");
  c.add("thp", thp ? selected(*thp) : "not exposed: kernel without transparent huge pages");
  const auto balancing = c.files.line("/proc/sys/kernel/numa_balancing");
  c.add("numa_balancing", !balancing ? "not exposed: kernel without NUMA balancing" : *balancing == "0" ? "off" : "on");
  if (balancing && *balancing != "0")
    c.warn(
        "NUMA balancing is on: the kernel unmaps and moves pages while they are measured; sysctl "
        "kernel.numa_balancing=0");
  std::map<long, std::string> huge;                                          // by KiB
  for (const std::string& name : c.files.names("/sys/kernel/mm/hugepages"))  // "hugepages-2048kB"
    if (name.starts_with("hugepages-"))
      huge[std::strtol(name.c_str() + 10, nullptr, 10)] =
          c.files.line("/sys/kernel/mm/hugepages/" + name + "/nr_hugepages").value_or("?");
  std::string sizes = std::to_string(::sysconf(_SC_PAGESIZE) / 1024) + " KiB";
  for (const auto& [kib, reserved] : huge) sizes += ", " + std::to_string(kib) + " KiB (" + reserved + " reserved)";
  c.add("page_sizes", sizes);
}

// "mitigated: spectre_v1, ...; vulnerable: tsa; 15 not affected"
void add_mitigations(Collector& c) {
  const std::string folder = std::string(kCpus) + "vulnerabilities/";
  std::set<std::string> mitigated, vulnerable;
  int unaffected = 0;
  for (const std::string& name : c.files.names(folder)) {
    const std::string state = c.files.line(folder + name).value_or("");
    if (state.starts_with("Not affected"))
      ++unaffected;
    else if (state.starts_with("Mitigation"))
      mitigated.insert(name);
    else
      vulnerable.insert(name);
  }
  if (mitigated.empty() && vulnerable.empty() && unaffected == 0) {
    c.add("mitigations", "not exposed by the kernel");
    return;
  }
  std::string text = "mitigated: " + (mitigated.empty() ? "none" : joined(mitigated));
  if (!vulnerable.empty()) text += "; vulnerable: " + joined(vulnerable);
  c.add("mitigations", text + "; not affected by " + std::to_string(unaffected));
}

void add_counters(Collector& c) {
  const auto watchdog = c.files.line("/proc/sys/kernel/nmi_watchdog");
  c.add("nmi_watchdog", !watchdog ? "not exposed: kernel without NMI watchdog" : *watchdog == "0" ? "off" : "on");
  if (watchdog && *watchdog != "0" && c.files.exists("/sys/bus/event_source/devices/cpu"))
    c.warn("the NMI watchdog is on: it takes one counter and interrupts; sysctl kernel.nmi_watchdog=0");
  c.add_line("perf_event_paranoid", "/proc/sys/kernel/perf_event_paranoid", "not exposed: kernel without perf events");
}

// CPUID's hypervisor bit, as the kernel shows it.
bool is_virtual(const Collector& c) {
  const auto fields = cpu_fields(c.files.text("/proc/cpuinfo").value_or(""));
  const auto flags = fields.find("flags");
  return flags != fields.end() && (" " + flags->second + " ").find(" hypervisor ") != std::string::npos;
}

void add_virtualisation(Collector& c) {
  const bool guest = is_virtual(c);
  std::string kind = c.files.line("/sys/hypervisor/type").value_or("");
  if (kind.empty()) kind = c.files.line("/sys/class/dmi/id/product_name").value_or("");
  c.add("virtual_machine", guest ? "yes" + (kind.empty() ? "" : " (" + kind + ")") : "no");
  if (guest)
    c.warn(
        "this is a virtual machine: the host moves and interrupts its CPUs unseen, and inferred distances may be "
        "untrue");

  const std::string cgroup = c.files.text("/proc/1/cgroup").value_or("");
  std::string container;
  if (c.files.exists("/.dockerenv"))
    container = "docker";
  else if (c.files.exists("/run/.containerenv"))
    container = "podman";
  else if (cgroup.find("kubepods") != std::string::npos)
    container = "kubernetes";
  else if (cgroup.find("/docker") != std::string::npos)
    container = "docker";
  else if (cgroup.find("/lxc") != std::string::npos)
    container = "lxc";
  c.add("container", container.empty() ? "none seen" : container);
}

void add_load(Collector& c) {
  const std::string load = c.files.line("/proc/loadavg").value_or("");
  c.add("load",
        load.empty() ? "not exposed: no /proc/loadavg" : load.substr(0, load.find(' ')) + " over the last minute");
  if (std::strtod(load.c_str(), nullptr) > 1)
    c.warn("other programs keep CPUs busy (load " + load.substr(0, load.find(' ')) +
           "): stop them, or expect wide intervals");
}

void add_build(Collector& c) {
  c.add("hitmark", HITMARK_BUILD_VERSION);
  c.add("revision", HITMARK_BUILD_REVISION);
  c.add("compiler", HITMARK_BUILD_COMPILER);
  c.add("compiler_flags", HITMARK_BUILD_FLAGS);
  c.add("build_type", HITMARK_BUILD_TYPE);
  if (std::string_view(HITMARK_BUILD_TYPE) == "Debug")
    c.warn(
        "this is a Debug build: the driver around the operations is slow; ./run build gives the one to measure with");
}

}  // namespace

Environment read_environment(const std::string& root) {
  Collector c{Sysfs(root), {}};
  add_cpu(c);
  add_numa(c);
  add_kernel(c);
  add_frequency(c);
  add_memory(c);
  add_mitigations(c);
  add_counters(c);
  add_virtualisation(c);
  add_load(c);
  add_build(c);
  return c.found;
}

std::string fact(const NameValues& manifest, std::string_view name) {
  const auto at = std::find_if(manifest.begin(), manifest.end(), [&](const auto& f) { return f.first == name; });
  return at == manifest.end() ? std::string() : at->second;
}

std::string differences_that_matter(const NameValues& then, const NameValues& now) {
  std::string text;
  for (const char* name : {"cpu", "microcode", "kernel", "revision", "compiler", "compiler_flags"}) {
    const std::string was = fact(then, name), is = fact(now, name);
    if (was != is) text += (text.empty() ? "" : "; ") + std::string(name) + " was '" + was + "' and is '" + is + "'";
  }
  return text;
}

}  // namespace hitmark
