// Anonymous memory bound to NUMA nodes by raw system calls (mbind, move_pages), and the kernel's own answer
// to where its pages are. Numbers are nodes' OS numbers.
#pragma once

#include <cstddef>
#include <vector>

#include "support/result.hpp"

namespace hitmark::native {

inline constexpr std::size_t kSmallPage = 4096;
inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

// Address space without memory; pages come with commit(). Freed at the end of its life.
class AddressRange {
 public:
  static Result<AddressRange> reserve(std::size_t size);  // aligned to kHugePage
  AddressRange(AddressRange&& other) noexcept;
  AddressRange& operator=(AddressRange&& other) noexcept;
  ~AddressRange();

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  // Makes the first `size` bytes usable, zeroed; `huge` asks for 2 MiB pages, otherwise there are none.
  Result<void> commit(std::size_t size, bool huge);

 private:
  AddressRange(std::byte* mapped, std::size_t mapped_size, std::byte* data, std::size_t size);
  std::byte* mapped_ = nullptr;
  std::size_t mapped_size_ = 0;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

// Pages of the range that are not there yet will come from `node` alone. kUnsupported without NUMA in the
// kernel, kDenied in a container that forbids it.
Result<void> bind_to_node(void* at, std::size_t size, int node);

// The node of each page that holds one of `addresses`; an element is negative (-errno) for a page that is
// not there.
Result<std::vector<int>> nodes_of_pages(const std::vector<void*>& addresses);

// Of the mapping that holds `address`: KiB in huge pages, from /proc/self/smaps; 0 when it does not say.
std::size_t huge_kib_of_mapping(const void* address);

}  // namespace hitmark::native
