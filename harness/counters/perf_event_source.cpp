// The source "perf": software events and the two generic hardware events straight from perf_event_open, for the
// calling thread. All events of a session are one group, so that they run together or not at all; none is scaled.
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "harness/counters/access.hpp"
#include "harness/counters/counter_source.hpp"
#include "harness/counters/event_names.hpp"
#include "harness/counters/perf_event.hpp"
#include "harness/counters/probe_all.hpp"
#include "harness/counters/verdict.hpp"

namespace hitmark {

PerfSystem& perf_system() {
  static PerfSystem system = {
      [](perf_event_attr* attributes, pid_t pid, int cpu, int group, unsigned long flags) {
        return static_cast<int>(::syscall(SYS_perf_event_open, attributes, pid, cpu, group, flags));
      },
      [](int fd, unsigned long request, unsigned long argument) { return ::ioctl(fd, request, argument); },
      [](int fd, void* buffer, std::size_t size) { return ::read(fd, buffer, size); },
      [](int fd) { return ::close(fd); },
  };
  return system;
}

namespace {

struct Code {
  std::string_view event;
  std::uint32_t type;
  std::uint64_t config;
};
constexpr std::array kCodes = {
    Code{"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    Code{"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    Code{"cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    Code{"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    Code{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    Code{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
};

// An open event of the calling thread, or the reason why not.
class PerfEvent {
 public:
  PerfEvent(std::string_view event, int group) : event_(event) {
    for (const Code& code : kCodes)
      if (code.event == event) open(code, group);
    if (fd_ < 0 && refusal_.reason.empty()) refusal_ = {"perf has no event '" + event_ + "'", "hitmark doctor"};
  }
  PerfEvent(PerfEvent&& other) noexcept
      : event_(std::move(other.event_)), fd_(std::exchange(other.fd_, -1)), refusal_(std::move(other.refusal_)) {}
  PerfEvent& operator=(PerfEvent&&) = delete;
  ~PerfEvent() {
    if (fd_ >= 0) perf_system().close(fd_);
  }

  int fd() const { return fd_; }
  const std::string& event() const { return event_; }
  const Refusal& refusal() const { return refusal_; }
  void refuse(Refusal refusal) { refusal_ = std::move(refusal); }
  bool usable() const { return fd_ >= 0 && refusal_.reason.empty(); }

  // Value and share of the enabled time that it ran; false (with a refusal) when nothing was counted.
  bool read(double& value, double& share) {
    std::array<std::uint64_t, 3> content{};  // value, time enabled, time running
    const ssize_t got = perf_system().read(fd_, content.data(), sizeof content);
    if (got != static_cast<ssize_t>(sizeof content) || content[1] == 0) {
      refuse({event_ + " was opened but never ran: it does not fit the counters beside the others",
              "ask for fewer events at once"});
      return false;
    }
    value = static_cast<double>(content[0]);
    share = static_cast<double>(content[2]) / static_cast<double>(content[1]);
    return true;
  }

 private:
  void open(const Code& code, int group) {
    const EventName* known = find_event(code.event);
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = code.type;
    attributes.config = code.config;
    attributes.disabled = group < 0;
    attributes.exclude_hv = 1;
    attributes.exclude_kernel = !known->in_kernel;  // asks for the least permission that the event needs
    attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    fd_ = perf_system().open(&attributes, 0, -1, group, PERF_FLAG_FD_CLOEXEC);
    const int why = errno;  // reading the access below overwrites it
    if (fd_ < 0) refusal_ = perf_refusal(why, event_, known->in_kernel, read_access());
  }

  std::string event_;
  int fd_ = -1;
  Refusal refusal_;
};

bool control_group(int leader, unsigned long request) {
  return perf_system().control(leader, request, PERF_IOC_FLAG_GROUP) == 0;
}

class PerfSession : public CounterSession {
 public:
  explicit PerfSession(std::vector<Probe> probes) : probes_(std::move(probes)) {}

  Result<void> attach(int os_cpu) override {
    cpu_ = os_cpu;
    events_.clear();
    leader_ = -1;
    for (const Probe& probe : probes_) {
      if (!probe.reading.value) continue;
      events_.emplace_back(probe.reading.event, leader_);
      if (leader_ < 0) leader_ = events_.back().fd();
    }
    return {};
  }

  void start() noexcept override {
    started_ =
        leader_ >= 0 && control_group(leader_, PERF_EVENT_IOC_RESET) && control_group(leader_, PERF_EVENT_IOC_ENABLE);
  }
  void stop() noexcept override {
    if (leader_ >= 0) control_group(leader_, PERF_EVENT_IOC_DISABLE);
  }

  std::vector<Reading> collect() override {
    std::vector<Reading> readings;
    auto event = events_.begin();
    for (const Probe& probe : probes_) {
      Reading reading = probe.reading;
      if (probe.reading.value) reading = read(*event++);
      reading.cpu = cpu_;
      readings.push_back(std::move(reading));
    }
    discard_implausible(readings);
    return readings;
  }

 private:
  Reading read(PerfEvent& event) {
    Reading reading = empty_reading("perf", event.event());
    double value = 0, share = 0;
    if (event.usable() && !started_) event.refuse({"the kernel did not start the counters", "hitmark doctor"});
    if (event.usable() && event.read(value, share)) {
      if (share < 1) {
        event.refuse(not_always_running(event.event(), share));
      } else {
        reading.value = value;
        reading.quality = Quality::kExact;
      }
    }
    reading.reason = event.refusal().reason;
    reading.hint = event.refusal().hint;
    return reading;
  }

  std::vector<Probe> probes_;
  std::vector<PerfEvent> events_;  // of the probes that count, in their order
  int cpu_ = -1;
  int leader_ = -1;
  bool started_ = false;
};

Probe probe_one(const std::string& event) {
  const EventName* known = find_event(event);
  std::vector<Counted> counted;
  for (int i = 0; known && i < kRepetitions; ++i) {
    PerfEvent perf(event, -1);
    if (!perf.usable()) return unavailable_probe("perf", event, perf.refusal());
    Counted one;
    bool started = false;
    one.work = do_known_work(
        known->work, [&] { started = control_group(perf.fd(), PERF_EVENT_IOC_ENABLE); },
        [&] { control_group(perf.fd(), PERF_EVENT_IOC_DISABLE); });
    if (!started) perf.refuse({"the kernel did not start " + event, "hitmark doctor"});
    if (!started || !perf.read(one.value, one.share)) return unavailable_probe("perf", event, perf.refusal());
    counted.push_back(one);
  }
  return judge("perf", event, counted);
}

// Milliseconds of work in system calls that do not wait: the deadline needs no watch.
std::vector<Probe> probe(std::span<const std::string> events, double) {
  std::vector<std::string> all(events.begin(), events.end());
  if (all.empty()) all = events_of("perf");
  std::vector<Probe> probes;
  for (const std::string& event : all) {
    if (spelling_of("perf", event).empty())
      probes.push_back(unavailable_probe("perf", event, {"perf has no event '" + event + "'", "hitmark doctor"}));
    else
      probes.push_back(probe_one(event));
  }
  return probes;
}

std::string version() {
  utsname name{};
  return ::uname(&name) == 0 ? std::string("Linux ") + name.release : "Linux";
}

Result<std::unique_ptr<CounterSession>> open(std::span<const std::string> events);

constexpr CounterSource kSource = {"perf", "software and generic events from perf_event_open", probe, open, version};

Result<std::unique_ptr<CounterSession>> open(std::span<const std::string> events) {
  return std::unique_ptr<CounterSession>(new PerfSession(cached_probes(kSource, events)));
}

const Registered<CounterSource> registered(kSource);

}  // namespace
}  // namespace hitmark
