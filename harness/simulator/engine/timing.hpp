// What a coherence transaction costs: the path model's legs, the home's occupancy by line, and the bandwidth of the
// links. A line's home serves one transaction at a time; the next waits until the requester of the one before has
// completed. So do the L3 tags of each CCX, for what stays inside it and once the line has arrived there.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "harness/simulator/engine/scheduler.hpp"
#include "harness/simulator/machine/machine_model.hpp"
#include "harness/simulator/memory/coherent_memory.hpp"

namespace hitmark::simulator {

class Timing {
 public:
  Timing(const MachineModel& machine, std::vector<Home> homes);

  // When the data (or the ownership) of `outcome`, an access of a core of CCX `ccx` that the L1 did not serve, is
  // there. `now` is when the access takes its place in the order, `start` (not before) when its address is known.
  Picoseconds complete(unsigned ccx, Line line, bool write, const Outcome& outcome, Picoseconds now, Picoseconds start);
  // A line of an L1 passes from one thread of a core to the other.
  Picoseconds smt_handoff(unsigned ccx, Line line, Picoseconds start) {
    return occupy(in_ccx(ccx, line), start, smt_handoff_);
  }

  const Home& home(Line line) const { return homes_[line]; }
  bool home_is_near(unsigned ccx, Line line) const {  // on the requester's NUMA node
    return node_of_ccx_[ccx] == node_of_home_[homes_[line].socket * kQuadrants + homes_[line].quadrant];
  }
  Picoseconds cycles(double cycles) const { return static_cast<Picoseconds>(cycles * ps_per_cycle_ + 0.5); }

  // One ownership transfer from CCX `b` to CCX `a`, home `h`, alone.
  Picoseconds handoff(unsigned a, unsigned b, const Home& h) const;
  // The home invalidates CCX `b`'s copy for CCX `a`; no data move.
  Picoseconds invalidation(unsigned a, unsigned b, const Home& h) const;
  Picoseconds dram(unsigned ccx, const Home& h) const;

 private:
  static constexpr unsigned kQuadrants = 4;
  static constexpr unsigned kMaxSockets = 8;
  using HomeTable = std::array<std::array<Picoseconds, kMaxSockets * kQuadrants>, kMaxCcxs>;

  static Picoseconds occupy(Picoseconds& busy_until, Picoseconds start, Picoseconds time) {
    return busy_until = (busy_until > start ? busy_until : start) + time;
  }
  Picoseconds& in_ccx(unsigned ccx, Line line) { return in_ccx_[std::size_t{line} * ccxs_ + ccx]; }
  Picoseconds probes(unsigned ccx, std::uint32_t probed, bool broadcast, const Home& home) const;
  // How long 64 bytes that come at `start` wait for a link, which they occupy at `now`, the time that is ordered.
  static Picoseconds queue(Picoseconds& busy_until, Picoseconds now, Picoseconds start, Picoseconds occupancy);
  Picoseconds move_line(unsigned from_socket, unsigned to_ccx, Picoseconds now, Picoseconds start);
  void write_back(unsigned ccx, const Outcome::Eviction& eviction, Picoseconds now);

  std::vector<Home> homes_;
  unsigned ccxs_;
  ZeroedArray<Picoseconds> busy_;    // by line: the home
  ZeroedArray<Picoseconds> in_ccx_;  // by line and CCX: until the line has arrived and what happened there is complete
  double ps_per_cycle_;
  Picoseconds fixed_, no_data_, l2_, l3_, smt_handoff_, ccx_handoff_, ccx_dirty_load_, ccx_upgrade_;
  double dirty_load_factor_;
  HomeTable r_{}, dram_{};                                        // by CCX and home
  std::array<std::array<Picoseconds, kMaxCcxs>, kMaxCcxs> d_{};   // by CCX and CCX
  std::array<Picoseconds, kMaxSockets * kQuadrants> farthest_{};  // by home: the greatest r of any CCX
  std::array<std::uint8_t, kMaxCcxs> socket_of_{}, ccd_of_{}, node_of_ccx_{};
  std::array<std::uint8_t, kMaxSockets * kQuadrants> node_of_home_{};
  Picoseconds ccd_read_time_, ccd_write_time_, socket_link_time_;  // of a line
  std::array<Picoseconds, kMaxCcxs> ccd_read_{}, ccd_write_{};     // by CCD: busy until
  std::array<std::array<Picoseconds, kMaxSockets>, kMaxSockets> socket_link_{};
};

}  // namespace hitmark::simulator
