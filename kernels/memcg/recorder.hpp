// For tests: kernels/recorder.hpp under the name by which this folder's tests know it.
#pragma once

#include "kernels/memcg/simulation.hpp"
#include "kernels/recorder.hpp"

namespace hitmark::memcg {

using hitmark::reads;
using hitmark::Recorder;
using hitmark::Touch;
using hitmark::writes;

}  // namespace hitmark::memcg
