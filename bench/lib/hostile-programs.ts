/**
 * Programs that try to harm: floods, bombs, daemons, sleepers. The right verdict is that of a program that failed by
 * its own doing, never a fault. Those that do their harm beside a correct answer are `accepted`: the answer is right
 * and the harm is contained.
 */
import type { Verdict } from '../../src/domain/verdict.ts';
import type { Program } from './programs.ts';

interface Hostile {
  readonly name: string;
  readonly language: string;
  readonly right: readonly Verdict[];
  /** Default: short ones. */
  readonly times?: { readonly cpu_ms: number; readonly wall_ms: number };
  readonly limits?: Readonly<Record<string, number>>;
  readonly code: string;
}

const LIMITS = { memory_mb: 128, processes: 32, output_kb: 1024, disk_mb: 8 };
/** For programs that run until a time limit ends them. */
const SHORT_TIMES = { cpu_ms: 300, wall_ms: 700 };
/** For programs that end by another limit, however busy the machine is. */
const AMPLE_TIMES = { cpu_ms: 10_000, wall_ms: 30_000 };

const FAILED_SOMEHOW: readonly Verdict[] = [
  'runtime_error',
  'time_limit',
  'memory_limit',
  'wrong_answer',
];

const PROGRAMS: readonly Hostile[] = [
  {
    name: 'fork-bomb',
    language: 'python',
    right: FAILED_SOMEHOW,
    code: 'import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass\n',
  },
  {
    name: 'fork-bomb',
    language: 'bash',
    right: FAILED_SOMEHOW,
    code: 'b() { b | b & }\nb\nwait\n',
  },
  {
    name: 'fork-bomb',
    language: 'c',
    right: FAILED_SOMEHOW,
    code: '#include <unistd.h>\nint main(void) { for (;;) fork(); }\n',
  },
  {
    name: 'thread-bomb',
    language: 'cpp',
    right: FAILED_SOMEHOW,
    code: '#include <thread>\n#include <unistd.h>\nint main() { for (;;) std::thread([] { pause(); }).detach(); }\n',
  },
  {
    name: 'flood',
    language: 'python',
    right: ['output_limit'],
    times: AMPLE_TIMES,
    code: "import sys\nwhile True:\n    sys.stdout.write('x' * 65536)\n",
  },
  {
    name: 'flood',
    language: 'bash',
    right: ['output_limit'],
    times: AMPLE_TIMES,
    limits: { output_kb: 64 },
    code: 'while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done\n',
  },
  {
    name: 'flood-stderr',
    language: 'c',
    right: ['output_limit'],
    times: AMPLE_TIMES,
    code: '#include <string.h>\n#include <unistd.h>\nstatic char b[65536];\nint main(void) { memset(b, 120, sizeof b); for (;;) if (write(2, b, sizeof b) < 0) return 1; }\n',
  },
  {
    name: 'oom',
    language: 'python',
    right: ['memory_limit'],
    times: AMPLE_TIMES,
    limits: { memory_mb: 64 },
    code: 'held = []\nwhile True:\n    held.append(bytearray(1 << 20))\n',
  },
  {
    name: 'oom',
    language: 'c',
    right: ['memory_limit'],
    times: AMPLE_TIMES,
    limits: { memory_mb: 64 },
    code: '#include <stdlib.h>\nint main(void) { for (;;) { volatile char *p = malloc(1 << 20); if (!p) return 1; for (int i = 0; i < 1 << 20; i += 4096) p[i] = 1; } }\n',
  },
  {
    name: 'oom',
    language: 'javascript',
    right: ['memory_limit', 'runtime_error'],
    times: AMPLE_TIMES,
    code: 'const held = [];\nfor (;;) held.push(Buffer.alloc(1 << 20, 1));\n',
  },
  {
    name: 'sleeper',
    language: 'python',
    right: ['time_limit'],
    code: 'import time\ntime.sleep(60)\n',
  },
  {
    name: 'sleeper',
    language: 'javascript',
    right: ['time_limit'],
    code: 'setTimeout(() => {}, 60000);\n',
  },
  {
    name: 'stops-itself',
    language: 'c',
    right: ['time_limit'],
    code: '#include <signal.h>\nint main(void) { raise(SIGSTOP); return 0; }\n',
  },
  {
    name: 'ignores-sigterm',
    language: 'python',
    right: ['time_limit'],
    code: 'import signal\nfor s in range(1, 65):\n    try:\n        signal.signal(s, signal.SIG_IGN)\n    except (OSError, ValueError):\n        pass\nwhile True:\n    signal.pause()\n',
  },
  {
    name: 'daemon',
    language: 'python',
    right: ['accepted'],
    times: AMPLE_TIMES,
    code: 'import os, sys, time\na, b = map(int, sys.stdin.read().split())\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        while True:\n            time.sleep(60)\n    os._exit(0)\nos.wait()\nprint(a + b, flush=True)\n',
  },
  {
    name: 'spinning-daemons',
    language: 'c',
    right: ['accepted', 'time_limit'],
    times: { cpu_ms: 1000, wall_ms: 2000 },
    code: '#include <stdio.h>\n#include <unistd.h>\nint main(void) { long a, b; if (scanf("%ld %ld", &a, &b) != 2) return 1; for (int i = 0; i < 4; i++) if (fork() == 0) { setsid(); for (;;) ; } printf("%ld\\n", a + b); return 0; }\n',
  },
  {
    name: 'kill-all',
    language: 'c',
    right: ['accepted', 'runtime_error'],
    times: AMPLE_TIMES,
    code: '#include <signal.h>\n#include <stdio.h>\nint main(void) { long a, b; if (scanf("%ld %ld", &a, &b) != 2) return 1; kill(-1, SIGKILL); printf("%ld\\n", a + b); return 0; }\n',
  },
  {
    name: 'fills-disk',
    language: 'python',
    right: ['runtime_error', 'memory_limit'],
    times: AMPLE_TIMES,
    code: "with open('big', 'wb') as f:\n    while True:\n        f.write(b'x' * 65536)\n",
  },
  {
    name: 'uses-up-inodes',
    language: 'c',
    right: ['runtime_error', 'time_limit', 'memory_limit'],
    code: '#include <fcntl.h>\n#include <stdio.h>\n#include <unistd.h>\nint main(void) { char n[32]; for (int i = 0;; i++) { snprintf(n, sizeof n, "f%d", i); int fd = open(n, O_CREAT | O_WRONLY, 0600); if (fd < 0) return 1; close(fd); } }\n',
  },
  {
    name: 'uses-up-fds',
    language: 'python',
    right: ['runtime_error'],
    times: AMPLE_TIMES,
    code: 'import os\nheld = []\nwhile True:\n    held.append(os.pipe())\n',
  },
  {
    name: 'closes-streams',
    language: 'python',
    right: ['wrong_answer'],
    times: AMPLE_TIMES,
    code: 'import os\nfor fd in range(3):\n    os.close(fd)\nos._exit(0)\n',
  },
  {
    name: 'shared-memory',
    language: 'python',
    right: ['runtime_error', 'memory_limit'],
    times: AMPLE_TIMES,
    code: "with open('/dev/shm/left', 'wb') as f:\n    while True:\n        f.write(b'x' * 65536)\n",
  },
];

export const HOSTILE_PROGRAMS: readonly Program[] = PROGRAMS.map((hostile) => ({
  name: `${hostile.language}/${hostile.name}`,
  language: hostile.language,
  code: hostile.code,
  right: hostile.right,
  limits: { ...LIMITS, ...(hostile.times ?? SHORT_TIMES), ...hostile.limits },
  cases: 1,
  share: 2,
}));
