#include "harness/counters/kernel_settings.hpp"

#include <gmock/gmock.h>
#include <unistd.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "support/file.hpp"

namespace hitmark {
namespace {

class KernelSettingsTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(root);
    std::filesystem::create_directories(root + "/proc/sys/kernel");
    std::ofstream(watchdog) << "1\n";
  }
  const std::string root = testing::TempDir() + "hitmark_settings" + std::to_string(::getpid());
  const std::string watchdog = root + "/proc/sys/kernel/nmi_watchdog";
};

TEST_F(KernelSettingsTest, PutsBackWhatSomebodyChanged) {
  {
    const KernelSettings settings(root);  // there is no rdpmc file: nothing to record
    std::ofstream(watchdog) << "0\n";
  }
  EXPECT_EQ(*read_line(watchdog), "1");
}

TEST_F(KernelSettingsTest, NamesWhatItCannotPutBack) {
  KernelSettings settings(root);
  std::filesystem::remove(watchdog);
  std::filesystem::create_symlink("/proc/version", watchdog);  // read-only for everybody
  const auto left = settings.restore();
  ASSERT_EQ(left.size(), 1u);
  EXPECT_THAT(left[0], testing::StartsWith(watchdog + " is Linux"));
}

}  // namespace
}  // namespace hitmark
