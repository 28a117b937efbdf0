// What goes in comes out, and what is no store is refused with a sentence. Concurrency and crashes:
// result_store_crash_test.cpp.
#include "harness/results/result_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "harness/results/sqlite_connection.hpp"
#include "harness/results/testing_records.hpp"
#include "support/file.hpp"

namespace hitmark {
namespace {

using Access = ResultStore::Access;
using testing::HasSubstr;

class ResultStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        testing::TempDir() + "hitmark_store_" + testing::UnitTest::GetInstance()->current_test_info()->name() + "/";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    path_ = folder_ + "store.sqlite";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  ResultStore filled() {
    auto store = ResultStore::open(path_, Access::kAppend);
    EXPECT_TRUE(store);
    EXPECT_TRUE(store->begin_run(testing_records::run()));
    return *std::move(store);
  }
  void alter(const std::string& sql) {
    auto connection = sqlite::Connection::open(path_, sqlite::Connection::Mode::kReadWriteCreate, 0);
    ASSERT_TRUE(connection);
    auto done = (*connection)->execute(sql);
    ASSERT_TRUE(done) << done.error().message;
  }
  Error refusal(Access access = Access::kRead) {
    const auto store = ResultStore::open(path_, access);
    return store ? Error{ErrorKind::kIo, "was accepted", ""} : store.error();
  }

