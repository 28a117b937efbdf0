// From a comparison to text. A format is one file that registers one Renderer.
#pragma once

#include <string>
#include <string_view>

#include "analysis/comparison.hpp"
#include "support/registry.hpp"
#include "support/result.hpp"

namespace hitmark {

struct RenderOptions {
  bool colour = false;
  int width = 100;    // columns of the terminal; less than 40 counts as 40
  std::string store;  // path of the store that the run is in; empty: not said
};

struct Renderer {
  std::string_view name;  // "text", "commit", "json", "rows"
  std::string_view summary;
  std::string (*render)(const RunComparison& comparison, const RenderOptions& options);
};

// Unknown format: kUsage with the known names.
Result<std::string> render(const RunComparison& comparison, std::string_view format, const RenderOptions& options);

}  // namespace hitmark
