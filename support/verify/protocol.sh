#!/usr/bin/env bash
# The simulated caches: all states of small machines, 10^8 random accesses of 128 cores for every protocol switch
# with tiny caches and with a Rome's, and the host instructions per access by where it is served.
#   HITMARK_RANDOM_ACCESSES=N   another number than 10^8
set -euo pipefail
test=build/release/hitmark_simulator_memory_long_test
bench=build/release/hitmark-memory-bench
"$test" --gtest_brief=1

instructions() { valgrind --tool=callgrind --callgrind-out-file=/dev/null "$bench" "$1" "$2" 2>&1 | sed -n 's/.*Collected : //p'; }
cost() { echo $((($(instructions "$1" 11000) - $(instructions "$1" 1000)) / 10000)); }
nothing=$(cost nothing)
failed=0
while read -r kind limit; do
  net=$(($(cost "$kind") - nothing))
  printf '%-20s %5d host instructions (limit %d)\n' "$kind" "$net" "$limit"
  [ "$net" -le "$limit" ] || failed=1
done <<'LIMITS'
l1-same-line 50
l1-other-line 100
l2 220
l3 650
dram 800
same-ccx-handoff 600
cross-ccx-handoff 800
cross-ccx-load 800
LIMITS
exit "$failed"
