"""Programs forked from a warm Node, against the same programs executed, in a real jail through the real supervisor.

As test_warm.py, whose reasons hold here too; what is Node's own are its threads and descriptors, which a fork gets anew.
Needs root, NSJAIL=path and a Node, NODE=path or this repository's. `test_node.py [none|v1]... [-k word]`.
"""

from __future__ import annotations

import glob
import os
import random
import re
import signal
import sys
import time
from typing import Any, Dict, List

import jail as wire
import warm as shared
from jail import SLACK, Jail, JailGone, frame
from warm import FORKED, RUNS, end_of, runtime_of, size_of, test

OWN = glob.glob(os.path.join(wire.HERE, "..", "..", "node_modules", "node-linux-*", "bin", "node"))
NODE = os.environ.get("NODE") or (OWN[0] if OWN else "/no/node")
ARGV = ["/opt/node", "main.js"]
ENV = ["PATH=/usr/bin:/bin", "HOME=/work", "LANG=C.UTF-8"]
RUNTIME = wire.Runtime(ARGV, ENV, "node-zygote.so", mounts={"/opt/node": NODE})
LIMITS: Dict[str, Any] = dict(processes=64, memory_bytes=512 << 20)


def options(warm: bool, o: Dict[str, Any]) -> Dict[str, Any]:
    return shared.options(warm, ENV, {**LIMITS, **o})


def node(j: Jail, text: str, warm: bool = True, argv: List[str] = ARGV, **o: Any) -> Dict[str, Any]:
    files = {"main.js": text.encode(), **o.pop("files", {})}
    return j.run(argv, files=files, **options(warm, o))


def submit(j: Jail, text: str, warm: bool = True, **o: Any) -> int:
    return j.submit(ARGV, files={"main.js": text.encode()}, **options(warm, o))


