#include "support/file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hitmark {
namespace {

TEST(File, ReadsBackWhatItWrote) {
  const std::string path = testing::TempDir() + "hitmark_file_test";
  ASSERT_TRUE(write_file(path, "first\nsecond\n"));
  EXPECT_EQ(*read_file(path), "first\nsecond\n");
  EXPECT_EQ(*read_line(path), "first");
  ASSERT_TRUE(write_file(path, ""));
  EXPECT_EQ(*read_file(path), "");
}

TEST(File, SaysWhatIsWrong) {
  EXPECT_EQ(read_file(testing::TempDir()).error().kind, ErrorKind::kInvalid);
  EXPECT_EQ(read_file("/nonexistent/x").error().kind, ErrorKind::kNotFound);
  const std::string fifo = testing::TempDir() + "hitmark_fifo";
  ::mkfifo(fifo.c_str(), 0600);
  EXPECT_EQ(read_file(fifo).error().message, fifo + " is not a regular file");
}

TEST(File, StopsAtTheLimit) {
  const std::string path = testing::TempDir() + "hitmark_file_limit";
  ASSERT_TRUE(write_file(path, "12345"));
  EXPECT_TRUE(read_file(path, 5));
  EXPECT_FALSE(read_file(path, 4));
}

TEST(File, AnUnwritablePlaceIsAnError) {
  EXPECT_EQ(write_file("/dev/full/x", "a").error().message, "cannot create /dev/full/x.tmp" + std::to_string(::getpid()) + ": Not a directory");
}

}  // namespace
}  // namespace hitmark
