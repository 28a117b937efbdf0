// Finds the renderer of a format.
#include "reports/report.hpp"

#include <vector>

#include "support/nearest.hpp"

namespace hitmark {

Result<std::string> render(const RunComparison& comparison, std::string_view format, const RenderOptions& options) {
  if (const Renderer* renderer = Registry<Renderer>::instance().find(std::string(format)))
    return renderer->render(comparison, options);
  std::vector<std::string> known;
  for (const Renderer& renderer : Registry<Renderer>::instance().all()) known.emplace_back(renderer.name);
  return Error{ErrorKind::kUsage, "there is no format '" + std::string(format) + "'" + did_you_mean(format, known),
               "--format text"};
}

}  // namespace hitmark
