#!/bin/sh
# Proves the sandbox where cgroup v2 is in force: the runners' own suites, the contract suites, and all hostile ones, each
# a part of its own. Here if this host has it, else each part in a virtual machine started by the wrapper that
# ASSAY_CGROUP_V2_VM names, with its options if any (`WRAPPER COMMAND…` runs COMMAND as root on such a machine, in this
# folder, and gives the command's exit code; an emulated one needs an hour for a part). A host without both is an error
# and no silent pass. `-- ARGUMENTS` runs the test runner with these alone; other arguments name parts.
set -eu
cd "$(dirname "$0")/.."
PARTS="supervisor warm-own-uid warm-one-uid node contract $(cd test/hostile && echo *.test.ts */*.test.ts)"

# Runs one part, where cgroup v2 is.
run_part() {
  jail_tests="env BUILD=$PWD/runners/build NSJAIL=$PWD/.assay/bin/nsjail PYTHONDONTWRITEBYTECODE=1 python3 runners/test"
  case $1 in
    supervisor) $jail_tests/test_supervisor.py v2 ;;
    warm-own-uid) $jail_tests/test_warm.py v2 own-uid ;;
    warm-one-uid) $jail_tests/test_warm.py v2 one-uid ;;
    node) $jail_tests/test_node.py v2 ;;
    contract) run_vitest test/contract ;;
    *.test.ts) run_vitest "test/hostile/$1" ;;
    *)
      echo "test-cgroup-v2: there is no part $1, only $PARTS" >&2
      return 1
      ;;
  esac
}

run_vitest() {
  node_modules/.bin/node node_modules/vitest/vitest.mjs run --no-file-parallelism "$@"
}

has_v2() {
  case " $(cat /sys/fs/cgroup/cgroup.controllers 2>/dev/null || true) " in
    *' memory '*) return 0 ;;
    *) return 1 ;;
  esac
}

# In the machine this script is started again, with this word first.
if [ "${1:-}" = --emulated ]; then
  shift
  has_v2 || { echo 'test-cgroup-v2: the virtual machine has no cgroup v2 with the memory controller' >&2; exit 1; }
  # An emulated processor is up to twenty times slower than a real one.
  export ASSAY_TEST_SLOWNESS=20 SLACK=8 RUNS=100 NO_COLOR=1
  # A version manager's shims take minutes there, on each start of a service.
  export PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin
  if [ "${1:-}" = -- ]; then
    shift
    run_vitest "$@"
  else
    run_part "$1"
  fi
  exit
fi

if [ -z "${ASSAY_CGROUP_V2_VM:-}" ] && ! has_v2; then
  cat >&2 <<'WHY'
test-cgroup-v2: NOT RUN. This host has no cgroup v2 with the memory controller at /sys/fs/cgroup.
  Run it on a host that has (boot with systemd.unified_cgroup_hierarchy=1), or name a wrapper that starts a
  virtual machine which has: ASSAY_CGROUP_V2_VM="/path/to/wrapper [OPTIONS]"
WHY
  exit 1
fi
start() {
  if [ -n "${ASSAY_CGROUP_V2_VM:-}" ]; then
    # The wrapper's options are words of their own.
    # shellcheck disable=SC2086
    $ASSAY_CGROUP_V2_VM sh scripts/test-cgroup-v2.sh --emulated "$@"
  elif [ "$1" = -- ]; then
    shift
    run_vitest "$@"
  else
    run_part "$1"
  fi
}

if [ "${1:-}" = -- ]; then
  start "$@"
  exit
fi
[ $# -gt 0 ] || eval "set -- $PARTS"
make -s -C runners all
log=$(mktemp)
table=$(mktemp)
trap 'rm -f "$log" "$table"' EXIT
failures=0
for part in "$@"; do
  printf '\n== %s\n' "$part"
  # Of a pipeline, the shell tells the last command's status alone.
  { start "$part" 2>&1 && echo 'part: passed' || echo 'part: failed'; } | tee "$log"
  result=$(sed -n '$s/^part: //p' "$log")
  [ "$result" = passed ] || failures=$((failures + 1))
  counts=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -1 || true)
  [ -n "$counts" ] || counts="$(grep -c '^ok ' "$log" || true) passed, $(grep -c '^FAIL ' "$log" || true) failed"
  printf '%-28s %-7s %s\n' "$part" "$result" "$counts" >>"$table"
done
printf '\n== cgroup v2\n'
cat "$table"
[ "$failures" -eq 0 ]
