// A session in which every event is unavailable for a reason known beforehand, for backends that this build lacks.
#pragma once

#include <memory>
#include <vector>

#include "harness/counters/counter_source.hpp"

namespace hitmark {

std::unique_ptr<CounterSession> unavailable_session(std::vector<Probe> probes);

}  // namespace hitmark
