#include "harness/counters/access.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace hitmark {
namespace {

using testing::HasSubstr;

Access bare_metal() {
  Access access;
  access.cpu_pmu = true;
  access.paranoid = 4;
  return access;
}

TEST(Access, ReadsWhatTheKernelSays) {
  const std::string root = testing::TempDir() + "hitmark_access" + std::to_string(::getpid());
  std::filesystem::create_directories(root + "/proc/sys/kernel");
  std::filesystem::create_directories(root + "/proc/self");
  std::filesystem::create_directories(root + "/sys/bus/event_source/devices/cpu");
  std::filesystem::create_directories(root + "/sys/bus/event_source/devices/amd_l3");
  std::ofstream(root + "/proc/sys/kernel/perf_event_paranoid") << "-1\n";
  std::ofstream(root + "/proc/self/status")
      << "Name:\tx\nCapEff:\t0000004000000000\nSeccomp:\t2\nSeccomp_filters:\t1\n";
  std::ofstream(root + "/proc/cpuinfo") << "vendor_id\t: AuthenticAMD\ncpu family\t: 23\nmodel\t\t: 49\n"
                                           "model name\t: AMD EPYC 7742\nflags\t\t: fpu hypervisor\n";
  const Access access = read_access(root);
  EXPECT_EQ(access.paranoid, -1);
  EXPECT_TRUE(access.cap_perfmon);
  EXPECT_FALSE(access.cap_rawio);
  EXPECT_TRUE(access.seccomp);
  EXPECT_TRUE(access.virtual_machine);
  EXPECT_EQ(access.cpu, "AuthenticAMD family 23 model 49");
  EXPECT_TRUE(access.cpu_pmu);
  EXPECT_TRUE(access.l3_pmu);
  EXPECT_FALSE(access.ibs_pmu);
}

TEST(Access, AnEmptyRootIsAKernelWithoutPerfEvent) {
  const Access access = read_access("/nonexistent");
  EXPECT_EQ(access.paranoid, Access::kNoParanoid);
  EXPECT_FALSE(access.cap_perfmon || access.seccomp || access.virtual_machine || access.cpu_pmu);
}

struct Case {
  int error_number;
  const char *reason, *hint;
};

void PrintTo(const Case& c, std::ostream* out) { *out << ::strerror(c.error_number); }

class Refusals : public testing::TestWithParam<Case> {};

TEST_P(Refusals, NameTheCauseAndTheRemedy) {
  const Refusal refusal = perf_refusal(GetParam().error_number, "instructions", false, bare_metal());
  EXPECT_THAT(refusal.reason, HasSubstr(GetParam().reason));
  EXPECT_THAT(refusal.hint, HasSubstr(GetParam().hint));
}

INSTANTIATE_TEST_SUITE_P(
    Access, Refusals,
    testing::Values(Case{ENOENT, "instructions is not an event that this kernel can count on this CPU",
                         "hitmark doctor"},
                    Case{EACCES, "counter access refused (EACCES, perf_event_paranoid=4, no CAP_PERFMON)",
                         "sudo sysctl kernel.perf_event_paranoid=2"},
                    Case{EPERM, "perf_event_open is blocked (EPERM), probably by the container's seccomp profile",
                         "--security-opt seccomp=unconfined"},
                    Case{ENOSYS, "perf_event_open is blocked (ENOSYS)", "outside the container"},
                    Case{EINVAL, "EINVAL", "fewer events"}, Case{EMFILE, "(EMFILE)", "ulimit -n"},
                    Case{ENFILE, "(ENFILE)", "ulimit -n"}, Case{EBUSY, "another user holds", "nmi_watchdog=0"},
                    Case{EOPNOTSUPP, "not supported by this CPU's PMU", "doctor"},
                    Case{EIO, "perf_event_open refused instructions: Input/output error", "doctor"}));

TEST(Access, EventsInTheKernelAskForALowerLevel) {
  EXPECT_THAT(perf_refusal(EACCES, "context-switches", true, bare_metal()).hint, HasSubstr("perf_event_paranoid=1"));
}

TEST(Access, AGuestWithoutPmuIsToldThatNothingHelps) {
  Access guest;
  guest.virtual_machine = true;
  EXPECT_EQ(perf_refusal(EACCES, "instructions", false, guest).hint, "nothing: virtual machine without PMU");
  EXPECT_THAT(perf_refusal(EACCES, "page-faults", false, guest).hint, HasSubstr("perf_event_paranoid=2"));
  const Refusal refusal = perf_refusal(ENOENT, "instructions", false, guest);
  EXPECT_EQ(refusal.reason, "no CPU PMU: the kernel lists no 'cpu' event source (virtual machine: yes)");
  EXPECT_EQ(refusal.hint, "nothing: virtual machine without PMU");
}

TEST(Access, AKernelWithoutPerfEventIsNotTakenForAContainer) {
  Access access;
  access.paranoid = Access::kNoParanoid;
  EXPECT_EQ(perf_refusal(ENOSYS, "cycles", false, access).reason, "this kernel has no perf_event_open (ENOSYS)");
}

}  // namespace
}  // namespace hitmark
