// The thin layer over sqlite3.h. What deserves care: the meaning of each result code for somebody whose
// run took an hour, and that nothing is left half written.
#include "harness/results/sqlite_connection.hpp"

#include <sqlite3.h>

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "harness/results/lock_holder.hpp"

namespace hitmark::sqlite {
namespace {

constexpr const char* kOtherStore = "give another file with --store FILE";

bool out_of_space(int code, int system_error) {
  return code == SQLITE_FULL || system_error == ENOSPC || system_error == EDQUOT || system_error == EFBIG;
}

std::string seconds_text(double seconds) {
  const int whole = static_cast<int>(seconds);
  return whole == seconds ? std::to_string(whole) + " s" : std::to_string(static_cast<int>(seconds * 1000)) + " ms";
}

// "file:" URI of a path: everything but letters, digits and a few signs as %XX.
std::string immutable_uri(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    char coded[4];
    std::snprintf(coded, sizeof coded, "%%%02X", byte);
    if (std::isalnum(byte) != 0 || std::strchr("/._-", c) != nullptr)
      uri += c;
    else
      uri += coded;
  }
  return uri + "?immutable=1";
}

}  // namespace

void CloseConnection::operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
void FinalizeStatement::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Result<std::unique_ptr<Connection>> Connection::open(const std::string& path, Mode mode, double patience_seconds) {
  std::unique_ptr<Connection> connection(new Connection(path, patience_seconds));
  // Also to read: only a writable connection can roll back the block that a killed run left half written.
  // SQLite falls back to read-only by itself where the file is write-protected.
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
  if (mode == Mode::kReadWriteCreate) flags |= SQLITE_OPEN_CREATE;
  if (mode == Mode::kImmutable) flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
  sqlite3* handle = nullptr;
  const std::string name = mode == Mode::kImmutable ? immutable_uri(path) : path;
  const int code = sqlite3_open_v2(name.c_str(), &handle, flags, nullptr);
  connection->handle_.reset(handle);
  if (code != SQLITE_OK) return connection->last_error(code);
  sqlite3_extended_result_codes(handle, 1);
  sqlite3_busy_timeout(handle, static_cast<int>(patience_seconds * 1000));
  // A file from somebody else is data: nothing in its schema may run code or write behind our back.
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 1, nullptr);
  return connection;
}

Result<std::unique_ptr<Connection>> Connection::open_in_memory() { return open(":memory:", Mode::kReadWriteCreate, 0); }