# A text, or a text and what its run is given.
PROGRAMS: Dict[str, Any] = {
    "says hello": "console.log('hello')",
    "exits": "process.exitCode = 3",
    "exits at once": "console.log(1); process.exit(4); console.log(2)",
    "throws": "null.x",
    "rejects": "Promise.reject(new Error('no'))",
    "is no program": "let let = (",
    "reads its input": ("console.log(require('fs').readFileSync(0, 'utf8'))", dict(stdin=b"a\nb\n")),
    "reads lines": ("require('readline').createInterface({ input: process.stdin }).on('line', (l) => console.log(l + '!'))",
                    dict(stdin=b"a\nb\nc")),
    "reads a stream": ("let n = 0; process.stdin.on('data', (d) => (n += d.length)).on('end', () => console.log(n))",
                       dict(stdin=b"line\n" * 100000)),
    "leaves its input": ("console.log(1); process.exit(0)", dict(stdin=b"line\n" * 100000)),
    "is a module": "import fs from 'node:fs'; console.log(import.meta.url, typeof require, await 5, fs.existsSync('main.js'))",
    "imports later": ("import('./other.mjs').then((m) => console.log(m.x))", dict(files={"other.mjs": b"export const x = 7"})),
    "requires another": ("console.log(require('./other').x, require('./data.json'))",
                         dict(files={"other.js": b"exports.x = __filename", "data.json": b"[1]"})),
    "is a module by its package": ("console.log(typeof require, import.meta.dirname)",
                                   dict(files={"package.json": b'{"type": "module"}'})),
    "has a package of its own": ("console.log(require('p'))", dict(files={"node_modules/p/index.js": b"module.exports = 'p'"})),
    "shows what it is": """
const fs = require('fs');
console.log(process.pid, process.ppid, process.argv, process.argv0, process.execArgv, process.execPath, process.title);
console.log(process.env, process.cwd(), process.umask(), process.getuid(), process.getgroups(), process.config.variables.napi_build_version);
console.log(require.main === module, module.id, module.paths, Object.keys(require.cache), __filename, process.moduleLoadList);
console.log(fs.readdirSync('/proc/self/fd'), fs.readdirSync('/proc/self/task'), fs.openSync('/work/main.js'));
console.log(fs.readFileSync('/proc/self/limits', 'utf8'), fs.readFileSync('/proc/self/oom_score_adj', 'utf8'));
console.log(fs.readFileSync('/proc/self/cmdline', 'utf8'));
console.log(fs.readFileSync('/proc/self/status', 'utf8').match(/^(Name|Umask|Tgid|Uid|Gid|Groups|Threads|Sig.*|Shd.*|Cap.*|NoNew.*|Seccomp.*):.*/gm));
console.log(Object.getOwnPropertyNames(globalThis), process.getActiveResourcesInfo(), process.listenerCount('exit'));
console.log([0, 1, 2].map((fd) => fs.fstatSync(fd).isFIFO()), process.stdin.constructor.name, process.stdout.isTTY);""",
    "hears signals": """
for (const name of ['SIGUSR2', 'SIGTERM', 'SIGHUP']) process.on(name, () => console.log(name));
for (const name of ['SIGUSR2', 'SIGTERM', 'SIGHUP']) process.kill(process.pid, name);
setTimeout(() => console.log('end'), 50);""",
    "starts the inspector": "process.kill(process.pid, 'SIGUSR1'); setTimeout(() => console.log('end'), 100)",
    "is terminated": "process.kill(process.pid, 'SIGTERM'); setTimeout(() => {}, 9000)",
    "kills itself": "process.kill(process.pid, 'SIGKILL')",
    "aborts": ("process.abort()", {}),
    "stops itself": ("process.kill(process.pid, 'SIGSTOP')", dict(wall_ms=400)),
    "kills everything": "try { process.kill(-1, 'SIGKILL') } catch (e) { console.log(e.code) } setTimeout(() => console.log('alive'), 20)",
    "signals all numbers": """
for (const pid of [1, ...Array.from({ length: 400 }, (_, i) => i + 9)])
  for (const name of ['SIGKILL', 'SIGTERM', 'SIGSTOP'])
    try { process.kill(pid, name); } catch {}
console.log('alive');""",
    "uses the pool of threads": """
const { pbkdf2, scrypt } = require('crypto');
const zlib = require('zlib');
pbkdf2('a', 'b', 1000, 8, 'sha256', (e, k) => console.log('k', k.toString('hex')));
zlib.gzip('x'.repeat(100000), (e, z) => zlib.gunzip(z, (e, u) => console.log('z', u.length)));
require('fs').readFile('main.js', (e, t) => console.log('f', t.length));
process.on('exit', () => console.log('exit'));""",
    "collects much": "let a = []; for (let i = 0; i < 1e6; i++) { a.push({ i }); if (a.length > 1e5) a = []; } console.log(a.length)",
    "is compiled hot": "let s = 0; function f(x) { return x * 31 % 17 } for (let i = 0; i < 1e7; i++) s += f(i); console.log(s)",
    "overflows its stack": "let n = 0; function f() { n++; f() } try { f() } catch (e) { console.log(e instanceof RangeError, n > 5000) }",
    "has workers": """
const { Worker, isMainThread, parentPort } = require('worker_threads');
if (isMainThread) {
  let left = 4, sum = 0;
  for (let i = 0; i < 4; i++)
    new Worker(__filename).on('message', (m) => { sum += m; if (--left === 0) console.log(sum); }).postMessage(i);
} else parentPort.once('message', (m) => parentPort.postMessage(m * 10));""",
    "waits for a worker": """
const { Worker } = require('worker_threads');
const cell = new Int32Array(new SharedArrayBuffer(4));
new Worker("const { workerData } = require('worker_threads'); Atomics.store(workerData, 0, 5); Atomics.notify(workerData, 0)", { eval: true, workerData: cell });
console.log(Atomics.wait(cell, 0, 0, 5000), cell[0]);""",
    "has children": """
const { execFileSync, spawn } = require('child_process');
console.log(execFileSync('/bin/sh', ['-c', 'echo $0 $HOME; exit 0'], { encoding: 'utf8' }));
console.log(execFileSync(process.execPath, ['-p', 'process.argv.length + process.ppid'], { encoding: 'utf8' }));
spawn('/bin/sh', ['-c', 'cat; exit 7']).on('close', (code) => console.log('closed', code)).stdin.end('x');""",
    "leaves a daemon": """
require('child_process').spawn('/bin/sh', ['-c', 'sleep 60'], { detached: true, stdio: 'ignore' }).unref();
console.log('end')""",
    "becomes a bomb": ("const { spawn } = require('child_process');\n"
                       "for (let i = 0; i < 500; i++) spawn('/bin/sleep', ['60']).on('error', () => {});\nsetTimeout(() => process.exit(0), 100)", dict(processes=24)),
    "spins": ("for (;;);", dict(cpu_ms=300)),
    "spins in a worker": ("new (require('worker_threads').Worker)('for (;;);', { eval: true })", dict(cpu_ms=300)),
    "sleeps": ("setTimeout(() => {}, 9000)", dict(wall_ms=300)),
    "floods": ("for (;;) require('fs').writeSync(1, 'x'.repeat(1000))", dict(output_bytes=100000)),
    "floods stderr": ("for (;;) require('fs').writeSync(2, 'x'.repeat(1000))", dict(output_bytes=100000)),
    "writes much": "process.stdout.write('x'.repeat(3e6)); process.stdout.write('end')",
    "takes memory": ("const a = []; for (;;) a.push(Buffer.alloc(1 << 20, 1))", dict(memory_bytes=128 << 20)),
    "takes heap": ("const a = []; for (;;) a.push(new Array(1000).fill(a.length))", dict(memory_bytes=128 << 20)),
    "fills its disk": ("require('fs').writeFileSync('f', Buffer.alloc(32 << 20))", dict(disk_bytes=8 << 20)),
    "has little disk": ("require('fs').writeFileSync('f', 'x'); console.log(require('fs').readdirSync('.'))", {}),
    "runs wasm": """
const bytes = Buffer.from('0061736d0100000001070160027f7f017f030201000707010361646400000a09010700200020016a0b', 'hex');
WebAssembly.instantiate(bytes).then(({ instance }) => console.log(instance.exports.add(2, 3)));""",
    "has a network of its own": """
require('net').createServer().on('error', (e) => console.log(e.code)).listen('/tmp/s', () => {
  require('net').connect('/tmp/s').on('connect', () => { console.log('connected'); process.exit(0) });
});""",
    "has contexts": "console.log(require('vm').runInNewContext('[1, 2].map((x) => x * 2)'), eval('6 * 7'), new Function('return 5')())",
    "waits at its end": "process.on('beforeExit', () => console.log('before')).on('exit', (c) => console.log('exit', c))",
    "is refused a watch": "const fs = require('fs'); const w = fs.watch('/tmp', () => { console.log('seen'); w.close() }); fs.writeFileSync('/tmp/x', '')",
    "reads others' memory": """
const fs = require('fs');
for (let pid = 1; pid < 200; pid++)
  for (const name of ['mem', 'environ', 'maps', 'fd/0', 'root/etc'])
    try { if (pid !== process.pid) { fs.readFileSync(`/proc/${pid}/${name}`); console.log(pid, name); } } catch {}
console.log('done');""",
    "looks for sockets": """
const fs = require('fs');
for (let fd = 0; fd < 1024; fd++) try { if (fs.fstatSync(fd).isSocket()) console.log('socket', fd); } catch {}
console.log(fs.readdirSync('/proc/self/fd').map((fd) => fs.readlinkSync(`/proc/self/fd/${fd}`).replace(/\\d+/, '')));""",
    "forges the status pipe": """
const fs = require('fs');
const report = Buffer.alloc(40); report.writeUInt32LE(4);
for (let fd = 21; fd < 256; fd++) try { fs.writeSync(fd, report); console.log('wrote', fd); } catch {}""",
    "writes where it can": """
const fs = require('fs');
for (const folder of ['/', '/usr', '/usr/bin', '/opt', '/assay', '/etc', '/dev', '/run', '/proc', '/proc/self'])
  try { fs.writeFileSync(folder + '/mark', ''); console.log('wrote in', folder); } catch {}
try { fs.writeFileSync('/proc/self/oom_score_adj', '-1000'); console.log('wrote'); } catch (e) { console.log(e.code); }""",
}
# What a race decides: which of its own threads the abort meets, which limit a bomb meets.
LOOSE = {"becomes a bomb"}


