/**
 * What importing ahead leaves in the interpreter: every module that the warm runtime holds must look to a program as if
 * that module alone had been imported into a fresh interpreter. A submodule that only another module's import made an
 * attribute would let a program pass that fails anywhere else; state would be seen by all.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';

import { startService, type RunningService } from '../../support/service.ts';

/** What differs and why that is right, `module.attribute`. */
const KNOWN: Readonly<Record<string, string>> = {
  'sys.modules': 'word of the cold way',
  'sys.path_importer_cache': 'word of the cold way',
  'importlib.machinery': 'word of the cold way',
  '_frozen_importlib.__file__': 'set by importlib, which is a word of the cold way',
  '_frozen_importlib.__name__': 'set by importlib',
  '_frozen_importlib.__package__': 'set by importlib',
  '_frozen_importlib_external.__file__': 'set by importlib',
  '_frozen_importlib_external.__name__': 'set by importlib',
  '_frozen_importlib_external.__package__': 'set by importlib',
  'collections.abc': 'used as an attribute it is a word of the cold way',
  'copyreg.dispatch_table': 'what it holds of re is only of use with re',
  'copy.dispatch_table': 'the same table',
  're._cache': 'only makes compiling faster',
  'threading._active': 'keyed by an address',
  'threading._shutdown_locks': 'without the main thread after any fork',
};

const FACTS = `
import sys, warnings
warnings.simplefilter('ignore')
SIMPLE = int, str, bytes, float, bool, type(None), tuple, list
GROUPS = dict, set, frozenset
def facts(module):
    found = {}
    for name in dir(module):
        value = getattr(module, name)
        kind = type(value)
        found[name] = repr(value) if kind in SIMPLE else repr(sorted(map(repr, value))) if kind in GROUPS else kind.__name__
    return found
`;

/** Prints the names of all modules; the word is put together so that the program is forked. */
const NAMES = `import sys\nprint(*getattr(sys, 'mod' + 'ules'))\n`;

const held = (names: readonly string[]) => `${FACTS}
for name in ${reversed(names)}:
    print(repr((name[::-1], facts(__import__(name[::-1], fromlist=['x'])))))
`;

const alone = (names: readonly string[]) => `
import os
for name in ${reversed(names)}:
    if os.fork() == 0:
        module = __import__(name[::-1], fromlist=['x'])
        exec(${JSON.stringify(FACTS)})
        print(repr((name[::-1], facts(module))), flush=True)
        os._exit(0)
    os.wait()
`;

// Backwards, for the same reason.
const reversed = (names: readonly string[]): string =>
  JSON.stringify(names.map((name) => Array.from(name).toReversed().join('')));

const LANGUAGE = { language: 'python', limits: { cpu_ms: 30_000 } } as const;

let service: RunningService | null = null;

beforeAll(async () => {
  service = await startService({ languages: ['python'], flags: { '--slots': '1' } });
});

afterAll(async () => await service?.stop());

async function lines(code: string, warm: boolean): Promise<readonly string[]> {
  const report = await service?.client.run({ ...LANGUAGE, code, warm });
  expect(report?.outcome).toMatchObject({ kind: 'exited', exit_code: 0, stderr: '' });
  expect(report?.provenance.runtime).toBe(warm ? 'forked' : 'process');
  return (report?.outcome?.stdout ?? '').trim().split('\n');
}

/** `module.attribute` of all that is not equal. Python's own parser reads what Python printed. */
const COMPARE = `
import ast, json, re, sys
warm, cold = (dict(map(ast.literal_eval, text.splitlines())) for text in sys.stdin.read().split('\\0'))
def same(a, b):
    return a is not None and b is not None and re.sub('0x[0-9a-f]+', '', a) == re.sub('0x[0-9a-f]+', '', b)
print(json.dumps([f'{m}.{k}' for m in warm for k in sorted({*warm[m], *cold.get(m, {})})
                  if not same(warm[m].get(k), cold.get(m, {}).get(k))]))
`;

it('shows a program nothing but what it imports itself', async () => {
  const names = (await lines(NAMES, true)).join(' ').split(' ');
  expect(names.length).toBeGreaterThan(80);
  const modules = names.filter((name) => name !== '__main__');
  const warm = await lines(held(modules), true);
  const cold = await lines(alone(modules), false);
  expect([warm.length, cold.length]).toEqual([modules.length, modules.length]);
  const stdin = `${warm.join('\n')}\0${cold.join('\n')}`;
  const report = await service?.client.run({ ...LANGUAGE, code: COMPARE, stdin });
  const differing = z.array(z.string()).parse(JSON.parse(report?.outcome?.stdout ?? ''));
  expect(differing.filter((each) => !(each in KNOWN))).toEqual([]);
});
