#!/usr/bin/env bash
# Every test with the label `long`: 10^7 random operations of every variant, the instruction counts of every variant.
set -euo pipefail
./run build
ctest --test-dir build/release -L long --output-on-failure
