// Names of the states.
#include "harness/simulator/memory/protocol.hpp"

namespace hitmark::simulator {

const char* to_string(LineState state) {
  constexpr const char* kNames[] = {"I", "S", "F", "E", "O", "M"};
  return kNames[static_cast<unsigned>(state)];
}

}  // namespace hitmark::simulator