def difference(a: Dict[str, Any], b: Dict[str, Any]) -> List[str]:
    """What differs, from a little before the first difference on."""
    texts = []
    for key in a:
        if a[key] != b[key]:
            x, y = repr(a[key]), repr(b[key])
            at = max(0, len(os.path.commonprefix([x, y])) - 60)
            texts += ["%s forked   … %.600s" % (key, x[at:]), "%s executed … %.600s" % (key, y[at:])]
    return texts


@test
def ends_like_a_fresh_interpreter(j: Jail, grouped: bool) -> None:
    for name, row in PROGRAMS.items():
        text, given = row if isinstance(row, tuple) else (row, {})
        warm, cold = (node(j, text, is_warm, **{"cpu_ms": 4000, "wall_ms": 15000, **given}) for is_warm in (True, False))
        assert warm["flags"] & FORKED and not cold["flags"] & FORKED, (name, warm)
        if name in LOOSE:
            assert warm["cause"] in ("processes", "cpu", "memory", "exited", "signalled", "wall"), (name, warm)
        else:
            a, b = end_of(warm), end_of(cold)
            a["err"], b["err"] = (re.sub(rb"9229/\S+", b"", end["err"]) for end in (a, b))  # the inspector's random path
            # Addresses of the crash, and what the collector did until then.
            if b["signal"] in (signal.SIGABRT, signal.SIGTRAP) or name == "takes heap":
                del a["err"], b["err"]
            assert a == b, "%s: %s" % (name, "\n".join(difference(a, b)))
        clean = j.reset()
        assert clean["clean"], (name, clean)


