// Folders are layers: this test fails on an #include that the table below forbids. It reads the sources of
// the repository itself (HITMARK_SOURCE_DIR).
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace hitmark {
namespace {

namespace fs = std::filesystem;

struct Layer {
  std::string folder;                 // the longest matching folder counts
  std::vector<std::string> may_use;   // prefixes of our own headers
};

// "harness/results/sample" stands for the plain data of a run and the words for it.
// Left to right as the data flows; see the README's map. harness/cli may use everything.
const std::vector<Layer> kLayers = {
    {"support/", {"support/"}},
    {"kernels/memory/", {"kernels/memory/", "support/check.hpp"}},
    {"kernels/", {"kernels/", "support/registry.hpp", "support/check.hpp"}},
    {"topology/", {"topology/", "support/", "embedded/"}},
    {"harness/results/", {"harness/results/", "support/", "embedded/"}},
    {"harness/counters/", {"harness/counters/", "harness/results/sample.hpp", "topology/", "support/", "embedded/"}},
    {"harness/native/",
     {"harness/native/", "harness/machine.hpp", "harness/plan.hpp", "harness/results/", "harness/counters/",
      "kernels/", "topology/", "support/"}},
    {"harness/simulator/",
     {"harness/simulator/", "harness/machine.hpp", "harness/plan.hpp", "harness/results/sample.hpp", "kernels/",
      "topology/", "support/", "embedded/"}},
    {"harness/microbench/",
     {"harness/microbench/", "harness/native/", "harness/counters/", "harness/results/sample.hpp",
      "harness/plan.hpp", "harness/machine.hpp", "harness/workload_text.hpp", "kernels/", "topology/", "support/"}},
    {"harness/cli/",
     {"harness/", "kernels/", "topology/", "analysis/", "reports/", "support/", "embedded/"}},
    {"harness/",
     {"harness/environment.hpp", "harness/machine.hpp", "harness/plan", "harness/runner",
      "harness/workload_text.hpp", "harness/run_lock.hpp", "harness/sysfs.hpp", "harness/results/", "harness/counters/", "kernels/variant.hpp",
      "kernels/workload.hpp", "topology/", "support/", "embedded/"}},
    {"analysis/layout/", {"analysis/layout/", "support/"}},
    {"analysis/", {"analysis/", "harness/results/sample", "support/"}},
    {"reports/", {"reports/", "analysis/", "harness/results/sample", "support/", "embedded/"}},
};

struct ThirdParty {
  std::string header;                // prefix of the header's name
  std::vector<std::string> allowed;  // regular expressions over the file's path
};

// A library is included in few files, and in no header but where its own folder is about it, so that any
// of them may be missing at build time.
const std::vector<ThirdParty> kThirdParty = {
    {"hwloc", {"topology/hwloc_.*\\.cpp", "topology/.*_test\\.cpp"}},
    {"sqlite3", {"harness/results/.*\\.cpp"}},
    {"papi", {"harness/counters/papi_.*\\.cpp"}},
    {"likwid", {"harness/counters/likwid/.*\\.cpp"}},
    {"bpf/", {"analysis/layout/btf_.*\\.cpp", "kernels/.*_test\\.cpp"}},
    {"linux/btf", {"analysis/layout/btf_.*\\.cpp", "kernels/.*_test\\.cpp"}},
    {"elfutils/", {"analysis/layout/dwarf_.*\\.cpp"}},
    {"dwarf.h", {"analysis/layout/dwarf_.*\\.cpp"}},
    {"gelf.h", {"analysis/layout/.*\\.cpp"}},
    {"libelf.h", {"analysis/layout/.*\\.cpp"}},
    {"boost/math", {"analysis/statistics/.*\\.cpp", "analysis/.*_test\\.cpp"}},
    {"boost/context", {"harness/simulator/.*"}},
    {"benchmark/", {"harness/microbench/.*"}},
    {"CLI/", {"harness/cli/.*", "harness/microbench/.*\\.cpp"}},
    {"fmt/", {"harness/cli/.*", "reports/.*", "analysis/.*\\.cpp", "harness/microbench/.*\\.cpp"}},
    {"nlohmann/",
     {"harness/cli/.*", "reports/.*\\.cpp", "harness/results/.*\\.cpp", "harness/counters/.*\\.cpp",
      "harness/simulator/.*\\.cpp", "topology/.*\\.cpp", "harness/microbench/.*\\.cpp"}},
};

std::vector<std::string> violations_of(const std::string& file, std::istream& source) {
  static const std::regex include(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  const Layer* layer = nullptr;
  for (const Layer& candidate : kLayers)
    if (file.starts_with(candidate.folder) && (!layer || candidate.folder.size() > layer->folder.size()))
      layer = &candidate;

  std::vector<std::string> found;
  const bool test = file.ends_with("_test.cpp") || file.ends_with("_fuzzer.cpp");
  std::string line;
  while (std::getline(source, line)) {
    std::smatch match;
    if (!std::regex_search(line, match, include)) continue;
    const std::string header = match[2];
    const auto prefix_of = [&](const std::string& prefix) { return header.starts_with(prefix); };
    if (match[1] == "\"") {
      if (header.find('/') == std::string::npos)
        found.push_back(file + " names " + header + " without its folder");
      else if (!layer)
        found.push_back(file + " lies in no known folder");
      else if (!test && std::none_of(layer->may_use.begin(), layer->may_use.end(), prefix_of))
        found.push_back(file + " must not include " + header);
    } else {
      for (const ThirdParty& library : kThirdParty) {
        if (!header.starts_with(library.header)) continue;
        const bool allowed = std::any_of(library.allowed.begin(), library.allowed.end(), [&](const std::string& r) {
          return std::regex_match(file, std::regex(r));
        });
        if (!allowed && !test) found.push_back(file + " must not include <" + header + ">");
      }
    }
  }
  return found;
}

TEST(IncludeRules, HoldInEverySourceFile) {
  const fs::path root = HITMARK_SOURCE_DIR;
  int files = 0;
  for (const char* folder : {"support", "kernels", "topology", "harness", "analysis", "reports"}) {
    if (!fs::exists(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const std::string name = entry.path().lexically_relative(root).string();
      if (name.find("testdata/") != std::string::npos) continue;
      if (!name.ends_with(".cpp") && !name.ends_with(".hpp")) continue;
      ++files;
      std::ifstream source(entry.path());
      for (const std::string& violation : violations_of(name, source)) ADD_FAILURE() << violation;
    }
  }
  EXPECT_GT(files, 10) << "no sources found under " << root;
}

TEST(IncludeRules, SeeAViolation) {
  std::istringstream kernel_knows_counters("#include \"harness/counters/counter_source.hpp\"\n");
  EXPECT_EQ(violations_of("kernels/memcg/x.cpp", kernel_knows_counters).size(), 1u);
  std::istringstream sql_in_a_report("  #  include <sqlite3.h>\n#include <vector>\n");
  EXPECT_EQ(violations_of("reports/x.cpp", sql_in_a_report).size(), 1u);
  std::istringstream allowed("#include <sqlite3.h>\n#include \"support/result.hpp\"\n");
  EXPECT_TRUE(violations_of("harness/results/result_store.cpp", allowed).empty());
}

}  // namespace
}  // namespace hitmark
