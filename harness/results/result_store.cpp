// The store's contract on top of SQLite. A write-ahead log while runs append, so that a block costs no
// waiting for the disk; a single plain file afterwards. Locks of other processes are waited for.
#include "harness/results/result_store.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <system_error>

#include "harness/results/journal_mode.hpp"
#include "harness/results/sqlite_connection.hpp"
#include "harness/results/store_rows.hpp"
#include "harness/results/store_schema.hpp"
#include "support/nearest.hpp"

namespace hitmark {
namespace {

Result<void> check_place(const std::string& path, ResultStore::Access access) {
  constexpr const char* kHint = "give another file with --store FILE";
  if (path.empty()) return Error{ErrorKind::kUsage, "the store's file name is empty", kHint};
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode))
      return Error{ErrorKind::kInvalid, path + " is a directory, not a store", "--store " + path + "/hitmark.sqlite"};
    if (!S_ISREG(status.st_mode)) return Error{ErrorKind::kInvalid, path + " is not a regular file", kHint};
    return {};
  }
  const int error = errno;
  if (error == EACCES)
    return Error{ErrorKind::kDenied, "cannot look into the folder of " + path + ": " + std::strerror(error), kHint};
  const auto parent = std::filesystem::path(path).parent_path();
  std::error_code ignored;
  if (!parent.empty() && !std::filesystem::is_directory(parent, ignored))
    return Error{ErrorKind::kNotFound, "there is no folder " + parent.string() + " for the store " + path,
                 "mkdir -p " + parent.string()};
  if (access == ResultStore::Access::kRead)
    return Error{ErrorKind::kNotFound, "there is no store " + path, "hitmark run STUDY --store " + path};
  // Asked for here, because SQLite reports another error number than that of the refusal.
  const std::string folder = parent.empty() ? "." : parent.string();
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    return Error{ErrorKind::kDenied, "cannot create " + path + " in " + folder + ": " + std::strerror(errno), kHint};
  return {};
}

using Opened = Result<std::unique_ptr<sqlite::Connection>>;
using Mode = sqlite::Connection::Mode;

Opened open_to_append(const std::string& path, double patience_seconds, int version) {
  auto connection = sqlite::Connection::open(path, Mode::kReadWriteCreate, patience_seconds);
  if (!connection) return connection;
  if ((*connection)->is_read_only())
    return Error{ErrorKind::kDenied, "cannot write " + path + ": it is write-protected",
                 "give another file with --store FILE"};
  if (auto known = check_schema(**connection, path, version, true); !known) return known.error();
  // Writes a journal and undoes it: a full disk or a locked folder shows here, not after the first block.
  if (auto writable =
          (*connection)->execute("BEGIN IMMEDIATE; PRAGMA user_version = " + std::to_string(version) + "; ROLLBACK");
      !writable)
    return writable.error();
  if (auto journal = choose_journal(**connection, path); !journal) return journal.error();
  return connection;
}

Opened open_to_read(const std::string& path, double patience_seconds, int version) {
  const auto open = [&](Mode mode) -> Opened {
    auto connection = sqlite::Connection::open(path, mode, patience_seconds);
    if (!connection) return connection;
    if (auto known = check_schema(**connection, path, version, false); !known) return known.error();
    if (auto fixed = (*connection)->execute("PRAGMA query_only = ON"); !fixed) return fixed.error();
    return connection;
  };
  auto connection = open(Mode::kReadWrite);
  // In a folder where we may make neither lock nor log, a file that nobody has open can still be read.
  if (connection || connection.error().kind != ErrorKind::kDenied) return connection;
  if (!has_open_journal(path)) return open(Mode::kImmutable);
  return Error{ErrorKind::kDenied,
               path + " is in use or was left by a killed run, and its last blocks cannot be read without writing here",
               "copy " + path + " and the -wal or -journal file beside it to a writable place, and read them there"};
}

}  // namespace

struct ResultStore::Database {
  Database(std::string store_path, bool appends, std::unique_ptr<sqlite::Connection> opened)
      : path(std::move(store_path)), append(appends), connection(std::move(opened)) {}
  std::string path;
  bool append;
  std::unique_ptr<sqlite::Connection> connection;
  ~Database() {
    if (append && connection) tidy_journal(*connection);
  }
  std::map<std::string, std::int64_t, std::less<>> ids;  // rows of runs that were asked for before

  Result<std::vector<std::string>> run_ids() const {
    auto rows = connection->prepare("SELECT run_id FROM run ORDER BY id");
    if (!rows) return rows.error();
    std::vector<std::string> names;
    while (true) {
      const auto row = rows->step();
      if (!row) return row.error();
      if (!*row) return names;
      names.push_back(rows->text(0));
    }
  }

