// For the tests of this folder: the fixtures of testdata and their approved outputs.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "support/file.hpp"

namespace hitmark {

// One pahole-like text per type, in this order, as testdata/build.sh writes them.
inline constexpr const char* kFixtureTypes[] = {"simple",  "holes",  "bits",     "nested", "pointers", "enums",
                                                "aligned", "packed", "flexible", "large",  "empty",    "choice"};

inline std::string testdata(const std::string& name) { return "testdata/" + name; }

inline std::string approved(const std::string& name) {
  auto text = read_file(testdata(name));
  EXPECT_TRUE(text) << (text ? "" : text.error().message);
  return text ? *text : "";
}

}  // namespace hitmark
