// Plain text that fits: tables that give up columns before they grow too wide, and wrapped paragraphs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hitmark::text_fit {

// Characters as a terminal counts them: UTF-8 code points, not bytes.
std::size_t columns(std::string_view text);

// `text` in lines of at most `width` columns; the first starts with `first`, the others with `rest`.
// Ends with a newline. A word longer than a line is broken.
std::string wrapped(std::string_view text, int width, std::string_view first = "", std::string_view rest = "");

// At most `most` characters, and "..." when that is not all.
std::string shortened(std::string_view text, std::size_t most);

struct Cell {
  std::string text;
  std::string_view colour = "";  // escape sequence, or empty
};

class Table {
 public:
  struct Column {
    std::string title;
    bool right = false;
    int give_up = 0;     // dropped for want of width, the highest first; 0: never
    bool solid = false;  // never wrapped
  };
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void add(std::vector<Cell> row) { rows_.push_back(std::move(row)); }
  // At most `width` columns, as long as four characters for each column fit: dropping comes first, then the
  // widest columns are wrapped.
  std::string text(int width, int indent) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace hitmark::text_fit
