// One SQLite connection and its statements, with SQLite's result codes turned into Errors for people. The
// only file that sees sqlite3.h is sqlite_connection.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "support/result.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace hitmark::sqlite {

struct CloseConnection {
  void operator()(sqlite3* connection) const;
};
struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const;
};

class Connection;

// Parameters are bound in order, then step() until it says false. bind() after a run starts the next one.
class Statement {
 public:
  Statement& bind(std::int64_t value);
  Statement& bind(int value) { return bind(static_cast<std::int64_t>(value)); }
  Statement& bind(std::uint64_t value) { return bind(static_cast<std::int64_t>(value)); }
  Statement& bind(double value);
  Statement& bind(std::string_view text);
  Statement& bind_null();

  Result<bool> step();  // true: there is a row
  Result<void> run();   // step() of a statement without rows

  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;
  bool is_null(int column) const;

 private:
  friend class Connection;
  Statement(const Connection* connection, sqlite3_stmt* statement) : connection_(connection), statement_(statement) {}
  void restart();
  Statement& note(int code);

  const Connection* connection_;
  std::unique_ptr<sqlite3_stmt, FinalizeStatement> statement_;
  int next_parameter_ = 1;
  int bind_error_ = 0;
  bool stepped_ = false;
};

// Statements must not outlive it, and it must not move while there are any.
class Connection {
 public:
  // kImmutable: a file that nobody changes, on a place where no lock or log can be made.
  enum class Mode { kReadWrite, kReadWriteCreate, kImmutable };
  // `patience_seconds`: how long a lock of another process is waited for, each time.
  static Result<std::unique_ptr<Connection>> open(const std::string& path, Mode mode, double patience_seconds);
  static Result<std::unique_ptr<Connection>> open_in_memory();

  Result<Statement> prepare(std::string_view sql) const;
  Result<void> execute(const std::string& sql) const;        // several statements, no rows
  Result<std::int64_t> integer(std::string_view sql) const;  // the one value of a query
  Result<std::string> text(std::string_view sql) const;      // likewise
  void stop_waiting() const;                                 // from now on, a lock is an Error at once
  bool is_read_only() const;
  std::int64_t last_row() const;

  // BEGIN IMMEDIATE, body, COMMIT; on any error everything is rolled back.
  template <typename Body>
  Result<void> transaction(Body body) const {
    if (auto begun = execute("BEGIN IMMEDIATE"); !begun) return begun;
    Result<void> done = body();
    if (done) done = execute("COMMIT");
    if (!done) roll_back();
    return done;
  }

  // What the connection's last failure means, for people.
  Error last_error(int code) const;

 private:
  Connection(std::string path, double patience_seconds) : path_(std::move(path)), patience_seconds_(patience_seconds) {}
  void roll_back() const;

  std::string path_;
  double patience_seconds_;
  std::unique_ptr<sqlite3, CloseConnection> handle_;
};

}  // namespace hitmark::sqlite