Result<Statement> Connection::prepare(std::string_view sql) const {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(handle_.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  if (code != SQLITE_OK) return last_error(code);
  return Statement(this, statement);
}

Result<void> Connection::execute(const std::string& sql) const {
  const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return last_error(code);
  return {};
}

Result<std::int64_t> Connection::integer(std::string_view sql) const {
  auto statement = prepare(sql);
  if (!statement) return statement.error();
  const auto row = statement->step();
  if (!row) return row.error();
  return *row ? statement->integer(0) : 0;
}

Result<std::string> Connection::text(std::string_view sql) const {
  auto statement = prepare(sql);
  if (!statement) return statement.error();
  const auto row = statement->step();
  if (!row) return row.error();
  return *row ? statement->text(0) : std::string();
}

void Connection::stop_waiting() const { sqlite3_busy_timeout(handle_.get(), 0); }

bool Connection::is_read_only() const { return sqlite3_db_readonly(handle_.get(), "main") == 1; }

std::int64_t Connection::last_row() const { return sqlite3_last_insert_rowid(handle_.get()); }

void Connection::roll_back() const {
  if (sqlite3_get_autocommit(handle_.get()) == 0) sqlite3_exec(handle_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

Error Connection::last_error(int code) const {
  const int system_error = handle_ ? sqlite3_system_errno(handle_.get()) : 0;
  const std::string cause = system_error != 0 ? std::strerror(system_error)
                                              : (handle_ ? sqlite3_errmsg(handle_.get()) : sqlite3_errstr(code));
  const int primary = code & 0xff;
  if (primary == SQLITE_BUSY || primary == SQLITE_LOCKED)
    return {ErrorKind::kUnavailable,
            path_ + " is locked by " + lock_holders(path_) + "; waited " + seconds_text(patience_seconds_),
            std::string("wait until that has ended, or ") + kOtherStore};
  // The error number is that of the last failed call; it only means something for these codes.
  const bool from_system = primary == SQLITE_IOERR || primary == SQLITE_FULL || primary == SQLITE_CANTOPEN;
  if (out_of_space(primary, from_system ? system_error : 0))
    return {ErrorKind::kIo,
            "no space left to write " + path_ + (from_system && system_error != 0 ? " (" + cause + ")" : "") +
                "; all that was stored before is still there",
            "free some space, then go on with: hitmark run --resume --store " + path_};
  if (code == SQLITE_IOERR_WRITE || code == SQLITE_IOERR_FSYNC || code == SQLITE_IOERR_TRUNCATE)
    return {ErrorKind::kIo,
            "cannot write " + path_ + ": " + cause +
                " (a quota, a limit on file sizes, or a failing device); all that was stored before is still there",
            "look at quota, ulimit -f and dmesg, then go on with: hitmark run --resume --store " + path_};
  switch (primary) {
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      if (code == SQLITE_READONLY_ROLLBACK || code == SQLITE_READONLY_RECOVERY)
        return {ErrorKind::kDenied,
                path_ + " was left by a killed run and is write-protected, so that run's last block cannot be undone",
                "copy " + path_ + " and the -journal or -wal file beside it to a writable place, and read them there"};
      return {ErrorKind::kDenied, "cannot write " + path_ + ": it is write-protected", kOtherStore};
    case SQLITE_CANTOPEN:
      return {ErrorKind::kDenied, "cannot open or write " + path_ + ", or the journal beside it: " + cause,
              "check the permissions of the file and its folder, or " + std::string(kOtherStore)};
    case SQLITE_NOTADB:
      return {ErrorKind::kInvalid, path_ + " is not a hitmark store: it is no SQLite file", kOtherStore};
    case SQLITE_CORRUPT:
      return {ErrorKind::kInvalid, path_ + " is damaged: " + cause,
              "save what is readable with: sqlite3 " + path_ + " .recover"};
    case SQLITE_CONSTRAINT:
      return {ErrorKind::kInvalid, path_ + " does not take this record: " + cause, ""};
    default:
      return {ErrorKind::kIo, "cannot use " + path_ + ": " + cause, ""};
  }
}

void Statement::restart() {
  if (!stepped_) return;
  sqlite3_reset(statement_.get());
  stepped_ = false;
}

Statement& Statement::note(int code) {
  if (code != SQLITE_OK && bind_error_ == SQLITE_OK) bind_error_ = code;
  return *this;
}

Statement& Statement::bind(std::int64_t value) {
  restart();
  return note(sqlite3_bind_int64(statement_.get(), next_parameter_++, value));
}

Statement& Statement::bind(double value) {
  restart();
  return note(sqlite3_bind_double(statement_.get(), next_parameter_++, value));
}

Statement& Statement::bind(std::string_view text) {
  restart();
  return note(sqlite3_bind_text64(statement_.get(), next_parameter_++, text.empty() ? "" : text.data(), text.size(),
                                  SQLITE_TRANSIENT, SQLITE_UTF8));
}

Statement& Statement::bind_null() {
  restart();
  return note(sqlite3_bind_null(statement_.get(), next_parameter_++));
}

Result<bool> Statement::step() {
  next_parameter_ = 1;
  if (bind_error_ != SQLITE_OK) return connection_->last_error(std::exchange(bind_error_, SQLITE_OK));
  stepped_ = true;
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) {
    restart();
    return false;
  }
  const Error error = connection_->last_error(code);
  restart();
  return error;
}

Result<void> Statement::run() {
  const auto row = step();
  restart();
  if (!row) return row.error();
  return {};
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
double Statement::real(int column) const { return sqlite3_column_double(statement_.get(), column); }
bool Statement::is_null(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }

std::string Statement::text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  if (bytes == nullptr) return {};
  return std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)));
}

}  // namespace hitmark::sqlite
