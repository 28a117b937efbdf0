// Append-only store of runs in one SQLite file. One transaction per block, so a killed run loses the block
// that was running and nothing else. It never computes.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/results/sample.hpp"
#include "support/result.hpp"

namespace hitmark {

class ResultStore {
 public:
  enum class Access { kRead, kAppend };
  static constexpr int kSchemaVersion = 2;

  // kAppend creates the file when it is missing, and brings one of an older schema up to date; kRead reads it as it is.
  // A file of a newer schema, a locked one (after waiting), a read-only place, a full disk or a file that is no store:
  // each an Error that says what to do. `patience_seconds`: how long each call waits for another process that has the
  // file locked.
  static Result<ResultStore> open(const std::string& path, Access access, double patience_seconds = 30);
  ResultStore(ResultStore&&) noexcept;
  ResultStore& operator=(ResultStore&&) noexcept;
  ~ResultStore();

  Result<void> begin_run(const RunRecord& run);  // run.run_id must be new
  Result<void> append_block(const std::string& run_id, const BlockRecord& block);
  // Sets status, wall_seconds, warnings and run-wide readings; nothing else of a run ever changes.
  Result<void> finish_run(const RunRecord& run);

  Result<std::vector<RunRecord>> runs() const;  // oldest first
  Result<RunRecord> run(const std::string& run_id) const;
  Result<RunRecord> latest_run() const;
  // Blocks in order of (condition, invocation, block), streamed.
  Result<void> for_each_block(const std::string& run_id, const std::function<void(const BlockRecord&)>& use) const;
  // How many blocks of a condition and invocation are there: where --resume goes on.
  Result<int> block_count(const std::string& run_id, int condition, int invocation) const;

 private:
  struct Database;
  explicit ResultStore(std::unique_ptr<Database> database);
  std::unique_ptr<Database> database_;
};

}  // namespace hitmark
