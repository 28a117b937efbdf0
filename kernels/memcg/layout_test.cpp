// The offsets of every struct equal the reference's tables (sections 1.1, 2.2 and 3.1: Linux 6.18, x86-64), and
// the running kernel's, where its type information is readable and its structs have the same shape.
#include <bpf/btf.h>
#include <gtest/gtest.h>
#include <sys/utsname.h>

#include <cstring>
#include <memory>
#include <optional>

#include "kernels/memcg/stock_layouts.hpp"

namespace hitmark::memcg {
namespace {

struct Field {
  const char* type;   // the kernel's
  const char* field;  // null: the whole struct
  std::size_t ours;   // offset, or size of the whole
  std::size_t reference;
};

#define HITMARK_FIELD(type, ours, field, reference) \
  { type, #field, offsetof(ours, field), reference }
#define HITMARK_SIZE(type, ours, reference) \
  { type, nullptr, sizeof(ours), reference }

// Everything that the running kernel has, too.
const Field kKernelFields[] = {
    HITMARK_FIELD("memcg_stock_pcp", MemcgStockPcp7, lock, 0),
    HITMARK_FIELD("memcg_stock_pcp", MemcgStockPcp7, nr_pages, 1),
    HITMARK_FIELD("memcg_stock_pcp", MemcgStockPcp7, cached, 8),
    HITMARK_FIELD("memcg_stock_pcp", MemcgStockPcp7, work, 64),
    HITMARK_FIELD("memcg_stock_pcp", MemcgStockPcp7, flags, 96),
    HITMARK_FIELD("memcg_stock_pcp", MemcgStockPcp7, drain_idx, 104),
    HITMARK_SIZE("memcg_stock_pcp", MemcgStockPcp7, 112),

    HITMARK_FIELD("page_counter", PageCounter, usage, 0),
    HITMARK_FIELD("page_counter", PageCounter, failcnt, 8),
    HITMARK_FIELD("page_counter", PageCounter, emin, 64),
    HITMARK_FIELD("page_counter", PageCounter, min_usage, 72),
    HITMARK_FIELD("page_counter", PageCounter, children_min_usage, 80),
    HITMARK_FIELD("page_counter", PageCounter, elow, 88),
    HITMARK_FIELD("page_counter", PageCounter, low_usage, 96),
    HITMARK_FIELD("page_counter", PageCounter, children_low_usage, 104),
    HITMARK_FIELD("page_counter", PageCounter, watermark, 112),
    HITMARK_FIELD("page_counter", PageCounter, local_watermark, 120),
    HITMARK_FIELD("page_counter", PageCounter, protection_support, 128),
    HITMARK_FIELD("page_counter", PageCounter, track_failcnt, 129),
    HITMARK_FIELD("page_counter", PageCounter, min, 136),
    HITMARK_FIELD("page_counter", PageCounter, low, 144),
    HITMARK_FIELD("page_counter", PageCounter, high, 152),
    HITMARK_FIELD("page_counter", PageCounter, max, 160),
    HITMARK_FIELD("page_counter", PageCounter, parent, 168),
    HITMARK_SIZE("page_counter", PageCounter, 192),

    HITMARK_FIELD("memcg_vmstats_percpu", MemcgVmstatsPercpu, stats_updates, 0),
    HITMARK_FIELD("memcg_vmstats_percpu", MemcgVmstatsPercpu, parent_pcpu, 8),
    HITMARK_FIELD("memcg_vmstats_percpu", MemcgVmstatsPercpu, vmstats, 16),
    HITMARK_FIELD("memcg_vmstats_percpu", MemcgVmstatsPercpu, state, 24),
    HITMARK_FIELD("memcg_vmstats_percpu", MemcgVmstatsPercpu, events, 344),
    HITMARK_FIELD("memcg_vmstats_percpu", MemcgVmstatsPercpu, state_prev, 592),
    HITMARK_FIELD("memcg_vmstats_percpu", MemcgVmstatsPercpu, events_prev, 912),
    HITMARK_SIZE("memcg_vmstats_percpu", MemcgVmstatsPercpu, 1216),

    HITMARK_FIELD("memcg_vmstats", MemcgVmstats, state, 0),
    HITMARK_FIELD("memcg_vmstats", MemcgVmstats, events, 320),
    HITMARK_FIELD("memcg_vmstats", MemcgVmstats, state_local, 568),
    HITMARK_FIELD("memcg_vmstats", MemcgVmstats, events_local, 888),
    HITMARK_FIELD("memcg_vmstats", MemcgVmstats, state_pending, 1136),
    HITMARK_FIELD("memcg_vmstats", MemcgVmstats, events_pending, 1456),
    HITMARK_FIELD("memcg_vmstats", MemcgVmstats, stats_updates, 1704),
    HITMARK_SIZE("memcg_vmstats", MemcgVmstats, 1712),

    HITMARK_FIELD("css_rstat_cpu", CssRstatCpu, updated_children, 0),
    HITMARK_FIELD("css_rstat_cpu", CssRstatCpu, updated_next, 8),
    HITMARK_FIELD("css_rstat_cpu", CssRstatCpu, lnode, 16),
    HITMARK_FIELD("css_rstat_cpu", CssRstatCpu, owner, 24),
    HITMARK_SIZE("css_rstat_cpu", CssRstatCpu, 32),

    HITMARK_FIELD("cgroup_subsys_state", CgroupSubsysState, cgroup, 0),
    HITMARK_FIELD("cgroup_subsys_state", CgroupSubsysState, ss, 8),
    HITMARK_FIELD("cgroup_subsys_state", CgroupSubsysState, refcnt, 16),
    HITMARK_FIELD("cgroup_subsys_state", CgroupSubsysState, rstat_cpu, 32),
    HITMARK_FIELD("cgroup_subsys_state", CgroupSubsysState, flags, 76),
    HITMARK_FIELD("cgroup_subsys_state", CgroupSubsysState, parent, 184),
    HITMARK_FIELD("cgroup_subsys_state", CgroupSubsysState, rstat_flush_next, 200),
    HITMARK_SIZE("cgroup_subsys_state", CgroupSubsysState, 208),
    HITMARK_FIELD("percpu_ref", PercpuRef, percpu_count_ptr, 0),
    HITMARK_FIELD("percpu_ref", PercpuRef, data, 8),
    HITMARK_FIELD("percpu_ref_data", PercpuRefData, count, 0),
    HITMARK_SIZE("percpu_ref_data", PercpuRefData, 56),
    HITMARK_FIELD("work_struct", WorkStruct, data, 0),
    HITMARK_FIELD("work_struct", WorkStruct, entry, 8),
    HITMARK_FIELD("work_struct", WorkStruct, func, 24),
    HITMARK_SIZE("work_struct", WorkStruct, 32),
    HITMARK_FIELD("cgroup_subsys", CgroupSubsys, css_rstat_flush, 56),
    HITMARK_FIELD("cgroup_subsys", CgroupSubsys, rstat_ss_lock, 244),
    HITMARK_FIELD("cgroup_subsys", CgroupSubsys, lhead, 248),
    HITMARK_SIZE("cgroup_subsys", CgroupSubsys, 256),

    HITMARK_FIELD("mem_cgroup", MemCgroup, css, 0),
    HITMARK_FIELD("mem_cgroup", MemCgroup, id, 208),
    HITMARK_FIELD("mem_cgroup", MemCgroup, memory, 256),
    HITMARK_FIELD("mem_cgroup", MemCgroup, swap, 448),
    HITMARK_FIELD("mem_cgroup", MemCgroup, memory_peaks, 640),
    HITMARK_FIELD("mem_cgroup", MemCgroup, high_work, 680),
    HITMARK_FIELD("mem_cgroup", MemCgroup, zswap_max, 712),
    HITMARK_FIELD("mem_cgroup", MemCgroup, vmstats, 1024),
    HITMARK_FIELD("mem_cgroup", MemCgroup, memory_events, 1032),
    HITMARK_FIELD("mem_cgroup", MemCgroup, memory_events_local, 1104),
    HITMARK_FIELD("mem_cgroup", MemCgroup, socket_pressure, 1176),
    HITMARK_FIELD("mem_cgroup", MemCgroup, kmemcg_id, 1184),
    HITMARK_FIELD("mem_cgroup", MemCgroup, objcg_list, 1208),
    HITMARK_FIELD("mem_cgroup", MemCgroup, vmstats_percpu, 1224),
    HITMARK_FIELD("mem_cgroup", MemCgroup, cgwb_list, 1232),
    HITMARK_FIELD("mem_cgroup", MemCgroup, kmem, 1600),
    HITMARK_FIELD("mem_cgroup", MemCgroup, tcpmem, 1792),
    HITMARK_SIZE("mem_cgroup", MemCgroup, 2176),
};

// Earlier releases', the patch's and the study's own: computed by the reference from the order of the fields.
const Field kStudyFields[] = {
    HITMARK_FIELD("G0", MemcgStockPcpG0, cached, 0),
    HITMARK_FIELD("G0", MemcgStockPcpG0, nr_pages, 8),
    HITMARK_FIELD("G0", MemcgStockPcpG0, cached_objcg, 16),
    HITMARK_FIELD("G0", MemcgStockPcpG0, nr_bytes, 24),
    HITMARK_FIELD("G0", MemcgStockPcpG0, work, 32),
    HITMARK_FIELD("G0", MemcgStockPcpG0, flags, 64),
    HITMARK_SIZE("G0", MemcgStockPcpG0, 72),
    HITMARK_FIELD("G2", MemcgStockPcpG2, cached, 0),
    HITMARK_FIELD("G2", MemcgStockPcpG2, nr_pages, 8),
    HITMARK_FIELD("G2", MemcgStockPcpG2, task_obj, 16),
    HITMARK_FIELD("G2", MemcgStockPcpG2, irq_obj, 48),
    HITMARK_SIZE("G2", MemcgStockPcpG2, 120),
    HITMARK_FIELD("G3", MemcgStockPcpG3, cached, 0),
    HITMARK_FIELD("G3", MemcgStockPcpG3, nr_pages, 8),
    HITMARK_FIELD("G3", MemcgStockPcpG3, cached_objcg, 16),
    HITMARK_FIELD("G3", MemcgStockPcpG3, cached_pgdat, 24),
    HITMARK_FIELD("G3", MemcgStockPcpG3, nr_bytes, 32),
    HITMARK_FIELD("G3", MemcgStockPcpG3, nr_slab_reclaimable_b, 36),
    HITMARK_FIELD("G3", MemcgStockPcpG3, nr_slab_unreclaimable_b, 40),
    HITMARK_FIELD("G3", MemcgStockPcpG3, work, 48),
    HITMARK_SIZE("G3", MemcgStockPcpG3, 88),
    HITMARK_FIELD("G4", MemcgStockPcpG4, lock, 0),
    HITMARK_FIELD("G4", MemcgStockPcpG4, nr_pages, 1),
    HITMARK_FIELD("G4", MemcgStockPcpG4, cached, 8),
    HITMARK_FIELD("G4", MemcgStockPcpG4, work, 64),
    HITMARK_FIELD("G4", MemcgStockPcpG4, flags, 96),
    HITMARK_SIZE("G4", MemcgStockPcpG4, 104),
    HITMARK_FIELD("S1", MemcgStockPcp6Sock, lock, 0),
    HITMARK_FIELD("S1", MemcgStockPcp6Sock, nr_pages, 1),
    HITMARK_FIELD("S1", MemcgStockPcp6Sock, nr_sock, 7),
    HITMARK_FIELD("S1", MemcgStockPcp6Sock, cached, 16),
    HITMARK_FIELD("S1", MemcgStockPcp6Sock, work, 64),
    HITMARK_FIELD("S1", MemcgStockPcp6Sock, flags, 96),
    HITMARK_FIELD("S1", MemcgStockPcp6Sock, drain_idx, 104),
    HITMARK_SIZE("S1", MemcgStockPcp6Sock, 112),
    HITMARK_FIELD("spill", MemcgStockPcp7Spill, lock, 0),
    HITMARK_FIELD("spill", MemcgStockPcp7Spill, nr_pages, 1),
    HITMARK_FIELD("spill", MemcgStockPcp7Spill, nr_sock, 8),
    HITMARK_FIELD("spill", MemcgStockPcp7Spill, cached, 16),
    HITMARK_FIELD("spill", MemcgStockPcp7Spill, work, 72),
    HITMARK_FIELD("spill", MemcgStockPcp7Spill, flags, 104),
    HITMARK_FIELD("spill", MemcgStockPcp7Spill, drain_idx, 112),
    HITMARK_SIZE("spill", MemcgStockPcp7Spill, 120),
    HITMARK_FIELD("6 slots", MemcgStockPcp6, lock, 0),
    HITMARK_FIELD("6 slots", MemcgStockPcp6, nr_pages, 1),
    HITMARK_FIELD("6 slots", MemcgStockPcp6, cached, 16),
    HITMARK_FIELD("6 slots", MemcgStockPcp6, work, 64),
    HITMARK_FIELD("6 slots", MemcgStockPcp6, flags, 96),
    HITMARK_FIELD("6 slots", MemcgStockPcp6, drain_idx, 104),
    HITMARK_SIZE("6 slots", MemcgStockPcp6, 112),
    HITMARK_FIELD("apart", MemcgStockPcp6Apart, lock, 0),
    HITMARK_FIELD("apart", MemcgStockPcp6Apart, nr_pages, 1),
    HITMARK_FIELD("apart", MemcgStockPcp6Apart, cached, 16),
    HITMARK_FIELD("apart", MemcgStockPcp6Apart, work, 64),
    HITMARK_FIELD("apart", MemcgStockPcp6Apart, flags, 96),
    HITMARK_FIELD("apart", MemcgStockPcp6Apart, drain_idx, 104),
    HITMARK_FIELD("apart", MemcgStockPcp6Apart, nr_sock, 128),
    HITMARK_SIZE("apart", MemcgStockPcp6Apart, 136),
};

std::string label(const Field& field) { return std::string(field.type) + "." + (field.field ? field.field : "size"); }

TEST(Layout, EqualsTheReference) {
  for (const Field& field : kKernelFields) EXPECT_EQ(field.ours, field.reference) << label(field);
  for (const Field& field : kStudyFields) EXPECT_EQ(field.ours, field.reference) << label(field);
  EXPECT_EQ(offsetof(MemcgVmstatsPercpu, state) + 8 * kSockItem, 296u);
}

// Offset in bytes of a member, looked up through unnamed structs and unions.
std::optional<std::size_t> offset_in(const btf* types, const btf_type* type, const char* field) {
  for (unsigned i = 0; i < btf_vlen(type); ++i) {
    const btf_member& member = btf_members(type)[i];
    const std::size_t at = btf_member_bit_offset(type, i) / 8;
    const char* name = btf__name_by_offset(types, member.name_off);
    if (std::strcmp(name, field) == 0) return at;
    const btf_type* inner = btf__type_by_id(types, member.type);
    if (*name == '\0' && btf_is_composite(inner))
      if (const auto found = offset_in(types, inner, field)) return at + *found;
  }
  return {};
}

TEST(Layout, EqualsTheRunningKernel) {
  const std::unique_ptr<btf, decltype(&btf__free)> types(btf__load_vmlinux_btf(), btf__free);
  if (!types) GTEST_SKIP() << "the running kernel's type information is not readable: " << std::strerror(errno);
  utsname host{};
  uname(&host);
  if (std::strncmp(host.release, "6.18.", 5) != 0)
    GTEST_SKIP() << "the structs are Linux 6.18's, this host runs " << host.release;

  // Another configuration has other statistics items, and with them other offsets (reference, section 3.1).
  for (const auto& [name, size] : {std::pair{"memcg_vmstats_percpu", 1216u}, std::pair{"mem_cgroup", 2176u}}) {
    const int id = btf__find_by_name_kind(types.get(), name, BTF_KIND_STRUCT);
    if (id < 0 || btf__type_by_id(types.get(), static_cast<unsigned>(id))->size != size)
      GTEST_SKIP() << "this 6.18 is configured otherwise: its " << name << " has not " << size << " bytes";
  }

  for (const Field& field : kKernelFields) {
    const int id = btf__find_by_name_kind(types.get(), field.type, BTF_KIND_STRUCT);
    ASSERT_GT(id, 0) << field.type;
    const btf_type* type = btf__type_by_id(types.get(), static_cast<unsigned>(id));
    if (!field.field) {
      EXPECT_EQ(field.ours, type->size) << label(field);
      continue;
    }
    const auto offset = offset_in(types.get(), type, field.field);
    ASSERT_TRUE(offset) << label(field) << " is not in the running kernel";
    EXPECT_EQ(field.ours, *offset) << label(field);
  }
}

}  // namespace
}  // namespace hitmark::memcg
