// Every figure here is per operation, from counts of the operations that the slices stand for.
#include "reports/contention_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "reports/text_fit.hpp"

namespace hitmark {
namespace {

constexpr std::size_t kMostFields = 4;     // of an arm
constexpr int kNoLimit = 10'000;           // columns
constexpr double kFewInterpolated = 0.01;  // of the simulated operations
constexpr double kWorthARow = 0.01;        // of the arm's stall or transfers

using Events = std::map<std::string, double>;
using Place = std::pair<std::string, std::string>;  // object, field

double of(const Events& events, const char* name) {
  const auto at = events.find(name);
  return at == events.end() ? 0 : at->second;
}

double transfers(const Events& events) {
  double sum = 0;
  for (const char* name : {"transfers.smt", "transfers.ccx.clean", "transfers.ccx.dirty", "transfers.same_quadrant",
                           "transfers.cross_quadrant", "transfers.cross_socket"})
    sum += of(events, name);
  return sum;
}

std::string rate(double value) {
  if (value == 0) return "0";
  if (value < 0.005) return "<0.01";
  return value < 100 ? fmt::format("{:.2f}", value) : fmt::format("{:.0f}", value);
}

int widest_line(const std::string& text) {
  std::size_t widest = 0;
  for (std::size_t start = 0, end; (end = text.find('\n', start)) != std::string::npos; start = end + 1)
    widest = std::max(widest, text_fit::columns(std::string_view(text).substr(start, end - start)));
  return static_cast<int>(widest);
}

class Contention {
 public:
  Contention(const RunComparison& comparison, const ConditionComparison& condition) : arms_(comparison.run.arms) {
    for (const Reading& reading : condition.readings)
      if (is_contention(reading) && reading.cpu < 0 && reading.value &&
          static_cast<std::size_t>(reading.arm) < arms_.size())
        by_arm_[reading.arm][{reading.object, reading.field}][reading.event] += *reading.value;
  }

  std::string text(int width) {
    for (const auto& [arm, places] : by_arm_) {
      const ArmRole role = arms_[static_cast<std::size_t>(arm)].role;
      if (role == ArmRole::kBaseline || role == ArmRole::kVariant) add_arm(arm, places);
    }
    if (rows_.empty()) return "";
    Layout layout = Layout::kFull;
    const auto fits = [&] { return widest_line(table_text(kNoLimit, layout)) <= std::max(width, 0); };
    if (!fits()) layout = Layout::kBrief;
    if (!fits()) layout = Layout::kSplit;
    return text_fit::wrapped(layout == Layout::kFull
                                 ? "modelled contention: stall in cycles per operation; the rest per 1000 operations: "
                                   "transfers, also by where the line came from; ibs: what perf c2c would flag"
                                 : "modelled contention: stall in cycles per operation; the rest per 1000 operations: "
                                   "transfers (xfer), also by where the line came from: the core's other thread (smt), "
                                   "its ccx, its quadrant (quad), another quadrant (x-quad) or socket (x-sock); "
                                   "invalidations (inval); hitm, and what perf c2c would flag of it (ibs); true and "
                                   "false sharing: of transfers and of ownership taken without data",
                             width, "  ", "    ") +
           table_text(width, layout) + imprecision_text(width) + interpolation_text(width);
  }

 private:
  void add_arm(int arm, const std::map<Place, Events>& places) {
    const auto total = places.find(Place{});
    const double operations = total == places.end() ? 0 : of(total->second, "operations");
    if (operations <= 0) return;
    const std::string& name = arms_[static_cast<std::size_t>(arm)].name;
    add_row(name, {}, total->second, operations);
    std::vector<std::pair<Place, Events>> fields;
    const double stall = of(total->second, "stall"), moved = transfers(total->second);
    for (const auto& [place, events] : places) {
      const bool costs = of(events, "stall") > kWorthARow * stall, moves = transfers(events) > kWorthARow * moved;
      const bool contended = transfers(events) + of(events, "invalidations") > 0;
      if (place != Place{} && contended && (costs || moves)) fields.emplace_back(place, events);
    }
    std::stable_sort(fields.begin(), fields.end(), [](const auto& a, const auto& b) {
      return std::pair(of(a.second, "stall"), transfers(a.second)) >
             std::pair(of(b.second, "stall"), transfers(b.second));
    });
    for (std::size_t i = 0; i < std::min(fields.size(), kMostFields); ++i) {
      add_row("", fields[i].first, fields[i].second, operations);
    }
  }

  void add_row(const std::string& arm, const Place& place, const Events& events, double operations) {
    const auto per_thousand = [&](double count) { return 1000 * count / operations; };
    rows_.push_back(
        {arm,
         place.first,
         place.second,
         {of(events, "stall") / operations, per_thousand(transfers(events)), per_thousand(of(events, "transfers.smt")),
          per_thousand(of(events, "transfers.ccx.clean") + of(events, "transfers.ccx.dirty")),
          per_thousand(of(events, "transfers.same_quadrant")), per_thousand(of(events, "transfers.cross_quadrant")),
          per_thousand(of(events, "transfers.cross_socket")), per_thousand(of(events, "invalidations")),
          per_thousand(of(events, "hitm.true")), per_thousand(of(events, "hitm.ibs")),
          per_thousand(of(events, "sharing.true")), per_thousand(of(events, "sharing.false"))}});
  }

