// This host as a Machine.
#pragma once

#include <memory>

#include "harness/machine.hpp"
#include "support/result.hpp"
#include "topology/topology.hpp"

namespace hitmark {

// kUnavailable where the time-stamp counter is no clock. `topology` says on which node each CPU is.
Result<std::unique_ptr<Machine>> make_native_machine(const Topology& topology);

}  // namespace hitmark
