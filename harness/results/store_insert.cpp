// Structs to rows. Column order is that of schema.sql.
#include <cmath>

#include "harness/results/sample_text.hpp"
#include "harness/results/store_rows.hpp"

namespace hitmark {
namespace {

using sqlite::Connection;

// One row for each element: `bind` binds the columns that follow (key..., number).
template <typename Elements, typename Bind>
Result<void> insert_each(const Connection& connection, std::string_view sql, const Elements& elements, Bind bind) {
  if (elements.empty()) return {};
  auto insert = connection.prepare(sql);
  if (!insert) return insert.error();
  int number = 0;
  for (const auto& element : elements) {
    bind(*insert, number++, element);
    if (auto done = insert->run(); !done) return done;
  }
  return {};
}

Result<void> insert_arms(const Connection& connection, std::int64_t run, const std::vector<ArmRecord>& arms) {
  if (auto done = insert_each(connection, "INSERT INTO arm VALUES (?, ?, ?, ?, ?)", arms,
                              [&](auto& row, int number, const ArmRecord& arm) {
                                row.bind(run).bind(number).bind(arm.name).bind(name_of(arm.role)).bind(arm.variant);
                              });
      !done)
    return done;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    auto done = insert_each(connection, "INSERT INTO arm_trait VALUES (?, ?, ?, ?, ?)", arms[i].traits,
                            [&](auto& row, int number, const auto& trait) {
                              row.bind(run).bind(static_cast<int>(i)).bind(number).bind(trait.first).bind(trait.second);
                            });
    if (!done) return done;
  }
  return {};
}

Result<void> insert_condition(const Connection& connection, std::int64_t run, int index,
                              const ConditionRecord& condition) {
  auto insert = connection.prepare("INSERT INTO condition VALUES (?, ?, ?, ?, ?, ?)");
  if (!insert) return insert.error();
  insert->bind(run).bind(index).bind(condition.name).bind(condition.placement).bind(condition.relation);
  if (auto done = insert->bind(condition.home).run(); !done) return done;
  if (auto done =
          insert_each(connection, "INSERT INTO condition_cpu VALUES (?, ?, ?, ?)", condition.cpus,
                      [&](auto& row, int number, int cpu) { row.bind(run).bind(index).bind(number).bind(cpu); });
      !done)
    return done;
  for (const auto& [kind, values] : {std::pair{"workload", &condition.workload}, {"note", &condition.notes}}) {
    auto done = insert_each(connection, "INSERT INTO condition_value VALUES (?, ?, ?, ?, ?, ?)", *values,
                            [&, kind_name = std::string_view(kind)](auto& row, int number, const auto& value) {
                              row.bind(run).bind(index).bind(kind_name).bind(number);
                              row.bind(value.first).bind(value.second);
                            });
    if (!done) return done;
  }
  return {};
}

// The schema insists on it: a value exactly when the quality is not "unavailable".
Reading normalised(Reading reading) {
  if (reading.value && !std::isfinite(*reading.value)) {
    reading.value.reset();
    reading.reason = "the source gave a value that is no number";
  }
  if (!reading.value && reading.quality != Quality::kUnavailable && reading.reason.empty())
    reading.reason = "the source gave no value";
  if (!reading.value) reading.quality = Quality::kUnavailable;
  if (reading.quality == Quality::kUnavailable) reading.value.reset();
  return reading;
}

}  // namespace

Result<void> insert_run(const Connection& connection, const RunRecord& run) {
  auto insert = connection.prepare("INSERT INTO run VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  if (!insert) return insert.error();
  insert->bind(run.run_id).bind(run.started).bind(run.family).bind(run.machine).bind(std::to_string(run.seed));
  insert->bind(run.status).bind(run.ticks_per_second).bind(run.invocations).bind(run.blocks).bind(run.wall_seconds);
  if (auto done = insert->run(); !done) return done;
  const std::int64_t id = connection.last_row();
  if (auto done = insert_arms(connection, id, run.arms); !done) return done;
  for (std::size_t i = 0; i < run.conditions.size(); ++i)
    if (auto done = insert_condition(connection, id, static_cast<int>(i), run.conditions[i]); !done) return done;
  if (auto done = insert_each(connection, "INSERT INTO environment VALUES (?, ?, ?, ?)", run.environment,
                              [&](auto& row, int number, const auto& value) {
                                row.bind(id).bind(number).bind(value.first).bind(value.second);
                              });
      !done)
    return done;
  if (auto done = insert_warnings(connection, id, run.warnings); !done) return done;
  return insert_readings(connection, id, std::nullopt, run.readings);
}

Result<void> insert_warnings(const Connection& connection, std::int64_t run, const std::vector<std::string>& warnings) {
  return insert_each(connection, "INSERT INTO warning VALUES (?, ?, ?)", warnings,
                     [&](auto& row, int number, const std::string& text) { row.bind(run).bind(number).bind(text); });
}

Result<void> insert_readings(const Connection& connection, std::int64_t run, std::optional<std::int64_t> block,
                             const std::vector<Reading>& readings) {
  if (readings.empty()) return {};
  auto insert = connection.prepare("INSERT INTO reading VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  if (!insert) return insert.error();
  auto place = connection.prepare("INSERT INTO reading_place VALUES (?, ?, ?)");
  if (!place) return place.error();
  for (const Reading& given : readings) {
    const Reading reading = normalised(given);
    insert->bind(run);
    block ? insert->bind(*block) : insert->bind_null();
    insert->bind(reading.event).bind(reading.source).bind(reading.unit).bind(reading.cpu).bind(reading.arm);
    reading.value ? insert->bind(*reading.value) : insert->bind_null();
    insert->bind(name_of(reading.quality)).bind(reading.reason).bind(reading.hint);
    if (auto done = insert->run(); !done) return done;
    if (reading.object.empty() && reading.field.empty()) continue;
    place->bind(connection.last_row()).bind(reading.object).bind(reading.field);
    if (auto done = place->run(); !done) return done;
  }
  return {};
}

Result<void> insert_block(const Connection& connection, std::int64_t run, const BlockRecord& block) {
  auto insert = connection.prepare("INSERT INTO block VALUES (NULL, ?, ?, ?, ?, ?, ?)");
  if (!insert) return insert.error();
  insert->bind(run).bind(block.condition).bind(block.invocation).bind(block.block);
  if (auto done = insert->bind(std::to_string(block.seed)).bind(block.discarded).run(); !done) return done;
  const std::int64_t id = connection.last_row();
  if (auto done = insert_each(connection, "INSERT INTO slice VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", block.slices,
                              [&](auto& row, int number, const SliceRecord& slice) {
                                row.bind(id).bind(number).bind(slice.arm).bind(slice.position).bind(slice.cpu);
                                row.bind(slice.operations).bind(slice.ticks).bind(slice.nanoseconds);
                                row.bind(slice.event_clock).bind(slice.phase);
                              });
      !done)
    return done;
  return insert_readings(connection, run, id, block.readings);
}

}  // namespace hitmark
