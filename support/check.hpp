// HITMARK_CHECK(condition, text): a broken invariant of our own. On in every build; prints and aborts.
// Never for bad input: that is a Result (support/result.hpp).
#pragma once

#include <cstdio>
#include <cstdlib>

#define HITMARK_CHECK(condition, text)                                                              \
  do {                                                                                              \
    if (!(condition)) [[unlikely]] {                                                                \
      std::fprintf(stderr, "hitmark: %s:%d: %s (%s)\n", __FILE__, __LINE__, text, #condition);      \
      std::abort();                                                                                 \
    }                                                                                               \
  } while (false)
