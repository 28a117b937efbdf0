#include "harness/native/native_arena.hpp"

#include <cstring>
#include <new>
#include <set>
#include <utility>

#include "kernels/workload.hpp"
#include "support/check.hpp"

namespace hitmark::native {
namespace {

constexpr std::size_t kSharedSize = std::size_t{1} << 30;  // address space, not memory
constexpr std::size_t kAreaSize = std::size_t{64} << 20;
constexpr std::size_t kAreaStep = 16 * kSmallPage;

std::size_t rounded_up(std::size_t size, std::size_t to) { return (size + to - 1) / to * to; }

std::string node_name(int node) {
  return node == kAnyNode ? "wherever the kernel puts it" : "node " + std::to_string(node);
}

// The nodes that the pages of [data, data + used) are on; an Error when a page is on none or another than
// `wanted`.
Result<std::set<int>> nodes_in(std::byte* data, std::size_t used, int wanted, const std::string& what) {
  std::vector<void*> pages;
  for (std::size_t at = 0; at < used; at += kSmallPage) pages.push_back(data + at);
  const auto nodes = nodes_of_pages(pages);
  if (!nodes) return nodes.error();
  for (const int node : *nodes)
    if (node < 0 || (wanted != kAnyNode && node != wanted))
      return Error{ErrorKind::kUnavailable,
                   what + " should be on " + node_name(wanted) + ", but the kernel says " +
                       (node < 0 ? std::strerror(-node) : "node " + std::to_string(node)),
                   "see that the node has free memory (numactl --hardware)"};
  return std::set<int>(nodes->begin(), nodes->end());
}

}  // namespace

Result<std::unique_ptr<NativeArena>> NativeArena::create(NativeArenaOptions options) {
  std::unique_ptr<NativeArena> arena(new NativeArena(std::move(options)));
  for (std::size_t cpu = 0; cpu < arena->options_.cpu_nodes.size(); ++cpu) {
    auto area = AddressRange::reserve(kAreaSize);
    if (!area) return area.error();
    arena->areas_.push_back(std::move(*area));
    std::size_t committed = 0;
    const auto grown = arena->grow(arena->areas_.back(), committed, kStaticPercpu + kStaticPercpuSize,
                                   arena->options_.cpu_nodes[cpu], false);
    if (!grown) return grown.error();
    arena->area_committed_ = committed;
    void* const self = arena->areas_.back().data();
    std::memcpy(self, &self, sizeof self);  // this_cpu_off
  }
  arena->area_used_ = kStaticPercpu + kStaticPercpuSize;
  return arena;
}

// Makes [0, wanted) of the range usable and present, bound before it is first touched.
Result<void> NativeArena::grow(AddressRange& range, std::size_t& committed, std::size_t wanted, int node, bool huge) {
  const std::size_t size = rounded_up(wanted, huge ? kHugePage : kAreaStep);
  if (size <= committed) return {};
  if (const auto done = range.commit(size, huge); !done) return done.error();
  if (node != kAnyNode) {
    const auto bound = bind_to_node(range.data() + committed, size - committed, node);
    if (!bound && options_.must_bind) return bound.error();
  }
  std::memset(range.data() + committed, 0, size - committed);
  committed = size;
  return {};
}

Result<NativeArena::SharedRange*> NativeArena::range_of(int node) {
  auto at = shared_.find(node);
  if (at == shared_.end()) {
    auto range = AddressRange::reserve(kSharedSize);
    if (!range) return range.error();
    at = shared_.emplace(node, SharedRange{std::move(*range)}).first;
  }
  return &at->second;
}

void NativeArena::give_up(const Error& error) {
  failure_ = error;
  throw std::bad_alloc();
}

void* NativeArena::shared(std::string_view name, std::string_view type, std::size_t size, std::size_t alignment) {
  const int* own_home = find_home(options_.homes, name);
  const int node = own_home ? *own_home : options_.home_node;
  const auto target = range_of(node);
  if (!target) give_up(target.error());
  SharedRange& range = **target;
  const std::size_t offset = rounded_up(range.used, alignment);
  if (const auto grown = grow(range.range, range.committed, offset + size, node, true); !grown) give_up(grown.error());
  range.used = offset + size;
  void* const at = range.range.data() + offset;
  objects_.push_back({std::string(name), std::string(type), reinterpret_cast<std::uintptr_t>(at), size, false});
  return at;
}

std::uintptr_t NativeArena::percpu(std::string_view name, std::string_view type, std::size_t size,
                                   std::size_t alignment, bool at_static) {
  std::uintptr_t offset = kStaticPercpu;
  if (at_static) {
    HITMARK_CHECK(!has_static_ && size <= kStaticPercpuSize, "one static per-CPU object, within its reserve");
    has_static_ = true;
  } else {
    offset = rounded_up(area_used_, alignment);
    std::size_t committed = area_committed_;
    for (std::size_t cpu = 0; cpu < areas_.size(); ++cpu) {
      committed = area_committed_;
      const auto grown = grow(areas_[cpu], committed, offset + size, options_.cpu_nodes[cpu], false);
      if (!grown) give_up(grown.error());
    }
    area_committed_ = committed;
    area_used_ = offset + size;
  }
  objects_.push_back({std::string(name), std::string(type), offset, size, true});
  return offset;
}

void* NativeArena::percpu_address(unsigned cpu, std::uintptr_t offset) { return areas_[cpu].data() + offset; }

Result<NameValues> NativeArena::verify() const {
  NameValues notes;
  for (const auto& [node, range] : shared_) {
    const int wanted = options_.must_bind ? node : kAnyNode;
    const auto found = nodes_in(range.range.data(), range.used, wanted, "shared memory");
    if (!found) return found.error();
    std::string where;
    for (const int each : *found) where += (where.empty() ? "node " : ", ") + std::to_string(each);
    notes.emplace_back("home of shared objects, wanted", node_name(node));
    notes.emplace_back("home of shared objects, as the kernel says", where);
    const bool huge = huge_kib_of_mapping(range.range.data()) > 0;
    notes.emplace_back("pages of shared objects", huge ? "2 MiB" : "4 KiB (no transparent huge page was given)");
  }
  for (std::size_t cpu = 0; cpu < areas_.size(); ++cpu) {
    const int wanted = options_.must_bind ? options_.cpu_nodes[cpu] : kAnyNode;
    const auto found = nodes_in(areas_[cpu].data(), area_used_, wanted, "a per-CPU area");
    if (!found) return found.error();
  }
  notes.emplace_back("pages of per-CPU areas", "4 KiB, on the node of their CPU");
  return notes;
}

}  // namespace hitmark::native
