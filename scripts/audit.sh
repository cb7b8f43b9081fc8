#!/bin/sh
# Asks the npm registry whether versions in package-lock.json have known weaknesses: those that the service runs with, and
# the rest. Fails for a high or critical one of the first. Needs the network, so that it is no part of CI.
set -eu
cd "$(dirname -- "$0")/.."
# The lock file has no addresses; npm asks the registry of the user's configuration. .npmrc switches audits off at install.
echo 'audit: what the service runs with' >&2
npm audit --omit=dev --audit=true --audit-level=high
echo 'audit: tools of the project (told only)' >&2
npm audit --audit=true || true
