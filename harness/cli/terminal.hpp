// What stdout is.
#pragma once

namespace hitmark::cli {

bool stdout_is_terminal();
// Columns of the terminal that stdout is, or `otherwise`, in a pipe.
int stdout_width(int otherwise);

}  // namespace hitmark::cli
