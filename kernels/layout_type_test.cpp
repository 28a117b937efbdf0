// The struct that a variant says it is about is in the program's own type information, with the size of the object that
// the variant makes of it: `hitmark layout` and the layout comparison find it.
#include <gtest/gtest.h>

#include "analysis/layout/dwarf_reader.hpp"
#include "kernels/simulation.hpp"

namespace hitmark {
namespace {

TEST(LayoutType, IsInTheTypeInformationWithItsSize) {
  const auto program = DwarfReader::open();
  ASSERT_TRUE(program) << program.error().message;
  for (const Variant* variant : every_variant()) {
    const auto layout = program->find(variant->layout_type);
    ASSERT_TRUE(layout) << registry_key(*variant) << ": " << layout.error().message;
    EXPECT_FALSE(layout->members.empty()) << registry_key(*variant);
    Simulation simulation(*variant, Workload{}, 2);
    bool made = false;
    for (const ArenaObject& object : simulation.arena().objects()) {
      if (object.type != variant->layout_type) continue;
      made = true;
      EXPECT_EQ(object.size % layout->size, 0u)
          << registry_key(*variant) << ": " << object.name;  // or an array of them
      EXPECT_GE(object.size, layout->size) << registry_key(*variant) << ": " << object.name;
    }
    EXPECT_TRUE(made) << registry_key(*variant) << " makes no object of " << variant->layout_type;
  }
}

// Homes and the simulator's reports name objects by these types.
TEST(LayoutType, EveryObjectsTypeIsKnown) {
  const auto program = DwarfReader::open();
  ASSERT_TRUE(program) << program.error().message;
  for (const Variant* variant : every_variant()) {
    Simulation simulation(*variant, Workload{}, 2);
    for (const ArenaObject& object : simulation.arena().objects())
      if (object.type.find("::") != std::string::npos) {
        EXPECT_TRUE(program->find(object.type)) << registry_key(*variant) << ": " << object.type;
      }
  }
}

}  // namespace
}  // namespace hitmark
