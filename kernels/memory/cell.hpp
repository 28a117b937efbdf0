// The data that a kernel variant works on, in a form that no access can bypass.
//
// A Cell<T> has the size, alignment and bytes of a T, so a struct made of Cells has exactly the layout of the
// C struct that it stands for. Its value can be reached only through a Cpu (native_cpu.hpp, traced_cpu.hpp):
// `stock.nr_pages[i] = 3` does not compile, therefore no access can escape an observer by accident.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace hitmark {

template <typename T>
class Cell {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8,
                "a Cell is one machine word at most, as a single access is");

 public:
  constexpr Cell() = default;
  constexpr explicit Cell(T initial) : value_(initial) {}
  Cell(const Cell&) = delete;
  Cell& operator=(const Cell&) = delete;

 private:
  friend class CellAccess;
  T value_{};
};

// The key to the Cells. Only Cpu policies derive from it.
class CellAccess {
 protected:
  template <typename T>
  [[gnu::always_inline]] static T* raw(Cell<T>& cell) {
    return &cell.value_;
  }
  template <typename T>
  [[gnu::always_inline]] static const T* raw(const Cell<T>& cell) {
    return &cell.value_;
  }
  template <typename T, std::size_t N>
  [[gnu::always_inline]] static auto raw(Cell<T> (&array)[N]) -> T (&)[N] {
    return reinterpret_cast<T(&)[N]>(array);
  }
  template <typename T, std::size_t N>
  [[gnu::always_inline]] static auto raw(const Cell<T> (&array)[N]) -> const T (&)[N] {
    return reinterpret_cast<const T(&)[N]>(array);
  }
};

// Where one T lies in every CPU's per-CPU area (`T __percpu *` in Linux): an offset, not an address. Only a
// Cpu can turn it into memory.
template <typename T>
class PerCpuField {
 public:
  constexpr explicit PerCpuField(std::uintptr_t offset) : offset_(offset) {}
  constexpr std::uintptr_t offset() const { return offset_; }

 private:
  std::uintptr_t offset_;
};

// Where one struct lies in every CPU's area. Offset 0 is the null pointer.
template <typename S>
class PerCpu {
 public:
  constexpr PerCpu() = default;
  constexpr explicit PerCpu(std::uintptr_t offset) : offset_(offset) {}
  constexpr std::uintptr_t offset() const { return offset_; }
  constexpr explicit operator bool() const { return offset_ != 0; }

  template <typename T>
  [[gnu::always_inline]] PerCpuField<T> field(Cell<T> S::*member) const {
    return PerCpuField<T>(reinterpret_cast<std::uintptr_t>(&(in_percpu_space()->*member)));
  }
  template <typename T, std::size_t N>
  [[gnu::always_inline]] PerCpuField<T> field(Cell<T> (S::*array)[N], std::size_t index) const {
    return PerCpuField<T>(reinterpret_cast<std::uintptr_t>(&(in_percpu_space()->*array)[index]));
  }

 private:
  [[gnu::always_inline]] S* in_percpu_space() const { return reinterpret_cast<S*>(offset_); }
  std::uintptr_t offset_ = 0;
};

}  // namespace hitmark
