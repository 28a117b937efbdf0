// Whole files in and out, with errors that name the file and the reason.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "support/result.hpp"

namespace hitmark {

// The content of a regular file of at most `limit` bytes. A directory, a missing or a larger file is an
// Error that says so; nothing is read beyond the limit.
Result<std::string> read_file(const std::string& path, std::size_t limit = std::size_t{256} << 20);

// The first line of a small file such as a sysfs attribute, without its newline.
Result<std::string> read_line(const std::string& path);

// Replaces `path` by `content`, by way of a temporary file beside it: a full disk leaves the old file.
Result<void> write_file(const std::string& path, std::string_view content);

}  // namespace hitmark
