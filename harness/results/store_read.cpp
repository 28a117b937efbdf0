// Rows to structs. A damaged file may hold anything: numbers are clamped to what the structs can take, and
// names that we do not know are Errors.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "harness/results/sample_text.hpp"
#include "harness/results/store_rows.hpp"
#include "harness/results/store_schema.hpp"

namespace hitmark {
namespace {

using sqlite::Connection;
using sqlite::Statement;

int small(const Statement& row, int column) {
  constexpr std::int64_t kLowest = std::numeric_limits<int>::min(), kHighest = std::numeric_limits<int>::max();
  return static_cast<int>(std::clamp(row.integer(column), kLowest, kHighest));
}

std::uint64_t count(const Statement& row, int column) { return static_cast<std::uint64_t>(row.integer(column)); }

std::uint64_t seed(const Statement& row, int column) {
  const std::string text = row.text(column);
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// SQL without quality or role names that we know cannot come from us.
Error unknown_name(const std::string& what, const std::string& name) {
  return {ErrorKind::kInvalid, "the store holds a " + what + " '" + name + "' that this hitmark does not know", ""};
}

// Runs `sql` with the bound keys and calls `use` for each row.
template <typename Use>
Result<void> each_row(Statement& rows, Use use) {
  while (true) {
    const auto row = rows.step();
    if (!row) return row.error();
    if (!*row) return {};
    if (Result<void> used = use(rows); !used) return used;
  }
}

template <typename Use>
Result<void> each_row(const Connection& connection, std::string_view sql, std::int64_t run, Use use) {
  auto rows = connection.prepare(sql);
  if (!rows) return rows.error();
  rows->bind(run);
  return each_row(*rows, use);
}

Result<Reading> reading_of(const Statement& row) {
  Reading reading;
  reading.event = row.text(0);
  reading.source = row.text(1);
  reading.unit = row.text(2);
  reading.cpu = small(row, 3);
  reading.arm = small(row, 4);
  const auto quality = quality_named(row.text(6));
  if (!quality) return unknown_name("quality", row.text(6));
  reading.quality = *quality;
  if (!row.is_null(5) && std::isfinite(row.real(5))) reading.value = row.real(5);
  if (!reading.value) reading.quality = Quality::kUnavailable;
  reading.reason = row.text(7);
  reading.hint = row.text(8);
  reading.object = row.text(9);
  reading.field = row.text(10);
  return reading;
}

// The columns that reading_of() takes.
Result<std::string> select_readings(const Connection& connection, const std::string& where) {
  const auto places = has_places(connection);
  if (!places) return places.error();
  return std::string("SELECT event, source, unit, cpu, arm, value, quality, reason, hint, ") +
         (*places ? "COALESCE(object, ''), COALESCE(field, '') FROM reading "
                    "LEFT JOIN reading_place ON reading_place.reading = reading.id "
                  : "'', '' FROM reading ") +
         where + " ORDER BY id";
}

auto append_to(std::vector<Reading>& readings) {
  return [&readings](const Statement& row) -> Result<void> {
    auto reading = reading_of(row);
    if (!reading) return reading.error();
    readings.push_back(*std::move(reading));
    return {};
  };
}

auto append_to(NameValues& values) {
  return [&values](const Statement& row) -> Result<void> {
    values.emplace_back(row.text(0), row.text(1));
    return {};
  };
}

Result<void> read_arms(const Connection& connection, std::int64_t id, RunRecord& run) {
  if (auto done = each_row(connection, "SELECT name, role, variant FROM arm WHERE run = ? ORDER BY arm", id,
                           [&](const Statement& row) -> Result<void> {
                             const auto role = role_named(row.text(1));
                             if (!role) return unknown_name("role of an arm", row.text(1));
                             run.arms.push_back({row.text(0), *role, row.text(2), {}});
                             return {};
                           });
      !done)
    return done;
  return each_row(connection, "SELECT arm, aspect, value FROM arm_trait WHERE run = ? ORDER BY arm, number", id,
                  [&](const Statement& row) -> Result<void> {
                    const auto arm = static_cast<std::size_t>(std::max(small(row, 0), 0));
                    if (arm < run.arms.size()) run.arms[arm].traits.emplace_back(row.text(1), row.text(2));
                    return {};
                  });
}

Result<void> read_conditions(const Connection& connection, std::int64_t id, RunRecord& run) {
  if (auto done = each_row(connection,
                           "SELECT name, placement, relation, home FROM condition WHERE run = ? ORDER BY condition", id,
                           [&](const Statement& row) -> Result<void> {
                             run.conditions.push_back({row.text(0), row.text(1), row.text(2), row.text(3), {}, {}, {}});
                             return {};
                           });
      !done)
    return done;
  const auto in_condition = [&](const Statement& row, auto use) {
    const auto condition = static_cast<std::size_t>(std::max(small(row, 0), 0));
    if (condition < run.conditions.size()) use(run.conditions[condition]);
    return Result<void>();
  };
  if (auto done = each_row(
          connection, "SELECT condition, cpu FROM condition_cpu WHERE run = ? ORDER BY condition, number", id,
          [&](const Statement& row) {
            return in_condition(row, [&](ConditionRecord& condition) { condition.cpus.push_back(small(row, 1)); });
          });
      !done)
    return done;
  return each_row(
      connection, "SELECT condition, kind, name, value FROM condition_value WHERE run = ? ORDER BY condition, number",
      id, [&](const Statement& row) {
        return in_condition(row, [&](ConditionRecord& condition) {
          (row.text(1) == "note" ? condition.notes : condition.workload).emplace_back(row.text(2), row.text(3));
        });
      });
}

}  // namespace

Result<RunRecord> read_run(const Connection& connection, std::int64_t id) {
  RunRecord run;
  const auto columns = [&](const Statement& row) -> Result<void> {
    run.run_id = row.text(0);
    run.started = row.text(1);
    run.family = row.text(2);
    run.machine = row.text(3);
    run.seed = seed(row, 4);
    run.status = row.text(5);
    run.ticks_per_second = row.real(6);
    run.invocations = small(row, 7);
    run.blocks = small(row, 8);
    run.wall_seconds = row.real(9);
    return {};
  };
  if (auto done = each_row(connection,
                           "SELECT run_id, started, family, machine, seed, status, ticks_per_second, invocations, "
                           "blocks, wall_seconds FROM run WHERE id = ?",
                           id, columns);
      !done)
    return done.error();
  if (auto done = read_arms(connection, id, run); !done) return done.error();
  if (auto done = read_conditions(connection, id, run); !done) return done.error();
  if (auto done = each_row(connection, "SELECT name, value FROM environment WHERE run = ? ORDER BY number", id,
                           append_to(run.environment));
      !done)
    return done.error();
  if (auto done = each_row(connection, "SELECT text FROM warning WHERE run = ? ORDER BY number", id,
                           [&](const Statement& row) -> Result<void> {
                             run.warnings.push_back(row.text(0));
                             return {};
                           });
      !done)
    return done.error();
  const auto of_run = select_readings(connection, "WHERE run = ? AND block IS NULL");
  if (!of_run) return of_run.error();
  if (auto done = each_row(connection, *of_run, id, append_to(run.readings)); !done) return done.error();
  return run;
}

Result<void> read_blocks(const Connection& connection, std::int64_t run,
                         const std::function<void(const BlockRecord&)>& use) {
  auto slices = connection.prepare(
      "SELECT arm, position, cpu, operations, ticks, nanoseconds, event_clock, phase FROM slice WHERE block = ? "
      "ORDER BY number");
  if (!slices) return slices.error();
  const auto of_block = select_readings(connection, "WHERE block = ?");
  if (!of_block) return of_block.error();
  auto readings = connection.prepare(*of_block);
  if (!readings) return readings.error();
  return each_row(
      connection,
      "SELECT id, condition, invocation, block, seed, discarded FROM block WHERE run = ? "
      "ORDER BY condition, invocation, block",
      run, [&](const Statement& row) -> Result<void> {
        BlockRecord block{small(row, 1), small(row, 2), small(row, 3), seed(row, 4), row.text(5), {}, {}};
        slices->bind(row.integer(0));
        if (auto done =
                each_row(*slices,
                         [&](const Statement& slice) -> Result<void> {
                           block.slices.push_back({small(slice, 0), small(slice, 1), small(slice, 2), count(slice, 3),
                                                   count(slice, 4), count(slice, 5), count(slice, 6), small(slice, 7)});
                           return {};
                         });
            !done)
          return done;
        readings->bind(row.integer(0));
        if (auto done = each_row(*readings, append_to(block.readings)); !done) return done;
        use(block);
        return {};
      });
}

}  // namespace hitmark
