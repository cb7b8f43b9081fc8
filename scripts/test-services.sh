#!/bin/sh
# Installs the Debian packages of other services that some tests start (each on a port of its own, on loopback). Only CI
# calls it: on a machine without them those tests are left out, and say so. Needs root and apt-get; else tells what to do.
set -eu

# A program that is there, and the package that brings it.
NEEDED='redis-server:redis-server chromium:chromium promtool:prometheus haproxy:haproxy'

missing=''
for pair in $NEEDED; do
  command -v "${pair%%:*}" >/dev/null 2>&1 || missing="$missing ${pair#*:}"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null 2>&1; then
  echo "test services: not installed:$missing; the tests that need them are left out (Debian: apt-get install$missing)" >&2
  exit 0
fi

# Installed, but not started by the system.
export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
# Words are packages.
# shellcheck disable=SC2086
install() { apt-get install -y -qq --no-install-recommends $missing; }
echo "test services: installing$missing" >&2
{ install || { apt-get update -qq && install; }; } >/dev/null || {
  echo "test services: apt-get could not install$missing; the tests that need them are left out" >&2
}
