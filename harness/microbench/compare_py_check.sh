#!/usr/bin/env bash
# Google Benchmark's own compare.py must read what hitmark-microbench writes, aggregates and repetitions too.
set -euo pipefail
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for name in before after; do
  "$program" --benchmark_filter='sock-charge/(percall7|packed6)/single' --benchmark_min_time=0.02 \
    --benchmark_repetitions=3 --benchmark_enable_random_interleaving=true \
    --benchmark_out="$work/$name.json" --benchmark_out_format=json >"$work/$name.log" 2>&1 ||
    { cat "$work/$name.log"; exit 1; }
done
/usr/bin/python3 - "$work/before.json" <<'PYTHON'
import json, sys
report = json.load(open(sys.argv[1]))
runs = [b for b in report["benchmarks"] if b["run_type"] == "iteration"]
assert len(runs) >= 6, f"too few runs: {len(runs)}"
assert not any(b.get("error_occurred") for b in runs), [b.get("error_message") for b in runs]
assert all(b["real_time"] > 0 and b["ticks_per_op"] > 0 for b in runs)
PYTHON
/usr/bin/python3 /usr/share/benchmark/compare.py --no-color benchmarks "$work/before.json" "$work/after.json" >"$work/compared"
grep -q '^sock-charge/packed6/single' "$work/compared" || { cat "$work/compared"; exit 1; }
grep -q 'OVERALL_GEOMEAN' "$work/compared" || { cat "$work/compared"; exit 1; }
