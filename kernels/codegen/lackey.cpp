#include "kernels/codegen/lackey.hpp"

#include <charconv>

namespace hitmark::codegen {

void LackeyLog::add(std::string_view line) {
  if (line.starts_with("I ")) {
    ++instruction_;
    return;
  }
  if (line.size() < 5 || line[0] != ' ' || line[2] != ' ') return;  // valgrind's own messages
  LackeyAccess access{line[1], 0, 0, instruction_};
  if (access.kind != 'L' && access.kind != 'S' && access.kind != 'M') return;
  const char* end = line.data() + line.size();
  const auto address = std::from_chars(line.data() + 3, end, access.address, 16);
  if (address.ptr == end || *address.ptr != ',') return;
  std::from_chars(address.ptr + 1, end, access.size);
  if (access.address - kMarkers < kMarkersSize) {
    current_ = access.address == kPathEnd ? nullptr : &paths_[(access.address - kMarkers) / 8];
  } else if (current_) {
    current_->push_back(access);
  }
}

std::vector<LackeyAccess> fold_locked_updates(const std::vector<LackeyAccess>& accesses) {
  std::vector<LackeyAccess> folded;
  for (const LackeyAccess& access : accesses) {
    LackeyAccess load = access;
    load.kind = 'L';
    if (access.kind == 'M' && !folded.empty() && folded.back() == load)
      folded.back().kind = 'X';
    else
      folded.push_back(access);
  }
  return folded;
}

std::string access_text(char kind, std::uintptr_t address, unsigned size, const std::vector<AddressRange>& arena) {
  std::string where = "elsewhere";
  for (const AddressRange& range : arena)
    if (range.contains(address)) where = range.name + "+" + std::to_string(address - range.start);
  return std::string(1, kind) + " " + where + " " + std::to_string(size);
}

std::vector<std::string> accesses_by_object(const std::vector<LackeyAccess>& accesses,
                                            const std::vector<AddressRange>& arena, const AddressRange& stack) {
  std::vector<std::string> texts;
  for (const LackeyAccess& access : accesses)
    if (!stack.contains(access.address)) texts.push_back(access_text(access.kind, access.address, access.size, arena));
  return texts;
}

}  // namespace hitmark::codegen
