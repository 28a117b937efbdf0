#!/usr/bin/env bash
# `cmake --install` and the .deb hold what a user needs, and the installed program works by itself.
set -euo pipefail
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
DESTDIR=$root cmake --install build/release --prefix /usr >/dev/null
"$root/usr/bin/hitmark" --version
"$root/usr/bin/hitmark" layout diff >/dev/null || [ $? -eq 1 ]
for file in bin/hitmark-microbench share/man/man1/hitmark.1 share/bash-completion/completions/hitmark; do
  test -s "$root/usr/$file"
  echo "installed: $file"
done
(cd build/release && cpack -G DEB >/dev/null)
package=$(ls build/release/hitmark_*.deb)
dpkg-deb --field "$package" Depends
dpkg-deb --contents "$package" | awk '{print $6}' | grep -x './usr/bin/hitmark'
