#!/bin/bash
# Makes the fixtures from their sources (g++ 12, pahole 1.24). Run it only when a source changes, and look at
# what changes in the approved outputs: layouts_*.approved.txt are pahole's own words, never edited by hand.
set -euo pipefail
cd "$(dirname "$0")"
link="-shared -nostdlib -Wl,-z,noseparate-code -Wl,--build-id=none"
cc="-O0 -fPIC -ffile-prefix-map=$PWD=."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

gcc $cc -g -gdwarf-5 $link layouts.c -o layouts_c.elf
gcc $cc -g -gdwarf-2 -gstrict-dwarf -c layouts.c -o layouts_dwarf2.o
gcc $cc -g0 $link -s layouts.c -o stripped.elf
g++ $cc -g -gdwarf-5 -fno-rtti -fno-exceptions -shared -nostdlib -Wl,-z,noseparate-code -Wl,--build-id=none \
    layouts.cpp other.cpp -o layouts_cpp.elf
g++ $cc -g -gdwarf-4 -fdebug-types-section -fno-rtti -fno-exceptions -shared -nostdlib -Wl,-z,noseparate-code \
    -Wl,--build-id=none layouts.cpp -o type_units.elf
cp layouts_c.elf "$work/with_btf.elf"
pahole -J "$work/with_btf.elf"
objcopy -O binary --only-section=.BTF --set-section-flags .BTF=alloc "$work/with_btf.elf" layouts.btf
objcopy --strip-debug "$work/with_btf.elf" btf_section.elf
for type in simple holes bits nested pointers enums aligned packed flexible large empty choice; do
  pahole -F btf -C $type "$work/with_btf.elf" 2>/dev/null
done > layouts_btf.approved.txt
for type in simple holes bits nested pointers enums aligned packed flexible large empty choice; do
  pahole -F dwarf -C $type layouts_c.elf
done > layouts_dwarf.approved.txt
