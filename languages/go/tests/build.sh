#!/bin/sh
# Builds a program with its tests, in the work folder of a jail: build.sh GOROOT PREPARED COUNT. The program's files lie in
# `program`, each variant of the tests in `tests/N`; leaves `tests-N`. Nothing of either is executed. Of the program's
# module counts its name and its version of the language; packages that it brings along are never taken for others.
set -eu

prepared=$2
count=$3
export GOROOT="$1" GOCACHE="$prepared/cache" GOPATH=/tmp/go HOME=/tmp GOWORK=off
. "$prepared/settings.sh"

said() { sed -n "s/^$1[[:space:]]\{1,\}\([^[:space:]]\{1,\}\).*/\1/p" "$2" | tr -d '"' | head -n 1; }

module=
version=
for file in tests/0/go.mod program/go.mod; do
  if [ -f "$file" ] && [ -z "$module" ]; then
    module=$(said module "$file")
    version=$(said go "$file")
  fi
done
case $module in '' | *[!A-Za-z0-9._/-]*) module=solution ;; esac
if [ -z "$version" ]; then version=$(sed -n '1s/^go\([0-9]*\.[0-9]*\).*/\1/p' "$GOROOT/VERSION"); fi

first=$(cd tests/0 && find . -name '*_test.go' | head -n 1)
folder=${first%/*}

n=0
while [ "$n" -lt "$count" ]; do
  rm -rf build
  mkdir -p build
  if [ -d program ]; then cp -R program/. build; fi
  cp -R "tests/$n/." build
  rm -rf build/vendor build/go.sum build/go.work build/internal/assaynote
  printf 'module %s\n\ngo %s\n' "$module" "$version" >build/go.mod
  # What is embedded is read by the program, and the tests say what they expect.
  if grep -rqs '//go:embed' build --include='*.go' &&
    (cd build && "$GOROOT/bin/go" list -e -f '{{range .EmbedFiles}}{{println .}}{{end}}' ./... 2>/dev/null) | grep -q '_test\.go$'; then
    echo 'a program may not embed its tests' >&2
    exit 1
  fi
  # A package of the same module, for one from elsewhere would be looked up in a cache that can be written.
  mkdir -p build/internal/assaynote
  cp "$prepared/note/note.go" build/internal/assaynote
  sed -i "s#^\(package [^;]*;import assaynote \)\"assay.local/note\"#\1\"$module/internal/assaynote\"#" build/"$folder"/*_test.go
  (cd build && "$GOROOT/bin/go" test -c -vet=off -ldflags '-s -w' -o "../tests-$n" "$folder") >&2
  n=$((n + 1))
done
