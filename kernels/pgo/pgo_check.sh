#!/bin/sh
# Usage: pgo_check.sh SOURCE_DIR WORK_DIR [CXX]   (target pgo_check)
# Tests the patch's remark that consume is not inlined in a build with profiles although most charges end in it:
# builds percall7 with inlining left to the compiler, without and with a profile of its own pairs, and states
# what was inlined into what. Only says; exit 0 whatever the finding.
set -eu
source=$1 work=$2 cxx=${3:-g++}
mkdir -p "$work"
cd "$work"
flags="-std=c++20 -O2 -I$source -fno-strict-aliasing -fno-delete-null-pointer-checks -fno-stack-protector
       -fcf-protection=none -falign-functions=64 -DHITMARK_COMPILER_DECIDES"
variant=$source/kernels/memcg/sock_charge_percall7.cpp

for file in memcg/state memcg/state_check memory/arena_digest memory/plain_arena memory/gs_base pgo/pair_loop; do
  "$cxx" $flags -c "$source/kernels/$file.cpp" -o "$(basename "$file").o"
done

# The calls of function $2 inside function $3 of object $1, one a line.
calls() {
  objdump -d -C --no-show-raw-insn "$1" |
    awk -v callee="::$2<" -v caller="::$3<" '
      /^[0-9a-f]+ <.*>:$/ { inside = index($0, caller) && /NativeCpu/ }
      inside && /(call|jmp) +[0-9a-f]+ </ && index($0, callee) && !/clone \.cold/ && !index($0, caller)'
}

state_inlining() { # NAME
  for pair in "consume try_charge" "try_charge charge" "refill uncharge"; do
    set -- "$1" $pair
    if [ -n "$(calls "$1.o" "$2" "$3")" ]; then
      echo "  $3 calls $2"
    else
      echo "  $3 does not call $2"
    fi
  done
}

echo "$("$cxx" --version | head -n 1), -O2, percall7 with inlining left to the compiler"
"$cxx" $flags -c "$variant" -o plain.o
echo "without a profile:"
state_inlining plain

rm -f variant.gcda
"$cxx" $flags -fprofile-generate -c "$variant" -o variant.o
"$cxx" -fprofile-generate -o instrumented variant.o state.o state_check.o plain_arena.o gs_base.o pair_loop.o
./instrumented
"$cxx" $flags -fprofile-use -Werror=missing-profile -c "$variant" -o variant.o
cp variant.o profiled.o
echo "with a profile of 10^6 pairs that hit the stock:"
state_inlining profiled
