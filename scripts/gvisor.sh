#!/bin/sh
# Provides runsc for the wall `gvisor`: the host's own if it is new enough, else one that is built from the pinned Go
# module into .assay/gvisor (Debian's is of 2022, and no registry of packages has a current one). Takes one to three
# minutes the first time; when nothing has changed it does nothing. With `--if-go`, a host without Go is no failure.
set -eu
LC_ALL=C
export LC_ALL

cd "$(dirname -- "$0")/.."

MODULE=gvisor.dev/gvisor
PIN=v0.0.0-20260527191743-a81fd9dd382e
# What `runsc --version` is to say; a build of a module has no version of its own.
RELEASE=release-20260527.0
# The least that is used of a host; src/sandbox/find.ts holds the same.
RELEASE_MIN=20260501
FOLDER=.assay/gvisor
STAMP="$PIN $RELEASE"

say() { printf 'gvisor: %s\n' "$*" >&2; }

# leave TEXT…: there will be no gVisor.
leave() {
  say "$1"
  shift
  for line in "$@"; do say "  $line"; done
  if $if_go; then exit 0; fi
  exit 1
}

release_of() { "$1" --version 2>/dev/null | sed -n 's/^runsc version release-\([0-9]\{8\}\).*/\1/p'; }

if_go=false
if [ "${1:-}" = --if-go ]; then if_go=true; fi

if own=$(command -v runsc); then
  release=$(release_of "$own")
  if [ "${release:-0}" -ge "$RELEASE_MIN" ]; then
    say "the host's own, $own (release-$release)"
    exit 0
  fi
  say "$own is ${release:+of $release, }older than release-$RELEASE_MIN or of an unknown release, and is passed over"
fi

if [ -x "$FOLDER/runsc" ] && [ "$(cat "$FOLDER/stamp" 2>/dev/null)" = "$STAMP" ]; then exit 0; fi

case $(pwd -P)/ in
  /tmp/*)
    leave 'runsc does not work from below /tmp, over which it mounts a root of its own' \
      'move the checkout, or put a runsc elsewhere and name it with ASSAY_RUNSC'
    ;;
esac
command -v go >/dev/null 2>&1 ||
  leave "left out: there is no go on PATH to build runsc with" \
    "install Go, or put a runsc of release-$RELEASE_MIN or newer on PATH, or name one with ASSAY_RUNSC"

mkdir -p "$FOLDER" .assay/log
if command -v flock >/dev/null 2>&1; then
  exec 9>"$FOLDER/lock"
  flock 9
  if [ -x "$FOLDER/runsc" ] && [ "$(cat "$FOLDER/stamp" 2>/dev/null)" = "$STAMP" ]; then exit 0; fi
fi
rm -f "$FOLDER/stamp"
log=.assay/log/gvisor.log
say "building runsc with $(go version | cut -d' ' -f3) (one to three minutes)"
started=$(date +%s)
# Without cgo: a runsc that has it cannot execute itself anew.
if ! {
  status=0
  CGO_ENABLED=0 GOFLAGS= GOBIN="$(pwd)/$FOLDER" go install -v \
    -ldflags="-s -w -X $MODULE/runsc/version.version=$RELEASE" "$MODULE/runsc@$PIN" 2>&1 9>&- || status=$?
  echo "status $status"
} | tee "$log" | awk '
  { n++; last = $0 }
  n % 100 == 0 { printf "gvisor: %d steps done\n", n > "/dev/stderr" }
  END { exit last != "status 0" }'; then
  tail -n 25 "$log" | sed 's/^/  | /' >&2
  leave "FAILED: the build of runsc (whole output: $log)" "it needs Go's module proxy and Go 1.24 or newer"
fi
"$FOLDER/runsc" --version >/dev/null
printf '%s\n' "$STAMP" >"$FOLDER/stamp"
say "ready, $(($(date +%s) - started)) s"
