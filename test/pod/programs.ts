/** What is judged in a pod, with what must come of it; and what the pod's service says. Data, but for the long list. */
import { aJudge, type JudgeRequestBody } from '../support/builders.ts';
import {
  humanEvalPrograms,
  selfTestPrograms,
  stdinPrograms,
  type KnownProgram,
} from '../support/known-programs.ts';

export interface PodAnswer {
  readonly name: string;
  readonly verdict: string | null;
  readonly passed: number;
  readonly total: number;
  readonly reward: number | null;
  readonly wall: string | null;
  readonly fault: string | null;
}

interface PodMeans {
  readonly groups: number;
  readonly mounts: number;
  readonly processes: readonly string[];
}

/** What a pod holds besides the service, before it and after it. */
export interface PodLeft {
  readonly before: PodMeans;
  readonly after: PodMeans;
}

/** A line of what the pod prints. */
export type PodLine = { readonly answer: PodAnswer } | { readonly left: PodLeft };

export interface PodProgram extends KnownProgram {
  /** The verdicts that it may have. */
  readonly expected: readonly string[];
}

/** Where the service listens, in a network that is the pod's. */
export const POD_PORT = 8080;

const LIMITS = { cpu_ms: 3000, wall_ms: 9000, memory_mb: 128, processes: 16 };

function program(
  name: string,
  language: string,
  code: string,
  ...expected: readonly string[]
): PodProgram {
  const request: JudgeRequestBody = aJudge({
    language,
    code,
    limits: LIMITS,
    cases: [{ stdin: '1 2\n', expected_stdout: '3\n' }],
  });
  return { name: `${language} ${name}`, language, request, expected };
}

/** Prints 3 where what it tries does not work. */
const py = (name: string, tries: string): PodProgram =>
  program(name, 'python', `import os, socket, ctypes\n${tries}\nprint(3)\n`, 'accepted');

export const PROGRAMS: readonly PodProgram[] = [
  program('right', 'python', 'print(sum(map(int, input().split())))', 'accepted'),
  program('wrong', 'python', 'print(4)', 'wrong_answer'),
  program('exits', 'python', 'import sys\nsys.exit(0)', 'wrong_answer'),
  program('spins', 'python', 'while True: pass', 'time_limit'),
  program('sleeps', 'python', 'import time\ntime.sleep(60)', 'time_limit'),
  program('fills memory', 'python', 'x = []\nwhile True: x.append(b"x" * 1048576)', 'memory_limit'),
  program('is killed', 'python', 'import os\nos.kill(os.getpid(), 9)', 'runtime_error'),
  program(
    'forks without end',
    'python',
    'import os\nwhile True:\n    try: os.fork()\n    except OSError: pass',
    'time_limit',
    'memory_limit',
    'runtime_error',
  ),
  program(
    'kills all it can',
    'python',
    'import os\ntry: os.kill(-1, 9)\nexcept ProcessLookupError: pass\nprint(3)',
    'accepted',
    'runtime_error',
  ),
  py(
    'sees no process but its own',
    'assert len([p for p in os.listdir("/proc") if p.isdigit()]) <= 2',
  ),
  py(
    'reaches no network',
    `for at in ("127.0.0.1", ${POD_PORT}), ("10.0.0.1", 80):\n    with socket.socket() as s:\n        s.settimeout(2)\n        assert s.connect_ex(at) != 0`,
  ),
  py('makes no namespace', 'assert ctypes.CDLL(None).unshare(0x10000000) == -1'),
  py('mounts nothing', 'assert ctypes.CDLL(None).mount(b"none", b"/tmp", b"tmpfs", 0, None) == -1'),
  py(
    'finds no cgroups and no home',
    'assert not os.path.exists("/sys/fs") and not os.path.exists("/root/.bashrc")',
  ),
  py(
    'writes nothing of the root',
    'for d in "/", "/usr", "/etc", "/usr/lib":\n    try: open(d + "/x", "w")\n    except OSError: continue\n    raise SystemExit("wrote")',
  ),
  program(
    'right',
    'c',
    '#include <stdio.h>\nint main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d\\n", a + b); }',
    'accepted',
  ),
  program('does not compile', 'c', 'int main(void) { return x; }', 'compile_error'),
  program(
    'right',
    'javascript',
    "const [a, b] = require('fs').readFileSync(0, 'utf8').split(' ').map(Number);\nconsole.log(a + b);",
    'accepted',
  ),
  {
    name: 'python tests that are code',
    language: 'python',
    expected: ['accepted'],
    request: {
      language: 'python',
      code: 'def f(x): return [x]',
      tests: { kind: 'asserts', cases: ['assert f(1) == [1]', 'assert f((1, 2.5)) == [(1, 2.5)]'] },
    },
  },
];

/** Programs of the long proof. */
export async function knownPrograms(): Promise<KnownProgram[]> {
  return [...PROGRAMS, ...(await selfTestPrograms()), ...humanEvalPrograms(), ...stdinPrograms()];
}

/** Those whose names hold one of the words; all where there are no words. */
export function namedBy<Program extends KnownProgram>(
  programs: readonly Program[],
  words: readonly string[],
): readonly Program[] {
  return programs.filter(
    ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
  );
}
