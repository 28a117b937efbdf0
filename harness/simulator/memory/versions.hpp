// For tests: whether each copy of a line has the value of the last store, followed copy by copy as the caches move
// the data. A load of an old value, a store into one (the
// line's other bytes), and a value that nobody has any more are violations.
#pragma once

#include <bitset>
#include <cstring>
#include <string>
#include <vector>

#include "harness/simulator/memory/coherent_memory.hpp"

namespace hitmark::simulator {

class Versions {
 public:
  void begin(Line lines) {
    current_.assign(lines, {});
    for (Current& line : current_) line.set(kDram);
  }
  void copied(Line line, Place from, Place to) { current_[line].set(number(to), current_[line].test(number(from))); }
  void dropped(Line line, Place place) {
    current_[line].reset(number(place));
    if (current_[line].none()) complain("data value: the last store to line ", line, " is lost");
  }
  void loaded(Line line, unsigned core) {
    if (!current_[line].test(core)) complain("data value: a load of an old value of line ", line, "");
  }
  void stored(Line line, unsigned core) {  // of some of the line's bytes
    if (!current_[line].test(core)) complain("data value: a store into an old value of line ", line, "");
    current_[line].reset();
    current_[line].set(core);
  }

  const std::string& violation() const { return violation_; }
  void save(std::string& bytes) const {
    bytes.append(reinterpret_cast<const char*>(current_.data()), current_.size() * sizeof(Current));
  }
  void restore(std::string_view bytes) {
    std::memcpy(static_cast<void*>(current_.data()), bytes.data(), bytes.size());
    violation_.clear();
  }
  std::size_t saved_size() const { return current_.size() * sizeof(Current); }

 private:
  static constexpr unsigned kDram = kMaxCores + kMaxCcxs;
  using Current = std::bitset<kDram + 1>;
  static unsigned number(Place place) {
    if (place.kind == Place::Kind::kDram) return kDram;
    return place.kind == Place::Kind::kL3 ? kMaxCores + place.index : place.index;
  }
  void complain(const char* what, Line line, const char* rest) {
    if (violation_.empty()) violation_ = what + std::to_string(line) + rest;
  }
  std::vector<Current> current_;
  std::string violation_;
};

}  // namespace hitmark::simulator
