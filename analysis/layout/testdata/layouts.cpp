// C++ as the kernel variants are written, and what else a class may hold. Compiled by build.sh; never linked
// into hitmark.
using u8 = unsigned char;
using s8 = signed char;

template <typename T>
class Cell {  // as kernels/memory/cell.hpp has it
  T value_{};
};

namespace study {

struct Group {
  Cell<int> threshold;
};

namespace packed6 {
namespace {

struct Variant {
  struct Stock {
    Cell<u8> locked;
    Cell<u8> nr_pages[6];
    Cell<s8> nr_sock[6];
    Cell<Group*> cached[6];
  };
  Stock stock;
};

}  // namespace
Variant use_variant;
}  // namespace packed6

namespace percall7 {
namespace {
struct Variant {
  struct Stock {
    Cell<u8> lock;
    Cell<u8> nr_pages[7];
    Cell<Group*> cached[7];
  };
  Stock stock;
};
}  // namespace
Variant use_variant;
}  // namespace percall7

struct Base {
  virtual ~Base();
  virtual int run() = 0;
  long count;
};
Base::~Base() = default;

class Derived : public Base {
 public:
  int run() override;
  static int instances;
  alignas(64) bool ready;
  unsigned mode : 3;
  unsigned level : 7;
  Group& group;
  int (Derived::*method)(int);
  long Base::*field;
};
int Derived::run() { return mode; }

struct Left : virtual Base {};
struct Virtual : Left {
  int run() override;
};
int Virtual::run() { return 0; }

}  // namespace study

namespace left {
struct Twin {
  int a;
};
Twin use_twin;
}  // namespace left
namespace right {
struct Twin {
  int a;
};
Twin use_twin;
}  // namespace right
