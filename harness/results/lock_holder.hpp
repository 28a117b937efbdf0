// Which processes hold a lock on a file, for the message of somebody who waited for it.
#pragma once

#include <string>

namespace hitmark {

// "process 1234 (hitmark)", several joined by "and"; "another process" when /proc/locks does not tell.
// Opens nothing but files of /proc: opening and closing the file itself would drop our own locks on it.
std::string lock_holders(const std::string& path);

}  // namespace hitmark
