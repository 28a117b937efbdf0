// The only file that knows hwloc. A topology is loaded with disallowed objects, which gives each CPU its place
// in the whole machine, so that a cpuset does not shift the numbers of sockets, L3s and quadrants; and, where
// something is disallowed, again as hwloc shows it by default, which gives the facts and the usable CPUs.
#include "topology/hwloc_reader.hpp"

#include <hwloc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>
#include <string_view>

#include "support/file.hpp"
#include "topology/inference.hpp"
#include "topology/topology_input.hpp"
#include "topology/trial_run.hpp"

namespace hitmark {
namespace {

struct Destroy {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using Handle = std::unique_ptr<hwloc_topology, Destroy>;
using Bitmap = std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)>;

struct Source {
  const std::string* xml = nullptr;  // both null: this host
  const std::string* synthetic = nullptr;
};

// hwloc writes its diagnostics to stderr. Its own small XML parser is used, not libxml2: the same result
// whether or not the plugin is installed.
void quieten_hwloc() {
  static const bool done = [] {
    ::setenv("HWLOC_HIDE_ERRORS", "2", 1);
    ::setenv("HWLOC_LIBXML", "0", 1);
    return true;
  }();
  static_cast<void>(done);
}

Handle load(const Source& source, unsigned long flags) {
  quieten_hwloc();
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return nullptr;
  Handle topology(raw);
  int set = 0;
  if (source.xml)  // hwloc wants the terminating zero counted
    set = hwloc_topology_set_xmlbuffer(raw, source.xml->c_str(), static_cast<int>(source.xml->size() + 1));
  else if (source.synthetic)
    set = hwloc_topology_set_synthetic(raw, source.synthetic->c_str());
  if (set != 0 || hwloc_topology_set_flags(raw, flags) != 0 || hwloc_topology_load(raw) != 0) return nullptr;
  return topology;
}

std::vector<hwloc_obj_t> objects(const Handle& topology, hwloc_obj_type_t type) {
  std::vector<hwloc_obj_t> found;
  for (hwloc_obj_t o = nullptr; (o = hwloc_get_next_obj_by_type(topology.get(), type, o));) found.push_back(o);
  return found;
}

int ancestor(const Handle& topology, hwloc_obj_t object, hwloc_obj_type_t type) {
  const hwloc_obj_t above = hwloc_get_ancestor_obj_by_type(topology.get(), type, object);
  return above ? static_cast<int>(above->logical_index) : kUnknown;
}

std::vector<int> numbers(hwloc_const_bitmap_t set) {
  std::vector<int> found;
  if (!set || hwloc_bitmap_weight(set) < 0) return found;  // infinite
  for (int i = hwloc_bitmap_first(set); i >= 0; i = hwloc_bitmap_next(set, i)) found.push_back(i);
  return found;
}

std::string info(hwloc_obj_t object, const char* name) {
  const char* value = object ? hwloc_obj_get_info_by_name(object, name) : nullptr;
  std::string text = value ? value : "";
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

// The values, ascending, as "2/4".
std::string join(const std::set<std::uint64_t>& values) {
  std::string text;
  for (const auto value : values) text += (text.empty() ? "" : "/") + std::to_string(value);
  return text;
}

int count_inside(const Handle& topology, hwloc_obj_t object, hwloc_obj_type_t type) {
  return std::max(hwloc_get_nbobjs_inside_cpuset_by_type(topology.get(), object->cpuset, type), 0);
}

std::vector<std::vector<int>> read_distances(const Handle& topology, const std::vector<hwloc_obj_t>& nodes) {
  hwloc_distances_s* matrix = nullptr;
  unsigned count = 1;
  if (hwloc_distances_get_by_type(topology.get(), HWLOC_OBJ_NUMANODE, &count, &matrix,
                                  HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0) != 0 ||
      count == 0 || !matrix)
    return {};
  std::vector<std::vector<int>> rows;
  for (const hwloc_obj_t from : nodes) {
    rows.emplace_back();
    for (const hwloc_obj_t to : nodes) {
      hwloc_uint64_t there = 0, back = 0;
      if (hwloc_distances_obj_pair_values(matrix, from, to, &there, &back) != 0) there = 0;
      rows.back().push_back(static_cast<int>(std::min<hwloc_uint64_t>(there, 1 << 20)));
    }
  }
  hwloc_distances_release(topology.get(), matrix);
  return rows;
}

Facts read_facts(const Handle& usable, const Handle& whole) {
  Facts facts;
  const auto count = [&](hwloc_obj_type_t type) { return std::max(hwloc_get_nbobjs_by_type(usable.get(), type), 0); };
  facts.packages = count(HWLOC_OBJ_PACKAGE);
  facts.numa = count(HWLOC_OBJ_NUMANODE);
  facts.dies = count(HWLOC_OBJ_DIE);
  for (int depth = 0; depth < hwloc_topology_get_depth(usable.get()); ++depth)  // groups nest
    if (hwloc_get_depth_type(usable.get(), depth) == HWLOC_OBJ_GROUP)
      facts.groups += static_cast<int>(hwloc_get_nbobjs_by_depth(usable.get(), depth));
  facts.l3 = count(HWLOC_OBJ_L3CACHE);
  facts.cores = count(HWLOC_OBJ_CORE);
  facts.pus = count(HWLOC_OBJ_PU);
  std::set<std::uint64_t> mib, cores, pus;
  for (const hwloc_obj_t l3 : objects(usable, HWLOC_OBJ_L3CACHE)) {
    if (l3->attr->cache.size) mib.insert(l3->attr->cache.size >> 20);
    cores.insert(static_cast<std::uint64_t>(count_inside(usable, l3, HWLOC_OBJ_CORE)));
  }
  const auto all_cores = objects(usable, HWLOC_OBJ_CORE);
  for (const hwloc_obj_t core : all_cores)
    pus.insert(static_cast<std::uint64_t>(count_inside(usable, core, HWLOC_OBJ_PU)));
  facts.l3_mib = join(mib);
  facts.cores_per_l3 = join(cores);
  facts.pus_per_core = join(pus);
  if (!all_cores.empty())
    for (const int pu : numbers(all_cores.front()->cpuset))
      facts.first_core_pus += (facts.first_core_pus.empty() ? "" : "+") + std::to_string(pu);
  for (const hwloc_obj_t pu : objects(usable, HWLOC_OBJ_PU))
    facts.max_pu = std::max(facts.max_pu, static_cast<int>(pu->os_index));
  facts.distances = read_distances(usable, objects(usable, HWLOC_OBJ_NUMANODE)).empty() ? 0 : 1;
  facts.pus_with_disallowed = std::max(hwloc_get_nbobjs_by_type(whole.get(), HWLOC_OBJ_PU), 0);
  return facts;
}

// The smallest node around the CPU; of equals (DDR beside HBM) the first.
int node_of(const std::vector<hwloc_obj_t>& nodes, unsigned pu) {
  hwloc_obj_t best = nullptr;
  for (const hwloc_obj_t node : nodes)
    if (hwloc_bitmap_isset(node->cpuset, pu) &&
        (!best || hwloc_bitmap_weight(node->cpuset) < hwloc_bitmap_weight(best->cpuset)))
      best = node;
  return best ? static_cast<int>(best->os_index) : kUnknown;
}

std::vector<Cpu> read_cpus(const Handle& usable, const Handle& whole) {
  const auto nodes = objects(whole, HWLOC_OBJ_NUMANODE);
  const bool has_cores = hwloc_get_nbobjs_by_type(whole.get(), HWLOC_OBJ_CORE) > 0;
  std::vector<Cpu> cpus;
  std::vector<int> threads;  // seen so far, by core
  for (const hwloc_obj_t pu : objects(whole, HWLOC_OBJ_PU)) {
    if (!hwloc_bitmap_isset(hwloc_topology_get_topology_cpuset(usable.get()), pu->os_index)) continue;
    Cpu cpu;
    cpu.os = static_cast<int>(pu->os_index);
    cpu.package = ancestor(whole, pu, HWLOC_OBJ_PACKAGE);
    cpu.die = ancestor(whole, pu, HWLOC_OBJ_DIE);
    cpu.ccx = ancestor(whole, pu, HWLOC_OBJ_L3CACHE);
    cpu.core = has_cores ? ancestor(whole, pu, HWLOC_OBJ_CORE) : static_cast<int>(pu->logical_index);
    cpu.node = node_of(nodes, pu->os_index);
    if (cpu.core >= 0) {
      threads.resize(std::max(threads.size(), static_cast<std::size_t>(cpu.core) + 1));
      cpu.thread = threads[static_cast<std::size_t>(cpu.core)]++;
    }
    cpus.push_back(cpu);
  }
  return cpus;
}

int package_of(const Handle& topology, hwloc_obj_t node) { return ancestor(topology, node, HWLOC_OBJ_PACKAGE); }

ChipletView view_of(const Handle& whole, const std::vector<int>& offline) {
  ChipletView view;
  const auto packages = objects(whole, HWLOC_OBJ_PACKAGE);
  const hwloc_obj_t root = hwloc_get_root_obj(whole.get());
  const hwloc_obj_t first = packages.empty() ? root : packages.front();
  const auto said = [&](const char* name) {
    const std::string text = info(first, name);
    return text.empty() ? info(root, name) : text;
  };
  view.vendor = said("CPUVendor");
  view.cpu_model = said("CPUModel");
  view.family = std::atoi(said("CPUFamilyNumber").c_str());
  view.model = std::atoi(said("CPUModelNumber").c_str());
  view.missing = offline;
  view.nodes_of_package.resize(packages.size());
  const auto nodes = objects(whole, HWLOC_OBJ_NUMANODE);
  for (const hwloc_obj_t node : nodes)
    if (const int package = package_of(whole, node); package != kUnknown)
      view.nodes_of_package[static_cast<std::size_t>(package)].push_back(static_cast<int>(node->os_index));
  for (auto& own : view.nodes_of_package) std::sort(own.begin(), own.end());
  for (const hwloc_obj_t l3 : objects(whole, HWLOC_OBJ_L3CACHE)) {
    L3Group group;
    group.package = ancestor(whole, l3, HWLOC_OBJ_PACKAGE);
    group.die = ancestor(whole, l3, HWLOC_OBJ_DIE);
    group.bytes = l3->attr->cache.size;
    std::set<int> homes;
    for (const int pu : numbers(l3->cpuset)) homes.insert(node_of(nodes, static_cast<unsigned>(pu)));
    if (homes.size() == 1) group.node = *homes.begin();
    for (hwloc_obj_t core = nullptr;
         (core = hwloc_get_next_obj_inside_cpuset_by_type(whole.get(), l3->cpuset, HWLOC_OBJ_CORE, core));)
      if (auto threads = numbers(core->cpuset); !threads.empty()) group.cores.push_back(std::move(threads));
    view.l3.push_back(std::move(group));
  }
  const int present = hwloc_get_nbobjs_by_type(whole.get(), HWLOC_OBJ_PU);
  const int last = hwloc_bitmap_last(hwloc_topology_get_topology_cpuset(whole.get()));
  const int last_offline = offline.empty() ? -1 : offline.back();
  view.partial = present + static_cast<int>(offline.size()) != std::max(last, last_offline) + 1;
  return view;
}

Topology build(const Handle& usable, const Handle& whole) {
  auto cpus = read_cpus(usable, whole);
  const auto node_objects = objects(usable, HWLOC_OBJ_NUMANODE);
  std::vector<NumaNode> nodes;
  for (const hwloc_obj_t node : node_objects) {
    const hwloc_obj_t same = hwloc_get_numanode_obj_by_os_index(whole.get(), node->os_index);
    nodes.push_back({static_cast<int>(node->os_index), same ? package_of(whole, same) : kUnknown,
                     node->attr->numanode.local_memory});
  }
  const Bitmap gone(hwloc_bitmap_alloc(), &hwloc_bitmap_free);
  const hwloc_const_bitmap_t present = hwloc_topology_get_topology_cpuset(whole.get());
  hwloc_bitmap_andnot(gone.get(), hwloc_topology_get_complete_cpuset(whole.get()), present);
  const auto offline = numbers(gone.get());
  hwloc_bitmap_andnot(gone.get(), present, hwloc_topology_get_topology_cpuset(usable.get()));
  const auto disallowed = numbers(gone.get());

  const ChipletView view = view_of(whole, offline);
  Chiplets chiplets = infer_chiplets(view);
  for (Cpu& cpu : cpus)
    if (cpu.ccx != kUnknown) {
      cpu.ccd = chiplets.ccd[static_cast<std::size_t>(cpu.ccx)];
      cpu.quadrant = chiplets.quadrant[static_cast<std::size_t>(cpu.ccx)];
    }
  Topology topology(std::move(cpus), std::move(nodes), read_distances(usable, node_objects), read_facts(usable, whole));
  topology.ccx_basis = chiplets.ccx_basis;
  topology.ccd_basis = chiplets.ccd_basis;
  topology.quadrant_basis = chiplets.quadrant_basis;
  topology.nps = chiplets.nps;
  topology.cpu_model = view.cpu_model;
  topology.offline = offline;
  topology.disallowed = disallowed;
  topology.remarks = find_oddities(topology, view, hwloc_cpukinds_get_nr(whole.get(), 0) > 1);
  return topology;
}

// An L3 in an L3, say: hwloc then has no numbering for all of them.
bool is_nested(const Handle& topology) {
  for (const auto type : {HWLOC_OBJ_PACKAGE, HWLOC_OBJ_DIE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_CORE})
    if (hwloc_get_type_depth(topology.get(), type) == HWLOC_TYPE_DEPTH_MULTIPLE) return true;
  return false;
}

bool all_allowed(const Handle& topology) {
  return hwloc_bitmap_isequal(hwloc_topology_get_allowed_cpuset(topology.get()),
                              hwloc_topology_get_topology_cpuset(topology.get())) &&
         hwloc_bitmap_isequal(hwloc_topology_get_allowed_nodeset(topology.get()),
                              hwloc_topology_get_topology_nodeset(topology.get()));
}

// Of this process (taskset, a parent's pinning); within what the cpuset allows.
bool restrict_to_affinity(const Handle& topology) {
  const Bitmap bound(hwloc_bitmap_alloc(), &hwloc_bitmap_free);
  if (hwloc_get_cpubind(topology.get(), bound.get(), HWLOC_CPUBIND_PROCESS) != 0) return false;
  if (hwloc_bitmap_isincluded(hwloc_topology_get_topology_cpuset(topology.get()), bound.get())) return false;
  return hwloc_topology_restrict(topology.get(), bound.get(), 0) == 0;
}

// This host as the affinity leaves it; empty when it leaves everything.
std::optional<Topology> build_within_affinity() {
  const Handle usable = load({}, 0);
  if (!usable || !restrict_to_affinity(usable)) return std::nullopt;
  const Handle whole = load({}, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  if (!whole) return std::nullopt;
  Topology topology = build(usable, whole);
  for (std::string& remark : topology.remarks)
    if (constexpr std::string_view kCpuset = "CPUs that the cpuset forbids"; remark.starts_with(kCpuset))
      remark.replace(0, kCpuset.size(), "CPUs that the cpuset or the affinity of this process (taskset) forbids");
  return topology;
}

// A node or CPU without a number: hwloc accepts it in a file, and takes half a GiB for each set that has it.
bool is_numbered(const Handle& topology) {
  for (const hwloc_obj_type_t type : {HWLOC_OBJ_NUMANODE, HWLOC_OBJ_PU})
    for (const hwloc_obj_t object : objects(topology, type))
      if (object->os_index == HWLOC_UNKNOWN_INDEX) return false;
  return true;
}

std::optional<Topology> load_and_build(const Source& source) {
  const Handle whole = load(source, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  if (!whole || is_nested(whole) || !is_numbered(whole)) return std::nullopt;
  const int cpus = hwloc_get_nbobjs_by_type(whole.get(), HWLOC_OBJ_PU);
  const int last = hwloc_bitmap_last(hwloc_topology_get_complete_cpuset(whole.get()));
  const int last_pu = hwloc_bitmap_last(hwloc_topology_get_topology_cpuset(whole.get()));
  if (cpus <= 0 || cpus > kMaxCpus || std::max(last, last_pu) >= kMaxCpus) return std::nullopt;
  if (all_allowed(whole)) return build(whole, whole);
  const Handle usable = load(source, 0);
  return usable ? std::optional(build(usable, whole)) : std::nullopt;
}

// hwloc asserts on some inconsistent input, so a child process meets it first.
Result<Topology> read_foreign(const Source& source, const std::string& name, ErrorKind kind, const char* hint) {
  const auto outcome = try_in_child([&] { return load_and_build(source).has_value(); }, std::chrono::seconds(20));
  if (outcome == TrialOutcome::kNotStarted)
    return Error{ErrorKind::kIo, "no process could be started to read " + name, ""};
  if (outcome == TrialOutcome::kTimedOut)
    return Error{ErrorKind::kInvalid, "hwloc does not come to an end with " + name, hint};
  if (outcome == TrialOutcome::kPassed)
    if (auto topology = load_and_build(source)) {
      topology->source = name;
      return std::move(*topology);
    }
  return Error{kind, "hwloc cannot make a topology of " + name, hint};
}

}  // namespace

Result<Topology> read_host_topology() {
  quieten_hwloc();
  for (const char* variable : {"HWLOC_XMLFILE", "HWLOC_SYNTHETIC", "HWLOC_FSROOT", "HWLOC_CPUID_PATH"})
    if (std::getenv(variable))
      return Error{ErrorKind::kInvalid, std::string(variable) + " is set, which hides this host from hwloc",
                   std::string("unset ") + variable + ", and pass a saved topology with --input FILE"};
  auto topology = load_and_build({});
  if (!topology) return Error{ErrorKind::kUnavailable, "hwloc cannot read the topology of this host", "lstopo"};
  if (auto within = build_within_affinity()) topology = std::move(within);
  topology->source = "this host";
  return std::move(*topology);
}

Result<Topology> read_topology_file(const std::string& path) {
  const auto content = read_file(path, kMaxXmlBytes);
  if (!content) return content.error();
  if (auto checked = check_topology_xml(*content, path); !checked) return checked.error();
  Source source;
  source.xml = &*content;
  return read_foreign(source, path, ErrorKind::kInvalid, "lstopo -i FILE, to see whether it is damaged");
}

Result<Topology> read_synthetic_topology(const std::string& text) {
  if (auto checked = check_synthetic(text); !checked) return checked.error();
  Source source;
  source.synthetic = &text;
  return read_foreign(source, "the synthetic string '" + text.substr(0, 200) + "'", ErrorKind::kUsage,
                      "'pack:2 [numa] l3:16(size=16777216) core:4 pu:2'; see hwloc's documentation of synthetic "
                      "topologies");
}

}  // namespace hitmark
