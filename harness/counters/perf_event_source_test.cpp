// The perf source against a kernel of the test's making, and against the real one.
#include <gmock/gmock.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <map>

#include "harness/counters/counter_source.hpp"
#include "harness/counters/known_work.hpp"
#include "harness/counters/perf_event.hpp"
#include "harness/counters/probe_all.hpp"

namespace hitmark {
namespace {

using testing::HasSubstr;

const CounterSource& perf() { return *Registry<CounterSource>::instance().find("perf"); }

// What the fake kernel does; one per test, since PerfSystem holds plain functions.
struct FakeKernel {
  int open_errno = 0;
  int refuse_config = -1;  // only this config is refused with open_errno
  std::uint64_t value = 0, enabled = 100, running = 100;
  ssize_t read_size = 24;
  bool control_works = true;
  int open_now = 0;
  int next = 1000;
  std::vector<perf_event_attr> opened;
  std::vector<int> groups;
};
FakeKernel kernel;

class FakePerf : public testing::Test {
 protected:
  void SetUp() override {
    kernel = {};
    forget_probes();
    perf_system() = {
        [](perf_event_attr* attributes, pid_t pid, int cpu, int group, unsigned long flags) {
          EXPECT_EQ(pid, 0);
          EXPECT_EQ(cpu, -1);
          EXPECT_EQ(flags, static_cast<unsigned long>(PERF_FLAG_FD_CLOEXEC));
          if (kernel.open_errno != 0 &&
              (kernel.refuse_config < 0 || kernel.refuse_config == static_cast<int>(attributes->config))) {
            errno = kernel.open_errno;
            return -1;
          }
          kernel.opened.push_back(*attributes);
          kernel.groups.push_back(group);
          ++kernel.open_now;
          return kernel.next++;
        },
        [](int, unsigned long, unsigned long) { return kernel.control_works ? 0 : -1; },
        [](int, void* buffer, std::size_t) {
          const std::uint64_t content[3] = {kernel.value, kernel.enabled, kernel.running};
          std::memcpy(buffer, content, sizeof content);
          return kernel.read_size;
        },
        [](int) { return --kernel.open_now, 0; },
    };
  }
  void TearDown() override {
    EXPECT_EQ(kernel.open_now, 0) << "descriptors were left open";
    perf_system() = real_;
    forget_probes();
  }
  Probe probe_of(const std::string& event) { return perf().probe(std::vector{event}, 1).at(0); }

