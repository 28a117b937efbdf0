#!/usr/bin/env bash
# What the verdicts promise, in full: false alarms, coverage, stopping rule and power over all simulations; every
# mutant of the statistics killed; a stored run of a million readings reported in under 2 s of CPU time and 500 MB.
set -euo pipefail
cmake --preset release >/dev/null
cmake --build --preset release --target hitmark hitmark_statistics_test hitmark_analysis_test hitmark_simulations_test \
  >/dev/null
HITMARK_SIMULATIONS=long build/release/hitmark_simulations_test
analysis/simulations/mutants.sh build/release

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
HITMARK_SCALE_STORE=$folder/million.db build/release/hitmark_simulations_test --gtest_filter=Scale.WritesAStore* >/dev/null
/usr/bin/python3 - build/release/hitmark report --store "$folder/million.db" <<'PYTHON'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
seconds, megabytes = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
print(f"a million stored readings reported: {seconds:.2f} s of CPU time, {megabytes:.0f} MB")
sys.exit(not (seconds < 2 and megabytes < 500))
PYTHON
