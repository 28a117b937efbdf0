#include "harness/simulator/sim_arena.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <new>
#include <set>

#include "kernels/workload.hpp"
#include "support/check.hpp"
#include "support/seeds.hpp"

namespace hitmark::simulator {
namespace {

constexpr std::size_t kSmallPage = 4096, kHugePage = std::size_t{2} << 20;
constexpr std::size_t kAnyShared = std::size_t{1} << 30, kAnyPercpu = std::size_t{64} << 20;
// Of a simulated arena. A line that is touched takes five times its size of this host: its data, its state, its words.
constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;
constexpr std::uint64_t kFrames = std::uint64_t{1} << 18;     // 2 MiB pages of a node's 512 GiB

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

unsigned quadrants_per_node(const MachineModel& machine) {
  return std::max(1u, machine.quadrants / std::max(1u, machine.nodes_per_socket));
}

}  // namespace

unsigned node_of_cpu(const MachineModel& machine, unsigned os_cpu) {
  const unsigned ccx = machine.ccx_of_core(machine.core_of(os_cpu));
  return machine.socket_of_ccx(ccx) * machine.nodes_per_socket +
         machine.quadrant_of_ccx(ccx) / quadrants_per_node(machine);
}

Home home_of(const MachineModel& machine, unsigned node, std::uint64_t physical_address) {
  const unsigned quadrants = quadrants_per_node(machine);
  const unsigned channels = quadrants * machine.channels_per_quadrant;
  const std::uint64_t unit = physical_address / machine.interleave_bytes;
  std::uint64_t index = unit % channels;
  if (std::has_single_bit(channels) && channels > 1) {
    const int bits = std::countr_zero(channels);
    index = 0;
    for (std::uint64_t rest = unit; rest != 0; rest >>= bits) index ^= rest % channels;
  }
  Home home;
  home.socket = static_cast<std::uint8_t>(node / machine.nodes_per_socket);
  home.quadrant = static_cast<std::uint8_t>(node % machine.nodes_per_socket * quadrants + index % quadrants);
  home.channel = static_cast<std::uint8_t>(index / quadrants);
  return home;
}

Result<std::unique_ptr<SimArena>> SimArena::create(const MachineModel& machine, SimArenaOptions options,
                                                   const std::optional<SimArenaSizes>& sizes) {
  HITMARK_CHECK(!options.os_cpus.empty(), "an arena has CPUs");
  std::unique_ptr<SimArena> arena(new SimArena(machine, std::move(options)));
  std::set<unsigned> nodes = {arena->options_.home_node};
  for (const auto& [name, node] : arena->options_.homes) nodes.insert(static_cast<unsigned>(node));
  std::uint64_t at = 0;
  for (const unsigned node : nodes) {
    std::size_t size = kAnyShared;
    if (sizes) {
      const auto used = sizes->shared.find(node);
      size = rounded_up(used == sizes->shared.end() ? 0 : used->second, kSmallPage);
    }
    arena->shared_[node] = {at, size};
    at += size;
  }
  arena->areas_begin_ = at;
  arena->area_size_ = sizes ? rounded_up(sizes->percpu, kSmallPage) : kAnyPercpu;
  at += arena->area_size_ * arena->cpu_count();
  arena->pressure_begin_ = at;
  arena->pressure_size_ = rounded_up(arena->options_.pressure_bytes, kSmallPage);
  if (sizes) at += arena->pressure_size_ * arena->cpu_count();
  arena->size_ = at;
  if (sizes && at > kMostBytes)
    return Error{ErrorKind::kUnsupported,
                 "this workload takes " + std::to_string(at >> 20) +
                     " MiB of simulated memory for each arm, more than " + std::to_string(kMostBytes >> 20) +
                     " (the simulator itself needs five times that)",
                 "use fewer CPUs, groups, memcgs or less pressure"};
  void* memory = ::mmap(nullptr, at, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return Error{ErrorKind::kUnavailable,
                 "no " + std::to_string(at >> 20) + " MiB of address space for a simulated arm's memory",
                 "raise the limit: ulimit -v unlimited"};
  arena->memory_ = static_cast<char*>(memory);
  arena->used_.percpu = kStaticPercpu + kStaticPercpuSize;
  for (unsigned cpu = 0; cpu < arena->cpu_count(); ++cpu) {
    void* area = arena->percpu_address(cpu, 0);
    *static_cast<std::uintptr_t*>(area) = reinterpret_cast<std::uintptr_t>(area);  // this_cpu_off
  }
  return arena;
}

SimArena::~SimArena() {
  if (memory_) ::munmap(memory_, size_);
}

void* SimArena::shared(std::string_view name, std::string_view type, std::size_t size, std::size_t alignment) {
  const int* own = find_home(options_.homes, name);
  const unsigned node = own ? static_cast<unsigned>(*own) : options_.home_node;
  const SharedRange& range = shared_.at(node);
  std::size_t& used = used_.shared[node];
  const std::size_t at = rounded_up(used, alignment);
  if (at + size > range.size) throw std::bad_alloc();
  used = at + size;
  char* address = memory_ + range.begin + at;
  objects_.push_back({std::string(name), std::string(type), reinterpret_cast<std::uintptr_t>(address), size, false});
  return address;
}

std::uintptr_t SimArena::percpu(std::string_view name, std::string_view type, std::size_t size, std::size_t alignment,
                                bool at_static) {
  std::uintptr_t offset = kStaticPercpu;
  if (at_static) {
    HITMARK_CHECK(!has_static_ && size <= kStaticPercpuSize, "one static per-CPU object, within its reserve");
    has_static_ = true;
  } else {
    offset = rounded_up(used_.percpu, alignment);
    if (offset + size > area_size_) throw std::bad_alloc();
    used_.percpu = offset + size;
  }
  objects_.push_back({std::string(name), std::string(type), offset, size, true});
  return offset;
}

void* SimArena::percpu_address(unsigned cpu, std::uintptr_t offset) {
  HITMARK_CHECK(cpu < cpu_count() && offset < area_size_, "outside the per-CPU areas");
  return memory_ + areas_begin_ + cpu * area_size_ + offset;
}

std::uint64_t* SimArena::pressure(unsigned cpu) const {
  if (pressure_size_ == 0) return nullptr;
  return reinterpret_cast<std::uint64_t*>(memory_ + pressure_begin_ + cpu * pressure_size_);
}

// The frame of a page depends on the seed, the node and the page's place in its range, on nothing of the host.
std::uint64_t SimArena::physical(std::uint64_t offset, unsigned& node, bool& huge) const {
  std::uint64_t in_range = 0, range = 0;
  if (offset < areas_begin_) {
    huge = true;
    for (const auto& [each, shared] : shared_)
      if (offset >= shared.begin && offset < shared.begin + shared.size) {
        node = each;
        in_range = offset - shared.begin;
      }
  } else {
    huge = offset >= pressure_begin_;
    const std::uint64_t begin = huge ? pressure_begin_ : areas_begin_, stride = huge ? pressure_size_ : area_size_;
    const auto cpu = static_cast<std::size_t>((offset - begin) / stride);
    node = node_of_cpu(machine_, options_.os_cpus[cpu]);
    in_range = (offset - begin) % stride;
    range = (huge ? 2 : 1) + 2 * cpu;
  }
  const std::uint64_t page = huge ? kHugePage : kSmallPage;
  const std::uint64_t frames = kFrames * (kHugePage / page);
  const std::uint64_t frame = mixed_seed({options_.frames_seed, node, range, in_range / page}) % frames;
  return frame * page + in_range % page;
}

std::vector<Home> SimArena::homes() const {
  std::vector<Home> homes(size_ / kLine);
  for (std::size_t line = 0; line < homes.size(); ++line) {
    unsigned node = 0;
    bool huge_page = false;
    const std::uint64_t address = physical(line * kLine, node, huge_page);
    homes[line] = home_of(machine_, node, address);
  }
  return homes;
}

std::vector<bool> SimArena::huge() const {
  std::vector<bool> lines(size_ / kLine);
  for (std::size_t line = 0; line < lines.size(); ++line)
    lines[line] = line * kLine < areas_begin_ || line * kLine >= pressure_begin_;
  return lines;
}

SimArena::Place SimArena::find(std::uint64_t offset) const {
  if (offset >= pressure_begin_ && offset < size_) return {"pressure", "", (offset - pressure_begin_) % pressure_size_};
  const bool percpu = offset >= areas_begin_;
  const std::uint64_t address = percpu ? (offset - areas_begin_) % area_size_ : base() + offset;
  for (const ArenaObject& object : objects_)
    if (object.percpu == percpu && address >= object.address && address - object.address < object.size)
      return {object.name, object.type, address - object.address};
  if (percpu && address < kLine) return {"per-CPU area", "", address};
  return {"", "", address};
}

}  // namespace hitmark::simulator
