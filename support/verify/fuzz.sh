#!/usr/bin/env bash
# Every fuzzer for a million executions, or 20 minutes: those that have hwloc read a file do it in a process of
# its own, as the program does, and that is a hundred executions a second. The figures printed are what was reached.
set -euo pipefail
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target hitmark-fuzzers >/dev/null
support/fuzz -runs=1000000,1200
