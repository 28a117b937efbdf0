// The two forms of `hitmark topology`: a summary for a person, and JSON (topology/topology.schema.json).
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "topology/placement.hpp"
#include "topology/topology.hpp"

namespace hitmark::cli {

nlohmann::ordered_json topology_json(const Topology& topology, std::span<const Placement> placements);
std::string topology_text(const Topology& topology);
std::string placements_text(std::span<const Placement> placements);

}  // namespace hitmark::cli
