/**
 * The two programs of a split judgement. A jail's warm runtime holds them; a run that is forked from it finds them there.
 * For runs that are started anew each environment compiles them once, in a jail, because compiling takes longer than
 * most tests and bytecode fits one interpreter only. What runs beside the candidate is not trusted anyway; the tests'
 * side is compiled where no candidate ever ran. Where modules are no bytecode, they are the text of the main file.
 */
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';

import { planRun } from '../../catalog/plan.ts';
import { type Side, verifierModules } from '../../catalog/warm.ts';
import { Fault } from '../../domain/errors.ts';
import type { Environment } from '../../domain/language.ts';
import { DEFAULT_LIMITS, DEFAULT_MAXIMA } from '../../domain/limits.ts';
import type { StagedFile } from '../../runner/frame-writer.ts';
import type { Session } from '../../runner/session.ts';
import { NO_CPU } from '../place.ts';
import { runLimits } from '../run-spec.ts';

/** What a bundle is called in the work folder. */
const BUNDLE = '.assay';

/** By this line a fork knows that it has what the main file loads (runners/python/interpreter.h). */
export const PRELOADED_LINE =
  '# assay: loads the modules of a judgement in two jails, and calls main of the last one\n';

/** Compiles modules. The import of annotations becomes a flag, for it would read a module from disk at every start. */
const COMPILE = `import __future__, marshal, sys
rows = []
future = 'from __future__ import annotations'
for path in paths:
    name = path.rpartition('/')[2].partition('.')[0]
    with open(path, encoding='utf-8') as file:
        text = file.read().replace(future, '', 1)
    code = compile(text, '<assay ' + name + '>', 'exec', __future__.annotations.compiler_flag, True)
    rows.append(('assay_' + name, code))
`;
const WRITE = `marshal.dump(rows, open(${JSON.stringify(BUNDLE)}, 'wb'))\n`;

/** Loads the modules of a bundle in order; the last one's `main` does not return. */
const LOAD = `for name, code in rows:
    module = sys.modules[name] = type(sys)(name)
    exec(code, module.__dict__)
module.main()
`;
const READ = `import marshal, sys
with open(${JSON.stringify(BUNDLE)}, 'rb') as file:
    rows = marshal.loads(file.read())
`;

interface Start {
  readonly environment: Environment;
  readonly side: Side;
  readonly session: Session;
  /** Whether the run is to be forked, with the modules in it; one that is started anew all the same compiles them. */
  readonly isForked: boolean;
}

/** Compiled bundles by environment and side; one of a service's lifetime. */
export class Bundles {
  readonly #known = new Map<string, Promise<Uint8Array>>();

  /** The files that make a run this side of a split judgement. Compiles on the session's jail where that is not done. */
  async files({ environment, side, session, isForked }: Start): Promise<readonly StagedFile[]> {
    const { sourceFile, verifier } = environment.language;
    if (verifier?.start === 'text')
      return [
        plainFile(
          sourceFile,
          await this.#kept({ environment, side }, () => join(environment, side)),
        ),
      ];
    if (isForked) {
      const targets = verifierModules(environment, side).map(({ target }) => target);
      return [plainFile(sourceFile, toProgram(PRELOADED_LINE, toPaths(targets), COMPILE, LOAD))];
    }
    const bundle = await this.#kept({ environment, side }, () =>
      compile(environment, side, session),
    );
    return [plainFile(sourceFile, toProgram(READ, LOAD)), plainFile(BUNDLE, bundle)];
  }

  #kept(
    { environment, side }: Pick<Start, 'environment' | 'side'>,
    make: () => Promise<Uint8Array>,
  ): Promise<Uint8Array> {
    const key = `${environment.fingerprint} ${environment.id} ${side}`;
    let bundle = this.#known.get(key);
    if (bundle === undefined) {
      bundle = make();
      this.#known.set(key, bundle);
      bundle.catch(() => this.#known.delete(key));
    }
    return bundle;
  }
}

/**
 * One program of CommonJS modules, each known to the later ones by its name; the last one's `main` runs. It is the text of
 * a string, because what strips types would take 250 ms of CPU for the program itself.
 */
async function join(environment: Environment, side: Side): Promise<Uint8Array> {
  const names: string[] = [];
  const texts = await Promise.all(
    verifierModules(environment, side).map(async ({ source }) => {
      const name = JSON.stringify(basename(source, extname(source)));
      names.push(name);
      const text = await readFile(source, 'utf8');
      return `own[${name}] = (function (module, require) {${text}\nreturn module.exports; })({}, find);\n`;
    }),
  );
  const whole = [
    'const own = {};\nconst find = (name) => own[name] ?? require(name);\n',
    ...texts,
    `own[${names.at(-1)}].main();\n`,
  ].join('');
  return toProgram(
    "const vm = require('node:vm');\n",
    'const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;\n',
    `const text = ${JSON.stringify(whole)};\n`,
    "vm.compileFunction(text, ['require'], { filename: 'assay', importModuleDynamically })(require);\n",
  );
}

async function compile(
  environment: Environment,
  side: Side,
  session: Session,
): Promise<Uint8Array> {
  const { sourceFile } = environment.language;
  const sources = await Promise.all(
    verifierModules(environment, side).map(async ({ source }) =>
      plainFile(`source/${basename(source)}`, await readFile(source)),
    ),
  );
  if (sources.length === 0) throw new Fault('internal', `${environment.id} has no verifier`);
  const paths = toPaths(sources.map(({ path }) => path));
  const main = plainFile(sourceFile, toProgram(paths, COMPILE, WRITE));
  const limits = { ...DEFAULT_MAXIMA, ...DEFAULT_LIMITS };
  const raw = await session.run({
    ...planRun(environment, { entry: sourceFile, files: [main] }),
    limits: runLimits(limits, environment.language, session.hello.cgroup),
    stdin: new Uint8Array(0),
    files: [main, ...sources],
    cpu: NO_CPU,
    warm: false,
    collect: [BUNDLE],
  });
  const [file] = raw.collected;
  if (raw.cause !== 'exited' || raw.exitCode !== 0 || file?.status !== 'ok') {
    const said = Buffer.from(raw.stderr).toString('utf8').slice(-500);
    throw new Fault('internal', `the test runner does not compile: ${raw.cause} ${said}`);
  }
  return file.content;
}

function toPaths(paths: readonly string[]): string {
  return `paths = ${JSON.stringify(paths)}\n`;
}

function toProgram(...parts: readonly string[]): Uint8Array {
  return Buffer.from(parts.join(''));
}

export function plainFile(path: string, content: Uint8Array): StagedFile {
  return { path, content, executable: false };
}
