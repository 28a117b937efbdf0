// Is this SQLite file a hitmark store, and of which schema? Creates the schema in an empty one, and adds to an older
// one what newer versions added.
#pragma once

#include <string>

#include "harness/results/sqlite_connection.hpp"
#include "support/result.hpp"

namespace hitmark {

// An empty file becomes a store, and an older one a store of this version, when `create`; otherwise an empty, a
// foreign, newer or altered file is an Error, and an older one is left as it is.
Result<void> check_schema(const sqlite::Connection& connection, const std::string& path, int version, bool create);

// Whether readings may have a place (table reading_place), which a file of schema 1 does not have.
Result<bool> has_places(const sqlite::Connection& connection);

}  // namespace hitmark
