#include "analysis/layout/type_request.hpp"

#include <algorithm>

#include "support/nearest.hpp"

namespace hitmark {
namespace {

constexpr std::size_t kLongestName = 256;  // to be compared by edit distance
constexpr std::string_view kAnonymous = "(anonymous namespace)";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

std::string shown(std::string_view name) {
  return name.size() <= 80 ? std::string(name) : std::string(name.substr(0, 77)) + "...";
}

}  // namespace

TypeRequest parse_type_request(std::string_view typed) {
  TypeRequest request;
  typed = trimmed(typed);
  for (const std::string_view keyword : {"struct", "union", "class"}) {
    if (!typed.starts_with(keyword) || typed.size() == keyword.size()) continue;
    if (typed[keyword.size()] != ' ' && typed[keyword.size()] != '\t') continue;
    request.keyword = keyword == "class" ? "struct" : keyword;
    typed = trimmed(typed.substr(keyword.size()));
    break;
  }
  if (typed.starts_with("::")) typed.remove_prefix(2);
  request.name = typed;
  return request;
}

Error unknown_type(const TypeRequest& request, std::vector<std::string> names, const std::string& source) {
  const std::string what = request.keyword.empty() ? "type" : request.keyword;
  if (request.name.empty()) return {ErrorKind::kUsage, "no type was named", "hitmark layout memcg_stock_pcp"};
  const std::size_t length = request.name.size();
  std::erase_if(names, [&](const std::string& name) {
    if (name.size() > kLongestName) return true;
    const std::size_t apart = name.size() > length ? name.size() - length : length - name.size();
    return apart > std::max<std::size_t>(2, length / 3) && !name.starts_with(request.name);
  });
  if (length > kLongestName) names.clear();
  std::string message = "there is no " + what + " '" + shown(request.name) + "' in " + source;
  std::string hint;
  if (nearest_names(request.name, names).empty())
    hint = "a tag as C spells it, without 'struct' or with it";
  else
    message += did_you_mean(request.name, names);
  return {ErrorKind::kUsage, message, hint};
}

std::vector<std::string_view> name_components(std::string_view name) {
  std::vector<std::string_view> components;
  std::size_t start = 0;
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<' || name[i] == '(') ++depth;
    if ((name[i] == '>' || name[i] == ')') && depth > 0) --depth;
    if (depth == 0 && name.substr(i).starts_with("::")) {
      components.push_back(name.substr(start, i - start));
      start = i + 2;
      ++i;
    }
  }
  components.push_back(name.substr(start));
  return components;
}

bool ends_with_components(std::string_view name, std::string_view wanted) {
  const auto have = name_components(name);
  const auto want = name_components(wanted);
  std::size_t h = have.size(), w = want.size();
  while (w > 0) {
    if (h == 0) return false;
    if (have[h - 1] == want[w - 1])
      --w;
    else if (have[h - 1] != kAnonymous)
      return false;
    --h;
  }
  return true;
}

}  // namespace hitmark
