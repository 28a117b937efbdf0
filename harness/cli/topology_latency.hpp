// `hitmark topology latency`, nested in `hitmark topology`.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace hitmark::cli {

// Declares the subcommand; the result runs it when `app` says that it was typed.
std::function<int()> declare_topology_latency(CLI::App& app);

}  // namespace hitmark::cli
