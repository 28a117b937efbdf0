// What the engine knows of each line: who has touched it, and so who may run ahead on it; where its counters are; and,
// of a line that several CPUs touch, which bytes each core has accessed since it got the line.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "harness/simulator/engine/scheduler.hpp"
#include "harness/simulator/engine/traffic.hpp"
#include "harness/simulator/memory/coherent_memory.hpp"

namespace hitmark::simulator {

enum class LineClass : std::uint8_t {
  kUntouched,
  kPrivate,   // of one core
  kReadOnly,  // several cores have read it, nobody has written it
  kShared,    // every access is ordered
};

inline constexpr std::uint16_t kManyCpus = 0xffff;

struct CoreView {                       // of a line that several CPUs touch
  std::uint64_t read = 0, written = 0;  // bytes, since a write or a recall last took the line away
  std::uint16_t last_cpu = 0;           // that accessed it
  std::uint16_t writer = 0;             // CPU + 1 that wrote it last, until the other thread has read that
};

struct SharedLine {
  std::vector<Words*> by_cpu;
  std::vector<CoreView> by_core;
  bool written = false;
};

struct LineRecord {
  union {
    Words* words = nullptr;  // while `only` is one CPU
    SharedLine* many;        // kManyCpus
  };
  std::uint32_t page = 0;
  std::uint16_t only = 0;  // CPU + 1 while one CPU has touched it; kManyCpus
  LineClass line_class = LineClass::kUntouched;
  std::uint8_t core = 0;  // kPrivate
  bool written = false;

  bool shared() const { return only == kManyCpus; }
};
static_assert(sizeof(LineRecord) == 24);

class Lines {
 public:
  // `core_of` by CPU. `huge` by line.
  Lines(std::size_t lines, const std::vector<bool>& huge, std::vector<std::uint8_t> core_of, unsigned cores);
  ~Lines();
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  std::size_t size() const { return records_.size(); }
  std::size_t pages() const { return pages_; }
  LineRecord& operator[](Line line) { return records_[line]; }
  // The first thing that happens to a line on an access of `cpu`: page, `only`, SharedLine. `together`: as if several
  // CPUs had touched it.
  void touch(Line line, LineRecord& record, unsigned cpu, bool together) {
    if (record.only != cpu + 1 && record.only != kManyCpus) [[unlikely]]
      first_touch(line, record, cpu, together);
  }
  // A touched line of one CPU, as if several had touched it.
  void share(LineRecord& record) {
    if (!record.shared()) become_shared(record);
  }
  // Of `cpu`, created when there are none.
  Words*& words(LineRecord& record, unsigned cpu) {
    Words*& words = record.shared() ? record.many->by_cpu[cpu] : record.words;
    if (!words) [[unlikely]] {
      words = Words::create();
      of_cpu_[cpu].push_back(static_cast<Line>(&record - &records_[0]));
    }
    return words;
  }
  // Traffic that does not go away.
  Traffic& detail(Word& word) {
    if (!word.detail) [[unlikely]]
      word.detail = &details_.emplace_back();
    return *word.detail;
  }
  // What readers that ran ahead have read, before the first write.
  void learn_readers(const LineRecord& record);
  // A recall took the line from `core`: what its CPUs had accessed is no longer theirs.
  void forget_bytes(LineRecord& record, unsigned core);
  // The counters of `cpu`.
  void clear(unsigned cpu) {
    for (const Line line : of_cpu_[cpu]) words(records_[line], cpu)->clear();
  }
  // Calls body(line, cpu, words).
  template <typename Body>
  void for_each(Body&& body) {
    for (const Line line : touched_) {
      LineRecord& record = records_[line];
      if (!record.shared()) {
        if (record.words) body(line, record.only - 1u, *record.words);
        continue;
      }
      SharedLine& both = *record.many;
      for (unsigned cpu = 0; cpu < both.by_cpu.size(); ++cpu)
        if (both.by_cpu[cpu]) body(line, cpu, *both.by_cpu[cpu]);
    }
  }

 private:
  void first_touch(Line line, LineRecord& record, unsigned cpu, bool together);
  void become_shared(LineRecord& record);

  ZeroedArray<LineRecord> records_;
  std::vector<bool> huge_;
  std::size_t small_pages_, pages_;
  std::vector<std::uint8_t> core_of_;
  unsigned cores_;
  std::vector<Line> touched_;
  std::vector<std::vector<Line>> of_cpu_;  // that have words
  std::deque<SharedLine> shared_;
  std::deque<Traffic> details_;
};

}  // namespace hitmark::simulator
