// Widths are counted before colours are put in, so that escape sequences take no room.
#include "reports/text_fit.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "support/printable.hpp"

namespace hitmark::text_fit {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::string_view kReset = "\033[0m";

bool starts_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }

// The first `count` characters.
std::string_view head(std::string_view text, std::size_t count) {
  std::size_t seen = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (starts_character(text[i]) && seen++ == count) return text.substr(0, i);
  return text;
}

// `text` up to its last joint, where the name of a condition or a list of CPUs may be broken; all of it without one.
std::string_view breakable(std::string_view text) {
  const auto joint = text.find_last_of("=@,");
  return joint == std::string_view::npos ? text : text.substr(0, joint + 1);
}

std::string wrapped_to(std::string_view text, std::size_t room, std::string_view first, std::string_view rest) {
  std::string result, line(first);
  bool empty = true;  // nothing on the line but its indent
  const auto next_line = [&] {
    result += line + "\n";
    line = rest;
    empty = true;
  };
  while (!text.empty()) {
    const auto end = std::min(text.find_first_of(" \n"), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (!empty && columns(line) + 1 + columns(word) > room) next_line();
    while (columns(line) + columns(word) > room && empty) {
      const std::string_view part = breakable(head(word, room - columns(line)));
      line += harmless(part);
      word.remove_prefix(part.size());
      next_line();
    }
    if (word.empty()) continue;
    line += (empty ? "" : " ") + harmless(word);
    empty = false;
  }
  return result + (empty && !result.empty() ? "" : line + "\n");
}

// `text` in lines of at most `width`.
std::vector<std::string> lines_of(const std::string& text, std::size_t width) {
  if (columns(text) <= width) return {harmless(text)};
  std::vector<std::string> lines;
  std::string all = wrapped_to(text, width, "", "");
  for (std::size_t start = 0, end; (end = all.find('\n', start)) != std::string::npos; start = end + 1)
    lines.push_back(all.substr(start, end - start));
  return lines;
}

}  // namespace

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

std::string shortened(std::string_view text, std::size_t most) {
  return columns(text) <= most ? std::string(text) : std::string(head(text, most)) + "...";
}

std::string wrapped(std::string_view text, int width, std::string_view first, std::string_view rest) {
  return wrapped_to(text, static_cast<std::size_t>(std::max(width, 20)), first, rest);
}

std::string Table::text(int width, int indent) const {
  std::vector<std::size_t> shown(columns_.size()), widths(columns_.size());
  std::iota(shown.begin(), shown.end(), std::size_t{0});
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    widths[c] = columns(columns_[c].title);
    for (const auto& row : rows_)
      if (c < row.size()) widths[c] = std::max(widths[c], columns(row[c].text));
  }
  const auto room = static_cast<std::size_t>(std::max(width - indent, 20));
  const auto total = [&] {
    std::size_t sum = kGap * (shown.size() - 1);
    for (const std::size_t c : shown) sum += widths[c];
    return sum;
  };
  while (total() > room) {
    const auto victim = std::max_element(shown.begin(), shown.end(), [&](std::size_t a, std::size_t b) {
      return columns_[a].give_up < columns_[b].give_up;
    });
    if (columns_[*victim].give_up == 0) break;
    shown.erase(victim);
  }
  constexpr std::size_t kNarrowest = 4;
  while (total() > room) {
    const auto give = [&](std::size_t c) { return columns_[c].solid ? 0 : widths[c]; };
    const std::size_t widest =
        *std::max_element(shown.begin(), shown.end(), [&](std::size_t a, std::size_t b) { return give(a) < give(b); });
    if (give(widest) <= kNarrowest) break;
    --widths[widest];
  }

  std::string result;
  const auto add_row = [&](const std::vector<Cell>& cells) {
    std::vector<std::vector<std::string>> lines;  // of each shown column
    std::size_t height = 1;
    for (const std::size_t c : shown) {
      lines.push_back(c < cells.size() ? lines_of(cells[c].text, widths[c]) : std::vector<std::string>{});
      height = std::max(height, lines.back().size());
    }
    for (std::size_t n = 0; n < height; ++n) {
      std::string line(static_cast<std::size_t>(indent), ' ');
      std::size_t pending = 0;  // blanks that only matter if something follows
      for (std::size_t i = 0; i < shown.size(); ++i) {
        const std::string text = n < lines[i].size() ? lines[i][n] : "";
        const std::size_t blanks = widths[shown[i]] - columns(text);
        if (i > 0) pending += kGap;
        if (columns_[shown[i]].right) pending += blanks;
        if (!text.empty()) {
          const std::string_view colour = cells[shown[i]].colour;
          line += std::string(std::exchange(pending, 0), ' ');
          line += colour.empty() ? text : std::string(colour) + text + std::string(kReset);
        }
        if (!columns_[shown[i]].right) pending += blanks;
      }
      result += line + "\n";
    }
  };
  std::vector<Cell> titles;
  for (const Column& column : columns_) titles.push_back({column.title, ""});
  add_row(titles);
  for (const auto& row : rows_) add_row(row);
  return result;
}

}  // namespace hitmark::text_fit
