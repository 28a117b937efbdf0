// How a store's transactions reach the disk. Measured for a block of 100 slices on a busy ext4: rollback
// journal 22 to 33 ms (it waits for the disk twice to four times), write-ahead log 0.3 ms.
#pragma once

#include <string>

#include "harness/results/sqlite_connection.hpp"
#include "support/result.hpp"

namespace hitmark {

// A write-ahead log where the file system can share memory between processes, else (network and FUSE file
// systems) the rollback journal. Both keep every committed block when the process is killed, and leave a
// consistent file when the power fails.
Result<void> choose_journal(const sqlite::Connection& connection, const std::string& path);

// Back to a single file that can be read from anywhere, unless another process still has it open.
void tidy_journal(const sqlite::Connection& connection);

// Is there a log or journal beside the file, left by a killed run or by one that runs now?
bool has_open_journal(const std::string& path);

}  // namespace hitmark
