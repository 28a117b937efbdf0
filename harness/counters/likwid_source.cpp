// The source "likwid". The library may hang or end its process, so it lives in the helper hitmark-likwid
// (likwid/likwid_helper.cpp), which counts per hardware thread whatever runs there.
#include <sched.h>
#include <unistd.h>

#include <climits>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <utility>

#include "harness/counters/access.hpp"
#include "harness/counters/child_process.hpp"
#include "harness/counters/counter_source.hpp"
#include "harness/counters/event_names.hpp"
#include "harness/counters/kernel_settings.hpp"
#include "harness/counters/probe_all.hpp"
#include "harness/counters/unavailable_session.hpp"
#include "harness/counters/verdict.hpp"

namespace hitmark {
namespace {

constexpr double kAnswerSeconds = 15;  // perfmon_init alone was seen to take 3.7
constexpr const char* kProgram = "hitmark-likwid";

// The helper's path: what HITMARK_LIKWID_HELPER says, else beside this program, else in a libexec folder.
Result<std::string> find_helper() {
  if (const char* named = std::getenv("HITMARK_LIKWID_HELPER"); named && *named) return std::string(named);
#ifndef HITMARK_HAS_LIKWID
  return Error{ErrorKind::kUnavailable, "this build has no likwid: configure with -DHITMARK_WITH_LIKWID=ON",
               "sudo apt install likwid && cmake --preset release -DHITMARK_WITH_LIKWID=ON"};
#endif
  // Built, installed wherever the package was unpacked, installed where it was configured for.
  std::vector<std::string> folders;
  char self[PATH_MAX];
  if (const ssize_t length = ::readlink("/proc/self/exe", self, sizeof self); length > 0) {
    const std::string program(self, static_cast<std::size_t>(length));
    const std::string folder = program.substr(0, program.rfind('/'));
    folders = {folder, folder + "/../libexec/hitmark"};
  }
  folders.emplace_back(HITMARK_LIBEXEC_DIR);
  std::string tried;
  for (const std::string& folder : folders) {
    const std::string path = folder + "/" + kProgram;
    if (::access(path.c_str(), F_OK) == 0) return path;
    tried += (tried.empty() ? "" : ", ") + folder;
  }
  return Error{ErrorKind::kUnavailable, "the helper that runs likwid is missing; looked in " + tried,
               std::string("HITMARK_LIKWID_HELPER=/path/to/") + kProgram};
}

std::string hint_for(const Error& error, const Access& access) {
  if (!error.hint.empty()) return error.hint;
  if (access.virtual_machine && !access.cpu_pmu) return std::string(kNothingInGuest);
  return "sudo modprobe msr, and run as root (CAP_SYS_RAWIO) without kernel lockdown; then: hitmark doctor";
}

// The helper with the kernel settings that it may change; both end together, the helper first.
class Helper {
 public:
  static Result<std::unique_ptr<Helper>> start() {
    auto path = find_helper();
    if (!path) return path.error();
    auto settings = std::make_unique<KernelSettings>();
    auto child = ChildProcess::execute(*path, kProgram);
    if (!child)
      return Error{child.error().kind, child.error().message, std::string("chmod +x ") + *path + ", or build it again"};
    return std::unique_ptr<Helper>(new Helper(std::move(settings), std::move(*child)));
  }
  ~Helper() {
    // likwid puts its registers back when it is asked to end; one that failed is ended without asking.
    if (answers_ && child_.write_line("quit")) (void)child_.read_line(deadline_in(1));
  }

  // One command, one answer. "refused TEXT" becomes an Error, and "error TEXT" together with what likwid said on
  // stderr.
  Result<std::string> ask(const std::string& command, Deadline deadline) {
    answers_ = false;
    if (auto sent = child_.write_line(command); !sent) return sent.error();
    auto answer = child_.read_line(deadline);
    answers_ = answer.has_value();
    if (answer && answer->starts_with("refused ")) return Error{ErrorKind::kUnavailable, answer->substr(8), ""};
    if (!answer || !answer->starts_with("error ")) return answer;
    const std::string said = child_.complaint();
    return Error{ErrorKind::kUnavailable, answer->substr(6) + (said.empty() ? "" : ": " + said), ""};
  }
  Result<void> expect_ok(const std::string& command, Deadline deadline) {
    auto answer = ask(command, deadline);
    if (!answer) return answer.error();
    if (*answer != "ok") return garbage(*answer);
    return {};
  }
  static Error garbage(const std::string& answer) {
    return {ErrorKind::kInvalid,
            std::string(kProgram) + " answered something that is no answer: '" + answer.substr(0, 60) + "'", ""};
  }

 private:
  Helper(std::unique_ptr<KernelSettings> settings, ChildProcess child)
      : settings_(std::move(settings)), child_(std::move(child)) {}
  std::unique_ptr<KernelSettings> settings_;
  ChildProcess child_;
  bool answers_ = false;
};

std::string spelled(const std::string& event) {
  const std::string_view spelling = spelling_of("likwid", event);
  return spelling.empty() ? event : std::string(spelling);
}

int first_allowed_cpu() {
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0)
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &allowed)) return cpu;
  return 0;
}

