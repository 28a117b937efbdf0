#include "kernels/calibration/core_to_core.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <thread>

#include "kernels/memory/native_cpu.hpp"
#include "kernels/memory/traced_cpu.hpp"

namespace hitmark::calibration {
namespace {

struct Recorder : AccessObserver {
  void on_access(unsigned, const Access& access) override { accesses.push_back(access); }
  std::vector<Access> accesses;
};

TEST(CoreToCore, AHandOffIsOneLockedAccessOfOneLine) {
  Recorder recorder;
  const TracedCpu cpu(0, 0, &recorder);
  Flag flag;
  hand_off(cpu, flag, 0, 1);
  hand_off(cpu, flag, 1, 1);
  hand_off(cpu, flag, 0, 1);
  const Access access{reinterpret_cast<std::uintptr_t>(&flag), 4, AccessKind::kLockedReadModifyWrite};
  EXPECT_THAT(recorder.accesses, testing::ElementsAre(access, access, access));
  EXPECT_EQ(sizeof(Flag), kLine);
  EXPECT_EQ(cpu.read_once(flag.side), 1u) << "side 0 gave it to side 1 last";
}

TEST(CoreToCore, TwoThreadsHandTheLineBackAndForth) {
  const NativeCpu cpu;
  Flag flag;
  std::thread other([&] { hand_off(cpu, flag, 1, 20); });
  hand_off(cpu, flag, 0, 20);
  other.join();
  EXPECT_EQ(cpu.read_once(flag.side), 0u);
}

TEST(CoreToCore, TheRingVisitsEveryLineOnce) {
  Recorder recorder;
  const TracedCpu cpu(0, 0, &recorder);
  std::vector<Link> lines(5);
  const std::uint32_t order[] = {3, 0, 4, 2, 1};
  write_ring(cpu, lines.data(), order, 5);
  EXPECT_EQ(chase(cpu, &lines[3], 5), &lines[3]);
  ASSERT_EQ(recorder.accesses.size(), 10u);
  for (std::size_t i = 0; i < 5; ++i) {
    const auto at = reinterpret_cast<std::uintptr_t>(&lines[order[i]]);
    EXPECT_EQ(recorder.accesses[i], (Access{at, 8, AccessKind::kStore}));
    EXPECT_EQ(recorder.accesses[5 + i], (Access{at, 8, AccessKind::kLoad}));
  }
  const NativeCpu native;
  EXPECT_EQ(chase(native, &lines[3], 2), &lines[4]);
}

TEST(CoreToCore, CountsByLockedAdds) {
  Recorder recorder;
  Counter counter;
  count(TracedCpu(0, 0, &recorder), counter, 3);
  count(NativeCpu(), counter, 4);
  EXPECT_EQ(NativeCpu().read_once(counter.value), 7u);
  EXPECT_THAT(recorder.accesses, testing::Each(testing::Field(&Access::kind, AccessKind::kLockedReadModifyWrite)));
  EXPECT_EQ(recorder.accesses.size(), 3u);
}

}  // namespace
}  // namespace hitmark::calibration
