// The source "papi". Compiled only where PAPI is; papi_absent.cpp takes its name otherwise. Probing happens in a
// forked child: initialising PAPI was seen to hang (papi#502). Nothing is ever multiplexed.
#include <papi.h>
#include <pthread.h>
#include <unistd.h>

#include <mutex>
#include <utility>

#include "harness/counters/access.hpp"
#include "harness/counters/child_process.hpp"
#include "harness/counters/counter_source.hpp"
#include "harness/counters/event_names.hpp"
#include "harness/counters/papi_refusal.hpp"
#include "harness/counters/probe_all.hpp"
#include "harness/counters/verdict.hpp"

namespace hitmark {
namespace {

std::string version() {
  return std::to_string(PAPI_VERSION_MAJOR(PAPI_VERSION)) + "." + std::to_string(PAPI_VERSION_MINOR(PAPI_VERSION)) +
         "." + std::to_string(PAPI_VERSION_REVISION(PAPI_VERSION));
}

std::string spelled(const std::string& event) {
  const std::string_view spelling = spelling_of("papi", event);
  return spelling.empty() ? event : std::string(spelling);
}

struct Failure {
  PapiStage stage = PapiStage::kInitialise;
  int code = PAPI_OK;
  std::string text;  // PAPI's
};

Failure failure(PapiStage stage, int code) { return {stage, code, PAPI_strerror(code)}; }

Refusal refusal(const Failure& failed, const std::string& event) {
  return papi_refusal(failed.stage, failed.code, failed.text, event, spelled(event), version(), read_access());
}

// Once per process; every later call gives the first answer.
const Failure& initialise() {
  static std::once_flag once;
  static Failure result;
  std::call_once(once, [] {
    const int code = PAPI_library_init(PAPI_VER_CURRENT);
    if (code != PAPI_VER_CURRENT) {
      result = failure(PapiStage::kInitialise, code < 0 ? code : PAPI_EINVAL);
      if (code > 0) result.text = "the library's version is not the header's";
      return;
    }
    if (const int threads = PAPI_thread_init(pthread_self); threads != PAPI_OK) {
      result = failure(PapiStage::kInitialise, threads);
      return;
    }
    const int component = PAPI_get_component_index("perf_event");
    const PAPI_component_info_t* info = component < 0 ? nullptr : PAPI_get_component_info(component);
    if (!info)
      result = {PapiStage::kComponent, PAPI_ENOCMP, "not built in"};
    else if (info->disabled && info->disabled != PAPI_EDELAY_INIT)
      result = {PapiStage::kComponent, info->disabled, info->disabled_reason};
  });
  return result;
}

// An event set of the calling thread.
class EventSet {
 public:
  EventSet() = default;
  EventSet(const EventSet&) = delete;
  EventSet& operator=(const EventSet&) = delete;
  ~EventSet() {
    if (set_ == PAPI_NULL) return;
    if (running_) stop();
    PAPI_cleanup_eventset(set_);
    PAPI_destroy_eventset(&set_);
  }

  Failure create() {
    if (const Failure& failed = initialise(); failed.code != PAPI_OK) return failed;
    if (const int code = PAPI_create_eventset(&set_); code != PAPI_OK) return failure(PapiStage::kAdd, code);
    const int code = PAPI_assign_eventset_component(set_, PAPI_get_component_index("perf_event"));
    return failure(PapiStage::kAdd, code);
  }
  Failure add(const std::string& spelling) {
    int event = 0;
    if (const int code = PAPI_event_name_to_code(spelling.c_str(), &event); code != PAPI_OK)
      return failure(PapiStage::kLookUp, code);
    const int code = PAPI_add_event(set_, event);
    if (code == PAPI_OK) values_.push_back(0);
    return failure(PapiStage::kAdd, code);
  }
  int start() noexcept {
    const int code = PAPI_start(set_);
    running_ = code == PAPI_OK;
    return code;
  }
  int stop() noexcept {
    running_ = false;
    return PAPI_stop(set_, values_.data());
  }
  bool empty() const { return values_.empty(); }
  double value(std::size_t index) const { return static_cast<double>(values_[index]); }

