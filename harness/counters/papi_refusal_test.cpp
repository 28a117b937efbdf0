#include "harness/counters/papi_refusal.hpp"

#include <gmock/gmock.h>

namespace hitmark {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Access host(bool guest) {
  Access access;
  access.virtual_machine = guest;
  access.cpu_pmu = !guest;
  access.cap_perfmon = true;
  access.cpu = "AuthenticAMD family 26 model 2";
  return access;
}

Refusal refuse(PapiStage stage, int code, const char* text, const char* event, const char* spelling,
               const Access& access) {
  return papi_refusal(stage, code, text, event, spelling, "7.0.0", access);
}

TEST(PapiRefusal, OfAnUnknownCpuPointsToTheKernelForSoftwareEvents) {
  const char* text = "Error libpfm4 no default PMU found";
  const Refusal software = refuse(PapiStage::kComponent, -4, text, "page-faults", "perf::PAGE-FAULTS", host(true));
  EXPECT_THAT(software.reason, AllOf(HasSubstr("PAPI 7.0.0 has switched its perf_event component off"),
                                     HasSubstr("does not know this CPU (AuthenticAMD family 26 model 2)")));
  EXPECT_THAT(software.hint, HasSubstr("--counters perf"));
  const Refusal hardware = refuse(PapiStage::kComponent, -4, text, "instructions", "PAPI_TOT_INS", host(true));
  EXPECT_EQ(hardware.hint, "nothing: virtual machine without PMU");
  EXPECT_THAT(refuse(PapiStage::kComponent, -4, text, "instructions", "PAPI_TOT_INS", host(false)).hint,
              HasSubstr("Zen 5: 7.2"));
}

TEST(PapiRefusal, KeepsPapisReasonForADisabledComponent) {
  EXPECT_THAT(refuse(PapiStage::kComponent, -4, "Linux too old", "cycles", "PAPI_TOT_CYC", host(false)).reason,
              HasSubstr("off: 'Linux too old'"));
}

TEST(PapiRefusal, ListedButNotCountable) {
  const Refusal refusal =
      refuse(PapiStage::kAdd, -7, "Event does not exist", "instructions", "PAPI_TOT_INS", host(true));
  EXPECT_THAT(refusal.reason, HasSubstr("PAPI lists PAPI_TOT_INS but the kernel cannot count it here (PAPI -7"));
  EXPECT_THAT(refusal.reason, HasSubstr("list comes from CPUID, not from the hardware"));
  EXPECT_THAT(refusal.reason, HasSubstr("no CPU PMU"));
  EXPECT_EQ(refusal.hint, "nothing: virtual machine without PMU");
}

TEST(PapiRefusal, OfPermissionSaysWhichLevelIsNeeded) {
  Access access = host(false);
  access.cap_perfmon = false;
  access.paranoid = 4;
  const Refusal refusal = refuse(PapiStage::kAdd, -15, "Permission level does not permit operation", "context-switches",
                                 "perf::CONTEXT-SWITCHES:u=1:k=1", access);
  EXPECT_THAT(refusal.reason, HasSubstr("perf_event_paranoid=4, no CAP_PERFMON"));
  EXPECT_THAT(refusal.hint, HasSubstr("perf_event_paranoid=1"));
  // PAPI switches itself off when the level is exactly 3; say the level then, too.
  access.paranoid = 3;
  EXPECT_THAT(refuse(PapiStage::kComponent, -4, "paranoid", "cycles", "PAPI_TOT_CYC", access).hint,
              HasSubstr("perf_event_paranoid=2"));
}

TEST(PapiRefusal, OfAZen2NameElsewhereNamesBothCpus) {
  const Refusal refusal =
      refuse(PapiStage::kLookUp, -7, "Event does not exist", "fills.rmt_cache", "amd64_fam17h_zen2::X", host(true));
  EXPECT_THAT(refusal.reason,
              HasSubstr("an event of Zen 2 (family 23), and this CPU is AuthenticAMD family 26 model 2"));
}

TEST(PapiRefusal, OtherStagesKeepPapisWords) {
  EXPECT_THAT(refuse(PapiStage::kLookUp, -18, "Not supported by component", "foo", "foo", host(false)).reason,
              HasSubstr("PAPI 7.0.0 has no event 'foo' on this CPU (PAPI -18, Not supported by component)"));
  EXPECT_THAT(refuse(PapiStage::kAdd, -23, "Too many events", "cycles", "PAPI_TOT_CYC", host(false)).reason,
              HasSubstr("does not fit the counters"));
  EXPECT_THAT(refuse(PapiStage::kStop, -8, "conflict", "cycles", "PAPI_TOT_CYC", host(false)).reason,
              HasSubstr("gives no count"));
  EXPECT_THAT(refuse(PapiStage::kInitialise, -1, "Invalid argument", "cycles", "PAPI_TOT_CYC", host(false)).reason,
              HasSubstr("does not start"));
}

}  // namespace
}  // namespace hitmark
