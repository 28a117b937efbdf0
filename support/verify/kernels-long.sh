#!/usr/bin/env bash
# 10^7 random operations with drains and flushes on several CPUs, for every variant, and the other tests
# that are too long for the quick tier.
set -euo pipefail
ctest --test-dir build/release --output-on-failure -L long
