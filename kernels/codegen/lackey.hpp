// What `valgrind --tool=lackey --trace-mem=yes` prints, cut down to what a path did to the arena.
//
// A program marks its paths by stores to an address that both sides know: kMarkers + 8 * path when one starts,
// kPathEnd when it ends.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hitmark::codegen {

inline constexpr std::uintptr_t kMarkers = 0x1000000000;  // of kMarkersSize bytes; mapped by the program
inline constexpr std::size_t kMarkersSize = 4096;
inline constexpr std::uintptr_t kPathEnd = kMarkers + kMarkersSize - 8;

struct LackeyAccess {
  char kind;  // L load, S store, M modify; X modify under LOCK (fold_locked_updates)
  std::uintptr_t address;
  unsigned size;
  std::uint64_t instruction;  // the same for accesses of one instruction

  bool operator==(const LackeyAccess&) const = default;
};

// The log, line by line; only the accesses between a path's two markers are kept, by path.
class LackeyLog {
 public:
  void add(std::string_view line);
  const std::map<std::size_t, std::vector<LackeyAccess>>& paths() const { return paths_; }

 private:
  std::map<std::size_t, std::vector<LackeyAccess>> paths_;
  std::vector<LackeyAccess>* current_ = nullptr;
  std::uint64_t instruction_ = 0;
};

// Of a locked update (lock add, xchg, lock bts) lackey prints a load before the update itself, which is one access:
// a load followed, in the same instruction, by an update of the same bytes becomes one access of kind X. What is
// left as M had no LOCK, or was a cmpxchg: of that, lackey prints the same with LOCK and without.
std::vector<LackeyAccess> fold_locked_updates(const std::vector<LackeyAccess>& accesses);

struct AddressRange {
  std::uintptr_t start;
  std::size_t size;
  std::string name;

  bool contains(std::uintptr_t address) const { return address - start < size; }
};

// "S memcg_stock@0+1 1": kind, object, offset and bytes. The stack is left out, and so is nothing else: an access to
// neither becomes a line "... elsewhere ...", which no traced run has.
std::vector<std::string> accesses_by_object(const std::vector<LackeyAccess>& accesses,
                                            const std::vector<AddressRange>& arena, const AddressRange& stack);
std::string access_text(char kind, std::uintptr_t address, unsigned size, const std::vector<AddressRange>& arena);

}  // namespace hitmark::codegen
