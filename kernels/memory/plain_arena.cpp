// Two anonymous mappings and a bump pointer in each.
#include "kernels/memory/plain_arena.hpp"

#include <sys/mman.h>

#include "support/check.hpp"

namespace hitmark {
namespace {

char* reserve(std::size_t bytes) {
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  HITMARK_CHECK(at != MAP_FAILED, "no address space for an arena");
  return static_cast<char*>(at);
}

std::uintptr_t align_up(std::uintptr_t value, std::size_t alignment) {
  HITMARK_CHECK(alignment != 0 && (alignment & (alignment - 1)) == 0 && alignment <= 4096, "bad alignment");
  return (value + alignment - 1) & ~(std::uintptr_t{alignment} - 1);
}

}  // namespace

PlainArena::PlainArena(unsigned cpus, std::size_t percpu_bytes, std::size_t shared_bytes)
    : cpus_(cpus),
      percpu_bytes_(align_up(percpu_bytes, 4096)),
      shared_bytes_(shared_bytes),
      percpu_memory_(reserve(percpu_bytes_ * cpus)),
      shared_memory_(reserve(shared_bytes)) {
  HITMARK_CHECK(cpus > 0 && percpu_bytes_ >= percpu_used_, "an arena without CPUs or per-CPU memory");
  for (unsigned cpu = 0; cpu < cpus; ++cpu) {
    void* area = percpu_address(cpu, 0);
    *static_cast<std::uintptr_t*>(area) = reinterpret_cast<std::uintptr_t>(area);  // this_cpu_off
  }
}

PlainArena::~PlainArena() {
  munmap(percpu_memory_, percpu_bytes_ * cpus_);
  munmap(shared_memory_, shared_bytes_);
}

void* PlainArena::shared(std::string_view name, std::string_view type, std::size_t size, std::size_t alignment) {
  const std::size_t at = align_up(shared_used_, alignment);
  HITMARK_CHECK(at + size <= shared_bytes_, "the arena's shared memory is used up");
  shared_used_ = at + size;
  void* address = shared_memory_ + at;
  objects_.push_back({std::string(name), std::string(type), reinterpret_cast<std::uintptr_t>(address), size, false});
  return address;
}

std::uintptr_t PlainArena::percpu(std::string_view name, std::string_view type, std::size_t size, std::size_t alignment,
                                  bool at_static) {
  std::uintptr_t offset = kStaticPercpu;
  if (at_static) {
    HITMARK_CHECK(!static_given_ && size <= kStaticPercpuSize, "one static per-CPU object, and it must fit");
    static_given_ = true;
  } else {
    offset = align_up(percpu_used_, alignment);
    HITMARK_CHECK(offset + size <= percpu_bytes_, "the arena's per-CPU memory is used up");
    percpu_used_ = offset + size;
  }
  objects_.push_back({std::string(name), std::string(type), offset, size, true});
  return offset;
}

void* PlainArena::percpu_address(unsigned cpu, std::uintptr_t offset) {
  HITMARK_CHECK(cpu < cpus_ && offset < percpu_bytes_, "outside the per-CPU areas");
  return percpu_memory_ + cpu * percpu_bytes_ + offset;
}

}  // namespace hitmark
