#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/simulator/machine/machine_fields.hpp"
#include "support/file.hpp"

namespace hitmark::simulator {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;

Json rome() { return Json::parse(*read_file("machines/rome-2s.json")); }

std::string complaint(const Json& json) {
  const auto model = parse_machine(json.dump(), "x.json");
  return model ? "" : model.error().message;
}

TEST(MachineFile, EveryBuiltInMachineLoads) {
  EXPECT_THAT(machine_names(), testing::UnorderedElementsAre("rome-1s", "rome-2s", "rome-2s-7302", "rome-2s-7702",
                                                             "rome-2s-7742", "milan-2s"));
  for (const std::string& name : machine_names()) {
    const auto model = load_machine(name);
    ASSERT_TRUE(model) << model.error().message;
    EXPECT_EQ(model->name, name);
    EXPECT_FALSE(model->title.empty());
  }
}

TEST(MachineFile, NumbersArriveWhereTheyBelong) {
  const auto generic = load_machine("rome-2s");
  EXPECT_EQ(generic->cpus(), 256u);
  EXPECT_EQ(generic->l3.sets * generic->l3.ways * 64, 16u << 20);
  EXPECT_EQ(generic->path.r[3], 16);
  EXPECT_EQ(generic->path.d[3], 23.3);
  EXPECT_EQ(generic->dram_ns[1], 96.9);
  EXPECT_TRUE(generic->protocol.precise);
  const auto fused = load_machine("rome-2s-7302");
  EXPECT_EQ(fused->cpus(), 64u);
  EXPECT_EQ(fused->ccxs(), 16u);
  EXPECT_NEAR(fused->path.r_other[2], 53.64, 0.005);
  EXPECT_EQ(fused->core.l3_cycles, generic->core.l3_cycles) << "taken from rome-2s";
  EXPECT_EQ(load_machine("rome-1s")->sockets, 1u);
  const auto milan = load_machine("milan-2s");
  EXPECT_EQ(milan->cores_per_ccx, 8u);
  EXPECT_EQ(milan->cores(), 128u);
  EXPECT_THAT(milan->caution, HasSubstr("less well founded"));
}

// The struct's own defaults are those of rome-2s, so that a test may start from either.
TEST(MachineFile, DefaultsAreTheGenericRome) {
  MachineModel defaults;
  auto generic = load_machine("rome-2s");
  const auto left = machine_fields(defaults), right = machine_fields(*generic);
  for (std::size_t i = 0; i < left.size(); ++i)
    std::visit(
        [&](auto* value) {
          const auto* other = std::get<decltype(value)>(right[i].target);
          EXPECT_EQ(*value, *other) << left[i].section << '.' << left[i].name;
        },
        left[i].target);
}

TEST(MachineFile, ErrorsNameThePlace) {
  const auto with = [](const std::string& pointer, const Json& value) {
    Json json = rome();
    json[Json::json_pointer(pointer)] = value;
    return complaint(json);
  };
  EXPECT_EQ(complaint(rome()), "");
  EXPECT_EQ(with("/path/d_across/value", "far"), "x.json: path.d_across must be a number");
  EXPECT_EQ(with("/path/d_across/value", -1), "x.json: path.d_across -1 is outside 0 to 10000 ns");
  EXPECT_EQ(with("/path/r/value/2", "x"), "x.json: path.r [2] must be a number");
  EXPECT_EQ(with("/path/r/value", {1, 2}), "x.json: path.r must be a list of 4 numbers");
  EXPECT_EQ(with("/core/ghz/unit", "MHz"), "x.json: core.ghz must have \"unit\": \"GHz\"");
  EXPECT_EQ(with("/l1/ways/unit", "ns"), "x.json: l1.ways takes no \"unit\"");
  EXPECT_EQ(with("/l1/sets/value", 48), "x.json: l1.sets: 48 is no power of two");
  EXPECT_EQ(with("/l1/sets/value", 64.5), "x.json: l1.sets must be a whole number");
  EXPECT_EQ(with("/l1/ways/value", 12), "x.json: l1.ways: tree-plru needs a power of two, not 12; use \"lru\"");
  EXPECT_EQ(with("/l2/replacement/value", "fifo"), "x.json: l2.replacement must be \"lru\" or \"tree-plru\"");
  EXPECT_EQ(with("/protocol/precise/value", 1), "x.json: protocol.precise must be true or false");
  EXPECT_THAT(with("/path/link/source", ""), HasSubstr("path.link has no \"source\""));
  EXPECT_THAT(with("/path/link/sauce", "x"), HasSubstr("path.link has an unknown key \"sauce\"; did you mean source"));
  EXPECT_THAT(with("/path/d_acros", {}), HasSubstr("path has an unknown key \"d_acros\"; did you mean d_across"));
  EXPECT_THAT(with("/pth", {}), HasSubstr("has an unknown key \"pth\"; did you mean path"));
  EXPECT_THAT(with("/structure/cores_per_ccx/value", 8), HasSubstr("structure.cores_per_ccx: 256 cores in all"));
  EXPECT_THAT(with("/structure/nodes_per_socket/value", 3), HasSubstr("cannot form 3 equal nodes"));
  EXPECT_THAT(with("/core/l2_cycles/value", 3), HasSubstr("core.l2_cycles: "));
  EXPECT_THAT(with("/name", "Rome"), HasSubstr("name must be"));
  Json without = rome();
  without["memory"].erase("dram_ns");
  EXPECT_THAT(complaint(without), HasSubstr("memory.dram_ns is missing, and there is no \"based_on\""));
}

TEST(MachineFile, OwnFilesBuildOnOthers) {
  const auto model = parse_machine(R"({"name": "mine", "title": "Mine", "based_on": "rome-2s-7742",
      "path": {"link": {"value": 1.1, "source": "a guess"}}})",
                                   "mine.json");
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(model->path.link, 1.1);
  EXPECT_EQ(model->path.r[1], load_machine("rome-2s-7742")->path.r[1]);
  EXPECT_EQ(model->caution, "");
  EXPECT_THAT(complaint({{"name", "a"}, {"title", "b"}, {"based_on", "rome-3s"}}), HasSubstr("did you mean"));
  EXPECT_THAT(complaint({{"name", "a"}, {"title", "b"}, {"based_on", 1}}), HasSubstr("based_on must be"));
}

