// Every file of testdata gives exactly its row of expected_facts.csv.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "topology/hwloc_reader.hpp"

namespace hitmark {
namespace {

using Row = std::map<std::string, std::string>;

std::vector<std::string> split(std::string line) {
  if (line.ends_with('\r')) line.pop_back();
  std::vector<std::string> cells;
  std::stringstream stream(line + ",");
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
  return cells;
}

std::vector<Row> oracle() {
  std::ifstream file("testdata/expected_facts.csv");
  std::string line;
  std::getline(file, line);
  const auto header = split(line);
  std::vector<Row> rows;
  while (std::getline(file, line)) {
    const auto cells = split(line);
    if (cells.size() != header.size()) throw std::runtime_error("ragged row: " + line);
    rows.emplace_back();
    for (std::size_t i = 0; i < header.size(); ++i) rows.back()[header[i]] = cells[i];
  }
  return rows;
}

Row row_of(const Topology& topology, const std::string& file) {
  const Facts& f = topology.facts();
  return {{"file", file},
          {"cpu_model", topology.cpu_model},
          {"packages", std::to_string(f.packages)},
          {"numa", std::to_string(f.numa)},
          {"dies", std::to_string(f.dies)},
          {"groups", std::to_string(f.groups)},
          {"l3", std::to_string(f.l3)},
          {"l3_mib", f.l3_mib},
          {"cores", std::to_string(f.cores)},
          {"pus", std::to_string(f.pus)},
          {"cores_per_l3", f.cores_per_l3},
          {"pus_per_core", f.pus_per_core},
          {"first_core_pus", f.first_core_pus},
          {"max_pu", std::to_string(f.max_pu)},
          {"distances", std::to_string(f.distances)},
          {"pus_with_disallowed", std::to_string(f.pus_with_disallowed)}};
}

class FactsOf : public testing::TestWithParam<Row> {};

TEST_P(FactsOf, EqualTheOracle) {
  const std::string file = GetParam().at("file");
  const auto topology = read_topology_file("testdata/" + file);
  ASSERT_TRUE(topology) << topology.error().message;
  EXPECT_EQ(row_of(*topology, file), GetParam());
  EXPECT_EQ(topology->cpus().size(), static_cast<std::size_t>(topology->facts().pus));
  EXPECT_EQ(topology->nodes().size(), static_cast<std::size_t>(topology->facts().numa));
}

INSTANTIATE_TEST_SUITE_P(Captures, FactsOf, testing::ValuesIn(oracle()), [](const auto& test) {
  std::string name = test.param.at("file");
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
});

TEST(FactsOracle, HasARowForEveryCapture) {
  std::size_t captures = 0;
  for (const auto& entry : std::filesystem::directory_iterator("testdata"))
    captures += entry.path().extension() == ".xml";
  EXPECT_EQ(captures, 39u);
  EXPECT_EQ(oracle().size(), captures);
}

}  // namespace
}  // namespace hitmark
