#!/bin/bash
# Compares `hitmark layout TYPE` byte for byte with `pahole -C TYPE` on the running kernel's BTF: the structs
# that hitmark is about, and N more drawn with a fixed seed. Prints each that differs and the rate.
#   pahole_parity.sh [HITMARK] [N] [SEED]        exit 0: the named ones are all equal; 1: one is not; 3: no pahole
set -uo pipefail
hitmark=${1:-build/release/hitmark}
count=${2:-100}
seed=${3:-20260101}
btf=/sys/kernel/btf/vmlinux
named="memcg_stock_pcp memcg_vmstats_percpu memcg_vmstats page_counter css_rstat_cpu obj_stock_pcp mem_cgroup sock"

for needed in pahole "$hitmark"; do
  if ! command -v "$needed" >/dev/null; then
    echo "pahole_parity: there is no $needed; install the package pahole, build with ./run build" >&2
    exit 3
  fi
done
if [ ! -r $btf ]; then
  echo "pahole_parity: $btf cannot be read" >&2
  exit 3
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# pahole lists the names (its stderr is full of kinds that it does not know); the draw depends on the seed only.
pahole --sizes $btf 2>/dev/null | awk -F'\t' '$1 ~ /^[A-Za-z_]/ { print $1 }' | LC_ALL=C sort -u >"$work/names"
draws() { awk -v seed="$seed" 'BEGIN { x = seed; for (;;) { x = (x * 16807) % 2147483647; print x } }'; }
paste -d' ' <(draws | head -n "$(wc -l <"$work/names")") "$work/names" |
  LC_ALL=C sort -n -s -k1,1 | head -n "$count" | cut -d' ' -f2 >"$work/drawn"

equal=0 differ=0 failed_named=0
compare() {
  pahole -C "$1" $btf >"$work/theirs" 2>/dev/null
  "$hitmark" layout "$1" >"$work/ours" 2>"$work/noise"
  if [ -s "$work/noise" ]; then echo "$1: $(head -1 "$work/noise")"; fi
  if [ -s "$work/theirs" ] && [ ! -s "$work/noise" ] && cmp -s "$work/theirs" "$work/ours"; then
    equal=$((equal + 1))
    return 0
  fi
  differ=$((differ + 1))
  echo "differs: $1"
  diff "$work/theirs" "$work/ours" | head -6
  return 1
}

for type in $named; do compare "$type" || failed_named=$((failed_named + 1)); done
echo "named: $((8 - failed_named)) of 8 equal"
equal=0 differ=0
while read -r type; do compare "$type"; done <"$work/drawn"
echo "drawn with seed $seed: $equal of $((equal + differ)) equal"
[ "$failed_named" -eq 0 ]
