// For tests: a random sequence of the operations and events of any variant on several CPUs, equal for equal seeds,
// which knows what it has added, charged or counted. memcg/random_operations.hpp does more for sock-charge: it knows of
// limits.
#pragma once

#include <cstdint>
#include <map>
#include <random>

#include "kernels/simulation.hpp"
#include "kernels/workload.hpp"

namespace hitmark {

// What one operation leaves of its amount on its object.
inline long left_by(std::string_view operation, unsigned amount) {
  if (operation == "add" || operation == "charge") return static_cast<long>(amount);
  if (operation == "sub" || operation == "uncharge") return -static_cast<long>(amount);
  return 0;  // a pair, an event
}

class RandomSteps {
 public:
  // The workload must have no limit, so that no charge fails.
  RandomSteps(const Variant& variant, void* state, const Workload& workload, unsigned cpus, std::uint64_t seed)
      : variant_(variant), state_(state), memcgs_(workload.memcgs), cpus_(cpus), random_(seed) {}

  // Calls run(operation or event, cpu, object, amount).
  template <typename Run>
  void step(Run&& run) {
    const unsigned cpu = below(cpus_);
    const unsigned dice = below(4096);
    if (dice < 128) {
      // Most events are cheap "work"; the others visit every CPU.
      const std::size_t event = dice < 96 ? 0 : below(static_cast<unsigned>(variant_.events.size()));
      return run(variant_.events[event], cpu, static_cast<void*>(nullptr), 0u);
    }
    // Mostly the object of before, so that counts grow. Long runs in one direction, so that they reach their bounds.
    if (below(8) == 0) index_ = below(memcgs_);
    if (below(256) == 0) up_ = !up_;
    const unsigned amount = below(16) ? 1 : 1 + below(96);
    void* object = variant_.object(state_, cpu, index_);
    const Operation* operation = &variant_.operations[below(static_cast<unsigned>(variant_.operations.size()))];
    if ((left_by(operation->name, 1) < 0) == up_) operation = &variant_.operations[below(2)];
    long& net = net_[object];
    if (operation->name == "uncharge" && net < static_cast<long>(amount))
      operation = &operation_named(variant_, "charge");
    run(*operation, cpu, object, amount);
    net += left_by(operation->name, amount);
  }

  const std::map<void*, long>& net() const { return net_; }

 private:
  unsigned below(unsigned bound) { return static_cast<unsigned>((random_() >> 32) * bound >> 32); }

  const Variant& variant_;
  void* state_;
  unsigned memcgs_, cpus_;
  std::mt19937_64 random_;
  std::map<void*, long> net_;
  unsigned index_ = 0;
  bool up_ = true;
};

}  // namespace hitmark
