#include "harness/simulator/engine/lines.hpp"

namespace hitmark::simulator {
namespace {

constexpr std::size_t kLinesPerPage = 4096 / 64, kLinesPerHugePage = (2u << 20) / 64;

}  // namespace

Lines::Lines(std::size_t lines, const std::vector<bool>& huge, std::vector<std::uint8_t> core_of, unsigned cores)
    : records_(lines),
      huge_(huge),
      small_pages_(lines / kLinesPerPage + 1),
      pages_(small_pages_ + lines / kLinesPerHugePage + 1),
      core_of_(std::move(core_of)),
      cores_(cores),
      of_cpu_(core_of_.size()) {}

Lines::~Lines() {
  for_each([](Line, unsigned, Words& words) { Words::destroy(&words); });
}

void Lines::first_touch(Line line, LineRecord& record, unsigned cpu, bool together) {
  if (record.only == 0) {
    touched_.push_back(line);
    const bool huge = line < huge_.size() && huge_[line];
    record.page = static_cast<std::uint32_t>(huge ? small_pages_ + line / kLinesPerHugePage : line / kLinesPerPage);
    record.only = static_cast<std::uint16_t>(cpu + 1);
    if (together) become_shared(record);
  } else {
    become_shared(record);
  }
}

void Lines::become_shared(LineRecord& record) {
  const unsigned first = record.only - 1u;
  SharedLine& both = shared_.emplace_back();
  both.by_cpu.resize(core_of_.size());
  both.by_core.resize(cores_);
  if (record.words) {
    CoreView& view = both.by_core[core_of_[first]];
    view = {record.words->bytes(false), record.words->bytes(true), static_cast<std::uint16_t>(first), 0};
    if (view.written != 0) view.writer = static_cast<std::uint16_t>(first + 1);
    both.by_cpu[first] = record.words;
  }
  both.written = record.written;
  record.many = &both;
  record.only = kManyCpus;
}

void Lines::forget_bytes(LineRecord& record, unsigned core) {
  if (!record.shared()) {
    if (record.words && core_of_[record.only - 1u] == core) record.words->forget_bytes();
    return;
  }
  SharedLine& both = *record.many;
  CoreView& view = both.by_core[core];
  view = {.read = 0, .written = 0, .last_cpu = view.last_cpu, .writer = 0};
  for (unsigned cpu = 0; cpu < both.by_cpu.size(); ++cpu)
    if (core_of_[cpu] == core && both.by_cpu[cpu]) both.by_cpu[cpu]->forget_bytes();
}

void Lines::learn_readers(const LineRecord& record) {
  if (!record.shared()) return;
  SharedLine& both = *record.many;
  for (unsigned cpu = 0; cpu < both.by_cpu.size(); ++cpu)
    if (both.by_cpu[cpu]) both.by_core[core_of_[cpu]].read |= both.by_cpu[cpu]->bytes(false);
}

}  // namespace hitmark::simulator
