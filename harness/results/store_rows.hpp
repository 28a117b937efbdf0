// The structs of sample.hpp as rows of schema.sql and back. No transactions here: the caller has one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "harness/results/sample.hpp"
#include "harness/results/sqlite_connection.hpp"
#include "support/result.hpp"

namespace hitmark {

Result<void> insert_run(const sqlite::Connection& connection, const RunRecord& run);
Result<void> insert_warnings(const sqlite::Connection& connection, std::int64_t run,
                             const std::vector<std::string>& warnings);
// A value that is no finite number is stored as unavailable, with that as the reason.
Result<void> insert_readings(const sqlite::Connection& connection, std::int64_t run, std::optional<std::int64_t> block,
                             const std::vector<Reading>& readings);
Result<void> insert_block(const sqlite::Connection& connection, std::int64_t run, const BlockRecord& block);

Result<RunRecord> read_run(const sqlite::Connection& connection, std::int64_t run);
Result<void> read_blocks(const sqlite::Connection& connection, std::int64_t run,
                         const std::function<void(const BlockRecord&)>& use);

}  // namespace hitmark
