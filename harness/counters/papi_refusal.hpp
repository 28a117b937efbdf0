// Words for what PAPI refuses. Apart from papi_source.cpp, so that a build without PAPI has the same tests.
#pragma once

#include <string>
#include <string_view>

#include "harness/counters/access.hpp"

namespace hitmark {

enum class PapiStage { kInitialise, kComponent, kLookUp, kAdd, kStart, kStop };

// `event` is hitmark's name and `spelling` PAPI's; `code` is PAPI's, negative; `text` is PAPI's word for it, or its
// reason for a disabled component.
Refusal papi_refusal(PapiStage stage, int code, std::string_view text, std::string_view event,
                     std::string_view spelling, const std::string& version, const Access& access);

}  // namespace hitmark
