// The native instantiation of every variant against handwritten C, as text: same compiler, same flags.
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/codegen/objects.hpp"

namespace hitmark::codegen {
namespace {

class Codegen : public testing::TestWithParam<const Variant*> {
 protected:
  void SetUp() override {
    if (const std::string reason = HITMARK_CODEGEN_SKIP; !reason.empty()) GTEST_SKIP() << reason;
    std::string error;
    ours_ = native_functions(*GetParam(), error);
    ASSERT_EQ(error, "");
    theirs_ = reference_functions(*GetParam(), error);
    ASSERT_EQ(error, "");
  }
  std::vector<Function> ours_, theirs_;
};

TEST_P(Codegen, EqualsHandwrittenC) {
  const TestedFamily& family = tested_family(*GetParam());
  std::size_t compared = 0;
  for (const Function& c : theirs_) {
    if (c.name == "register_operations") continue;
    const Function* native = function_named(ours_, c.name);
    ASSERT_NE(native, nullptr) << "only the C has a function " << c.name;
    if (has_other_text(*GetParam(), c.name)) {
      EXPECT_NE(native->text, c.text) << c.name << " is equal now: take it out of other_text and of the README";
      continue;
    }
    EXPECT_EQ(native->text, c.text) << c.name << " (left ours, right C): " << difference(native->text, c.text);
    ++compared;
  }
  EXPECT_GE(compared, family.least_compared);
  for (const Hot& hot : family.hot)
    if (hot.of.holds(*GetParam())) {
      EXPECT_TRUE(function_named(theirs_, hot.function)) << hot.function;
    }
}

TEST_P(Codegen, NothingIsLeftUncompared) {
  for (const Function& native : ours_)
    EXPECT_TRUE(function_named(theirs_, native.name) ||
                contains(tested_family(*GetParam()).without_reference, native.name))
        << "the C has no function " << native.name;
}

// Of all reads and writes through %gs in mod_memcg_state the update of the item is one add, as in the kernel.
class CodegenOfSockCharge : public Codegen {};
TEST_P(CodegenOfSockCharge, ThisCpuAddIsOneAdd) {
  if (trait(*GetParam(), "update-rule").starts_with("V0")) return;  // which loads and stores
  const Function* function = function_named(ours_, "mod_memcg_state");
  ASSERT_NE(function, nullptr);
  const auto is_update = [](const std::string& text) {  // &state[item] at 0x18 + 8 * item
    return text.starts_with("add %r") && text.find(",%gs:0x18(%r") != text.npos && text.ends_with(",%rdx,8)");
  };
  EXPECT_EQ(std::count_if(function->text.begin(), function->text.end(), is_update), 1);
  for (const std::string& text : function->text) {
    EXPECT_TRUE(text.find("0x18(") == text.npos || is_update(text)) << "the item is accessed a second time: " << text;
    EXPECT_FALSE(text.starts_with("lock") && text.find("%gs") != text.npos) << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Every, CodegenOfSockCharge, testing::ValuesIn(variants_of("sock-charge")), test_name);
INSTANTIATE_TEST_SUITE_P(Every, Codegen, testing::ValuesIn(every_variant()), test_name);

}  // namespace
}  // namespace hitmark::codegen
