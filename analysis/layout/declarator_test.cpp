#include "analysis/layout/declarator.hpp"

#include <gtest/gtest.h>

#include "analysis/layout/pahole_type.hpp"

namespace hitmark {
namespace {

std::string written(const Declarator& declarator, const std::string& base) {
  const auto parts = declarator.finish(base);
  return parts.type + "|" + parts.prefix + "x" + parts.suffix;
}

TEST(Declarator, WritesWhatCWrites) {
  Declarator plain;
  EXPECT_EQ(written(plain, "int"), "int|x");

  Declarator array_of_pointers;
  array_of_pointers.array(3);
  array_of_pointers.pointer();
  EXPECT_EQ(written(array_of_pointers, "char"), "char *|x[3]");

  Declarator pointer_to_array;
  pointer_to_array.pointer();
  pointer_to_array.array(std::nullopt);
  EXPECT_EQ(written(pointer_to_array, "char"), "char|(*x)[]");

  Declarator constants;  // const char *const *x
  constants.pointer();
  constants.qualifier("const");
  constants.pointer();
  constants.qualifier("const");
  EXPECT_EQ(written(constants, "char"), "const char *const *|x");

  Declarator function;  // char *(*const x[2])(int)
  function.array(2);
  function.qualifier("const");
  function.pointer();
  function.function("int");
  function.pointer();
  EXPECT_EQ(written(function, "char"), "char *|(*const x[2])(int)");

  Declarator twice;  // const of an array of const
  twice.qualifier("const");
  twice.array(2);
  twice.qualifier("const");
  EXPECT_EQ(written(twice, "u8"), "const u8|x[2]");

  Declarator bits;
  bits.bit_field(3);
  EXPECT_EQ(written(bits, "u8"), "u8|x:3");
}

TEST(Declarator, WritesParametersWithoutNames) {
  Declarator callback;
  callback.pointer();
  callback.function("");
  EXPECT_EQ(callback.abstract("void"), "void (*)(void)");
  Declarator pointer;
  pointer.pointer();
  EXPECT_EQ(pointer.abstract("char"), "char *");
}

TEST(PaholeType, SpellsConstAndStarsItsOwnWay) {
  EXPECT_EQ(pahole_type("const char *"), "const char  *");
  EXPECT_EQ(pahole_type("char **"), "char * *");
  EXPECT_EQ(pahole_type("const char *const"), "const const char  *");
  EXPECT_EQ(pahole_type("const char *const *"), "const char  * const *");
  EXPECT_EQ(pahole_type("const u8", true), "const const u8");
  Member member;
  member.name = "f";
  member.prefix = "(*";
  member.suffix = ")(const struct a *, void (*)(const int *), ...)";
  EXPECT_EQ(pahole_name(member), "(*f)(const struct a  *, void (*)(const int  *), ...)");
}

}  // namespace
}  // namespace hitmark