@test
def is_executed_where_a_fresh_one_differs(j: Jail, grouped: bool) -> None:
    look = "console.log(process.argv.slice(2), process.env.X, process.execArgv, require('fs').lstatSync('main.js').isSymbolicLink())"
    for argv, env in [(ARGV + ["more"], ENV), (ARGV, ENV + ["X=1"]), (ARGV, ENV[1:]), (ARGV[:1] + ["--no-warnings", "main.js"], ENV)]:
        r = j.run(argv, files={"main.js": look.encode()}, **{**options(True, {}), "env": env})
        cold = j.run(argv, files={"main.js": look.encode()}, **{**options(False, {}), "env": env})
        assert not r["flags"] & FORKED and end_of(r) == end_of(cold), (r, cold)
    for files in {"other.js": b""}, {"main.js/x": b""}:
        warm, cold = (j.run(ARGV, files=files, **options(is_warm, {})) for is_warm in (True, False))
        assert not warm["flags"] & FORKED and end_of(warm) == end_of(cold) and warm["exit_code"] == 1, (warm, cold)


@test
def talks_with_a_live_program(j: Jail, grouped: bool) -> None:
    text = ("require('readline').createInterface({ input: process.stdin }).on('line', (l) => console.log(l.toUpperCase()))"
            ".on('close', () => console.log('end'))")
    for warm in True, False:
        n = j.live(ARGV, files={"main.js": text.encode()}, **options(warm, {}))
        for i in range(20):
            j.say(n, b"a%d\n" % i)
            assert j.hear(wire.OUTPUT) == b"A%d\n" % i
        j.end(n)
        r = j.result()
        assert r["cause"] == "exited" and r["exit_code"] == 0 and r["out"] == b"end\n", r
        assert bool(r["flags"] & FORKED) == warm, r["flags"]


@test
def shows_nothing_of_an_earlier_run(j: Jail, grouped: bool) -> None:
    dirty = """
const fs = require('fs');
const secret = 'SECRET' + '-OF-THE-FIRST-RUN';
globalThis.secret = Array.prototype.secret = fs.secret = process.env.SECRET = secret;
for (const folder of ['/work', '/tmp', '/dev/shm']) fs.writeFileSync(folder + '/' + secret, secret);
process.chdir('/tmp'); process.umask(0); process.title = secret; require('os').setPriority(19);
const keep = Array.from({ length: 1000 }, (_, i) => Buffer.from(secret + i).toString('latin1'));
fs.writeSync(1, 'unflushed'); process.reallyExit(0);"""
    look = """
const fs = require('fs');
console.log(globalThis.secret, [].secret, fs.secret, process.env, process.cwd(), process.umask(), process.title, require('os').getPriority());
console.log(['/work', '/tmp', '/dev/shm'].map((f) => fs.readdirSync(f)), fs.readdirSync('/proc/self/fd'));
let found = 0;
const memory = fs.openSync('/proc/self/mem');
for (const line of fs.readFileSync('/proc/self/maps', 'latin1').split('\\n')) {
  const [, from, to, rights] = /^(\\w+)-(\\w+) (\\S+)/.exec(line) ?? [];
  if (rights?.[0] !== 'r' || /vvar|vsyscall/.test(line) || line.includes('/opt/node')) continue;
  const length = parseInt(to, 16) - parseInt(from, 16);
  if (length > 64 << 20) continue;
  const bytes = Buffer.alloc(length);
  try { fs.readSync(memory, bytes, 0, length, BigInt('0x' + from)); } catch { continue; }
  // Never the whole of it in this process's own memory.
  for (let at = bytes.indexOf('SECRET-OF'); at >= 0; at = bytes.indexOf('SECRET-OF', at + 1))
    if (bytes.subarray(at + 9, at + 19).equals(Buffer.from('-THE-FIRST'))) found++;
}
console.log(found);"""
    fresh = node(j, look)
    assert fresh["exit_code"] == 0 and fresh["flags"] & FORKED and fresh["out"].endswith(b"\n0\n"), fresh
    for _ in range(3):
        r = node(j, dirty)
        assert r["exit_code"] == 0 and r["out"] == b"unflushed" and r["flags"] & FORKED, r
        assert end_of(node(j, look)) == end_of(fresh), end_of(node(j, look))


