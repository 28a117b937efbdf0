#include "harness/simulator/machine/machine_fields.hpp"

#include <bit>

namespace hitmark::simulator {
namespace {

void add_cache(std::vector<MachineField>& fields, std::string_view section, CacheGeometry& cache) {
  fields.push_back({section, "sets", "", 1, 1 << 20, &cache.sets});
  fields.push_back({section, "ways", "", 1, 32, &cache.ways});
  fields.push_back({section, "replacement", "", 0, 0, &cache.replacement});
}

}  // namespace

std::vector<MachineField> machine_fields(MachineModel& m) {
  std::vector<MachineField> fields = {
      {"structure", "sockets", "", 1, 2, &m.sockets},
      {"structure", "quadrants", "", 1, 4, &m.quadrants},
      {"structure", "ccxs_per_quadrant", "", 1, 32, &m.ccxs_per_quadrant},
      {"structure", "ccxs_per_ccd", "", 1, 2, &m.ccxs_per_ccd},
      {"structure", "cores_per_ccx", "", 1, 16, &m.cores_per_ccx},
      {"structure", "threads_per_core", "", 1, 2, &m.threads_per_core},
      {"structure", "nodes_per_socket", "", 1, 4, &m.nodes_per_socket},
      {"structure", "interleave_bytes", "B", 64, 4096, &m.interleave_bytes},
      {"structure", "channels_per_quadrant", "", 1, 8, &m.channels_per_quadrant},
  };
  add_cache(fields, "l1", m.l1);
  add_cache(fields, "l2", m.l2);
  add_cache(fields, "l3", m.l3);
  const std::vector<MachineField> rest = {
      {"tlb", "l1_entries", "", 1, 4096, &m.tlb.l1_entries},
      {"tlb", "l2_entries", "", 1, 65536, &m.tlb.l2_entries},
      {"tlb", "l2_ways", "", 1, 64, &m.tlb.l2_ways},
      {"tlb", "l2_hit_cycles", "cycles", 0, 1000, &m.tlb.l2_hit_cycles},
      {"tlb", "walk_cycles", "cycles", 0, 10000, &m.tlb.walk_cycles},
      {"core", "ghz", "GHz", 0.1, 10, &m.core.ghz},
      {"core", "instructions_per_cycle", "", 0.1, 16, &m.core.instructions_per_cycle},
      {"core", "smt_share", "", 0.1, 1, &m.core.smt_share},
      {"core", "l1_cycles", "cycles", 1, 100, &m.core.l1_cycles},
      {"core", "l2_cycles", "cycles", 1, 1000, &m.core.l2_cycles},
      {"core", "l3_cycles", "cycles", 1, 10000, &m.core.l3_cycles},
      {"core", "smt_handoff_cycles", "cycles", 1, 10000, &m.core.smt_handoff_cycles},
      {"core", "ccx_handoff_cycles", "cycles", 1, 10000, &m.core.ccx_handoff_cycles},
      {"core", "ccx_dirty_load_factor", "", 0.1, 10, &m.core.ccx_dirty_load_factor},
      {"core", "lock_cycles", "cycles", 1, 1000, &m.core.lock_cycles},
      {"core", "forward_cycles", "cycles", 0, 1000, &m.core.forward_cycles},
      {"core", "store_buffer", "", 1, 1024, &m.core.store_buffer},
      {"core", "misses_in_flight", "", 1, 256, &m.core.misses_in_flight},
      {"core", "window_instructions", "", 1, 4096, &m.core.window_instructions},
      {"path", "fixed_core_cycles", "cycles", 0, 10000, &m.path.fixed_core_cycles},
      {"path", "fixed_fabric_ns", "ns", 0, 10000, &m.path.fixed_fabric_ns},
      {"path", "r", "ns", 0, 10000, &m.path.r},
      {"path", "r_other", "ns", 0, 10000, &m.path.r_other},
      {"path", "d", "ns", 0, 10000, &m.path.d},
      {"path", "d_across", "ns", 0, 10000, &m.path.d_across},
      {"path", "link", "", 0.1, 10, &m.path.link},
      {"path", "dirty_load_factor", "", 0.1, 10, &m.path.dirty_load_factor},
      {"path", "no_data_ns", "ns", 0, 10000, &m.path.no_data_ns},
      {"memory", "dram_ns", "ns", 1, 10000, &m.dram_ns},
      {"memory", "dram_other_socket_ns", "ns", 1, 10000, &m.dram_other_socket_ns},
      {"memory", "fabric_ghz", "GHz", 0.1, 10, &m.fabric_ghz},
      {"memory", "socket_link_gb_s", "GB/s", 0.1, 10000, &m.socket_link_gb_s},
      {"protocol", "migratory", "", 0, 0, &m.protocol.migratory},
      {"protocol", "forwarder", "", 0, 0, &m.protocol.forwarder},
      {"protocol", "precise", "", 0, 0, &m.protocol.precise},
      {"protocol", "directory_entries", "", 0, 1 << 24, &m.protocol.directory_entries},
  };
  fields.insert(fields.end(), rest.begin(), rest.end());
  return fields;
}

std::string machine_contradiction(const MachineModel& m) {
  const auto number = [](auto value) { return std::to_string(value); };
  if (m.quadrants == 3) return "structure.quadrants: an I/O die has 1, 2 or 4 quadrants, not 3";
  if (m.ccxs() > 32) return "structure.ccxs_per_quadrant: " + number(m.ccxs()) + " CCXs in all, at most 32 can be";
  if (m.cores() > 128) return "structure.cores_per_ccx: " + number(m.cores()) + " cores in all, at most 128 can be";
  if (m.ccxs_per_quadrant % m.ccxs_per_ccd != 0)
    return "structure.ccxs_per_ccd: " + number(m.ccxs_per_ccd) + " does not divide the " + number(m.ccxs_per_quadrant) +
           " CCXs of a quadrant";
  if (m.nodes_per_socket == 3 || m.quadrants % m.nodes_per_socket != 0)
    return "structure.nodes_per_socket: " + number(m.quadrants) + " quadrants cannot form " +
           number(m.nodes_per_socket) + " equal nodes";
  if (!std::has_single_bit(m.interleave_bytes))
    return "structure.interleave_bytes: " + number(m.interleave_bytes) + " is no power of two";
  for (const auto& [name, cache] : {std::pair{"l1", &m.l1}, std::pair{"l2", &m.l2}, std::pair{"l3", &m.l3}}) {
    if (!std::has_single_bit(cache->sets))
      return std::string(name) + ".sets: " + number(cache->sets) + " is no power of two";
    if (cache->replacement == Replacement::kTreePlru && !std::has_single_bit(cache->ways))
      return std::string(name) + ".ways: tree-plru needs a power of two, not " + number(cache->ways) + "; use \"lru\"";
  }
  if (m.l2.sets * m.l2.ways < m.l1.sets * m.l1.ways)
    return "l2.sets: the L2 has fewer lines than the L1, which it must include";
  if (m.tlb.l2_entries % m.tlb.l2_ways != 0 || !std::has_single_bit(m.tlb.l2_entries / m.tlb.l2_ways))
    return "tlb.l2_entries: " + number(m.tlb.l2_entries) + " entries in " + number(m.tlb.l2_ways) +
           " ways are not a power of two of sets";
  if (m.core.l2_cycles < m.core.l1_cycles) return "core.l2_cycles: an L2 hit takes no less than an L1 hit";
  if (m.core.l3_cycles < m.core.l2_cycles) return "core.l3_cycles: an L3 hit takes no less than an L2 hit";
  return {};
}

}  // namespace hitmark::simulator
