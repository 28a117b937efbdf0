// Is this SQLite file a hitmark store, and of which schema? Creates the schema in an empty one.
#pragma once

#include <string>

#include "harness/results/sqlite_connection.hpp"
#include "support/result.hpp"

namespace hitmark {

// An empty file becomes a store when `create`; otherwise it, a foreign, newer or altered file is an Error.
Result<void> check_schema(const sqlite::Connection& connection, const std::string& path, int version, bool create);

}  // namespace hitmark
