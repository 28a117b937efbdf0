// Text from files, stores and other programs that is printed: a terminal obeys control characters.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace hitmark {

inline bool is_control(char byte) { return static_cast<unsigned char>(byte) < ' ' || byte == '\x7f'; }

inline std::string harmless(std::string_view text) {
  std::string result(text);
  std::replace_if(result.begin(), result.end(), is_control, '?');
  return result;
}

}  // namespace hitmark
