#include "harness/cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

namespace hitmark::cli {

bool stdout_is_terminal() { return ::isatty(STDOUT_FILENO) == 1; }

int stdout_width(int otherwise) {
  winsize size{};
  const bool known = stdout_is_terminal() && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : otherwise;
}

}  // namespace hitmark::cli