 private:
  const PerfSystem real_ = perf_system();
};

TEST_F(FakePerf, NamesEveryRefusal) {
  const std::pair<int, const char*> cases[] = {
      {EACCES, "counter access refused (EACCES"},
      {EPERM, "blocked (EPERM)"},
      {ENOSYS, "ENOSYS"},
      {EINVAL, "(EINVAL)"},
      {EMFILE, "file descriptor"},
      {EBUSY, "another user holds"},
  };
  for (const auto& [code, reason] : cases) {
    kernel.open_errno = code;
    const Probe probe = probe_of("page-faults");
    EXPECT_FALSE(probe.reading.value) << code;
    EXPECT_THAT(probe.reading.reason, HasSubstr(reason));
    EXPECT_FALSE(probe.reading.hint.empty()) << code;
  }
  kernel.open_errno = ENOENT;
  EXPECT_FALSE(probe_of("instructions").reading.value);
  EXPECT_FALSE(probe_of("instructions").reading.reason.empty());
}

TEST_F(FakePerf, AsksForUserModeAloneWhereThatIsEnough) {
  (void)probe_of("instructions");
  ASSERT_FALSE(kernel.opened.empty());
  EXPECT_TRUE(kernel.opened.front().exclude_kernel);
  kernel.opened.clear();
  (void)probe_of("context-switches");
  ASSERT_FALSE(kernel.opened.empty());
  EXPECT_FALSE(kernel.opened.front().exclude_kernel) << "they happen in the kernel and would read 0";
}

TEST_F(FakePerf, DiscardsAZeroAndAnImplausibleCount) {
  EXPECT_THAT(probe_of("instructions").reading.reason, HasSubstr("opened but counted 0"));
  kernel.value = 16ull * 2 * kKnownIterations;
  EXPECT_THAT(probe_of("instructions").reading.reason, HasSubstr("is outside"));
  kernel.value = 2ull * kKnownIterations + 50;
  EXPECT_EQ(probe_of("instructions").reading.value, kernel.value);
}

TEST_F(FakePerf, DiscardsWhatDidNotRunAllTheTime) {
  kernel.value = 2ull * kKnownIterations;
  kernel.running = 25;
  EXPECT_THAT(probe_of("instructions").reading.reason, HasSubstr("ran 25 % of the time"));
  kernel.enabled = kernel.running = 0;
  EXPECT_THAT(probe_of("instructions").reading.reason, HasSubstr("never ran"));
  kernel.enabled = kernel.running = 1;
  kernel.read_size = 0;
  EXPECT_THAT(probe_of("instructions").reading.reason, HasSubstr("never ran"));
  kernel.control_works = false;
  EXPECT_THAT(probe_of("instructions").reading.reason, HasSubstr("did not start"));
}

TEST_F(FakePerf, ASessionIsOneGroupAndKeepsTheOrder) {
  kernel.value = 2ull * kKnownIterations;
  forget_probes();
  const std::vector<std::string> events = {"nonsense", "instructions", "page-faults", "cycles"};
  auto session = perf().open(events);
  ASSERT_TRUE(session);
  kernel.opened.clear();
  kernel.groups.clear();
  ASSERT_TRUE((*session)->attach(3));
  (*session)->start();
  (*session)->stop();
  const auto readings = (*session)->collect();
  ASSERT_EQ(readings.size(), 4u);
  EXPECT_THAT(readings[0].reason, HasSubstr("perf has no event 'nonsense'"));
  EXPECT_EQ(readings[1].value, 2. * kKnownIterations);
  EXPECT_EQ(readings[1].cpu, 3);
  EXPECT_FALSE(readings[2].value) << "its probe failed: it must stay unavailable although it opens";
  EXPECT_THAT(readings[2].reason, HasSubstr("outside"));
  ASSERT_EQ(kernel.groups.size(), 2u);  // instructions and cycles
  EXPECT_EQ(kernel.groups[0], -1);
  EXPECT_GE(kernel.groups[1], 1000);
}

TEST_F(FakePerf, AnEventThatDoesNotFitTheGroupIsTheOnlyOneLost) {
  kernel.value = 2ull * kKnownIterations;
  auto session = perf().open(std::vector<std::string>{"instructions", "cycles"});
  kernel.open_errno = EINVAL;
  kernel.refuse_config = PERF_COUNT_HW_CPU_CYCLES;
  ASSERT_TRUE((*session)->attach(0));
  (*session)->start();
  (*session)->stop();
  const auto readings = (*session)->collect();
  EXPECT_TRUE(readings[0].value);
  EXPECT_FALSE(readings[1].value);
  EXPECT_THAT(readings[1].hint, HasSubstr("fewer events"));
}

TEST_F(FakePerf, NothingIsCountedByAnEmptySession) {
  auto session = perf().open({});
  ASSERT_TRUE((*session)->attach(0));
  (*session)->start();
  (*session)->stop();
  EXPECT_TRUE((*session)->collect().empty());
}

// From here on the real kernel. What it refuses must be said; what it counts must be right.
TEST(RealPerf, CountsKnownWorkOrSaysWhyNot) {
  const auto probes = perf().probe({}, 15);
  ASSERT_EQ(probes.size(), 6u);
  for (const Probe& probe : probes) {
    SCOPED_TRACE(probe.reading.event);
    if (!probe.reading.value) {
      EXPECT_FALSE(probe.reading.reason.empty());
      EXPECT_EQ(probe.reading.quality, Quality::kUnavailable);
      continue;
    }
    EXPECT_GT(*probe.reading.value, 0);
    EXPECT_EQ(probe.reading.quality, Quality::kExact);
    if (probe.reading.event == "page-faults") {
      EXPECT_NEAR(*probe.reading.value, kKnownPages, 16);
    }
    if (probe.reading.event == "cpu-migrations") {
      EXPECT_EQ(*probe.reading.value, kKnownMigrations);
    }
    if (probe.reading.event == "instructions") {
      EXPECT_NEAR(*probe.reading.value, 2e7, 2e5);
    }
  }
}

TEST(RealPerf, ASessionCountsThePagesOfItsThread) {
  forget_probes();
  auto session = perf().open(std::vector<std::string>{"instructions", "page-faults"});
  ASSERT_TRUE((*session)->attach(0));
  do_known_work(
      KnownWork::kTouchPages, [&] { (*session)->start(); }, [&] { (*session)->stop(); });
  const auto readings = (*session)->collect();
  ASSERT_EQ(readings.size(), 2u);
  EXPECT_NE(readings[0].value.has_value(), readings[0].quality == Quality::kUnavailable);
  if (readings[1].value) {
    EXPECT_NEAR(*readings[1].value, kKnownPages, 16);
  } else {
    EXPECT_FALSE(readings[1].reason.empty());
  }
}

}  // namespace
}  // namespace hitmark
