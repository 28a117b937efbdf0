// A second unit: a struct of the same qualified name as one in layouts.cpp, but of another layout.
namespace study {
namespace percall7 {
namespace {
struct Variant {
  struct Stock {
    int other;
  };
  Stock stock;
};
}  // namespace
Variant use_other;
}  // namespace percall7
}  // namespace study
