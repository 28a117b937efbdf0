#include "harness/simulator/machine_fingerprint.hpp"

#include <cstdint>
#include <cstdio>

#include "harness/simulator/machine/machine_fields.hpp"

namespace hitmark::simulator {
namespace {

class Hash {  // FNV-1a
 public:
  void add(std::string_view text) {
    for (const char c : text) value_ = (value_ ^ static_cast<unsigned char>(c)) * 1099511628211u;
  }
  void add(double number) {
    char text[40];
    add(std::string_view(text, static_cast<std::size_t>(std::snprintf(text, sizeof text, " %.17g", number))));
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 14695981039346656037u;
};

}  // namespace

std::string fingerprint(const MachineModel& model) {
  MachineModel copy = model;
  Hash hash;
  for (const MachineField& field : machine_fields(copy)) {
    hash.add(field.section);
    hash.add(field.name);
    std::visit(
        [&hash](const auto* target) {
          if constexpr (std::is_same_v<decltype(target), const std::array<double, 4>*>)
            for (const double each : *target) hash.add(each);
          else
            hash.add(static_cast<double>(*target));
        },
        field.target);
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash.value()));
  return text;
}

}  // namespace hitmark::simulator
