// Sums and counts only. A reading that was missing in some blocks says in how many; one that was missing in
// all stays unavailable.
#include "analysis/block_summary.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/discard_reasons.hpp"
#include "harness/results/sample_text.hpp"

namespace hitmark {
namespace {

std::string blocks_text(int count) { return std::to_string(count) + (count == 1 ? " block" : " blocks"); }

std::string phases_text(const std::map<int, std::uint64_t>& phases) {
  std::uint64_t all = 0;
  for (const auto& [phase, slices] : phases) all += slices;
  std::string text;
  for (const auto& [phase, slices] : phases) {
    const double percent = 100.0 * static_cast<double>(slices) / static_cast<double>(all);
    const int rounded = static_cast<int>(std::lround(percent));
    text += (text.empty() ? "" : ", ") + std::string(phase_name(phase)) + " " +
            (rounded == 0                          ? "under 1"
             : rounded == 100 && phases.size() > 1 ? "over 99"
                                                   : std::to_string(rounded)) +
            " %";
  }
  return text + " of slices";
}

}  // namespace

void BlockSummary::use(const BlockRecord& block) {
  for (const SliceRecord& slice : block.slices) {
    const auto arm = static_cast<std::size_t>(slice.arm);
    ++phases_[arm][slice.phase];
    auto& [ticks, operations] = cpus_[{arm, slice.cpu}];
    ticks += static_cast<double>(slice.ticks);
    operations += static_cast<double>(slice.operations);
  }
  for (const Reading& reading : block.readings) add_reading(reading);
}

void BlockSummary::add_reading(const Reading& reading) {
  Total& total =
      readings_[{reading.event, reading.source, reading.unit, reading.cpu, reading.arm, reading.object, reading.field}];
  const bool counted = reading.value && std::isfinite(*reading.value) && reading.quality != Quality::kUnavailable;
  if (counted) {
    total.value += *reading.value;
    total.worst = std::max(total.worst, reading.quality);
    ++total.counted;
  } else {
    ++total.missing;
  }
  if (total.reason.empty()) total.reason = reading.reason;
  if (total.hint.empty()) total.hint = reading.hint;
}

Reading BlockSummary::total_of(const ReadingKey& key, const Total& total) const {
  Reading reading;
  std::tie(reading.event, reading.source, reading.unit, reading.cpu, reading.arm, reading.object, reading.field) = key;
  reading.reason = total.reason;
  reading.hint = total.hint;
  if (total.counted == 0 || !std::isfinite(total.value)) return reading;
  reading.value = total.value;
  reading.quality = total.worst;
  if (total.missing > 0)
    reading.reason = "counted in " + std::to_string(total.counted) + " of " +
                     blocks_text(total.counted + total.missing) + (total.reason.empty() ? "" : ": " + total.reason);
  return reading;
}

double BlockSummary::imprecision(std::size_t arm) const {
  constexpr double kAimedAt = 0.005;  // of runs that were stored before the errors themselves were
  double imprecise = 0, errors = 0, records = 0;
  for (const auto& [key, total] : readings_) {
    if (std::get<4>(key) != static_cast<int>(arm)) continue;
    if (std::get<0>(key) == "slices.imprecise") imprecise += total.value;
    if (std::get<0>(key) == "slices.error") errors += total.value;
  }
  if (imprecise == 0) return 0;
  for (const auto& [phase, slices] : phases_[arm]) records += static_cast<double>(slices);
  const auto cpus =
      std::count_if(cpus_.begin(), cpus_.end(), [arm](const auto& cpu) { return cpu.first.first == arm; });
  return records > 0 ? std::max(errors, imprecise * kAimedAt) * static_cast<double>(cpus) / records : 0;
}

void BlockSummary::report(const std::vector<ArmRecord>& arms, ConditionComparison& into) const {
  for (const auto& [reason, count] : discarded_) into.blocks_discarded += count;
  into.discard_reasons = discard_lines(discarded_);
  // Arms in the same phases share a line.
  std::vector<std::pair<std::string, std::string>> lines;  // phases, names
  for (std::size_t arm = 0; arm < phases_.size(); ++arm) {
    const auto& phases = phases_[arm];
    if (phases.empty() || (phases.size() == 1 && phases.begin()->first == 0)) continue;
    const std::string text = phases_text(phases);
    const auto same = std::find_if(lines.begin(), lines.end(), [&](const auto& line) { return line.first == text; });
    if (same == lines.end())
      lines.emplace_back(text, arms[arm].name);
    else
      same->second += ", " + arms[arm].name;
  }
  for (const auto& [text, names] : lines) into.phases.push_back(names + ": " + text);
  for (const auto& [key, total] : readings_) into.readings.push_back(total_of(key, total));
  for (const auto& [key, sum] : cpus_)
    if (sum.second > 0) into.cpu_costs.push_back({arms[key.first].name, key.second, sum.first / sum.second});
}

}  // namespace hitmark
