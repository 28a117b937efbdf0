// A store is known by SQLite's application_id, its schema by user_version. The tables themselves are
// compared with schema.sql: a file that only claims to be a store must not be read as if it were one.
#include "harness/results/store_schema.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>

#include "embedded/results_schema.hpp"

namespace hitmark {
namespace {

constexpr std::int64_t kApplicationId = 0x686d726b;  // "hmrk"

// Where the part of schema.sql begins that a version added: "-- Since schema 2."
std::size_t part_of(int version) {
  const std::string_view schema = embedded::results_schema;
  return std::min(schema.find("-- Since schema " + std::to_string(version) + "."), schema.size());
}

// As a file of that version has it.
std::string schema_of(int version) { return std::string(embedded::results_schema.substr(0, part_of(version + 1))); }

using SchemaObjects = std::set<std::tuple<std::string, std::string, std::string>>;  // type, name, SQL

Result<SchemaObjects> schema_objects(const sqlite::Connection& connection) {
  auto rows = connection.prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL");
  if (!rows) return rows.error();
  SchemaObjects objects;
  while (true) {
    const auto row = rows->step();
    if (!row) return row.error();
    if (!*row) return objects;
    objects.emplace(rows->text(0), rows->text(1), rows->text(2));
  }
}

Result<void> create_schema(const sqlite::Connection& connection, int version) {
  return connection.transaction([&]() -> Result<void> {
    const auto objects = connection.integer("SELECT COUNT(*) FROM sqlite_schema");
    if (!objects) return objects.error();
    if (*objects != 0) return {};  // another process was faster
    if (auto done = connection.execute(schema_of(version)); !done) return done;
    return connection.execute("PRAGMA application_id = " + std::to_string(kApplicationId) +
                              "; PRAGMA user_version = " + std::to_string(version));
  });
}

// From the version that the file has by now (another process may have been faster) to `version`.
Result<void> bring_up_to_date(const sqlite::Connection& connection, int version) {
  return connection.transaction([&]() -> Result<void> {
    const auto stored = connection.integer("PRAGMA user_version");
    if (!stored) return stored.error();
    if (*stored >= version) return {};
    const std::size_t from = part_of(static_cast<int>(*stored) + 1);
    if (auto done = connection.execute(std::string(embedded::results_schema.substr(from))); !done) return done;
    return connection.execute("PRAGMA user_version = " + std::to_string(version));
  });
}

}  // namespace

Result<bool> has_places(const sqlite::Connection& connection) {
  const auto version = connection.integer("PRAGMA user_version");
  if (!version) return version.error();
  return *version >= 2;
}

Result<void> check_schema(const sqlite::Connection& connection, const std::string& path, int version, bool create) {
  auto found = schema_objects(connection);
  if (!found) return found.error();
  if (found->empty() && create) {
    if (auto created = create_schema(connection, version); !created) return created;
    if (found = schema_objects(connection); !found) return found.error();
  }
  if (found->empty())
    return Error{ErrorKind::kNotFound, path + " is empty: no run has been stored in it",
                 "hitmark run STUDY --store " + path};
  const auto application = connection.integer("PRAGMA application_id");
  if (!application) return application.error();
  if (*application != kApplicationId)
    return Error{ErrorKind::kInvalid, path + " is a SQLite file, but not a hitmark store",
                 "give another file with --store FILE"};
  const auto stored = connection.integer("PRAGMA user_version");
  if (!stored) return stored.error();
  if (*stored < 1)
    return Error{ErrorKind::kInvalid, path + " has schema " + std::to_string(*stored) + ", which no hitmark wrote",
                 "give another file with --store FILE"};
  if (*stored > version)
    return Error{ErrorKind::kUnsupported,
                 path + " has schema " + std::to_string(*stored) + ", and this hitmark knows schema " +
                     std::to_string(version) + " at most",
                 "use the hitmark that wrote it or a newer one, or give another file with --store FILE"};
  auto reference = sqlite::Connection::open_in_memory();
  if (!reference) return reference.error();
  if (auto made = create_schema(**reference, static_cast<int>(*stored)); !made) return made;
  const auto expected = schema_objects(**reference);
  if (!expected) return expected.error();
  for (const auto& object : *expected)
    if (found->count(object) == 0)
      return Error{ErrorKind::kInvalid,
                   path + " is not a store of schema " + std::to_string(*stored) + ": its " + std::get<0>(object) +
                       " '" + std::get<1>(object) + "' is missing or was altered",
                   "save what is readable with: sqlite3 " + path + " .dump"};
  if (create && *stored < version) return bring_up_to_date(connection, version);
  return {};
}

}  // namespace hitmark
