// The coherence protocol as pure functions: no caches, no time. MOESI (and F), with the CCXs as agents at a
// serialising home and the cores as agents inside a CCX; see ../README.md for the table and its sources.
#pragma once

#include <cstdint>

namespace hitmark::simulator {

enum class LineState : std::uint8_t { kI, kS, kF, kE, kO, kM };

}  // namespace hitmark::simulator