TEST(MachineFile, WhatIsNoMachineFileIsRefused) {
  for (const char* text : {"", "[", "[]", "{}", "null", "\xff\xfe", "{\"name\": \"x\"}"})
    EXPECT_FALSE(parse_machine(text, "x.json")) << text;
  EXPECT_FALSE(parse_machine(std::string(100000, '['), "deep"));
  EXPECT_FALSE(parse_machine(std::string((1 << 20) + 1, ' '), "large"));
  EXPECT_THAT(parse_machine("{\n\"name\": \"x\",\n]", "x.json").error().message, HasSubstr("line 3"));
  EXPECT_THAT(parse_machine(R"({"name": "x", "name": "y"})", "x.json").error().message,
              HasSubstr("\"name\" stands twice"));
  EXPECT_THAT(complaint({{"name", "a"}, {"title", "b\x1b[2J"}, {"based_on", "rome-1s"}}),
              HasSubstr("control characters"));
  EXPECT_THAT(parse_machine(R"({"ghz": 7E99999})", "x.json").error().message, HasSubstr("number that is too large"));
}

TEST(MachineFile, AreFoundByNameOrPath) {
  EXPECT_EQ(load_machine("machines/rome-2s.json")->name, "rome-2s");
  const auto typo = load_machine("rome-2");
  EXPECT_EQ(typo.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(typo.error().message, HasSubstr("did you mean"));
  EXPECT_NE(load_machine("no/such.json").error().kind, ErrorKind::kUsage);
  EXPECT_EQ(load_machine("rome-2s@nps4")->nodes_per_socket, 4u);
  EXPECT_EQ(load_machine("machines/rome-2s.json@nps2")->nodes_per_socket, 2u);
  EXPECT_EQ(load_machine("rome-2s@nps3").error().kind, ErrorKind::kUsage);
}

TEST(MachineFile, NoFileTakesTheNameOfABuiltInMachine) {
  const std::string path = testing::TempDir() + "/taken.json";
  const auto named = [&](const char* name) {
    std::ofstream(path) << R"({"name": ")" << name << R"(", "title": "another", "based_on": "rome-1s"})";
    return load_machine(path);
  };
  EXPECT_TRUE(named("mine"));
  EXPECT_FALSE(is_built_in("mine"));
  EXPECT_TRUE(is_built_in("rome-2s@nps4"));
  const auto taken = named("rome-2s");
  ASSERT_FALSE(taken);
  EXPECT_THAT(taken.error().message, HasSubstr("rome-2s is the name of a built-in machine"));
}

// The schema is written by hand; this holds it to the table that is parsed by.
TEST(MachineFile, SchemaHasTheSameFieldsUnitsAndRanges) {
  const Json schema = Json::parse(*read_file("machine.schema.json"));
  MachineModel model;
  std::size_t in_schema = 0;
  for (const auto& [section, entry] : schema["properties"].items())
    if (entry.contains("properties")) in_schema += entry["properties"].size();
  const auto fields = machine_fields(model);
  EXPECT_EQ(in_schema, fields.size());
  for (const MachineField& field : fields) {
    const std::string name(field.name);
    const Json& entry = schema["properties"][std::string(field.section)]["properties"][name];
    ASSERT_TRUE(entry.contains("properties")) << field.section << '.' << name;
    const Json& properties = entry["properties"];
    EXPECT_EQ(properties.contains("unit"), !field.unit.empty()) << name;
    if (!field.unit.empty()) {
      EXPECT_EQ(properties["unit"]["const"], std::string(field.unit)) << name;
    }
    const Json& value = properties["value"].contains("items") ? properties["value"]["items"] : properties["value"];
    if (!value.contains("minimum")) continue;
    EXPECT_EQ(value["minimum"].get<double>(), field.least) << name;
    EXPECT_EQ(value["maximum"].get<double>(), field.most) << name;
    EXPECT_EQ(value["type"] == "integer", std::holds_alternative<unsigned*>(field.target)) << name;
  }
}

}  // namespace
}  // namespace hitmark::simulator
