#include "harness/simulator/engine/timing.hpp"

#include <algorithm>
#include <bit>

#include "support/check.hpp"

namespace hitmark::simulator {
namespace {

Picoseconds from_ns(double ns) { return static_cast<Picoseconds>(ns * 1000 + 0.5); }

// A flag that is read and then written costs 1.9 hand-offs in a CCX as across CCXs (reference, section 1.6): the
// read is 1.2 of them.
constexpr double kFlagHandoffs = 1.9;

unsigned number(const Home& home) { return home.socket * 4u + home.quadrant; }

}  // namespace

Timing::Timing(const MachineModel& m, std::vector<Home> homes)
    : homes_(std::move(homes)),
      ccxs_(m.ccxs()),
      busy_(homes_.size()),
      in_ccx_(homes_.size() * ccxs_),
      ps_per_cycle_(1000 / m.core.ghz) {
  HITMARK_CHECK(m.ccxs() <= kMaxCcxs && m.sockets <= kMaxSockets && m.quadrants <= kQuadrants,
                "more CCXs, sockets or quadrants than the path model has room for");
  const PathModel& path = m.path;
  fixed_ = cycles(path.fixed_core_cycles) + from_ns(path.fixed_fabric_ns);
  no_data_ = std::min(fixed_, from_ns(path.no_data_ns));
  l2_ = cycles(m.core.l2_cycles);
  l3_ = cycles(m.core.l3_cycles);
  smt_handoff_ = cycles(m.core.smt_handoff_cycles);
  ccx_handoff_ = cycles(m.core.ccx_handoff_cycles);
  ccx_dirty_load_ = cycles(m.core.ccx_handoff_cycles * m.core.ccx_dirty_load_factor);
  ccx_upgrade_ = cycles(m.core.ccx_handoff_cycles * std::max(0.0, kFlagHandoffs - m.core.ccx_dirty_load_factor));
  dirty_load_factor_ = path.dirty_load_factor;
  for (unsigned a = 0; a < m.ccxs(); ++a) {
    const unsigned socket = m.socket_of_ccx(a), quadrant = m.quadrant_of_ccx(a);
    socket_of_[a] = static_cast<std::uint8_t>(socket);
    ccd_of_[a] = static_cast<std::uint8_t>(a / std::max(1u, m.ccxs_per_ccd));
    const auto node = [&m](unsigned s, unsigned q) {
      return static_cast<std::uint8_t>(s * m.nodes_per_socket + q * m.nodes_per_socket / m.quadrants);
    };
    node_of_ccx_[a] = node(socket, quadrant);
    for (unsigned s = 0; s < m.sockets; ++s)
      for (unsigned q = 0; q < m.quadrants; ++q) {
        const unsigned home = s * kQuadrants + q;
        const auto distance = static_cast<std::size_t>(hop(static_cast<int>(quadrant), static_cast<int>(q)));
        node_of_home_[home] = node(s, q);
        r_[a][home] = s == socket ? from_ns(path.r[distance]) : from_ns(path.r_other[quadrant] * path.link);
        dram_[a][home] = from_ns(s == socket ? m.dram_ns[distance] : m.dram_other_socket_ns);
        farthest_[home] = std::max(farthest_[home], r_[a][home]);
      }
    for (unsigned b = 0; b < m.ccxs(); ++b) {
      const auto distance =
          static_cast<std::size_t>(hop(static_cast<int>(quadrant), static_cast<int>(m.quadrant_of_ccx(b))));
      d_[a][b] = m.socket_of_ccx(b) == socket ? from_ns(path.d[distance]) : from_ns(path.d_across * path.link);
    }
  }
  constexpr double kLineBytes = 64, kReadBytes = 32, kWriteBytes = 16;  // the last two per fabric cycle
  ccd_read_time_ = from_ns(kLineBytes / kReadBytes / m.fabric_ghz);
  ccd_write_time_ = from_ns(kLineBytes / kWriteBytes / m.fabric_ghz);
  socket_link_time_ = from_ns(kLineBytes / m.socket_link_gb_s);
}

Picoseconds Timing::handoff(unsigned a, unsigned b, const Home& h) const {
  return fixed_ + r_[a][number(h)] + r_[b][number(h)] + d_[a][b];
}

Picoseconds Timing::invalidation(unsigned a, unsigned b, const Home& h) const {
  return fixed_ - no_data_ + r_[a][number(h)] + r_[b][number(h)];
}

Picoseconds Timing::dram(unsigned ccx, const Home& h) const { return dram_[ccx][number(h)]; }

Picoseconds Timing::probes(unsigned ccx, std::uint32_t probed, bool broadcast, const Home& home) const {
  Picoseconds there = 0;
  if (broadcast) there = farthest_[number(home)];
  for (; probed != 0; probed &= probed - 1)
    there = std::max(there, r_[static_cast<unsigned>(std::countr_zero(probed))][number(home)]);
  return fixed_ - no_data_ + r_[ccx][number(home)] + there;
}

Picoseconds Timing::queue(Picoseconds& busy_until, Picoseconds now, Picoseconds start, Picoseconds occupancy) {
  const Picoseconds begin = std::max(busy_until, now);
  busy_until = begin + occupancy;
  return begin > start ? begin - start : 0;
}

Picoseconds Timing::move_line(unsigned from_socket, unsigned to_ccx, Picoseconds now, Picoseconds start) {
  const unsigned to_socket = socket_of_[to_ccx];
  Picoseconds wait = 0;
  if (from_socket != to_socket) wait = queue(socket_link_[from_socket][to_socket], now, start, socket_link_time_);
  return wait + queue(ccd_read_[ccd_of_[to_ccx]], now, start, ccd_read_time_);
}

void Timing::write_back(unsigned ccx, const Outcome::Eviction& eviction, Picoseconds now) {
  const unsigned home_socket = homes_[eviction.line].socket;
  queue(ccd_write_[ccd_of_[ccx]], now, now, ccd_write_time_);
  if (home_socket != socket_of_[ccx]) queue(socket_link_[socket_of_[ccx]][home_socket], now, now, socket_link_time_);
}

Picoseconds Timing::complete(unsigned ccx, Line line, bool write, const Outcome& o, Picoseconds now,
                             Picoseconds start) {
  const Home& home = homes_[line];
  Picoseconds& here = in_ccx(ccx, line);
  if (o.l3_victim.written_back) write_back(ccx, o.l3_victim, now);
  if (o.l2_victim.written_back) write_back(ccx, o.l2_victim, now);
  Picoseconds time = 0, wait = 0;
  switch (o.served) {
    case Served::kL1:
      return start;
    case Served::kL2:
      return start + l2_;
    case Served::kL3:
      if (!o.home_asked && o.invalidated.none()) return std::max(start, here) + l3_;
      time = l3_;
      break;
    case Served::kCore:
      time = !write && dirty(o.supplied_from) ? ccx_dirty_load_ : ccx_handoff_;
      break;
    case Served::kRemoteCcx: {
      time = handoff(ccx, o.supplier, home);
      if (!write) time = static_cast<Picoseconds>(static_cast<double>(time) * dirty_load_factor_ + 0.5);
      start = std::max(start, in_ccx(o.supplier, line));
      wait = queue(ccd_write_[ccd_of_[o.supplier]], now, start, ccd_write_time_);
      wait += move_line(socket_of_[o.supplier], ccx, now, start);
      break;
    }
    case Served::kDram:
      time = dram(ccx, home);
      wait = move_line(home.socket, ccx, now, start);
      break;
    case Served::kUpgrade:
      time = o.home_asked ? 0 : ccx_upgrade_;
      break;
  }
  if (o.home_asked) {
    const std::uint32_t supplier = o.served == Served::kRemoteCcx ? 1u << o.supplier : 0;
    const bool only_home = o.served == Served::kUpgrade || o.served == Served::kL3 || o.served == Served::kCore;
    if (only_home || (o.probed_ccxs & ~supplier) != 0 || o.broadcast)
      time = std::max(time, probes(ccx, o.probed_ccxs, o.broadcast, home));
  }
  const bool at_home = o.home_asked || o.served == Served::kRemoteCcx || o.served == Served::kDram;
  if (!at_home) return occupy(here, start, time + wait);
  return here = occupy(busy_[line], std::max(start, here), time + wait);
}

}  // namespace hitmark::simulator
