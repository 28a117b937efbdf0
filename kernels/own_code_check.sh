#!/bin/sh
# Usage: own_code_check.sh OBJECT...   Exit 1 when a native function of a variant refers to code outside its own
# object file. Every variant and its copy need all their code to themselves (variant.hpp): then calls between
# functions are resolved by the assembler, and a relocation in one of them names a function that is shared.
set -eu
status=0
for object in "$@"; do
  case $object in
    *sock_charge*) least=15 ;;
    *) least=5 ;; # two operations and three events
  esac
  shared=$(objdump -dr --no-show-raw-insn "$object" | awk -v least=$least '
    /^[0-9a-f]+ <.*>:$/ { name = $2; native = name ~ /9NativeCpu|_16NativeI/; functions += native }
    native && /R_X86_64_/ && $3 !~ /^\.(text|rodata)/ && $3 !~ /^__rseq_cs/ { print "  " name " refers to " $3 }
    END { if (functions < least) print "  only " functions + 0 " native functions found: this check does not see the variant" }')
  if [ -n "$shared" ]; then
    echo "$object:"
    echo "$shared"
    status=1
  fi
done
exit $status
