/** Builds the contenders that judge one program on this machine, and says who is left out and why. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { Unavailable } from '../../languages/shared/host.ts';
import { buildBaseline } from '../lib/gcc.ts';
import { GO_JUDGE_VARIABLE, GoJudge } from '../lib/go-judge.ts';
import { createRandom } from '../lib/random.ts';
import type { BenchContext } from '../lib/scenario.ts';
import { ROOT, type TestService } from '../lib/service.ts';
import { type LanguageFacts, readAllLanguages, readStats } from '../lib/wire.ts';
import { createAssay } from './assay.ts';
import type { Contender, ContenderId, StdinTest } from './contender.ts';
import { createDriven } from './driver.ts';
import { createGoJudge } from './go-judge.ts';
import { createSources, createTests, type PeerProgram } from './programs.ts';
import { createTools, LeftOut, type Tools } from './tools.ts';

const TESTS = 20;
const TESTS_QUICK = 4;

/** What all contenders share. */
export interface Arena {
  readonly service: TestService;
  readonly program: PeerProgram;
  readonly tools: Tools;
  readonly tests: readonly StdinTest[];
  /** Submissions in flight, as many as the service has slots. */
  readonly callers: number;
  readonly nextSource: () => string;
  /** What one must know of this machine's languages. */
  readonly notes: readonly string[];
}

/** Throws `LeftOut` where the service does not offer what the program needs. */
export async function prepareArena(program: PeerProgram, context: BenchContext): Promise<Arena> {
  const service = await context.sharedService();
  const languages = await readAllLanguages(service.client);
  const { version, warm } = requireOffer(program, languages);
  const { slots } = await readStats(service.client);
  const isOneWay = !warm && program.contenders.includes('assay-cold');
  return {
    service,
    program,
    tools: createTools(version, program.packages),
    tests: createTests(createRandom(context.seed), context.quick ? TESTS_QUICK : TESTS),
    callers: slots.total,
    nextSource: createSources(program, context.seed),
    notes: [
      `${program.language} ${version} everywhere`,
      ...(isOneWay ? ['no warm runtime here: warm and `warm: false` are the same way'] : []),
    ],
  };
}

function requireOffer(
  { language, environment }: PeerProgram,
  languages: readonly LanguageFacts[],
): { readonly version: string; readonly warm: boolean } {
  const facts = languages.find(({ id }) => id === language);
  if (facts?.available !== true) throw new LeftOut(facts?.reason ?? `no language ${language}`);
  const { environments } = facts;
  const served =
    environment === null ? environments[0] : environments.find(({ id }) => id === environment);
  if (served?.available !== true) {
    throw new LeftOut(served?.reason ?? `${language} has no environment ${environment ?? ''}`);
  }
  return { version: facts.version ?? '', warm: served.warm };
}

/** One contender; whatever else it needs is given to `stack`. */
type Build = (arena: Arena, stack: AsyncDisposableStack) => Promise<Contender> | Contender;

interface Way {
  readonly warm: boolean;
  readonly isSeen: boolean;
  /** Whether the program is one for a process. */
  readonly isFull?: boolean;
}

const assay =
  (id: ContenderId, label: string, way: Way): Build =>
  ({ service, program, tests, callers, nextSource: next }) => {
    const { language, environment, fullPath } = program;
    const nextSource = way.isFull === true ? () => `${next()}\n${fullPath ?? ''}\n` : next;
    const source = nextSource();
    return createAssay(service, {
      id,
      label,
      callers,
      tests,
      language,
      environment,
      nextSource: way.isSeen ? () => source : nextSource,
      warm: way.warm,
    });
  };

