// Never a zero for what was not counted, and never a missing row.
#include "reports/counters_section.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "harness/results/sample_text.hpp"
#include "reports/contention_section.hpp"
#include "reports/text_fit.hpp"
#include "reports/wording.hpp"

namespace hitmark {
namespace {

struct Counted {
  double value = 0;
  Quality worst = Quality::kExact;
  std::string reason;
};

// Readings of single CPUs are added up; where there are some, a reading of all CPUs together is not added
// to them.
using Key = std::tuple<std::string, std::string, std::string, int>;  // event, source, unit, arm
std::map<Key, Counted> counted_of(const std::vector<Reading>& readings) {
  const auto key_of = [](const Reading& r) { return Key{r.event, r.source, r.unit, r.arm}; };
  std::map<Key, bool> has_cpus;
  for (const Reading& reading : readings)
    if (reading.value && reading.cpu >= 0) has_cpus[key_of(reading)] = true;
  std::map<Key, Counted> result;
  for (const Reading& reading : readings) {
    if (!reading.value || (reading.cpu < 0 && has_cpus[key_of(reading)])) continue;
    Counted& counted = result[key_of(reading)];
    counted.value += *reading.value;
    counted.worst = std::max(counted.worst, reading.quality);
    if (counted.reason.empty()) counted.reason = reading.reason;
  }
  return result;
}

class Section {
 public:
  explicit Section(const RunComparison& comparison) : arms_(comparison.run.arms) {
    add("whole run", comparison.run.readings);
    for (const ConditionComparison& condition : comparison.conditions)
      add(condition.condition.name, condition.readings);
  }

  std::string text(int width) const {
    if (!counted_ && missing_.empty())
      return modelled_ ? "Counters: modelled ones, in the tables above; every event: --format json\n\n"
                       : "Counters: none were asked for.\n\n";
    std::string result = "Counters\n";
    if (counted_) result += table_.text(width, 2);
    for (const std::string& note : notes_) result += text_fit::wrapped(note, width, "  ", "    ");
    for (const auto& [hint, reasons] : missing_) {
      for (const auto& [reason, sources] : reasons) {
        std::string names;
        for (const auto& [source, events] : sources) {
          names += names.empty() ? "" : ", ";
          for (const std::string& event : events) names += (&event == &events.front() ? "" : ", ") + event;
          names += " (" + source + ")";
        }
        result +=
            text_fit::wrapped("not available: " + names + ": " + (reason.empty() ? "no reason was recorded" : reason),
                              width, "  ", "    ");
      }
      if (!hint.empty()) result += text_fit::wrapped("try: " + hint, width, "    ", "      ");
    }
    return result + "\n";
  }

 private:
  void add(const std::string& where, std::vector<Reading> readings) {
    modelled_ |= std::erase_if(readings, is_contention) > 0;
    for (const auto& [key, counted] : counted_of(readings)) {
      const auto& [event, source, unit, arm] = key;
      const bool has_arm = arm >= 0 && static_cast<std::size_t>(arm) < arms_.size();
      table_.add({{event},
                  {number_text(counted.value)},
                  {unit},
                  {has_arm ? arms_[static_cast<std::size_t>(arm)].name : "all"},
                  {std::string(name_of(counted.worst))},
                  {source},
                  {where}});
      counted_ = true;
      if (const std::string note = event + ": " + counted.reason;
          !counted.reason.empty() && std::find(notes_.begin(), notes_.end(), note) == notes_.end())
        notes_.push_back(note);
    }
    for (const Reading& reading : readings) {
      if (reading.value) continue;
      auto& events = missing_[reading.hint][reading.reason][reading.source];
      if (std::find(events.begin(), events.end(), reading.event) == events.end()) events.push_back(reading.event);
    }
  }

  const std::vector<ArmRecord>& arms_;
  bool counted_ = false, modelled_ = false;
  text_fit::Table table_{{{"event"},
                          {"total", true},
                          {"unit", false, 3},
                          {"arm", false, 1},
                          {"quality"},
                          {"source", false, 2},
                          {"where"}}};
  std::vector<std::string> notes_;
  using BySource = std::map<std::string, std::vector<std::string>>;  // events
  std::map<std::string, std::map<std::string, BySource>> missing_;   // by hint, then reason: each is said once
};

}  // namespace

std::string counters_section(const RunComparison& comparison, int width) { return Section(comparison).text(width); }

}  // namespace hitmark