 private:
  int set_ = PAPI_NULL;
  bool running_ = false;
  std::vector<long long> values_;
};

// Adds the event alone and counts known work. A native name of the user's has no known work: two threads sharing
// lines is the likeliest to raise whatever he is after.
Probe probe_one(const std::string& event) {
  const EventName* known = find_event(event);
  std::vector<Counted> counted;
  for (int i = 0; i < kRepetitions; ++i) {
    EventSet set;
    Failure failed = set.create();
    if (failed.code == PAPI_OK) failed = set.add(spelled(event));
    if (failed.code != PAPI_OK) return unavailable_probe("papi", event, refusal(failed, event));
    int started = PAPI_EINVAL, stopped = PAPI_EINVAL;
    Counted one;
    one.work = do_known_work(
        known ? known->work : KnownWork::kSharedLine, [&] { started = set.start(); }, [&] { stopped = set.stop(); });
    if (one.work.possible && started != PAPI_OK)
      return unavailable_probe("papi", event, refusal(failure(PapiStage::kStart, started), event));
    if (one.work.possible && stopped != PAPI_OK)
      return unavailable_probe("papi", event, refusal(failure(PapiStage::kStop, stopped), event));
    one.value = set.value(0);
    counted.push_back(one);
  }
  return judge("papi", event, counted);
}

std::vector<Probe> probe(std::span<const std::string> asked, double deadline_seconds) {
  std::vector<std::string> events(asked.begin(), asked.end());
  if (events.empty()) events = events_of("papi");
  const Deadline deadline = deadline_in(deadline_seconds);
  auto child = ChildProcess::call(
      [&events](int line_fd) {
        for (const std::string& event : events) {
          const std::string line = to_line(probe_one(event)) + "\n";
          if (::write(line_fd, line.data(), line.size()) != static_cast<ssize_t>(line.size())) return;
        }
      },
      "PAPI " + version());
  std::vector<Probe> probes;
  std::string broken = child ? "" : child.error().message;
  for (const std::string& event : events) {
    if (broken.empty()) {
      const auto line = child->read_line(deadline);
      const auto answer = line ? probe_from_line("papi", event, *line) : Result<Probe>(line.error());
      if (answer) {
        probes.push_back(*answer);
        continue;
      }
      broken = answer.error().message;
    }
    probes.push_back(unavailable_probe("papi", event, {broken, "papi_component_avail; or: --counters perf"}));
  }
  return probes;
}

class PapiSession : public CounterSession {
 public:
  explicit PapiSession(std::vector<Probe> probes) : probes_(std::move(probes)) {}

  Result<void> attach(int os_cpu) override {
    readings_.clear();
    set_ = std::make_unique<EventSet>();
    Failure created;
    bool tried = false;
    for (const Probe& probe : probes_) {
      Reading reading = probe.reading;
      if (probe.reading.value) {
        if (!std::exchange(tried, true)) created = set_->create();
        const Failure failed = created.code != PAPI_OK ? created : set_->add(spelled(reading.event));
        reading = failed.code == PAPI_OK
                      ? empty_reading("papi", reading.event)
                      : unavailable_probe("papi", reading.event, refusal(failed, reading.event)).reading;
        if (failed.code == PAPI_OK) reading.quality = Quality::kExact;  // until something says otherwise
      }
      reading.cpu = os_cpu;
      readings_.push_back(std::move(reading));
    }
    return {};
  }
  void start() noexcept override { started_ = set_ && !set_->empty() ? set_->start() : PAPI_EINVAL; }
  void stop() noexcept override { stopped_ = started_ == PAPI_OK ? set_->stop() : PAPI_EINVAL; }

  std::vector<Reading> collect() override {
    std::vector<Reading> readings = readings_;
    std::size_t index = 0;
    for (Reading& reading : readings) {
      if (reading.quality != Quality::kExact) continue;
      const std::size_t at = index++;
      if (started_ == PAPI_OK && stopped_ == PAPI_OK) {
        reading.value = set_->value(at);
        continue;
      }
      const Failure failed =
          started_ != PAPI_OK ? failure(PapiStage::kStart, started_) : failure(PapiStage::kStop, stopped_);
      const Refusal why = refusal(failed, reading.event);
      reading.quality = Quality::kUnavailable;
      reading.reason = why.reason;
      reading.hint = why.hint;
    }
    discard_implausible(readings);
    return readings;
  }

 private:
  std::vector<Probe> probes_;
  std::vector<Reading> readings_;  // as attach() left them
  std::unique_ptr<EventSet> set_;
  int started_ = PAPI_EINVAL, stopped_ = PAPI_EINVAL;
};

Result<std::unique_ptr<CounterSession>> open(std::span<const std::string> events);

constexpr CounterSource kSource = {"papi", "software and hardware events through PAPI", probe, open, version};

Result<std::unique_ptr<CounterSession>> open(std::span<const std::string> events) {
  return std::unique_ptr<CounterSession>(new PapiSession(cached_probes(kSource, events)));
}

const Registered<CounterSource> registered(kSource);

}  // namespace
}  // namespace hitmark
