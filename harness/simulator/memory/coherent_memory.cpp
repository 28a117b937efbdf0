// The one instance that runs use.
#include "harness/simulator/memory/coherent_memory.hpp"

#include "harness/simulator/memory/coherent_memory_access.hpp"
#include "harness/simulator/memory/coherent_memory_check.hpp"
#include "harness/simulator/memory/coherent_memory_evict.hpp"

namespace hitmark::simulator {

template class BasicCoherentMemory<Protocol, NoData>;

}  // namespace hitmark::simulator
