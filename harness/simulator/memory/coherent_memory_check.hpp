// What must hold in every state of BasicCoherentMemory, and a state as bytes. Included by coherent_memory.cpp, and
// by tests that give it other rules.
#pragma once

#include <cstring>
#include <string>

#include "harness/simulator/memory/coherent_memory.hpp"
#include "support/check.hpp"

namespace hitmark::simulator {

template <typename Rules, typename Data>
BasicCoherentMemory<Rules, Data>::BasicCoherentMemory(const MachineModel& machine, const std::vector<Home>& homes)
    : l1_(machine.l1, machine.cores()),
      l2_(machine.l2, machine.cores()),
      l3_(machine.l3, machine.ccxs()),
      records_(homes.size()),
      cores_(machine.cores()),
      ccxs_(machine.ccxs()),
      cores_per_ccx_(machine.cores_per_ccx),
      all_ccxs_(ccxs_ >= 32 ? ~0u : (1u << ccxs_) - 1),
      switches_(machine.protocol) {
  HITMARK_CHECK(cores_ <= kMaxCores && ccxs_ <= kMaxCcxs && cores_per_ccx_ <= 64, "a machine that is too large");
  HITMARK_CHECK(homes.size() <= kMaxLines, "too much memory to simulate");
  HITMARK_CHECK(l1_.exists() && l2_.exists(), "every core has an L1 and an L2");
  for (unsigned core = 0; core < cores_; ++core) ccx_of_[core] = static_cast<std::uint8_t>(core / cores_per_ccx_);
  if (switches_.directory_entries == 0) return;
  const unsigned channels = machine.quadrants * machine.channels_per_quadrant;
  channels_ = ZeroedArray<std::uint16_t>(homes.size());
  links_ = ZeroedArray<Link>(homes.size());
  queues_ = ZeroedArray<Queue>(machine.sockets * channels);
  for (std::size_t line = 0; line < homes.size(); ++line) {
    const Home& home = homes[line];
    const unsigned in_socket = home.quadrant * machine.channels_per_quadrant + home.channel;
    HITMARK_CHECK(home.socket < machine.sockets && in_socket < channels, "a home that the machine does not have");
    channels_[line] = static_cast<std::uint16_t>(home.socket * channels + in_socket);
  }
}

template <typename Rules, typename Data>
std::string BasicCoherentMemory<Rules, Data>::violated_invariant() const {
  const auto of_line = [](Line line) { return " of line " + std::to_string(line); };
  std::string violated;
  const auto require = [&](bool holds, const char* invariant, Line line) {
    if (!holds && violated.empty()) violated = std::string(invariant) + of_line(line);
  };
  // What the caches hold is what the records say, and an L1 holds what its L2 holds.
  std::size_t copies = 0, recorded = 0;
  l1_.for_each([&](unsigned core, Line line, LineState held) {
    require(state(core, line) == held, "inclusion: an L1's copy is not its L2's,", line);
  });
  l2_.for_each([&](unsigned core, Line line, LineState held) {
    ++copies;
    require(held != LineState::kI && records_[line].cores.test(core), "inclusion: the L3's tags miss an L2's copy",
            line);
  });
  l3_.for_each([&](unsigned ccx, Line line, LineState held) {
    ++copies;
    require(held != LineState::kI && (records_[line].l3s >> ccx & 1) != 0, "inclusion: unrecorded copy in an L3", line);
  });
  std::size_t entries = 0;
  for (Line line = 0; line < lines(); ++line) {
    const Record& record = records_[line];
    const DirectoryEntry& entry = record.directory;
    unsigned count = 0, soles = 0, owned = 0, forwarders = 0;
    std::uint32_t ccxs = 0, owners = 0;
    const auto see = [&](LineState held, unsigned ccx) {
      ++count;
      soles += sole(held) ? 1 : 0;
      owned += held == LineState::kO ? 1 : 0;
      forwarders += held == LineState::kF ? 1 : 0;
      ccxs |= 1u << ccx;
      if (held > LineState::kS) owners |= 1u << ccx;
    };
    record.cores.for_each([&](unsigned core) { see(state(core, line), ccx_of_[core]); });
    for (std::uint32_t bits = record.l3s; bits != 0; bits &= bits - 1) {
      const auto ccx = static_cast<unsigned>(std::countr_zero(bits));
      see(l3_state(ccx, line), ccx);
    }
    recorded += count;
    entries += entry.kind != DirectoryKind::kUncached ? 1 : 0;
    require(soles <= 1 && (soles == 0 || count == 1), "single writer: an M or E copy is not the only copy", line);
    require(owned + forwarders <= 1, "single owner: more than one O or F copy", line);
    require(record.exclusive == 0 || record.exclusive == ccxs, "exclusiveness: wrongly believed", line);
    require(soles == 0 || record.exclusive == ccxs, "exclusiveness: not known to the CCX", line);
    require(switches_.forwarder || forwarders == 0, "forwarder: there is none", line);
    using Kind = DirectoryKind;
    const std::uint32_t owner = entry.has_owner() ? 1u << entry.owner : 0;
    require(entry.kind != Kind::kUncached || count == 0, "directory coverage: copies without an entry", line);
    require(!switches_.precise || entry.kind == Kind::kUncached || entry.sharers == ccxs,
            "directory coverage: the sharers are others", line);
    require(entry.kind != Kind::kShared || owners == 0, "directory coverage: no owner known", line);
    require((entry.kind == Kind::kExclusive) == (record.exclusive != 0), "directory coverage: exclusive or not", line);
    require(entry.kind != Kind::kExclusive || ccxs == owner, "directory coverage: stale exclusive owner", line);
    require(entry.kind != Kind::kOwned || (owned == 1 && owners == owner), "directory coverage: stale owner", line);
    require(entry.kind != Kind::kForwarded || (forwarders == 1 && owners == owner),
            "directory coverage: stale forwarder", line);
  }
  require(copies == recorded, "inclusion: the tags know more copies than there are,", 0);
  std::size_t queued = 0;
  for (std::size_t channel = 0; channel < queues_.size(); ++channel) {
    queued += queues_[channel].entries;
    require(queues_[channel].entries <= switches_.directory_entries, "directory: beyond its capacity", 0);
  }
  require(switches_.directory_entries == 0 || queued == entries, "directory: entries that are not queued", 0);
  return violated;
}

template <typename Rules, typename Data>
void BasicCoherentMemory<Rules, Data>::save(std::string& bytes) const {
  const auto append = [&bytes](const auto& array) {
    if (array.size() != 0)
      bytes.append(reinterpret_cast<const char*>(array.data()), array.size() * sizeof(array.data()[0]));
  };
  append(l1_.words());
  append(l2_.words());
  append(l3_.words());
  append(records_);
  append(links_);
  append(queues_);
}

template <typename Rules, typename Data>
void BasicCoherentMemory<Rules, Data>::restore(std::string_view bytes) {
  const auto take = [&bytes](auto& array) {
    const std::size_t size = array.size() * sizeof(array.data()[0]);
    HITMARK_CHECK(size <= bytes.size(), "a saved state of another machine");
    if (size != 0) std::memcpy(static_cast<void*>(array.data()), bytes.data(), size);
    bytes.remove_prefix(size);
  };
  take(l1_.words());
  take(l2_.words());
  take(l3_.words());
  take(records_);
  take(links_);
  take(queues_);
}

}  // namespace hitmark::simulator