@test
def never_repeats_random_bytes(j: Jail, grouped: bool) -> None:
    text = ("const { randomBytes, randomUUID, randomInt } = require('crypto');\n"
            "console.log(Math.random(), randomBytes(8).toString('hex'), randomUUID(), crypto.randomUUID(), randomInt(2 ** 47));\n"
            "console.log(require('vm').runInNewContext('Math.random()'), require('fs').mkdtempSync('/tmp/x'));")
    outputs = [node(j, text)["out"] for _ in range(20)]
    parts = [p for out in outputs for p in out.split()]
    assert len(set(parts)) == len(parts) == 140, outputs[:3]


@test
def holds_the_same_arrays(j: Jail, grouped: bool) -> None:
    """The largest array that fits a limit, by halving."""
    if not grouped:  # By resident sets a look every 20 ms decides.
        return
    text = "const b = Buffer.alloc(%d << 20, 1); console.log(b.length)"
    largest = []
    for warm in True, False:
        low, high = 0, 256
        while high - low > 1:
            middle = (low + high) // 2
            r = node(j, text % middle, warm, memory_bytes=256 << 20)
            low, high = (middle, high) if r["cause"] == "exited" else (low, middle)
        largest.append(low)
    print("     largest array in 256 MiB: forked %d MiB, executed %d MiB" % tuple(largest))
    assert 0 <= largest[0] - largest[1] <= 12, largest


@test
def cancels_at_any_moment(j: Jail, grouped: bool) -> None:
    rng = random.Random(5)
    cancelled = 0
    for i in range(RUNS // 4):
        submit(j, "for (let i = 0; i < 3; i++) console.log('x'.repeat(100000))", warm=i % 5 != 4)
        if i % 3 == 0:
            submit(j, "process.stdin.resume()", stdin=b"1\n" * 1000)
        time.sleep(rng.random() * 0.016 * SLACK)
        j.cancel()
        for _ in range(2 if i % 3 == 0 else 1):
            r = j.result()
            assert r["cause"] in ("cancelled", "exited"), r
            cancelled += r["cause"] == "cancelled"
        if i % 20 == 0:
            assert node(j, "console.log(1)")["out"] == b"1\n"
            assert j.reset()["clean"]
    assert cancelled, "nothing was cancelled"


@test
def keeps_a_window_of_both_kinds(j: Jail, grouped: bool) -> None:
    submit(j, "console.log(0)")
    for i in range(1, 30):
        submit(j, "console.log(require('fs').readFileSync(0, 'utf8').trim())", warm=i % 3 != 0, stdin=b"%d\n" % i)
        r = j.result()
        assert r["out"] == b"%d\n" % (i - 1) and bool(r["flags"] & FORKED) == ((i - 1) % 3 != 0 or i == 1), r
    assert j.result()["out"] == b"29\n"


@test
def is_killed_at_any_moment(j: Jail, grouped: bool) -> None:
    for ms in range(1, 12):
        r = node(j, "const { Worker } = require('worker_threads');\nfor (let i = 0; i < 3; i++) new Worker('for (;;);', { eval: true });\nfor (;;);", wall_ms=ms)
        assert r["cause"] == "wall", r
    assert j.reset()["clean"]


@test
def does_not_grow(j: Jail, grouped: bool) -> None:
    pid = runtime_of(j)
    for _ in range(20):
        node(j, "console.log(1)")
    before = size_of(pid)
    started = time.monotonic()
    for i in range(RUNS // 2):
        assert node(j, "const x = []; for (let i = 0; i < 1e4; i++) x.push({ i });\nconsole.log(%d)" % i)["out"] == b"%d\n" % i
    took = time.monotonic() - started
    after = size_of(pid)
    print("     %d runs, %.2f ms each; runtime %s KiB, descriptors, then %s" % (RUNS // 2, took / (RUNS // 2) * 1000, before, after))
    assert after[0] < before[0] + 512 and after[1] == before[1], (before, after)


@test
def says_when_its_runtime_has_died(j: Jail, grouped: bool) -> None:
    jail = shared.LAUNCHER.jail()  # type: ignore[union-attr]
    os.kill(runtime_of(jail), signal.SIGKILL)
    try:
        jail.send(frame(wire.RESET, 0, 0))
        time.sleep(0.1 * SLACK)
        node(jail, "console.log(1)")
        raise AssertionError("a run without its runtime")
    except JailGone as gone:
        assert "warm runtime" in str(gone) or "end of file" in str(gone), gone
    except (BrokenPipeError, ConnectionResetError):
        pass
    jail.close()


if __name__ == "__main__":
    # What one uid changes is the same for all runtimes, and tested with Python.
    sys.exit(shared.main(RUNTIME, own_uids=(True,)))