  std::string folder_, path_;
};

void expect_equal(const Reading& a, const Reading& b) {
  EXPECT_EQ(std::tie(a.event, a.source, a.unit, a.cpu, a.arm, a.object, a.field, a.value, a.quality, a.reason, a.hint),
            std::tie(b.event, b.source, b.unit, b.cpu, b.arm, b.object, b.field, b.value, b.quality, b.reason, b.hint));
}

void expect_equal(const RunRecord& a, const RunRecord& b) {
  EXPECT_EQ(std::tie(a.run_id, a.started, a.family, a.machine, a.seed, a.status, a.ticks_per_second, a.invocations,
                     a.blocks, a.wall_seconds, a.environment, a.warnings),
            std::tie(b.run_id, b.started, b.family, b.machine, b.seed, b.status, b.ticks_per_second, b.invocations,
                     b.blocks, b.wall_seconds, b.environment, b.warnings));
  ASSERT_EQ(a.arms.size(), b.arms.size());
  for (std::size_t i = 0; i < a.arms.size(); ++i)
    EXPECT_EQ(std::tie(a.arms[i].name, a.arms[i].role, a.arms[i].variant, a.arms[i].traits),
              std::tie(b.arms[i].name, b.arms[i].role, b.arms[i].variant, b.arms[i].traits));
  ASSERT_EQ(a.conditions.size(), b.conditions.size());
  for (std::size_t i = 0; i < a.conditions.size(); ++i) {
    const auto &c = a.conditions[i], &d = b.conditions[i];
    EXPECT_EQ(std::tie(c.name, c.placement, c.relation, c.home, c.cpus, c.workload, c.notes),
              std::tie(d.name, d.placement, d.relation, d.home, d.cpus, d.workload, d.notes));
  }
  ASSERT_EQ(a.readings.size(), b.readings.size());
  for (std::size_t i = 0; i < a.readings.size(); ++i) expect_equal(a.readings[i], b.readings[i]);
}

TEST_F(ResultStoreTest, GivesARunBackAsItWas) {
  filled();
  const auto store = ResultStore::open(path_, Access::kRead);
  ASSERT_TRUE(store);
  const auto run = store->run("run-1");
  ASSERT_TRUE(run);
  expect_equal(*run, testing_records::run());
}

TEST_F(ResultStoreTest, GivesBlocksBackInOrderWhateverTheOrderOfAppending) {
  auto store = filled();
  for (const auto& [condition, invocation, number] : {std::tuple{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}})
    ASSERT_TRUE(store.append_block("run-1", testing_records::block(condition, invocation, number)));
  std::vector<std::tuple<int, int, int>> order;
  ASSERT_TRUE(store.for_each_block("run-1", [&](const BlockRecord& block) {
    order.emplace_back(block.condition, block.invocation, block.block);
    const auto expected = testing_records::block(block.condition, block.invocation, block.block);
    EXPECT_EQ(block.seed, expected.seed);
    EXPECT_EQ(block.discarded, expected.discarded);
    ASSERT_EQ(block.slices.size(), expected.slices.size());
    for (std::size_t i = 0; i < block.slices.size(); ++i) {
      const auto &a = block.slices[i], &b = expected.slices[i];
      EXPECT_EQ(std::tie(a.arm, a.position, a.cpu, a.operations, a.ticks, a.nanoseconds, a.event_clock, a.phase),
                std::tie(b.arm, b.position, b.cpu, b.operations, b.ticks, b.nanoseconds, b.event_clock, b.phase));
    }
    ASSERT_EQ(block.readings.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) expect_equal(block.readings[i], expected.readings[i]);
  }));
  using Order = std::vector<std::tuple<int, int, int>>;
  EXPECT_EQ(order, (Order{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {1, 0, 0}}));
  EXPECT_EQ(*store.block_count("run-1", 0, 0), 2);
  EXPECT_EQ(*store.block_count("run-1", 1, 5), 0);
}

TEST_F(ResultStoreTest, FinishingChangesFourThingsAndNothingElse) {
  auto store = filled();
  auto other = testing_records::run("run-2");
  ASSERT_TRUE(store.begin_run(other));
  ASSERT_TRUE(store.append_block("run-1", testing_records::block(0, 0, 0)));
  auto run = testing_records::run();
  run.status = "complete";
  run.wall_seconds = 12.5;
  run.warnings = {"a", "b"};
  run.readings = {testing_records::reading("cycles", 7.0)};
  auto meddled = run;
  meddled.seed = 1;
  meddled.arms.clear();
  ASSERT_TRUE(store.finish_run(meddled));
  expect_equal(*store.run("run-1"), run);
  expect_equal(*store.run("run-2"), other);
  EXPECT_EQ(*store.block_count("run-1", 0, 0), 1);
  int readings = 0;
  ASSERT_TRUE(
      store.for_each_block("run-1", [&](const BlockRecord& b) { readings += static_cast<int>(b.readings.size()); }));
  EXPECT_EQ(readings, 2) << "the block's own readings stay";
  ASSERT_EQ(store.runs()->size(), 2u);
  EXPECT_EQ(store.latest_run()->run_id, "run-2");
}

TEST_F(ResultStoreTest, RefusesTheSameRunOrBlockTwiceAndAnUnknownRun) {
  auto store = filled();
  EXPECT_THAT(store.begin_run(testing_records::run()).error().message, HasSubstr("has a run 'run-1' already"));
  ASSERT_TRUE(store.append_block("run-1", testing_records::block(0, 0, 0)));
  EXPECT_EQ(store.append_block("run-1", testing_records::block(0, 0, 0)).error().kind, ErrorKind::kInvalid);
  EXPECT_EQ(*store.block_count("run-1", 0, 0), 1);
  EXPECT_FALSE(store.append_block("run-1", testing_records::block(9, 0, 0))) << "the run has no condition 9";
  const auto unknown = store.run("run-7");
  EXPECT_EQ(unknown.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(unknown.error().message, HasSubstr("did you mean run-1?"));
}

TEST_F(ResultStoreTest, AValueThatIsNoNumberIsStoredAsUnavailable) {
  auto store = filled();
  auto block = testing_records::block(0, 0, 0);
  block.readings = {testing_records::reading("a", std::nan("")),
                    testing_records::reading("b", std::numeric_limits<double>::infinity())};
  block.readings.push_back({"c", "papi", "count", -1, -1, "", "", std::nullopt, Quality::kExact, "", ""});
  ASSERT_TRUE(store.append_block("run-1", block));
  int seen = 0;
  ASSERT_TRUE(store.for_each_block("run-1", [&](const BlockRecord& stored) {
    for (const Reading& reading : stored.readings) {
      ++seen;
      EXPECT_EQ(reading.quality, Quality::kUnavailable);
      EXPECT_FALSE(reading.value);
      EXPECT_FALSE(reading.reason.empty());
    }
  }));
  EXPECT_EQ(seen, 3);
}

TEST_F(ResultStoreTest, KeepsWhatAReadingIsAbout) {
  auto store = filled();
  auto block = testing_records::block(0, 0, 0);
  block.readings = {testing_records::reading_of_field("vmstats[root]", "stats_updates"),
                    testing_records::reading("page-faults", 1.0), testing_records::reading_of_field("memcg_stock", "")};
  ASSERT_TRUE(store.append_block("run-1", block));
  auto run = testing_records::run();
  run.readings = {testing_records::reading_of_field("globals", "low")};
  ASSERT_TRUE(store.finish_run(run));
  ASSERT_TRUE(store.finish_run(run)) << "twice: the first ones are replaced";
  expect_equal(*store.run("run-1"), run);
  int blocks = 0;
  ASSERT_TRUE(store.for_each_block("run-1", [&](const BlockRecord& stored) {
    ++blocks;
    ASSERT_EQ(stored.readings.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) expect_equal(stored.readings[i], block.readings[i]);
  }));
  EXPECT_EQ(blocks, 1);
}

TEST_F(ResultStoreTest, AnOlderStoreIsReadAsItIsAndBroughtUpToDateByAppending) {
  {
    auto store = filled();
    ASSERT_TRUE(store.append_block("run-1", testing_records::block(0, 0, 0)));
  }
  alter("DROP TABLE reading_place; PRAGMA user_version = 1");
  const auto version = [&] {
    auto connection = sqlite::Connection::open(path_, sqlite::Connection::Mode::kReadWrite, 0);
    return *(*connection)->integer("PRAGMA user_version");
  };
  {
    const auto old = ResultStore::open(path_, Access::kRead);
    ASSERT_TRUE(old) << old.error().message;
    expect_equal(*old->run("run-1"), testing_records::run());
    int blocks = 0;
    ASSERT_TRUE(old->for_each_block("run-1", [&](const BlockRecord& block) {
      ++blocks;
      expect_equal(block.readings.at(0), testing_records::reading("page-faults", 0.0));
    }));
    EXPECT_EQ(blocks, 1);
  }
  EXPECT_EQ(version(), 1);
  auto now = ResultStore::open(path_, Access::kAppend);
  ASSERT_TRUE(now) << now.error().message;
  EXPECT_EQ(version(), 2);
  auto block = testing_records::block(0, 0, 1);
  block.readings = {testing_records::reading_of_field("a", "b")};
  ASSERT_TRUE(now->append_block("run-1", block));
  EXPECT_EQ(*now->block_count("run-1", 0, 0), 2);
}

TEST_F(ResultStoreTest, AnOlderStoreThatWasAlteredOrNeverWasIsRefused) {
  filled();
  alter("DROP TABLE reading_place; DROP TABLE warning; PRAGMA user_version = 1");
  EXPECT_THAT(refusal(Access::kAppend).message, HasSubstr("is not a store of schema 1: its table 'warning'"));
  alter("PRAGMA user_version = 0");
  EXPECT_THAT(refusal(Access::kAppend).message, HasSubstr("has schema 0, which no hitmark wrote"));
}

TEST_F(ResultStoreTest, RefusesANewerSchemaAndNamesBoth) {
  filled();
  alter("PRAGMA user_version = 7");
  for (const Access access : {Access::kRead, Access::kAppend}) {
    const Error error = refusal(access);
    EXPECT_EQ(error.kind, ErrorKind::kUnsupported);
    EXPECT_THAT(error.message, HasSubstr("has schema 7, and this hitmark knows schema 2 at most"));
  }
}

TEST_F(ResultStoreTest, RefusesWhatIsNoStore) {
  EXPECT_THAT(refusal().message, HasSubstr("there is no store"));
  ASSERT_TRUE(write_file(path_, std::string(4096, 'x')));
  EXPECT_THAT(refusal().message, HasSubstr("is not a hitmark store"));
  EXPECT_THAT(refusal(Access::kAppend).message, HasSubstr("is not a hitmark store"));
  EXPECT_EQ(*read_file(path_), std::string(4096, 'x')) << "it must not be touched";
  ASSERT_TRUE(write_file(path_, ""));
  EXPECT_THAT(refusal().message, HasSubstr("is empty"));
  EXPECT_EQ(refusal(Access::kAppend).message, "was accepted") << "an empty file may become a store";
  path_ = folder_;
  EXPECT_THAT(refusal(Access::kAppend).message, HasSubstr("is a directory"));
  path_ = "/dev/full";
  EXPECT_THAT(refusal(Access::kAppend).message, HasSubstr("is not a regular file"));
  path_ = folder_ + "none/store.sqlite";
  EXPECT_THAT(refusal(Access::kAppend).hint, HasSubstr("mkdir -p"));
  path_ = "";
  EXPECT_EQ(refusal().kind, ErrorKind::kUsage);
  path_ = folder_ + "foreign.sqlite";
  alter("CREATE TABLE photos (id)");
  EXPECT_THAT(refusal(Access::kAppend).message, HasSubstr("is a SQLite file, but not a hitmark store"));
}

TEST_F(ResultStoreTest, RefusesAStoreWhoseTablesWereAltered) {
  filled();
  alter("ALTER TABLE slice RENAME COLUMN ticks TO tocks");
  EXPECT_THAT(refusal().message, HasSubstr("is missing or was altered"));
}

TEST_F(ResultStoreTest, AnIndexOrViewOfTheUsersOwnIsWelcome) {
  filled();
  alter("CREATE VIEW mine AS SELECT * FROM cost; CREATE INDEX mine2 ON slice (arm)");
  EXPECT_EQ(refusal(Access::kAppend).message, "was accepted");
}

TEST_F(ResultStoreTest, ReadingChangesNothing) {
  filled();
  auto store = ResultStore::open(path_, Access::kRead);
  EXPECT_FALSE(store->begin_run(testing_records::run("run-2")));
  EXPECT_EQ(store->runs()->size(), 1u);
}

TEST_F(ResultStoreTest, TheViewNamesEverything) {
  auto store = filled();
  ASSERT_TRUE(store.append_block("run-1", testing_records::block(0, 0, 0)));
  auto connection = sqlite::Connection::open(path_, sqlite::Connection::Mode::kReadWrite, 0);
  EXPECT_EQ(*(*connection)
                 ->integer("SELECT COUNT(*) FROM cost WHERE arm = 'null:copy' AND phase = 'saturated' "
                           "AND condition = 'single paired' AND run_id = 'run-1'"),
            2);
}

}  // namespace
}  // namespace hitmark
