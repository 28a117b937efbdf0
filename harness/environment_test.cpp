// The manifest from saved trees of /proc and /sys, and from this host.
#include "harness/environment.hpp"

#include <gmock/gmock.h>

#include <set>

#include "harness/sysfs.hpp"

namespace hitmark {
namespace {

using testing::Contains;
using testing::HasSubstr;

Environment saved(const std::string& name) { return read_environment("testdata/environment/" + name); }

std::string value(const Environment& environment, const std::string& name) {
  for (const auto& [key, text] : environment.manifest)
    if (key == name) return text;
  return "(no such fact)";
}

TEST(Environment, OfARomeWithEverythingOn) {
  const Environment rome = saved("rome");
  const std::pair<const char*, const char*> facts[] = {
      {"cpu", "AMD EPYC 7742 64-Core Processor"},
      {"cpu_id", "AuthenticAMD family 23 model 49 stepping 0"},
      {"microcode", "0x8301055"},
      {"cpus_online", "0-3"},
      {"cpus_isolated", "none"},
      {"smt", "on"},
      {"nps", "NPS4, inferred from 8 nodes in 2 packages"},
      {"kernel", "6.18.0-amd64"},
      {"command_line", "BOOT_IMAGE=/vmlinuz-6.18 root=/dev/sda1 mitigations=auto"},
      {"clocksource", "hpet"},
      {"frequency_driver", "acpi-cpufreq"},
      {"governor", "performance, schedutil"},
      {"boost", "on"},
      {"cpuidle_driver", "acpi_idle"},
      {"thp", "madvise"},
      {"numa_balancing", "on"},
      {"page_sizes", "4 KiB, 2048 KiB (64 reserved), 1048576 KiB (0 reserved)"},
      {"mitigations", "mitigated: retbleed, spectre_v1; vulnerable: tsa; not affected by 2"},
      {"nmi_watchdog", "on"},
      {"perf_event_paranoid", "3"},
      {"virtual_machine", "no"},
      {"container", "none seen"},
      {"load", "3.25 over the last minute"},
  };
  for (const auto& [name, expected] : facts) EXPECT_EQ(value(rome, name), expected) << name;
  for (const char* doubt : {"governor", "boost", "NUMA balancing", "NMI watchdog", "clock source is hpet", "load 3.25"})
    EXPECT_THAT(rome.warnings, Contains(HasSubstr(doubt)));
  EXPECT_THAT(rome.warnings, testing::Not(Contains(HasSubstr("virtual machine"))));
}

TEST(Environment, OfAGuestSaysWhyFactsAreAbsent) {
  const Environment guest = saved("guest");
  EXPECT_EQ(value(guest, "governor"), "not exposed: no cpufreq driver");
  EXPECT_EQ(value(guest, "boost"), "not exposed: no cpufreq driver");
  EXPECT_EQ(value(guest, "microcode"), "not exposed by the kernel");
  EXPECT_EQ(value(guest, "virtual_machine"), "yes (Google Compute Engine)");
  EXPECT_EQ(value(guest, "container"), "kubernetes");
  EXPECT_THAT(value(guest, "nps"), HasSubstr("3 nodes in 1 package, which is no NPS setting"));
  EXPECT_THAT(guest.warnings, Contains(HasSubstr("virtual machine")));
  EXPECT_THAT(guest.warnings, testing::Not(Contains(HasSubstr("clock source"))));
  EXPECT_THAT(guest.warnings, testing::Not(Contains(HasSubstr("watchdog"))));
}

// Wherever it runs, every fact has a text and the same facts come in the same order.
TEST(Environment, HasTheSameFactsEverywhere) {
  const auto names = [](const Environment& environment) {
    std::vector<std::string> all;
    for (const auto& [name, text] : environment.manifest) {
      EXPECT_FALSE(text.empty()) << name;
      all.push_back(name);
    }
    return all;
  };
  const auto here = names(read_environment());
  const auto nowhere = names(read_environment("/nonexistent"));
  EXPECT_EQ(here, names(saved("rome")));
  EXPECT_EQ(here, names(saved("guest")));
  EXPECT_EQ(here, nowhere);
  EXPECT_EQ(std::set<std::string>(here.begin(), here.end()).size(), here.size()) << "a fact is named twice";
}

TEST(Environment, KnowsItsBuild) {
  const Environment here = read_environment();
  EXPECT_THAT(value(here, "compiler"), testing::AnyOf(HasSubstr("GNU"), HasSubstr("Clang")));
  EXPECT_THAT(value(here, "revision"), testing::AnyOf(testing::MatchesRegex("[-a-z0-9.]+"), HasSubstr("unknown: ")));
}

TEST(Sysfs, CountsKernelLists) {
  EXPECT_EQ(count_of_list(""), 0);
  EXPECT_EQ(count_of_list("0"), 1);
  EXPECT_EQ(count_of_list("0-3,8,10-11"), 7);
  EXPECT_EQ(count_of_list("x"), 0);
  EXPECT_EQ(selected("always [madvise] never"), "madvise");
  EXPECT_EQ(selected("1"), "1");
  EXPECT_EQ(selected("]["), "][");
}

TEST(Environment, ARunGoesOnOnlyOnTheCpuKernelAndBuildThatBeganIt) {
  const NameValues then = {{"cpu", "EPYC"},     {"microcode", "0xa"}, {"kernel", "6.1"},        {"load", "0.1"},
                           {"revision", "abc"}, {"compiler", "gcc"},  {"compiler_flags", "-O2"}};
  EXPECT_EQ(differences_that_matter(then, then), "");
  for (std::size_t i = 0; i < then.size(); ++i) {
    NameValues now = then;
    now[i].second = "x";
    EXPECT_EQ(differences_that_matter(then, now),
              then[i].first == "load" ? "" : then[i].first + " was '" + then[i].second + "' and is 'x'");
  }
  NameValues now = then;
  now[2].second = "6.18";
  now[4].second = "def";
  EXPECT_EQ(differences_that_matter(then, now), "kernel was '6.1' and is '6.18'; revision was 'abc' and is 'def'");
}

}  // namespace
}  // namespace hitmark
