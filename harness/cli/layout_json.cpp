#include "harness/cli/layout_json.hpp"

#include <nlohmann/json.hpp>

namespace hitmark::cli {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(std::uint32_t value) { return value == 0 ? Json(nullptr) : Json(value); }

Json member(const Member& m) {
  Json json{{"name", m.name},
            {"type", m.type + (m.prefix.empty() && m.suffix.empty() ? "" : " " + m.prefix + m.suffix)},
            {"representation", m.representation},
            {"offset", m.bit_offset / 8},
            {"bit_offset", m.bit_offset},
            {"bits", m.bit_size},
            {"bit_field", m.bit_field},
            {"line", m.bit_offset / 8 / kLineBytes},
            {"alignment", number_or_null(m.alignment)}};
  if (m.members.empty()) return json;
  json["union"] = m.is_union;
  json["members"] = Json::array();
  for (const Member& each : m.members) json["members"].push_back(member(each));
  return json;
}

Json layout(const StructLayout& l) {
  Json json{{"name", l.name},           {"keyword", l.keyword},    {"source", l.source},
            {"size", l.size},           {"lines", line_count(l)},  {"alignment", number_or_null(l.alignment)},
            {"line_bytes", kLineBytes}, {"members", Json::array()}};
  for (const Member& each : l.members) json["members"].push_back(member(each));
  return json;
}

Json field(const Field& f) {
  return {{"path", f.path},
          {"type", f.type},
          {"representation", f.representation},
          {"offset", f.offset()},
          {"bit_offset", f.bit_offset},
          {"bits", f.bit_size},
          {"line", f.first_line()},
          {"last_line", f.last_line()}};
}

Json pairs(const std::vector<LineSharing>& list) {
  Json json = Json::array();
  for (const LineSharing& each : list) json.push_back({{"fields", {each.first, each.second}}, {"line", each.line}});
  return json;
}

// A name that is not UTF-8 must not cost the whole answer.
std::string dumped(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace

std::string layout_json(const StructLayout& l) { return dumped(layout(l)); }

std::string diff_json(const LayoutDiff& diff) {
  Json json{{"equal", diff.equal()}, {"before", layout(diff.before)}, {"after", layout(diff.after)}};
  json["only_before"] = json["only_after"] = json["changed"] = Json::array();
  for (const Field& each : diff.only_before) json["only_before"].push_back(field(each));
  for (const Field& each : diff.only_after) json["only_after"].push_back(field(each));
  for (const FieldChange& each : diff.changed)
    json["changed"].push_back({{"before", field(each.before)},
                               {"after", field(each.after)},
                               {"renamed", each.renamed},
                               {"moved", each.moved},
                               {"resized", each.resized},
                               {"retyped", each.retyped},
                               {"respelled", each.respelled}});
  json["came_to_share"] = diff.sharing_known ? pairs(diff.came_to_share) : Json(nullptr);
  json["ceased_to_share"] = diff.sharing_known ? pairs(diff.ceased_to_share) : Json(nullptr);
  return dumped(json);
}

}  // namespace hitmark::cli
