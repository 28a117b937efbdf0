#!/usr/bin/env bash
# A fresh clone, the README's two commands: `./run study` within 10 minutes with the build and within 4 the
# second time, `./run test` within 15.
set -euo pipefail
clone=$(mktemp -d)
trap 'rm -rf "$clone"' EXIT
git clone -q . "$clone/hitmark"
cd "$clone/hitmark"
export CCACHE_DISABLE=1 XDG_STATE_HOME=$clone/state

timed() {  # timed LIMIT-SECONDS COMMAND...
  local limit=$1 started=$SECONDS took
  shift
  "$@" >"$clone/log" 2>&1 || { tail -n 40 "$clone/log"; echo "FAILED: $*"; return 1; }
  took=$((SECONDS - started))
  printf '%-24s %4d s (limit %d s)\n' "$*" "$took" "$limit"
  [ "$took" -le "$limit" ]
}

timed 600 ./run study
grep -q . "$clone/log"
timed 240 ./run study
timed 900 ./run test
