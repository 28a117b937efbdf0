// An array whose zero bytes cost nothing until they are written (the system maps them when touched): caches of
// hundreds of megabytes of which a run uses a few. Copying copies it all: for tests' tiny machines.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace hitmark::simulator {

template <typename T>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  ZeroedArray() = default;
  explicit ZeroedArray(std::size_t size) : size_(size) {
    if (size == 0) return;
    // calloc aligns to 16 bytes; 48 more let sets begin where a line of the host begins.
    block_ = std::calloc(1, size * sizeof(T) + 48);
    if (!block_) throw std::bad_alloc();
    const auto address = reinterpret_cast<std::size_t>(block_);
    data_ = reinterpret_cast<T*>((address + 63) / 64 * 64);
  }
  ZeroedArray(const ZeroedArray& other) : ZeroedArray(other.size_) { copy(other); }
  ZeroedArray(ZeroedArray&& other) noexcept { swap(other); }
  ZeroedArray& operator=(const ZeroedArray& other) {
    if (size_ == other.size_) {
      copy(other);
    } else {
      ZeroedArray fresh(other);
      swap(fresh);
    }
    return *this;
  }
  ZeroedArray& operator=(ZeroedArray&& other) noexcept {
    swap(other);
    return *this;
  }
  ~ZeroedArray() { std::free(block_); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t index) { return data_[index]; }
  const T& operator[](std::size_t index) const { return data_[index]; }

 private:
  void copy(const ZeroedArray& other) {
    if (size_ != 0 && this != &other) std::memcpy(static_cast<void*>(data_), other.data_, size_ * sizeof(T));
  }
  void swap(ZeroedArray& other) {
    std::swap(block_, other.block_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }
  void* block_ = nullptr;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace hitmark::simulator
