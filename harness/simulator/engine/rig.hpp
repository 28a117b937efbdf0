// For tests and the bench: a simulated memory, an engine on it, and CPUs that touch it.
#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "harness/simulator/engine/engine.hpp"

namespace hitmark::simulator {

struct RigOptions {
  MachineModel machine = {};
  std::size_t lines = 64;
  std::vector<unsigned> os_cpus = {};
  std::function<Home(Line)> home = [](Line) { return Home{}; };
  bool huge = false;
};

class Rig {
 public:
  explicit Rig(RigOptions options) : options_(std::move(options)), memory_((options_.lines + 64) * 64) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data());
    base_ = (address + 4095) / 4096 * 4096;
    reset();
  }

  // A fresh engine on zeroed memory.
  Engine& reset(EngineOptions engine = {}) {
    std::memset(memory_.data(), 0, memory_.size());
    std::vector<Home> homes;
    for (Line line = 0; line < options_.lines; ++line) homes.push_back(options_.home(line));
    engine_ =
        std::make_unique<Engine>(options_.machine, base_, std::move(homes),
                                 std::vector<bool>(options_.lines, options_.huge), options_.os_cpus, std::move(engine));
    return *engine_;
  }

  Engine& engine() { return *engine_; }
  std::uintptr_t base() const { return base_; }
  template <typename T = std::uint64_t>
  T& at(std::size_t offset) {
    return *reinterpret_cast<T*>(base_ + offset);
  }

  template <typename T = std::uint64_t>
  T load(unsigned cpu, std::size_t offset) {
    return told<T>(cpu, offset, AccessKind::kLoad);
  }
  template <typename T = std::uint64_t>
  void store(unsigned cpu, std::size_t offset, T value) {
    told<T>(cpu, offset, AccessKind::kStore) = value;
  }
  template <typename T = std::uint64_t>
  T add(unsigned cpu, std::size_t offset, T value) {
    return told<T>(cpu, offset, AccessKind::kReadModifyWrite) += value;
  }
  template <typename T = std::uint64_t>
  T locked_add(unsigned cpu, std::size_t offset, T value) {
    return told<T>(cpu, offset, AccessKind::kLockedReadModifyWrite) += value;
  }
  template <typename T = std::uint64_t>
  bool compare_and_swap(unsigned cpu, std::size_t offset, T from, T to) {
    T& cell = told<T>(cpu, offset, AccessKind::kLockedReadModifyWrite);
    if (cell != from) return false;
    cell = to;
    return true;
  }

  Traffic total(unsigned cpu) const {
    Traffic sum;
    for (const Engine::Row& row : engine_->traffic())
      if (row.cpu == cpu) sum += row.traffic;
    return sum;
  }
  Traffic total() const {
    Traffic sum;
    for (const Engine::Row& row : engine_->traffic()) sum += row.traffic;
    return sum;
  }

 private:
  template <typename T>
  T& told(unsigned cpu, std::size_t offset, AccessKind kind) {
    engine_->on_access(cpu, {base_ + offset, sizeof(T), kind});
    return at<T>(offset);
  }

  RigOptions options_;
  std::vector<char> memory_;
  std::uintptr_t base_ = 0;
  std::unique_ptr<Engine> engine_;
};

}  // namespace hitmark::simulator
