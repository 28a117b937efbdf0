#include "harness/native/numa_memory.hpp"

#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <utility>

#include "support/file.hpp"

namespace hitmark::native {
namespace {

constexpr std::size_t kMaxNodes = 1024;

Error failed(const std::string& what) {
  const int code = errno;
  const std::string message = what + ": " + std::strerror(code);
  if (code == ENOSYS) return {ErrorKind::kUnsupported, message, "use a kernel with CONFIG_NUMA"};
  if (code == EPERM || code == EACCES)
    return {ErrorKind::kDenied, message, "in a container, allow it (docker run --cap-add=SYS_NICE)"};
  return {ErrorKind::kUnavailable, message, code == ENOMEM ? "use fewer memcgs or CPUs, or free memory" : ""};
}

std::byte* aligned_up(std::byte* at, std::size_t alignment) {
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  return at + ((alignment - address % alignment) % alignment);
}

}  // namespace

Result<AddressRange> AddressRange::reserve(std::size_t size) {
  const std::size_t mapped_size = size + kHugePage;
  void* mapped = ::mmap(nullptr, mapped_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) {
    const bool no_room = errno == ENOMEM;
    Error error = failed("cannot reserve " + std::to_string(size >> 10) + " KiB of address space");
    if (no_room) error.hint = "lift the limit of address space (ulimit -v unlimited), or use fewer memcgs or CPUs";
    return error;
  }
  auto* const start = static_cast<std::byte*>(mapped);
  return AddressRange(start, mapped_size, aligned_up(start, kHugePage), size);
}

AddressRange::AddressRange(std::byte* mapped, std::size_t mapped_size, std::byte* data, std::size_t size)
    : mapped_(mapped), mapped_size_(mapped_size), data_(data), size_(size) {}

AddressRange::AddressRange(AddressRange&& other) noexcept
    : mapped_(std::exchange(other.mapped_, nullptr)),
      mapped_size_(other.mapped_size_),
      data_(other.data_),
      size_(other.size_) {}

AddressRange& AddressRange::operator=(AddressRange&& other) noexcept {
  std::swap(mapped_, other.mapped_);
  std::swap(mapped_size_, other.mapped_size_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

AddressRange::~AddressRange() {
  if (mapped_) ::munmap(mapped_, mapped_size_);
}

Result<void> AddressRange::commit(std::size_t size, bool huge) {
  if (size > size_) {
    errno = ENOMEM;
    return failed("an arena of " + std::to_string(size_ >> 20) + " MiB is full");
  }
  if (::mprotect(data_, size, PROT_READ | PROT_WRITE) != 0)
    return failed("cannot have " + std::to_string(size >> 10) + " KiB of memory");
  ::madvise(data_, size, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);  // without THP in the kernel: 4 KiB pages
  return {};
}

Result<void> bind_to_node(void* at, std::size_t size, int node) {
  constexpr std::size_t kBits = sizeof(unsigned long) * CHAR_BIT;
  std::array<unsigned long, kMaxNodes / kBits> nodes{};
  if (node < 0 || static_cast<std::size_t>(node) >= kMaxNodes)
    return Error{ErrorKind::kInvalid, "there is no NUMA node " + std::to_string(node), "hitmark topology"};
  nodes[static_cast<std::size_t>(node) / kBits] |= 1ul << (static_cast<std::size_t>(node) % kBits);
  // maxnode counts one more than the bits, as the kernel drops the last.
  if (::syscall(SYS_mbind, at, size, MPOL_BIND, nodes.data(), kMaxNodes + 1, 0) != 0)
    return failed("cannot bind memory to NUMA node " + std::to_string(node));
  return {};
}

Result<std::vector<int>> nodes_of_pages(const std::vector<void*>& addresses) {
  std::vector<int> nodes(addresses.size(), 0);
  if (addresses.empty()) return nodes;
  std::vector<void*> pages;
  for (void* address : addresses)
    pages.push_back(static_cast<std::byte*>(address) - reinterpret_cast<std::uintptr_t>(address) % kSmallPage);
  if (::syscall(SYS_move_pages, 0, pages.size(), pages.data(), nullptr, nodes.data(), 0) != 0)
    return failed("the kernel does not say on which NUMA node memory is");
  return nodes;
}

std::size_t huge_kib_of_mapping(const void* address) {
  const auto smaps = read_file("/proc/self/smaps", std::size_t{64} << 20);
  if (!smaps) return 0;
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  std::istringstream lines(*smaps);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    unsigned long from = 0, to = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &from, &to) == 2) inside = wanted >= from && wanted < to;
    if (inside && line.starts_with("AnonHugePages:")) return std::strtoul(line.c_str() + 14, nullptr, 10);
  }
  return 0;
}

}  // namespace hitmark::native
