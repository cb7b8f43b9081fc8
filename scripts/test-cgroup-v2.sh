#!/bin/sh
# Proves the sandbox where cgroup v2 is in force: the supervisor's own tests, the contract suite, and the hostile suites
# that depend on it (warm and isolated runtimes, what a run leaves, its limits). Here if this host has it, else in a
# virtual machine started by the wrapper that ASSAY_CGROUP_V2_VM names (`WRAPPER COMMAND…` runs COMMAND as root on such a
# machine, in this folder). A host without both is an error and no silent pass. Arguments are handed to the test runner,
# which is then all that runs.
set -eu
cd "$(dirname "$0")/.."
emulated=
# In the machine this script is started again, with this word first.
if [ "${1:-}" = --emulated ]; then
  emulated=yes
  shift
elif [ -n "${ASSAY_CGROUP_V2_VM:-}" ]; then
  exec "$ASSAY_CGROUP_V2_VM" sh scripts/test-cgroup-v2.sh --emulated "$@"
fi
controllers=$(cat /sys/fs/cgroup/cgroup.controllers 2>/dev/null || true)
case " $controllers " in
  *' memory '*) ;;
  *)
    cat >&2 <<'WHY'
test-cgroup-v2: NOT RUN. This host has no cgroup v2 with the memory controller at /sys/fs/cgroup.
  Run it on a host that has (boot with systemd.unified_cgroup_hierarchy=1), or name a wrapper that starts a
  virtual machine which has: ASSAY_CGROUP_V2_VM=/path/to/wrapper
WHY
    exit 1
    ;;
esac
# An emulated processor is up to twenty times slower than a real one.
if [ -n "$emulated" ]; then
  export ASSAY_TEST_SLOWNESS=20
  # A version manager's shims take minutes there, on each start of a service.
  export PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin
fi
status=0
if [ $# -eq 0 ]; then
  set -- test/contract test/hostile/leftovers.test.ts test/hostile/isolate.test.ts test/hostile/resources.test.ts \
    test/hostile/processes.test.ts
  make -C runners check-jail NSJAIL="$PWD/.assay/bin/nsjail" ${emulated:+SLACK=8 RUNS=200} || status=1
fi
node_modules/.bin/node node_modules/vitest/vitest.mjs run --no-file-parallelism "$@" || status=1
exit $status
