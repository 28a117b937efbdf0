// Countable facts of a topology, in the form of the test oracle testdata/expected_facts.csv. A fact with
// several values lists them with '/' ("2/4"); `first_core_pus` joins PU numbers with '+' ("0+128").
#pragma once

#include <optional>
#include <string>

namespace hitmark {

struct Facts {
  int packages = 0, numa = 0, dies = 0, groups = 0, l3 = 0;
  std::string l3_mib;  // "16", "8/16"; empty: not said
  int cores = 0, pus = 0;
  std::string cores_per_l3, pus_per_core, first_core_pus;
  int max_pu = 0;     // largest OS number
  int distances = 0;  // 1 when there is a NUMA distance matrix
  int pus_with_disallowed = 0;
};

}  // namespace hitmark
