#include "harness/counters/unavailable_session.hpp"

#include <utility>

namespace hitmark {
namespace {

class UnavailableSession : public CounterSession {
 public:
  explicit UnavailableSession(std::vector<Probe> probes) : probes_(std::move(probes)) {}
  Result<void> attach(int os_cpu) override {
    for (Probe& probe : probes_) probe.reading.cpu = os_cpu;
    return {};
  }
  void start() noexcept override {}
  void stop() noexcept override {}
  std::vector<Reading> collect() override {
    std::vector<Reading> readings;
    for (const Probe& probe : probes_) readings.push_back(probe.reading);
    return readings;
  }

 private:
  std::vector<Probe> probes_;
};

}  // namespace

std::unique_ptr<CounterSession> unavailable_session(std::vector<Probe> probes) {
  return std::make_unique<UnavailableSession>(std::move(probes));
}

}  // namespace hitmark
