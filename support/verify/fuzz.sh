#!/usr/bin/env bash
# Every fuzzer for a million executions.
set -euo pipefail
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target hitmark-fuzzers >/dev/null
support/fuzz -runs=1000000
