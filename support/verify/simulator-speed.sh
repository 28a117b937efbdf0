#!/usr/bin/env bash
# How fast the simulator's engine is, in host instructions per simulated access: callgrind counts them, so the figures
# do not depend on the host's load. The variants run traced on CPUs of a generic Rome, their own code counted too.
# Exits with 1 when a target is missed.
set -uo pipefail
build=${1:-build/release}
bench=$build/hitmark_engine_bench
[ -x "$bench" ] || { echo "no $bench: cmake --build --preset release --target hitmark_engine_bench" >&2; exit 3; }
command -v valgrind >/dev/null || { echo "valgrind is not installed" >&2; exit 3; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
missed=0

# Sets per_access and line (what the bench printed).
count() {
  line=$(valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file=/dev/null "$bench" "$@" 2>"$scratch/log") ||
    { cat "$scratch/log" >&2; exit 3; }
  local instructions accesses
  instructions=$(sed -n 's/.*Collected : *\([0-9]*\).*/\1/p' "$scratch/log")
  accesses=$(sed -n 's/^accesses \([0-9]*\) .*/\1/p' <<<"$line")
  per_access=$(awk -v i="$instructions" -v a="$accesses" 'BEGIN { printf "%.1f", i / a }')
}
# at_most WHAT VALUE LIMIT
at_most() {
  if awk -v v="$2" -v l="$3" 'BEGIN { exit !(v <= l) }'; then
    printf '%-58s %8s  at most %s\n' "$1" "$2" "$3"
  else
    printf '%-58s %8s  at most %s: MISSED\n' "$1" "$2" "$3"
    missed=1
  fi
}
at_least() {
  if awk -v v="$2" -v l="$3" 'BEGIN { exit !(v >= l) }'; then
    printf '%-58s %8s  at least %s\n' "$1" "$2" "$3"
  else
    printf '%-58s %8s  at least %s: MISSED\n' "$1" "$2" "$3"
    missed=1
  fi
}
checksum() { sed 's/.*checksum //' <<<"$line"; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }

count percall7 128 4000 run-ahead
percall7=$per_access
at_most "percall7, 128 CPUs, instructions per access" "$percall7" 150
count packed6 128 4000 run-ahead
packed6=$per_access
at_most "packed6 (mostly private), 128 CPUs" "$packed6" 60
count private 128 500 run-ahead
at_most "words of each CPU's own, 128 CPUs" "$per_access" 60

for variant in percall7 packed6; do
  count "$variant" 128 300 run-ahead
  ahead=$per_access sum=$(checksum)
  count "$variant" 128 300 lockstep
  at_least "$variant, 128 CPUs, 300 operations: lockstep over run-ahead" "$(ratio "$per_access" "$ahead")" 3
  [ "$sum" = "$(checksum)" ] || { echo "$variant: run-ahead and lockstep differ in clocks or traffic"; missed=1; }
done

for variant in percall7 packed6; do
  count "$variant" 2 20000 run-ahead
  two=$per_access
  count "$variant" 256 1000 run-ahead
  at_most "$variant, cost per access, 256 CPUs over 2" "$(ratio "$per_access" "$two")" 2
done

for variant in percall7 packed6 private; do
  line=$("$bench" "$variant" 128 20000 run-ahead)
  printf '%-58s %8s\n' "$variant, 128 CPUs, million accesses per second (now, here)" \
    "$(sed 's/.*per_second \([0-9.]*\)M.*/\1/' <<<"$line")"
  at_most "  its peak memory, MiB" "$(sed 's/.*peak_mib \([0-9]*\) .*/\1/' <<<"$line")" 1024
done
line=$("$bench" percall7 256 20 run-ahead 64)
at_most "256 CPUs with 64 KiB of pressure each: peak memory, MiB" "$(sed 's/.*peak_mib \([0-9]*\) .*/\1/' <<<"$line")" 1024
exit $missed