// "probe CPU EVENT SPELLING" -> verdict.hpp's line. Once the helper failed it is not asked again.
std::vector<Probe> probe(std::span<const std::string> asked, double deadline_seconds) {
  std::vector<std::string> events(asked.begin(), asked.end());
  if (events.empty()) events = events_of("likwid");
  const Deadline deadline = deadline_in(deadline_seconds);
  const Access access = read_access();
  auto helper = Helper::start();
  Error broken{ErrorKind::kUnavailable, "", ""};
  if (!helper) broken = helper.error();
  const std::string cpu = std::to_string(first_allowed_cpu());
  if (broken.message.empty())
    if (const auto opened = (*helper)->expect_ok("init " + cpu, deadline); !opened) broken = opened.error();

  std::vector<Probe> probes;
  for (const std::string& event : events) {
    if (broken.message.empty()) {
      const auto line = (*helper)->ask("probe " + event + " " + spelled(event), deadline);
      const auto answer = line ? probe_from_line("likwid", event, *line) : Result<Probe>(line.error());
      if (answer) {
        probes.push_back(*answer);
        continue;
      }
      broken = answer.error();
      if (broken.kind == ErrorKind::kInvalid) broken.message = std::string(kProgram) + " " + broken.message;
    }
    probes.push_back(unavailable_probe("likwid", event, {broken.message, hint_for(broken, access)}));
  }
  return probes;
}

// One helper per measured thread, on that thread's CPU.
class LikwidSession : public CounterSession {
 public:
  explicit LikwidSession(std::vector<Probe> probes) : probes_(std::move(probes)) {}

  Result<void> attach(int os_cpu) override {
    cpu_ = os_cpu;
    failure_ = Error{ErrorKind::kUnavailable, "", ""};
    std::string list;
    for (const Probe& probe : probes_)
      if (probe.reading.value) list += (list.empty() ? "" : ",") + spelled(probe.reading.event);
    if (list.empty()) return {};
    auto started = Helper::start();
    if (!started) {
      failure_ = started.error();
      return {};
    }
    helper_ = std::move(*started);
    note(helper_->expect_ok("init " + std::to_string(os_cpu), deadline_in(kAnswerSeconds)));
    if (failure_.message.empty()) note(helper_->expect_ok("open " + list, deadline_in(kAnswerSeconds)));
    return {};
  }
  void start() noexcept override { command("start"); }
  void stop() noexcept override { command("stop"); }

  std::vector<Reading> collect() override {
    const std::vector<double> values = read_values();
    std::vector<Reading> readings;
    std::size_t at = 0;
    for (const Probe& probe : probes_) {
      Reading reading = probe.reading;
      if (probe.reading.value) {
        reading = empty_reading("likwid", probe.reading.event);
        if (failure_.message.empty()) {
          reading.value = values[at++];
          reading.quality = Quality::kExact;
          reading.reason = "everything that ran on the CPU, in user mode";
        } else {
          reading.reason = failure_.message;
          reading.hint = hint_for(failure_, read_access());
        }
      }
      reading.cpu = cpu_;
      readings.push_back(std::move(reading));
    }
    discard_implausible(readings);
    return readings;
  }

 private:
  void note(const Result<void>& result) {
    if (!result && failure_.message.empty()) failure_ = result.error();
  }
  void command(const char* text) noexcept {
    if (helper_ && failure_.message.empty()) note(helper_->expect_ok(text, deadline_in(kAnswerSeconds)));
  }
  // "values V V ...": one finite number per event, or failure_ is set.
  std::vector<double> read_values() {
    std::vector<double> values;
    if (!helper_ || !failure_.message.empty()) return values;
    const auto answer = helper_->ask("read", deadline_in(kAnswerSeconds));
    if (!answer) {
      failure_ = answer.error();
      return values;
    }
    std::istringstream words(*answer);
    std::string first;
    words >> first;
    for (double value = 0; words >> value;) values.push_back(value);
    std::size_t wanted = 0;
    for (const Probe& probe : probes_) wanted += probe.reading.value.has_value();
    if (first != "values" || !words.eof() || values.size() != wanted) failure_ = Helper::garbage(*answer);
    return values;
  }

  std::vector<Probe> probes_;
  std::unique_ptr<Helper> helper_;
  Error failure_{ErrorKind::kUnavailable, "", ""};  // no message: none
  int cpu_ = -1;
};

std::string version() {
#ifdef HITMARK_HAS_LIKWID
  return HITMARK_LIKWID_VERSION;
#else
  return "not built in";
#endif
}

Result<std::unique_ptr<CounterSession>> open(std::span<const std::string> events);

constexpr CounterSource kSource = {"likwid", "hardware events through likwid, in a process of its own", probe, open,
                                   version};

Result<std::unique_ptr<CounterSession>> open(std::span<const std::string> events) {
  return std::unique_ptr<CounterSession>(new LikwidSession(cached_probes(kSource, events)));
}

const Registered<CounterSource> registered(kSource);

}  // namespace
}  // namespace hitmark