  // A figure that was not had as exactly as it was to be must not look as if it was.
  std::string imprecision_text(int width) const {
    std::string arms;
    for (const auto& [arm, places] : by_arm_) {
      const auto total = places.find(Place{});
      const double slices = total == places.end() ? 0 : of(total->second, "slices.imprecise");
      if (slices > 0)
        arms += fmt::format("{}{} {:.0f}", arms.empty() ? "" : ", ", arms_[static_cast<std::size_t>(arm)].name, slices);
    }
    if (arms.empty()) return "";
    return text_fit::wrapped(
        "slices whose windows vary by more than was aimed at (standard error above 0.5 %): " + arms, width, "  ",
        "    ");
  }

  // What an operation costs that takes an unmeasured path is not quite that variant's own.
  std::string interpolation_text(int width) const {
    std::string arms;
    for (const auto& [arm, places] : by_arm_) {
      const auto total = places.find(Place{});
      if (total == places.end()) continue;
      const double all = of(total->second, "operations.simulated");
      const double share = all > 0 ? of(total->second, "paths.interpolated") / all : 0;
      if (share > kFewInterpolated)
        arms += fmt::format("{}{:.1f} % of {}'s", arms.empty() ? "" : ", ", 100 * share,
                            arms_[static_cast<std::size_t>(arm)].name);
    }
    if (arms.empty()) return "";
    return text_fit::wrapped(
        "warning: instructions are interpolated between measured paths for " + arms + " simulated operations", width,
        "  ", "    ");
  }

  // kBrief: short titles, one column for arm and field; kSplit: and object and field on rows of their own.
  enum class Layout { kFull, kBrief, kSplit };

  // A column of a distance that these CPUs do not have is left out. The distances are the last to be given up.
  std::string table_text(int width, Layout layout) const {
    const bool narrow = layout != Layout::kFull;
    struct Title {
      const char *text, *brief;
      int give_up;
      bool always;
    };
    static constexpr std::array<Title, kFigures> kTitles = {{{"stall", "stall", 0, true},
                                                             {"transfers", "xfer", 0, true},
                                                             {"smt", "smt", 9, false},
                                                             {"ccx", "ccx", 5, false},
                                                             {"quadrant", "quad", 6, false},
                                                             {"cross-quadrant", "x-quad", 4, false},
                                                             {"cross-socket", "x-sock", 3, false},
                                                             {"invalidations", "inval", 7, true},
                                                             {"hitm", "hitm", 8, true},
                                                             {"ibs", "ibs", 10, true},
                                                             {"true sharing", "true", 11, false},
                                                             {"false sharing", "false", 12, false}}};
    std::vector<std::size_t> shown;
    std::vector<text_fit::Table::Column> columns;
    if (!narrow) columns.push_back({"arm"});
    columns.push_back({narrow ? "arm, field" : "field"});
    for (std::size_t i = 0; i < kFigures; ++i) {
      const auto there = [i](const Row& row) { return row.figures[i] != 0; };
      if (!kTitles[i].always && std::none_of(rows_.begin(), rows_.end(), there)) continue;
      shown.push_back(i);
      columns.push_back({narrow ? kTitles[i].brief : kTitles[i].text, true, kTitles[i].give_up, true});
    }
    text_fit::Table table(std::move(columns));
    for (const Row& row : rows_) {
      std::vector<text_fit::Cell> cells;
      if (!narrow) cells.push_back({row.arm});
      const bool all = row.object.empty() && row.field.empty(), split = layout == Layout::kSplit && !row.field.empty();
      const std::string field = (row.field.empty() ? "" : ".") + row.field;
      if (split) table.add({{row.object}});
      cells.push_back({all ? (narrow ? row.arm + ": all" : "all") : split ? "  " + field : row.object + field});
      for (const std::size_t i : shown) cells.push_back({rate(row.figures[i])});
      table.add(std::move(cells));
    }
    return table.text(width, 2);
  }

  static constexpr std::size_t kFigures = 12;
  struct Row {
    std::string arm, object, field;
    std::array<double, kFigures> figures;
  };

  const std::vector<ArmRecord>& arms_;
  std::map<int, std::map<Place, Events>> by_arm_;
  std::vector<Row> rows_;
};

}  // namespace

bool is_contention(const Reading& reading) { return reading.source == "simulator" && reading.arm >= 0; }

std::string contention_section(const RunComparison& comparison, const ConditionComparison& condition, int width) {
  return Contention(comparison, condition).text(width);
}

}  // namespace hitmark
