// What TracedCpu tells of a variant against what the native code does, as valgrind's lackey sees it: the same
// accesses to the arena, in order and with LOCK or without, on every path. One run of valgrind a variant.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "kernels/codegen/lackey.hpp"
#include "kernels/codegen/objects.hpp"
#include "kernels/codegen/paths.hpp"
#include "kernels/memory/native_cpu.hpp"

namespace hitmark::codegen {
namespace {

TEST(Lackey, KeepsWhatLiesBetweenTheMarkers) {
  LackeyLog log;
  for (const char* line :
       {" L 40,8", "==1== Lackey, an example tool", "I  0400,3", " S 1000000018,8", "I  0403,3", " L 1f0,4",
        " S 1ff8,8", "I  0406,2", " M 200,1", "I  0408,2", " S 1000000ff8,8", " L 1f0,4"})
    log.add(line);
  ASSERT_EQ(log.paths().size(), 1u);
  EXPECT_EQ(log.paths().at(3),
            (std::vector<LackeyAccess>{{'L', 0x1f0, 4, 2}, {'S', 0x1ff8, 8, 2}, {'M', 0x200, 1, 3}}));
}

TEST(Lackey, FoldsTheLoadBeforeALockedUpdate) {
  const std::vector<LackeyAccess> locked = {{'L', 0x100, 8, 1}, {'M', 0x100, 8, 1}};
  EXPECT_EQ(fold_locked_updates(locked), (std::vector<LackeyAccess>{{'X', 0x100, 8, 1}}));
}

TEST(Lackey, FoldsNothingElse) {
  const std::vector<std::vector<LackeyAccess>> kept = {
      {{'L', 0x100, 4, 1}, {'M', 0x100, 4, 2}},                     // mov, then cmpxchg: this_cpu_xchg
      {{'L', 0x100, 8, 1}, {'M', 0x108, 8, 1}},                     // of another word
      {{'L', 0x100, 8, 1}, {'M', 0x100, 4, 1}},                     // of fewer bytes
      {{'L', 0x100, 8, 1}, {'S', 0x100, 8, 1}},                     // no update
      {{'S', 0x100, 8, 1}, {'M', 0x100, 8, 1}},                     // no load
      {{'L', 0x100, 8, 1}, {'L', 0x200, 8, 1}, {'M', 0x100, 8, 1}}  // not right before it
  };
  for (const auto& accesses : kept) EXPECT_EQ(fold_locked_updates(accesses), accesses);
}

TEST(Lackey, LeavesOutTheStackAndNothingElse) {
  const std::vector<AddressRange> arena = {{0x1000, 64, "stock@0"}, {0x2000, 16, "globals"}};
  const std::vector<LackeyAccess> accesses = {
      {'S', 0x7ff8, 8, 1}, {'L', 0x1001, 1, 2}, {'M', 0x2008, 8, 3}, {'L', 0x8000, 8, 4}, {'L', 0x2010, 8, 5}};
  EXPECT_EQ(accesses_by_object(accesses, arena, {0x7000, 0x1000, "stack"}),
            (std::vector<std::string>{"L stock@0+1 1", "M globals+8 8", "L elsewhere 8", "L elsewhere 8"}));
}

class Recorder final : public AccessObserver {
 public:
  void on_access(unsigned, const Access& access) override {
    if (recording) accesses.push_back(access);
  }
  bool recording = false;
  std::vector<Access> accesses;
};

// Where one path's native run had its arena. Equal requests give equal distances in every PlainArena, so its objects
// lie from there as they do here.
struct NativePath {
  std::string name;
  std::uintptr_t percpu, shared;
};

struct LackeyRun {
  std::vector<NativePath> paths;
  AddressRange stack{};
  LackeyLog log;
};

// What trace_paths.cpp printed.
void read_output(std::istream& in, LackeyRun& run) {
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    std::string kind, first, second, name;
    for (std::string* field : {&kind, &first, &second, &name}) std::getline(fields, *field, '\t');
    if (kind == "path")
      run.paths.push_back({name, std::stoull(first, nullptr, 16), std::stoull(second, nullptr, 16)});
    else if (kind == "stack")
      run.stack = {std::stoull(first, nullptr, 16), std::stoull(second), kind};
  }
}

LackeyRun run_under_lackey(const std::string& variant) {
  LackeyRun run;
  const std::string output = testing::TempDir() + "hitmark-paths-" + variant + "-" + std::to_string(getpid());
  const std::string command = "valgrind --tool=lackey --trace-mem=yes --basic-counts=no --log-fd=9 '" +
                              std::string(HITMARK_TRACE_PATHS) + "' " + variant + " 9>&1 >'" + output + "'";
  std::FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) {
    ADD_FAILURE() << "cannot start: " << command;
    return run;
  }
  char line[256];
  while (std::fgets(line, sizeof line, pipe)) run.log.add(line);
  EXPECT_EQ(pclose(pipe), 0) << command << "\nfailed; valgrind is what ./run test installs (apt-get install valgrind)";
  std::ifstream in(output);
  read_output(in, run);
  std::remove(output.c_str());
  return run;
}

