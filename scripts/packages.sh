#!/bin/sh
# Unpacks the Python packages of environments that have any (languages/python/packages), for the Python that is served, and
# JUnit for test runners (languages/java/packages) where there are a JDK and mvn.
# As often as one likes, as any user who owns the checkout: when nothing has changed since the last time it compares
# checksums and ends. Needs the project's own Node (scripts/setup.sh) and a python3 with pip.
set -eu
LC_ALL=C
export LC_ALL

cd "$(dirname -- "$0")/.."

STAMP=.assay/packages.stamp
LOG=.assay/log/packages.log

# Everything that decides what has to be there.
fingerprint() {
  cksum scripts/packages.sh languages/python/*.ts languages/shared/*.ts languages/python/packages/*
  cksum languages/java/install-junit.ts languages/java/packages/* languages/java/tests/*/*.java languages/java/tests/runner/*/*
  echo "${ASSAY_PYTHON:-}" "$PATH"
  # The interpreters themselves, and the shims that lead to them. Some of them are not there.
  ls -lLd ${ASSAY_PYTHON:+"$ASSAY_PYTHON"} /usr/bin/python3 "$(command -v python3 || echo /)" 2>/dev/null || true
  ls -d .assay/toolchains/python-* .assay/toolchains/junit-* 2>/dev/null || true
  ls -lLd "$(command -v javac || echo /)" "$(command -v mvn || echo /)" /usr/lib/jvm 2>/dev/null || true
}

is_ready() { [ -f "$STAMP" ] && [ "$(cat "$STAMP")" = "$(fingerprint)" ]; }

if is_ready; then exit 0; fi

mkdir -p .assay/log
if command -v flock >/dev/null 2>&1; then
  exec 9>.assay/packages.lock
  flock -n 9 || {
    echo 'packages: waiting for another installation' >&2
    flock 9
    if is_ready; then exit 0; fi
  }
fi

rm -f "$STAMP"
# Its progress comes on standard error, what pip says on standard output.
node_modules/.bin/node languages/python/install-packages.ts >"$LOG" 9>&- </dev/null || {
  tail -n 15 "$LOG" | sed 's/^/  | /' >&2
  echo "packages: FAILED (whole output: $LOG); pip must reach its registry or find the wheels that the pins name" >&2
  exit 1
}
# What is not there now may be there the next time.
node_modules/.bin/node languages/java/install-junit.ts >>"$LOG" 9>&- </dev/null || {
  tail -n 15 "$LOG" | sed 's/^/  | /' >&2
  echo "packages: JUnit is left out (whole output: $LOG); mvn must reach its repository" >&2
  exit 0
}
fingerprint >"$STAMP.new"
mv "$STAMP.new" "$STAMP"