  Result<std::int64_t> id_of(const std::string& run_id) {
    if (const auto known = ids.find(run_id); known != ids.end()) return known->second;
    auto rows = connection->prepare("SELECT id FROM run WHERE run_id = ?");
    if (!rows) return rows.error();
    const auto row = rows->bind(run_id).step();
    if (!row) return row.error();
    if (*row) return ids[run_id] = rows->integer(0);
    const auto names = run_ids();
    if (!names) return names.error();
    return Error{ErrorKind::kUsage, path + " has no run '" + run_id + "'" + did_you_mean(run_id, *names), ""};
  }
};

ResultStore::ResultStore(std::unique_ptr<Database> database) : database_(std::move(database)) {}
ResultStore::ResultStore(ResultStore&&) noexcept = default;
ResultStore& ResultStore::operator=(ResultStore&&) noexcept = default;
ResultStore::~ResultStore() = default;

Result<ResultStore> ResultStore::open(const std::string& path, Access access, double patience_seconds) {
  if (auto place = check_place(path, access); !place) return place.error();
  auto connection = access == Access::kAppend ? open_to_append(path, patience_seconds, kSchemaVersion)
                                              : open_to_read(path, patience_seconds, kSchemaVersion);
  if (!connection) return connection.error();
  return ResultStore(std::unique_ptr<Database>(new Database(path, access == Access::kAppend, *std::move(connection))));
}

Result<void> ResultStore::begin_run(const RunRecord& run) {
  const auto& connection = *database_->connection;
  return connection.transaction([&]() -> Result<void> {
    const auto names = database_->run_ids();
    if (!names) return names.error();
    for (const std::string& name : *names)
      if (name == run.run_id)
        return Error{ErrorKind::kInvalid, database_->path + " has a run '" + name + "' already", ""};
    return insert_run(connection, run);
  });
}

Result<void> ResultStore::append_block(const std::string& run_id, const BlockRecord& block) {
  const auto id = database_->id_of(run_id);
  if (!id) return id.error();
  return database_->connection->transaction([&] { return insert_block(*database_->connection, *id, block); });
}

Result<void> ResultStore::finish_run(const RunRecord& run) {
  const auto id = database_->id_of(run.run_id);
  if (!id) return id.error();
  const auto& connection = *database_->connection;
  return connection.transaction([&]() -> Result<void> {
    auto update = connection.prepare("UPDATE run SET status = ?, wall_seconds = ? WHERE id = ?");
    if (!update) return update.error();
    if (auto done = update->bind(run.status).bind(run.wall_seconds).bind(*id).run(); !done) return done;
    for (const char* sql :
         {"DELETE FROM warning WHERE run = ?",
          "DELETE FROM reading_place WHERE reading IN (SELECT id FROM reading WHERE run = ? AND block IS NULL)",
          "DELETE FROM reading WHERE run = ? AND block IS NULL"}) {
      auto remove = connection.prepare(sql);
      if (!remove) return remove.error();
      if (auto done = remove->bind(*id).run(); !done) return done;
    }
    if (auto done = insert_warnings(connection, *id, run.warnings); !done) return done;
    return insert_readings(connection, *id, std::nullopt, run.readings);
  });
}

Result<std::vector<RunRecord>> ResultStore::runs() const {
  const auto names = database_->run_ids();
  if (!names) return names.error();
  std::vector<RunRecord> records;
  for (const std::string& name : *names) {
    auto record = run(name);
    if (!record) return record.error();
    records.push_back(*std::move(record));
  }
  return records;
}

Result<RunRecord> ResultStore::run(const std::string& run_id) const {
  const auto id = database_->id_of(run_id);
  if (!id) return id.error();
  return read_run(*database_->connection, *id);
}

Result<RunRecord> ResultStore::latest_run() const {
  const auto names = database_->run_ids();
  if (!names) return names.error();
  if (names->empty())
    return Error{ErrorKind::kNotFound, database_->path + " holds no run",
                 "hitmark run STUDY --store " + database_->path};
  return run(names->back());
}

Result<void> ResultStore::for_each_block(const std::string& run_id,
                                         const std::function<void(const BlockRecord&)>& use) const {
  const auto id = database_->id_of(run_id);
  if (!id) return id.error();
  return read_blocks(*database_->connection, *id, use);
}

Result<int> ResultStore::block_count(const std::string& run_id, int condition, int invocation) const {
  const auto id = database_->id_of(run_id);
  if (!id) return id.error();
  auto rows =
      database_->connection->prepare("SELECT COUNT(*) FROM block WHERE run = ? AND condition = ? AND invocation = ?");
  if (!rows) return rows.error();
  const auto row = rows->bind(*id).bind(condition).bind(invocation).step();
  if (!row) return row.error();
  return static_cast<int>(rows->integer(0));
}

}  // namespace hitmark
