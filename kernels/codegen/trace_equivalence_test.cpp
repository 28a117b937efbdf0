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
#include "kernels/codegen/traced_path.hpp"
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
  const std::string output =
      testing::TempDir() + "hitmark-paths-" + as_identifier(variant) + "-" + std::to_string(getpid());
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

// Lackey prints a cmpxchg as M with LOCK or without, and nothing before it (CompareAndExchange below looks for its
// LOCK).
std::string as_lackey_prints(const TestedFamily& family, std::string text) {
  if (family.is_cmpxchg && family.is_cmpxchg(text)) text[0] = 'M';
  return text;
}
// Of a word that is exchanged as well, which always locks, neither side says which it was.
std::string exchanged_or_compared(const TestedFamily& family, std::string text) {
  if (family.is_exchanged && family.is_exchanged(text)) text[0] = 'M';
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
  if (is_restartable(variant)) GTEST_SKIP() << "valgrind has no rseq: SteppedAccesses compares these";
  const TestedFamily& family = tested_family(variant);
  const LackeyRun run = run_under_lackey(registry_key(variant));
  const std::vector<Path> paths = paths_of(variant);
  ASSERT_EQ(run.paths.size(), paths.size());
  std::size_t compared = 0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const Path& path = paths[i];
    ASSERT_EQ(run.paths[i].name, path.name);
    ASSERT_EQ(run.log.paths().count(i), 1u) << "lackey has not seen " << path.name;

    Recorder recorder;
    const auto simulation = family.simulate(variant, path.workload, &recorder);
    Simulation& s = *simulation;
    path.prepare(s);
    recorder.recording = true;
    s.run(path.operation, 0, path.index, path.amount);
    const auto here = ranges_of(s, reinterpret_cast<std::uintptr_t>(s.arena().percpu_address(0, 0)),
                                reinterpret_cast<std::uintptr_t>(s.state()));
    std::vector<std::string> traced;
    for (const Access& access : recorder.accesses)
      traced.push_back(exchanged_or_compared(
          family, as_lackey_prints(family, access_text(letter(access.kind), access.address, access.size, here))));

    const auto there = ranges_of(s, run.paths[i].percpu, run.paths[i].shared);
    auto native = accesses_by_object(fold_locked_updates(run.log.paths().at(i)), there, run.stack);
    for (std::string& text : native) text = exchanged_or_compared(family, std::move(text));
    EXPECT_TRUE(!native.empty() || may_touch_nothing(path, family)) << path.name;
    EXPECT_TRUE(traced == native) << path.name << " (left traced, right native): " << difference(traced, native);
    compared += native.size();
  }
  if (std::getenv("HITMARK_CODEGEN_TABLE"))
    std::printf("%s: %zu paths, %zu accesses\n", registry_key(variant).c_str(), paths.size(), compared);
}

INSTANTIATE_TEST_SUITE_P(Every, TraceEquivalence, testing::ValuesIn(variants_to_step()), test_name);

}  // namespace
}  // namespace hitmark::codegen