const BUILDS: Readonly<Record<ContenderId, Build>> = {
  assay: assay('assay', 'Assay', { warm: true, isSeen: false }),
  'assay-cold': assay('assay-cold', 'Assay, warm: false', { warm: false, isSeen: false }),
  'assay-full': assay('assay-full', 'Assay, no isolates', {
    warm: true,
    isSeen: false,
    isFull: true,
  }),
  'assay-seen': assay('assay-seen', 'Assay, source seen before', { warm: true, isSeen: true }),
  plain: (arena) => createPlain(arena),
  limit: (arena) => createLimit(arena),
  'go-judge': async ({ program, tools, tests, callers, nextSource }, stack) => {
    const { file, artefacts } = program;
    const run = tools.command(program.run);
    const compile = program.compile === null ? null : tools.command(program.compile);
    const server = await startGoJudge({ callers, programs: [...run, ...(compile ?? [])] }, stack);
    const options = {
      label: 'go-judge',
      about: await server.describe(),
      callers,
      tests,
      file,
      nextSource,
      compile,
      run,
      artefacts,
    };
    return createGoJudge(server, options);
  },
};

export function createPlain({ program, tools, tests, callers, nextSource }: Arena): Contender {
  const run = tools.command(program.run);
  const compile = program.compile === null ? [] : ['--', ...tools.command(program.compile)];
  const driver = buildBaseline('plain');
  return createDriven({
    id: 'plain',
    label: 'plain subprocesses',
    callers,
    tests,
    file: program.file,
    nextSource,
    argv: (folder) => [driver, folder, String(tests.length), ...run, ...compile],
    environment: tools.environment,
  });
}

/** Forks of a warm interpreter; else fork + exec of what was compiled before. */
function createLimit({ program, tools, tests, callers, nextSource }: Arena): Contender {
  const { file, warmModules } = program;
  const count = String(tests.length);
  const common = { id: 'limit', callers, tests, file, nextSource } as const;
  const { environment } = tools;
  if (warmModules !== null) {
    const [python = ''] = tools.command(program.run);
    const script = join(ROOT, 'bench', 'baseline', 'fork.py');
    const argv = (folder: string) => [python, script, folder, count, file, ...warmModules];
    return createDriven({
      ...common,
      label: 'bare limit: fork of a warm interpreter',
      argv,
      environment,
    });
  }
  const run = tools.command(program.run);
  const [compiler = '', ...args] = tools.command(program.compile ?? []);
  const driver = buildBaseline('plain');
  return createDriven({
    ...common,
    label: 'bare limit: fork + exec, compiled before',
    argv: (folder) => [driver, folder, count, ...run],
    environment,
    prepare: (folder) => void execFileSync(compiler, args, { cwd: folder, env: environment }),
  });
}

/** Throws `LeftOut` when nobody named its binary. */
export async function startGoJudge(
  options: { readonly callers: number; readonly programs: readonly string[] },
  stack: AsyncDisposableStack,
): Promise<GoJudge> {
  const binary = process.env[GO_JUDGE_VARIABLE] ?? '';
  if (binary === '') throw new LeftOut(`${GO_JUDGE_VARIABLE} does not name its binary`);
  const { callers, programs } = options;
  return stack.use(await GoJudge.start({ binary, parallelism: callers, programs }));
}

export interface LineUp {
  readonly contenders: readonly Contender[];
  readonly notes: readonly string[];
}

/** All contenders of the program that can be had; `stack` ends them. */
export async function lineUp(arena: Arena, stack: AsyncDisposableStack): Promise<LineUp> {
  const contenders: Contender[] = [];
  const notes: string[] = [...arena.notes, ...arena.program.absent];
  for (const id of arena.program.contenders) {
    try {
      const contender = stack.use(await BUILDS[id](arena, stack));
      contenders.push(contender);
      if (contender.about !== undefined) notes.push(contender.about);
    } catch (error) {
      if (!isLeftOut(error)) throw error;
      notes.push(`${id} is left out: ${error.message}`);
    }
  }
  return { contenders, notes };
}

/** Whether the machine lacks something, which is no failure. */
export function isLeftOut(error: unknown): error is Error {
  return error instanceof LeftOut || error instanceof Unavailable;
}
