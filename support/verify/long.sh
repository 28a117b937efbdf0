#!/usr/bin/env bash
# The tests with the label `long`: 10^7 random operations of every variant, the instruction counts and traced accesses of
# every variant.
# Not those that are checks of their own: `statistics` and `protocol` run them.
set -euo pipefail
./run build
ctest --test-dir build/release -L long -E 'Simulations[.]All|LongRandomAccesses|LongEnumeration' --output-on-failure
