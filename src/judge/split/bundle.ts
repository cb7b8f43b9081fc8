/**
 * The two programs of a split judgement as a jail's own interpreter compiled them. Compiling takes longer than most
 * tests, and bytecode fits one interpreter only: so each environment compiles them once, in a jail, and they are files
 * of every later run. What runs beside the candidate is not trusted anyway; the tests' side is compiled where no
 * candidate ever ran.
 */
import { readFile } from 'node:fs/promises';

import { planRun } from '../../catalog/plan.ts';
import { Fault } from '../../domain/errors.ts';
import type { Environment } from '../../domain/language.ts';
import { DEFAULT_LIMITS, DEFAULT_MAXIMA } from '../../domain/limits.ts';
import { projectPath } from '../../lib/project.ts';
import type { StagedFile } from '../../runner/frame-writer.ts';
import type { Session } from '../../runner/session.ts';
import { NO_CPU } from '../place.ts';
import { runLimits } from '../run-spec.ts';

type Side = 'candidate' | 'tests';

/** What a bundle is called in the work folder. */
const BUNDLE = '.assay';

/** Loads the modules of a bundle in order; the last one does not return. */
const START = `import marshal, sys
for name, code in marshal.loads(open(${JSON.stringify(BUNDLE)}, 'rb').read()):
    module = sys.modules[name] = type(sys)(name)
    exec(code, module.__dict__)
`;

/** The import of annotations becomes a flag, for it would read a module from disk at every start. */
const COMPILE = `import __future__, marshal, sys
rows = []
future = 'from __future__ import annotations'
for name in sys.argv[1:]:
    text = open('source/' + name + '.py', encoding='utf-8').read().replace(future, '', 1)
    code = compile(text, '<assay ' + name + '>', 'exec', __future__.annotations.compiler_flag, True)
    rows.append(('assay_' + name, code))
marshal.dump(rows, open(${JSON.stringify(BUNDLE)}, 'wb'))
`;

/** Compiled bundles by environment and side; one of a service's lifetime. */
export class Bundles {
  readonly #known = new Map<string, Promise<Uint8Array>>();

  /** The files that make a run this side of a split judgement. Compiles on the session's jail where that is not done. */
  async files(
    environment: Environment,
    side: Side,
    session: Session,
  ): Promise<readonly StagedFile[]> {
    const key = `${environment.fingerprint} ${environment.id} ${side}`;
    let bundle = this.#known.get(key);
    if (bundle === undefined) {
      bundle = compile(environment, side, session);
      this.#known.set(key, bundle);
      bundle.catch(() => this.#known.delete(key));
    }
    return [
      plainFile(environment.language.sourceFile, Buffer.from(START)),
      plainFile(BUNDLE, await bundle),
    ];
  }
}

async function compile(
  environment: Environment,
  side: Side,
  session: Session,
): Promise<Uint8Array> {
  const { verifier, sourceFile } = environment.language;
  if (verifier === null) throw new Fault('internal', `${environment.id} has no verifier`);
  const names = verifier[side];
  const sources = await Promise.all(
    names.map(async (name) => {
      const path = projectPath('runners', ...verifier.folder.split('/'), `${name}.py`);
      return plainFile(`source/${name}.py`, await readFile(path));
    }),
  );
  const main = plainFile(sourceFile, Buffer.from(COMPILE));
  const limits = { ...DEFAULT_MAXIMA, ...DEFAULT_LIMITS };
  const raw = await session.run({
    ...planRun(environment, { entry: sourceFile, files: [main] }, { args: names }),
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

export function plainFile(path: string, content: Uint8Array): StagedFile {
  return { path, content, executable: false };
}
