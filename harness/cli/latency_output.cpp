#include "harness/cli/latency_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace hitmark::cli {
namespace {

using Json = nlohmann::ordered_json;

const char* meaning_of(const std::string& kind) {
  return kind == "hand-off" ? "one ownership transfer by lock cmpxchg"
                            : "a dependent load of a line that the other CPU wrote";
}

Json number_or_null(double value) { return std::isnan(value) ? Json(nullptr) : Json(std::round(value * 100) / 100); }

Json cell_json(const LatencyCell& cell, const std::vector<LatencyUnit>& units) {
  Json pairs = Json::array();
  for (const auto& [a, b] : cell.pairs) pairs.push_back({a, b});
  Json json = {{"a", units[cell.unit_a].name},
               {"b", units[cell.unit_b].name},
               {"relation", cell.relation},
               {"home", cell.home == kUnknown ? Json(nullptr) : Json(cell.home)},
               {"home_relation", cell.home_relation.empty() ? Json(nullptr) : Json(cell.home_relation)},
               {"ns", number_or_null(mean_of(cell))},
               {"pairs", pairs},
               {"measured", cell.ns.size()}};
  if (!cell.unavailable.empty()) json["unavailable"] = cell.unavailable;
  return json;
}

// The farthest relation that two units have: what their cell of the matrix shows.
std::map<std::pair<std::size_t, std::size_t>, const LatencyCell*> matrix_at(const LatencySurvey& survey, int home) {
  std::map<std::pair<std::size_t, std::size_t>, const LatencyCell*> cells;
  for (const LatencyCell& cell : survey.cells) {
    if (cell.home != home) continue;
    const LatencyCell*& shown = cells[{cell.unit_a, cell.unit_b}];
    const auto nearness = [](const std::string& relation) {
      return relation == "smt-siblings" ? 2 : relation == "same-ccx" ? 1 : 0;
    };
    if (!shown || nearness(cell.relation) < nearness(shown->relation)) shown = &cell;
  }
  return cells;
}

std::string matrix_text(const LatencySurvey& survey, int home) {
  std::size_t width = 6;
  for (const LatencyUnit& unit : survey.units) width = std::max(width, unit.name.size() + 1);
  const auto cells = matrix_at(survey, home);
  std::string text = home == kUnknown ? "\n" : fmt::format("\nhome: node {}\n", home);
  text += fmt::format("{:>{}}", "", width + 2);
  for (const LatencyUnit& unit : survey.units) text += fmt::format("{:>{}}", unit.name, width);
  text += '\n';
  for (std::size_t row = 0; row < survey.units.size(); ++row) {
    text += fmt::format("  {:<{}}", survey.units[row].name, width);
    for (std::size_t column = 0; column <= row; ++column) {
      const auto at = cells.find({column, row});
      const double ns = at == cells.end() ? std::nan("") : mean_of(*at->second);
      text += std::isnan(ns) ? fmt::format("{:>{}}", "-", width) : fmt::format("{:>{}.1f}", ns, width);
    }
    text += '\n';
  }
  return text;
}

std::string classes_text(const LatencySurvey& survey) {
  std::string text =
      fmt::format("\n  {:<15} {:<13} {:>8} {:>8} {:>8} {:>6}\n", "relation", "home", "mean", "least", "most", "pairs");
  for (const LatencyClass& one : classes_of(survey)) {
    text += fmt::format("  {:<15} {:<13} ", one.relation, one.home_relation.empty() ? "-" : one.home_relation);
    text += one.pairs > 0 ? fmt::format("{:>8.1f} {:>8.1f} {:>8.1f} {:>6}\n", one.mean, one.least, one.most, one.pairs)
                          : fmt::format("{:>8} {:>8} {:>8} {:>6}\n", "-", "-", "-", 0);
  }
  return text;
}

std::set<std::string> reasons_of(const LatencySurvey& survey) {
  std::set<std::string> reasons;
  for (const LatencyCell& cell : survey.cells) reasons.insert(cell.unavailable.begin(), cell.unavailable.end());
  return reasons;
}

}  // namespace

Json latency_json(const LatencyResult& result) {
  Json surveys = Json::array();
  for (const auto& [kind, survey] : result.surveys) {
    Json units = Json::array(), cells = Json::array(), classes = Json::array();
    for (const LatencyUnit& unit : survey.units) units.push_back({{"name", unit.name}, {"cpus", unit.cpus}});
    for (const LatencyCell& cell : survey.cells) cells.push_back(cell_json(cell, survey.units));
    for (const LatencyClass& one : classes_of(survey)) {
      const auto known = [&](double ns) { return number_or_null(one.pairs > 0 ? ns : std::nan("")); };
      classes.push_back({{"relation", one.relation},
                         {"home_relation", one.home_relation.empty() ? Json(nullptr) : Json(one.home_relation)},
                         {"mean_ns", known(one.mean)},
                         {"least_ns", known(one.least)},
                         {"most_ns", known(one.most)},
                         {"pairs", one.pairs}});
    }
    surveys.push_back({{"kind", kind},
                       {"meaning", meaning_of(kind)},
                       {"pairs_planned", survey.planned},
                       {"pairs_measured", survey.measured},
                       {"units", units},
                       {"classes", classes},
                       {"cells", cells}});
  }
  const auto object = [](const std::vector<std::pair<std::string, std::string>>& values) {
    Json json = Json::object();
    for (const auto& [name, value] : values) json[name] = value;
    return json;
  };
  return {{"format", 1},
          {"machine", result.machine},
          {"cpu_model", result.cpu_model.empty() ? Json(nullptr) : Json(result.cpu_model)},
          {"quality", result.modelled ? "modelled" : "measured"},
          {"manifest", object(result.manifest)},
          {"evidence", object(result.evidence)},
          {"remarks", result.remarks},
          {"surveys", surveys}};
}

std::string latency_text(const LatencyResult& result) {
  std::string text = fmt::format("Core to core on {}{}, {}; ns\n", result.machine,
                                 result.cpu_model.empty() ? "" : " (" + result.cpu_model + ")",
                                 result.modelled ? "modelled" : "measured");
  for (const std::string& remark : result.remarks) text += "Note: " + remark + '\n';
  for (const auto& [name, value] : result.evidence) text += fmt::format("{}: {}\n", name, value);
  for (const auto& [kind, survey] : result.surveys) {
    text += fmt::format("\n{}: {}; {} of {} sampled pairs\n", kind, meaning_of(kind), survey.measured, survey.planned);
    std::set<int> homes;
    for (const LatencyCell& cell : survey.cells) homes.insert(cell.home);
    if (survey.units.size() > 1)
      for (const int home : homes) text += matrix_text(survey, home);
    text += classes_text(survey);
    for (const std::string& reason : reasons_of(survey)) text += "not measured: " + reason + '\n';
  }
  return text;
}

}  // namespace hitmark::cli