// The arena's objects if its per-CPU areas and its first shared object lay there.
std::vector<AddressRange> ranges_of(memcg::Simulation& s, std::uintptr_t percpu, std::uintptr_t shared) {
  const auto here = reinterpret_cast<std::uintptr_t>(s.arena().percpu_address(0, 0));
  const auto moved = [&](unsigned cpu, std::uintptr_t offset) {
    return reinterpret_cast<std::uintptr_t>(s.arena().percpu_address(cpu, offset)) - here + percpu;
  };
  std::vector<AddressRange> ranges;
  for (unsigned cpu = 0; cpu < kCpus; ++cpu) {
    const std::string at = "@" + std::to_string(cpu);
    ranges.push_back({moved(cpu, 0), kLine, "area" + at});
    for (const ArenaObject& object : s.arena().objects())
      if (object.percpu) ranges.push_back({moved(cpu, object.address), object.size, object.name + at});
  }
  const auto first = reinterpret_cast<std::uintptr_t>(s.state());
  for (const ArenaObject& object : s.arena().objects())
    if (!object.percpu) ranges.push_back({object.address - first + shared, object.size, object.name});
  return ranges;
}

char letter(AccessKind kind) {
  if (kind == AccessKind::kLockedReadModifyWrite) return 'X';
  if (kind == AccessKind::kReadModifyWrite) return 'M';
  return kind == AccessKind::kStore ? 'S' : 'L';
}

// Lackey prints a cmpxchg as M with LOCK or without, and nothing before it. These words are locked by nothing else
// (CompareAndExchange below looks for its LOCK).
bool is_compared_and_exchanged(std::string_view text) {
  return text.starts_with("X css_rstat_cpu[") || text.starts_with("X lhead@") ||
         text.starts_with("X rstat_cpu_lock@") || text == "X globals+64 4" || text == "X memory_cgrp_subsys+244 4";
}
std::string as_lackey_prints(std::string text) {
  if (is_compared_and_exchanged(text)) text[0] = 'M';
  return text;
}

// `expected` is first so that no byte of its move to rax looks like the prefix, f0: the control below has none.
template <typename T>
[[gnu::noipa]] bool compare_and_exchange(T expected, Cell<T>& cell, T desired) {
  return NativeCpu{}.try_cmpxchg(cell, expected, desired);
}
template <typename T>
[[gnu::noipa]] bool without_lock(T expected, T* at, T desired) {
  bool done;
  asm volatile("cmpxchg %3, %1" : "=@ccz"(done), "+m"(*at), "+a"(expected) : "r"(desired) : "memory");
  return done;
}

TEST(CompareAndExchange, HasItsLock) {
  if (const std::string reason = HITMARK_TRACE_SKIP; !reason.empty()) GTEST_SKIP() << reason;
  const auto has = [](auto function, std::string_view bytes) {
    return std::string_view(reinterpret_cast<const char*>(function), 16).find(bytes) != std::string_view::npos;
  };
  constexpr std::string_view kLocked8 = "\xf0\x48\x0f\xb1", kLocked4 = "\xf0\x0f\xb1";  // lock cmpxchg
  EXPECT_TRUE(has(compare_and_exchange<unsigned long>, kLocked8));
  EXPECT_TRUE(has(compare_and_exchange<unsigned>, kLocked4));
  EXPECT_FALSE(has(without_lock<unsigned long>, kLocked8));
  EXPECT_FALSE(has(without_lock<unsigned>, kLocked4));
}

class TraceEquivalence : public testing::TestWithParam<const Variant*> {};

TEST_P(TraceEquivalence, TracedAccessesAreTheNativeOnes) {
  if (const std::string reason = HITMARK_TRACE_SKIP; !reason.empty()) GTEST_SKIP() << reason;
  const Variant& variant = *GetParam();
  const LackeyRun run = run_under_lackey(std::string(variant.name));
  const std::vector<Path> paths = paths_of(variant);
  ASSERT_EQ(run.paths.size(), paths.size());
  std::size_t compared = 0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const Path& path = paths[i];
    ASSERT_EQ(run.paths[i].name, path.name);
    ASSERT_EQ(run.log.paths().count(i), 1u) << "lackey has not seen " << path.name;

    Recorder recorder;
    memcg::Simulation s(variant, path.workload, kCpus, &recorder);
    path.prepare(s);
    recorder.recording = true;
    s.run(path.operation, 0, path.index, path.amount);
    const auto here = ranges_of(s, reinterpret_cast<std::uintptr_t>(s.arena().percpu_address(0, 0)),
                                reinterpret_cast<std::uintptr_t>(s.state()));
    std::vector<std::string> traced;
    for (const Access& access : recorder.accesses)
      traced.push_back(as_lackey_prints(access_text(letter(access.kind), access.address, access.size, here)));

    const auto there = ranges_of(s, run.paths[i].percpu, run.paths[i].shared);
    const auto native = accesses_by_object(fold_locked_updates(run.log.paths().at(i)), there, run.stack);
    EXPECT_FALSE(native.empty()) << path.name;
    EXPECT_TRUE(traced == native) << path.name << " (left traced, right native): " << difference(traced, native);
    compared += native.size();
  }
  if (std::getenv("HITMARK_CODEGEN_TABLE"))
    std::printf("%s: %zu paths, %zu accesses\n", std::string(variant.name).c_str(), paths.size(), compared);
}

INSTANTIATE_TEST_SUITE_P(Every, TraceEquivalence, testing::ValuesIn(memcg::sock_charge_variants()), test_name);

}  // namespace
}  // namespace hitmark::codegen
