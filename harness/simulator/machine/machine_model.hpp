// A machine to simulate: structure, caches, latencies and switches, as one plain struct that a machine file
// (machines/*.json, machine.schema.json) fills. Every number in a file has its source beside it.
//
// What runs at the core's clock is kept in core cycles, what runs at the fabric's in nanoseconds, so that
// either clock may be changed. Model and sources: README.md.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"
#include "topology/topology.hpp"

namespace hitmark::simulator {

enum class Replacement : std::uint8_t { kTreePlru, kLru };

struct CacheGeometry {
  unsigned sets = 64, ways = 8;  // sets: a power of two
  Replacement replacement = Replacement::kTreePlru;
};

struct TlbGeometry {
  unsigned l1_entries = 64;    // fully associative, any page size
  unsigned l2_entries = 2048;  // 4 KiB and 2 MiB pages
  unsigned l2_ways = 16;
  double l2_hit_cycles = 7;  // beyond an L1 TLB hit
  double walk_cycles = 36;   // beyond, page tables in the cache
};

// What nobody could verify of Rome (reference, section 5): a result may be claimed when it survives all settings.
struct ProtocolSwitches {
  bool migratory = false;          // a load of a line in M takes it exclusive
  bool forwarder = false;          // one clean copy (F) answers reads, else DRAM does
  bool precise = true;             // the directory knows the CCXs that share; else an invalidation is a broadcast
  unsigned directory_entries = 0;  // per home channel; 0: no limit. A full directory recalls the oldest entry
};

// Distances on the I/O die's 2 x 2 grid of quadrants: q and q^1 short, q and q^2 long, q and q^3 diagonal.
enum class Hop : std::uint8_t { kSame, kShort, kLong, kDiagonal };
inline Hop hop(int from_quadrant, int to_quadrant) { return static_cast<Hop>((from_quadrant ^ to_quadrant) & 3); }

// One ownership transfer between CCX a and CCX b of a line with home h (reference, section 4), ns:
//   F + r(a,h) + r(b,h) + d(a,b)
struct PathModel {
  double fixed_core_cycles = 80;                     // F is these cycles at the core's clock ...
  double fixed_fabric_ns = 75;                       // ... and this
  std::array<double, 4> r = {0, 4, 10.3, 16};        // by Hop, home on the own socket
  std::array<double, 4> r_other = {60, 60, 60, 60};  // by the participant's own quadrant, home on another socket
  std::array<double, 4> d = {0, 5.8, 17.5, 23.3};    // by Hop, both CCXs on one socket
  double d_across = 67;                              // CCXs on two sockets
  double link = 1.0;                                 // factor on r_other and d_across
  double dirty_load_factor = 1.15;                   // a load that misses to a dirty line, over a hand-off
  double no_data_ns = 10;                            // less when no data moves (upgrade)
};

struct CoreModel {
  double ghz = 3.3;
  double instructions_per_cycle = 2.5;                   // sustained, one thread, everything in L1
  double smt_share = 0.5;                                // of it for each of two active threads
  double l1_cycles = 4, l2_cycles = 12, l3_cycles = 38;  // load to use
  double smt_handoff_cycles = 27, ccx_handoff_cycles = 84, ccx_dirty_load_factor = 1.2;
  double lock_cycles = 18;             // of a locked operation that hits in L1, store buffer empty
  double forward_cycles = 7;           // load from an own store that is still in the store buffer
  unsigned store_buffer = 48;          // entries, shared by two active threads
  unsigned misses_in_flight = 8;       // independent loads that overlap at the most
  unsigned window_instructions = 224;  // reorder buffer: how far execution runs past a waiting load
};

struct MachineModel {
  std::string name;     // "rome-2s"
  std::string title;    // "2 x 64-core EPYC Rome, generic"
  std::string caution;  // what a reader must know of its foundation; empty when nothing
  unsigned sockets = 2, quadrants = 4, ccxs_per_quadrant = 4, cores_per_ccx = 4, threads_per_core = 2;
  unsigned ccxs_per_ccd = 2;        // CCXs that share one link to the I/O die
  unsigned nodes_per_socket = 1;    // NPS
  unsigned interleave_bytes = 256;  // of channels, and so of quadrants, inside a node
  unsigned channels_per_quadrant = 2;
  CacheGeometry l1{64, 8}, l2{1024, 8}, l3{16384, 16};
  TlbGeometry tlb;
  CoreModel core;
  PathModel path;
  std::array<double, 4> dram_ns = {91.3, 96.9, 105.6, 110.0};  // by Hop
  double dram_other_socket_ns = 200;
  double fabric_ghz = 1.467;     // CCD link: 32 bytes read, 16 bytes written per cycle
  double socket_link_gb_s = 70;  // each way
  ProtocolSwitches protocol;

  unsigned ccxs() const { return sockets * quadrants * ccxs_per_quadrant; }
  unsigned cores() const { return ccxs() * cores_per_ccx; }
  unsigned cpus() const { return cores() * threads_per_core; }
  // OS numbers as Linux gives them: first threads 0 .. cores()-1, second threads after them.
  unsigned core_of(unsigned cpu) const { return cpu % cores(); }
  unsigned thread_of(unsigned cpu) const { return cpu / cores(); }
  unsigned ccx_of_core(unsigned of_core) const { return of_core / cores_per_ccx; }
  unsigned quadrant_of_ccx(unsigned ccx) const { return ccx / ccxs_per_quadrant % quadrants; }
  unsigned socket_of_ccx(unsigned ccx) const { return ccx / ccxs_per_quadrant / quadrants; }
};

// Names of the machines that are built in.
std::vector<std::string> machine_names();
// The file of a built-in machine, JSON; empty for another name.
std::string_view machine_text(std::string_view name);
// By built-in name, or the path of a file (it has a '/' or ends in .json); "@nps1", "@nps2" or "@nps4" after either
// changes the nodes per socket. Unknown name: kUsage, nearest names.
Result<MachineModel> load_machine(std::string_view name_or_path);
std::string_view without_nodes(std::string_view name);  // "rome-2s" of "rome-2s@nps4"
bool is_built_in(std::string_view name);  // with or without "@npsN"; no file of a user's own has such a name
// `text` is the JSON, `name` what errors call it.
Result<MachineModel> parse_machine(std::string_view text, const std::string& name);
// Structure of a real machine, generic latencies; `caution` says so, and what was not known. kUnsupported when the
// machine is irregular or larger than can be simulated.
Result<MachineModel> machine_from(const Topology& topology);
// For placements: what Linux would show on such a machine.
Result<Topology> topology_of(const MachineModel& machine);

}  // namespace hitmark::simulator
