/** Makes the attempts of a row against a live service and asserts what must come of them. */
import { expect } from 'vitest';

import { aJudge, aRun } from '../../support/builders.ts';
import { hostileProgram } from '../../support/hostile-program.ts';
import type {
  Escape,
  Expected,
  JudgedAttempt,
  RefusedAttempt,
  RunAttempt,
  Scene,
} from './escape.ts';

/** How the programs are started: as their language has it, never from a warm runtime, or by a child's child. */
export type Manner = 'usual' | 'cold' | 'grandchild';

type Attempt = (scene: Scene) => Promise<void>;

/** Every attempt of a row; throws at the first that did not come out as it must. */
export async function attemptAll(row: Escape, scene: Scene, manner: Manner): Promise<void> {
  // Two at a time: each has a core to itself.
  const queue = [...attemptsOf(row, manner)];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await next(scene);
  };
  await Promise.all([worker(), worker()]);
  if (manner === 'usual') await row.scene?.(scene);
}

/** Whether a row has anything to try in this manner: a scene is played as it is, and not every language is nested. */
export function isPlayable(row: Escape, manner: Manner): boolean {
  return manner === 'usual' || attemptsOf(row, manner).length > 0;
}

function attemptsOf(
  { runs = [], judged = [], refused = [] }: Escape,
  manner: Manner,
): readonly Attempt[] {
  const isStarted = ({ program }: { readonly program: string }): boolean =>
    manner !== 'grandchild' || NESTED[hostileProgram(program).language] !== undefined;
  return [
    ...(manner === 'usual' ? refused : []).map(
      (attempt) => async (scene: Scene) => await refuse(attempt, scene),
    ),
    ...runs
      .filter(isStarted)
      .map((attempt) => async (scene: Scene) => await run(attempt, scene, manner)),
    ...judged
      .filter(isStarted)
      .map((attempt) => async (scene: Scene) => await judge(attempt, scene, manner)),
  ];
}

async function run(attempt: RunAttempt, scene: Scene, manner: Manner): Promise<void> {
  const { program, as, request = {} } = attempt;
  const over = typeof request === 'function' ? request(scene) : request;
  const answer = await scene.service.client.run(
    aRun({ ...started(program, manner), ...over, ...warmOf(manner) }),
  );
  const expected: Expected = scene.wall === 'gvisor' ? (attempt.gvisor ?? attempt) : attempt;
  const label = `${program} ${as ?? ''}`;
  expect(answer.fault, label).toBeNull();
  if (answer.outcome === null) throw new Error(`${label} has no outcome`);
  const { outcome: wanted, check, granted = [] } = expected;
  expect(answer.outcome, label).toMatchObject(wanted ?? { kind: 'exited', exit_code: 0 });
  const lines = answer.outcome.stdout.split('\n');
  const escaped = lines.filter(
    (line) => line.startsWith('yes ') && !granted.some((each) => line.startsWith(`yes ${each}`)),
  );
  expect(escaped, label).toEqual([]);
  if (check !== undefined) check(answer.outcome, answer);
  // A program that printed nothing has tried nothing.
  else if (wanted === undefined) expect(answer.outcome.stdout, label).toMatch(/^(?:no|yes) /m);
  expect(JSON.stringify(answer), label).not.toContain(scene.canaries.text);
}

async function judge(attempt: JudgedAttempt, scene: Scene, manner: Manner): Promise<void> {
  const { program, as, request = {} } = attempt;
  const report = await scene.service.client.judge(
    aJudge({ ...started(program, manner), ...request, ...warmOf(manner) }),
  );
  const label = `${program} ${as ?? ''}: ${report.message ?? ''}`;
  expect(report.fault, label).toBeNull();
  const { verdicts } = scene.wall === 'gvisor' ? (attempt.gvisor ?? attempt) : attempt;
  expect(verdicts, label).toContain(report.verdict);
  expect(report.reward, label).toBe(attempt.reward ?? 0);
  expect(JSON.stringify(report), label).not.toContain(scene.canaries.text);
}

async function refuse({ as, request, status }: RefusedAttempt, { service }: Scene): Promise<void> {
  const answer = await service.client.post('/v1/run', aRun(request));
  expect(answer.status, as).toBe(status);
}

const warmOf = (manner: Manner): { readonly warm?: false } =>
  manner === 'cold' ? { warm: false } : {};

/** What makes a program its own grandchild: the processes above it wait, and end as it does. */
const NESTED: Readonly<Record<string, (code: string) => string>> = {
  python: (code) => `import os as _os
for _ in range(2):
    _pid = _os.fork()
    if _pid:
        _status = _os.waitpid(_pid, 0)[1]
        _os._exit(_os.WEXITSTATUS(_status) if _os.WIFEXITED(_status) else 128 + _os.WTERMSIG(_status))
${code}`,
  c: (code) => `${code}
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((constructor)) static void nested_start(void)
{
	for (int i = 0; i < 2; i++) {
		pid_t pid = fork();
		int status = 0;
		if (pid > 0) {
			waitpid(pid, &status, 0);
			_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
		}
	}
}
`,
};

function started(name: string, manner: Manner): { language: string; code: string } {
  const program = hostileProgram(name);
  const nest = NESTED[program.language];
  return manner === 'grandchild' && nest !== undefined
    ? { ...program, code: nest(program.code) }
    : program;
}
