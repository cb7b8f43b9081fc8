#!/bin/sh
# Runs the sandbox tests where cgroup v2 is in force: here if this host has it, else in a virtual machine started by
# the wrapper that ASSAY_CGROUP_V2_VM names (`WRAPPER COMMAND…` runs COMMAND as root on such a machine, in this folder).
# A host without both is an error and no silent pass. Arguments are handed to the test runner.
set -eu
cd "$(dirname "$0")/.."
node=$PWD/node_modules/.bin/node
vitest=$PWD/node_modules/vitest/vitest.mjs
[ $# -gt 0 ] || set -- test/contract

if [ -n "${ASSAY_CGROUP_V2_VM:-}" ]; then
  # An emulated processor is up to twenty times slower than a real one.
  exec "$ASSAY_CGROUP_V2_VM" "$node" "$vitest" run --testTimeout 240000 --hookTimeout 240000 --no-file-parallelism "$@"
fi
controllers=$(cat /sys/fs/cgroup/cgroup.controllers 2>/dev/null || true)
case " $controllers " in
  *' memory '*) exec "$node" "$vitest" run "$@" ;;
esac
cat >&2 <<'WHY'
test-cgroup-v2: NOT RUN. This host has no cgroup v2 with the memory controller at /sys/fs/cgroup.
  Run it on a host that has (boot with systemd.unified_cgroup_hierarchy=1), or name a wrapper that starts a
  virtual machine which has: ASSAY_CGROUP_V2_VM=/path/to/wrapper
WHY
exit 1
