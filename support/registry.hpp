// Registry<T>: things that register themselves by a static object in their own file (variants, counter
// sources, commands, renderers, rules). Sorted by name; a name used twice stops the program at start-up.
// The objects must be linked from an OBJECT library: a static archive drops files that nobody refers to.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "support/check.hpp"

namespace hitmark {

// T has a member `name`, convertible to std::string, or a function `registry_key(const T&)`.
template <typename T>
std::string registry_key(const T& entry) {
  return std::string(entry.name);
}

template <typename T>
class Registry {
 public:
  static Registry& instance() {
    static Registry registry;
    return registry;
  }

  void add(T entry) {
    const auto key = registry_key(entry);
    const auto at = std::lower_bound(entries_.begin(), entries_.end(), key,
                                     [](const T& e, const std::string& k) { return registry_key(e) < k; });
    HITMARK_CHECK(at == entries_.end() || registry_key(*at) != key, key.c_str());
    entries_.insert(at, std::move(entry));
  }

  std::span<const T> all() const { return entries_; }

  const T* find(const std::string& key) const {
    for (const T& entry : entries_)
      if (registry_key(entry) == key) return &entry;
    return nullptr;
  }

 private:
  std::vector<T> entries_;
};

// `const Registered<T> registered{T{...}};` at namespace scope registers one entry.
template <typename T>
struct Registered {
  explicit Registered(T entry) { Registry<T>::instance().add(std::move(entry)); }
};

}  // namespace hitmark
