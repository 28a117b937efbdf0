// What an access costs the host, by where it is served: run it under callgrind with two counts of repetitions; the
// difference of the instructions, by the difference of the counts, is the cost (support/verify/protocol.sh does).
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "harness/simulator/memory/coherent_memory.hpp"

namespace hitmark::simulator {
namespace {

struct Kind {
  const char* name;
  Served expected;
  // One access that is served so, given how many came before.
  void (*one)(CoherentMemory& memory, Outcome& outcome, std::uint32_t round);
};

void reach(CoherentMemory& memory, unsigned core, Line line, bool write, Outcome& outcome) {
  if (memory.hit_l1(core, line, write)) {
    outcome.served = Served::kL1;
    return;
  }
  if (memory.hit_l2(core, line, write)) {
    outcome.served = Served::kL2;
    return;
  }
  memory.miss(core, line, write, outcome);
}

const Kind kKinds[] = {
    {"nothing", Served::kL1, [](auto&, auto&, auto) {}},
    {"l1-same-line", Served::kL1, [](auto& m, auto& o, auto) { reach(m, 0, 1, true, o); }},
    {"l1-other-line", Served::kL1, [](auto& m, auto& o, auto round) { reach(m, 0, round % 4 * 64, true, o); }},
    {"l2", Served::kL2, [](auto& m, auto& o, auto round) { reach(m, 0, round % 16 * 64, false, o); }},
    {"l3", Served::kL3, [](auto& m, auto& o, auto round) { reach(m, 0, round % 16 * 1024, false, o); }},
    {"dram", Served::kDram, [](auto& m, auto& o, auto round) { reach(m, 0, round % 64 * 16384, false, o); }},
    {"every-line", Served::kDram,
     [](auto& m, auto& o, auto round) { reach(m, round % 128, round % (1 << 20), true, o); }},
    {"same-ccx-handoff", Served::kCore, [](auto& m, auto& o, auto round) { reach(m, round % 4, 1, true, o); }},
    {"cross-ccx-handoff", Served::kRemoteCcx,
     [](auto& m, auto& o, auto round) { reach(m, round % 32 * 4, 1, true, o); }},
    {"cross-ccx-load", Served::kRemoteCcx,
     [](auto& m, auto& o, auto round) { reach(m, round % 2 * 4, 1, round % 2 == 0, o); }},
    {"store-to-127-sharers", Served::kUpgrade,
     [](auto& m, auto& o, auto) {
       for (unsigned core = 0; core < 128; ++core) reach(m, core, 1, false, o);
       reach(m, 5, 1, true, o);
     }},
};

int run(const char* name, std::uint32_t rounds) {
  for (const Kind& kind : kKinds) {
    if (std::strcmp(kind.name, name) != 0) continue;
    CoherentMemory memory(MachineModel{}, std::vector<Home>(1 << 20));
    Outcome outcome;
    std::uint32_t as_expected = 0;
    for (std::uint32_t round = 0; round < rounds; ++round) {
      kind.one(memory, outcome, round);
      as_expected += outcome.served == kind.expected ? 1 : 0;
    }
    std::printf("%s: %u of %u accesses served so\n", name, as_expected, rounds);
    return 0;
  }
  for (const Kind& kind : kKinds) std::printf("%s\n", kind.name);
  return 2;
}

}  // namespace
}  // namespace hitmark::simulator

int main(int argc, char** argv) {
  return hitmark::simulator::run(argc > 1 ? argv[1] : "",
                                 argc > 2 ? static_cast<std::uint32_t>(std::atol(argv[2])) : 0);
}
