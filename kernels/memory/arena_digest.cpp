// Only reads the arena, outside of all operations.
#include "kernels/memory/arena_digest.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace hitmark {
namespace {

// Turns addresses inside the arena into (object, offset), so that equal runs in two arenas hash equal.
class Hasher {
 public:
  explicit Hasher(Arena& arena) {
    std::uint64_t id = 1;
    for (unsigned cpu = 0; cpu < arena.cpu_count(); ++cpu)
      ranges_.push_back({reinterpret_cast<std::uintptr_t>(arena.percpu_address(cpu, 0)), kLine, id++});
    for (const ArenaObject& object : arena.objects()) {
      for (unsigned cpu = 0; cpu < (object.percpu ? arena.cpu_count() : 1); ++cpu) {
        const void* at =
            object.percpu ? arena.percpu_address(cpu, object.address) : reinterpret_cast<const void*>(object.address);
        ranges_.push_back({reinterpret_cast<std::uintptr_t>(at), object.size, id++});
      }
    }
    contents_ = ranges_;
    std::sort(ranges_.begin(), ranges_.end(), [](const Range& a, const Range& b) { return a.start < b.start; });
  }

  std::uint64_t hash_all(std::span<const void* const> left_out) {
    for (const Range& range : contents_) {
      for (std::size_t at = 0; at < range.size; at += 8) {
        std::uint64_t word = 0;
        const auto* from = reinterpret_cast<const char*>(range.start + at);
        if (std::find(left_out.begin(), left_out.end(), from) == left_out.end())
          std::memcpy(&word, from, std::min<std::size_t>(8, range.size - at));
        mix(word);
      }
    }
    return hash_;
  }

 private:
  struct Range {
    std::uintptr_t start;
    std::size_t size;
    std::uint64_t id;
  };

  void mix(std::uint64_t word) {
    auto after = std::upper_bound(ranges_.begin(), ranges_.end(), word,
                                  [](std::uint64_t value, const Range& range) { return value < range.start; });
    std::uint64_t id = 0;
    if (after != ranges_.begin() && word - (after - 1)->start < (after - 1)->size) {
      id = (after - 1)->id;
      word -= (after - 1)->start;
    }
    for (const std::uint64_t part : {id, word}) {
      hash_ = (hash_ ^ part) * 0x9e3779b97f4a7c15u;
      hash_ ^= hash_ >> 29;
    }
  }

  std::vector<Range> ranges_, contents_;
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

}  // namespace

std::uint64_t arena_digest(Arena& arena, std::span<const void* const> left_out) {
  return Hasher(arena).hash_all(left_out);
}

}  // namespace hitmark
