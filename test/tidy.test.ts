/**
 * The rules of style that a machine can check, held against the whole repository, and for each rule a bad sample
 * that it must find. The rules are in scripts/tidy/.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { checkCalls } from '../scripts/tidy/call-rules.ts';
import {
  checkErrorsPage,
  checkLanguage,
  checkLockFile,
  type CodeFacts,
} from '../scripts/tidy/data-rules.ts';
import { checkImports, mayImport, unknownFolders } from '../scripts/tidy/import-rules.ts';
import { IMPORT_TABLE } from '../scripts/tidy/import-table.ts';
import { forbiddenImports, restrictedImportsOf } from '../scripts/tidy/lint-overrides.ts';
import { parseSource } from '../scripts/tidy/source.ts';
import { checkText, FILE_LINES_MAX } from '../scripts/tidy/text-rules.ts';
import { FAULT_CODES, FAULTS, REJECTION_CODES, REJECTIONS } from '../src/domain/errors.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const list = (pattern: string | string[]) => globSync(pattern, { cwd: ROOT }).toSorted();

const PATHS = list(['{src,test,bench,scripts,languages}/**/*.ts', '*.ts']).filter(
  // Programs that are submitted in tests are data, not ours to judge.
  (path) => !/\/(?:programs|fixtures|selftest)\//.test(path),
);
const SOURCES = PATHS.map((path) => parseSource(path, read(path)));

const CODES: readonly CodeFacts[] = [
  ...REJECTION_CODES.map((code) => ({ code, ...pick(REJECTIONS[code]) })),
  ...FAULT_CODES.map((code) => ({ code, status: null, retryable: FAULTS[code].retryable })),
];

function pick(facts: { status: number; retryable: boolean }) {
  return { status: facts.status, retryable: facts.retryable };
}

/** The one folder of languages/ that is no language: programs that several probes use. */
const SHARED_PROBES = 'shared';

/** The findings of a rule for a file that exists only here. */
function findingsOf(rule: typeof checkText, path: string, text: string): string[] {
  return rule(parseSource(path, text));
}

describe('this repository', () => {
  it('has files to check', () => {
    expect(PATHS).toContain('src/domain/errors.ts');
    expect(PATHS).toContain('test/tidy.test.ts');
  });

  it('keeps to the import table', () => {
    expect(SOURCES.flatMap(checkImports)).toEqual([]);
    expect(unknownFolders(PATHS)).toEqual([]);
  });

  it('has a lint configuration that says the same as the import table', () => {
    const { overrides } = JSON.parse(read('.oxlintrc.json')) as {
      overrides: { files: string[]; rules: Record<string, unknown> }[];
    };
    for (const folder of Object.keys(IMPORT_TABLE)) {
      const override = overrides.find(({ files }) => files.includes(`src/${folder}/**/*.ts`));
      const rules = overrides
        .filter(({ files }) => files.includes(`src/${folder}/**/*.ts`))
        .map(({ rules: each }) => each['no-restricted-imports'])
        .filter((each) => each !== undefined);
      expect(override, `no override for src/${folder}`).toBeDefined();
      expect(rules, `src/${folder}`).toEqual([['error', restrictedImportsOf(folder)]]);
    }
  });

  it('calls nothing that is banned', () => {
    expect(SOURCES.flatMap(checkCalls)).toEqual([]);
  });

  it('has short files that begin with their purpose and give reasons', () => {
    expect(SOURCES.flatMap(checkText)).toEqual([]);
  });

  it('documents every error code, and no other', () => {
    expect(checkErrorsPage(read('docs/errors.md'), CODES)).toEqual([]);
  });

  it('has self-tests for every language', () => {
    const ids = list('languages/*/').map((path) => path.replace(/\/$/, '').split('/')[1] ?? '');
    const findings = ids
      .filter((id) => id !== SHARED_PROBES)
      .flatMap((id) => checkLanguage(id, globSync('**/*', { cwd: join(ROOT, 'languages', id) })));
    expect(findings).toEqual([]);
  });

  it('has a lock file without addresses', () => {
    expect(checkLockFile(read('package-lock.json'))).toEqual([]);
  });
});

describe('the import rule', () => {
  it.each([
    ['src/lib/a.ts', '../domain/limits.ts'],
    ['src/domain/a.ts', '../config/schema.ts'],
    ['src/runner/a.ts', '../sandbox/nsjail/config.ts'],
    ['src/pool/a.ts', '../judge/service.ts'],
    ['src/sandbox/nsjail/a.ts', '../../runner/frame.ts'],
    ['src/judge/a.ts', '../observe/logger.ts'],
    ['src/http/native/a.ts', '../../pool/pool.ts'],
    ['src/http/compat/fusion/a.ts', '../../../sandbox/port.ts'],
    ['src/catalog/a.ts', '../main.ts'],
    ['src/catalog/a.ts', '../cli/run.ts'],
  ])('finds %s importing %s, as does the lint', (path, specifier) => {
    for (const text of [
      `import { a } from '${specifier}';`,
      `import type { A } from '${specifier}';`,
      `export { a } from '${specifier}';`,
      `export * from '${specifier}';`,
      `const a = await import('${specifier}');`,
    ]) {
      expect(findingsOf(checkImports, path, text), text).toHaveLength(1);
    }
    expect(specifier).toMatch(new RegExp(forbiddenImports(path.split('/')[1] ?? '')));
  });

  it.each([
    ['src/runner/a.ts', '../sandbox/port.ts'],
    ['src/http/native/a.ts', '../../judge/door.ts'],
    ['src/http/native/a.ts', '../middleware/limit.ts'],
    ['src/judge/a.ts', '../sandbox/port.ts'],
    ['src/sandbox/fake/a.ts', '../port.ts'],
    ['src/domain/a.ts', '../lib/clock.ts'],
  ])('lets %s import %s, as does the lint', (path, specifier) => {
    expect(findingsOf(checkImports, path, `import { a } from '${specifier}';`)).toEqual([]);
    expect(specifier).not.toMatch(new RegExp(forbiddenImports(path.split('/')[1] ?? '')));
  });

  it('finds the product importing what is no part of it', () => {
    const text = `import { a } from '../../test/support/build.ts';`;
    expect(findingsOf(checkImports, 'src/catalog/a.ts', text)).toHaveLength(1);
  });

  it('lets the fake wall speak the runner protocol', () => {
    expect(mayImport('src/sandbox/fake/a.ts', 'src/runner/frame.ts')).toBe(true);
    expect(mayImport('src/sandbox/fake/a.ts', 'src/pool/slot.ts')).toBe(false);
    expect(mayImport('src/sandbox/nsjail/a.ts', 'src/runner/frame.ts')).toBe(false);
  });

  it('lets the composition import everything, and nothing the composition', () => {
    expect(mayImport('src/app.ts', 'src/pool/pool.ts')).toBe(true);
    expect(mayImport('src/cli/serve.ts', 'src/app.ts')).toBe(true);
    expect(mayImport('src/http/server.ts', 'src/app.ts')).toBe(false);
  });

  it('finds a folder that the table does not know', () => {
    expect(unknownFolders(['src/lib/a.ts', 'src/helpers/a.ts', 'src/app.ts'])).toEqual(['helpers']);
  });

  it.each([
    ['src/http/a.ts', 'spawn'],
    ['src/sandbox/a.ts', 'exec'],
    ['src/sandbox/a.ts', 'execSync'],
  ])('finds %s importing %s of child_process', (path, name) => {
    const text = `import { ${name} } from 'node:child_process';`;
    expect(findingsOf(checkImports, path, text)).toHaveLength(1);
  });

  it('lets the sandbox start programs', () => {
    const text = `import { spawn } from 'node:child_process';`;
    expect(findingsOf(checkImports, 'src/sandbox/a.ts', text)).toEqual([]);
  });
});

describe('the rule on banned calls', () => {
  it.each([
    ['eval', 'eval(text);'],
    ['new Function', 'new Function(text);'],
    ['a shell', `spawn('ls', [], { shell: true });`],
    ['a shell', `spawn('/bin/sh', ['-c', text]);`],
    ['a shell', `child.execFileSync('bash', ['-c', text]);`],
    ['Date.now', 'Date.now();'],
    ['Date.now', `Date['now']();`],
    ['new Date()', 'new Date();'],
    ['performance.now', 'performance.now();'],
    ['setTimeout', 'setTimeout(f, 1);'],
    ['setInterval', 'setInterval(f, 1);'],
    ['AbortSignal.timeout', 'AbortSignal.timeout(1);'],
    ['Math.random', 'Math.random();'],
    ['console', 'console.log(1);'],
    ['process', 'process.exit(1);'],
  ])('finds %s in %s', (name, text) => {
    expect(findingsOf(checkCalls, 'src/judge/a.ts', text)).toEqual([
      `src/judge/a.ts:1 uses ${name}`,
    ]);
  });

  it('finds process.env in the CLI, which may use the rest of process', () => {
    expect(findingsOf(checkCalls, 'src/cli/a.ts', 'process.exit(1);')).toEqual([]);
    expect(findingsOf(checkCalls, 'src/cli/a.ts', 'process.env;')).toHaveLength(1);
    expect(findingsOf(checkCalls, 'src/config/a.ts', 'process.env;')).toEqual([]);
  });

  it('lets the clock read the clock, and tests wait', () => {
    expect(findingsOf(checkCalls, 'src/lib/clock.ts', 'setTimeout(f, Date.now());')).toEqual([]);
    expect(findingsOf(checkCalls, 'src/pool/a.test.ts', 'setTimeout(f, 1);')).toEqual([]);
    expect(findingsOf(checkCalls, 'src/pool/a.test.ts', 'eval(text);')).toHaveLength(1);
  });

  it('is not taken in by comments, strings and dates that are given', () => {
    const text = `// eval(text)\nconst a = 'Date.now()';\nnew Date(0);\nspawn('sh', ['a.sh']);`;
    expect(findingsOf(checkCalls, 'src/judge/a.ts', text)).toEqual([]);
  });
});

describe('the rule on text', () => {
  const head = '/** What it owns. */\n';

  it('finds a file that is too long by one line', () => {
    const longest = head + 'f();\n'.repeat(FILE_LINES_MAX - 1);
    expect(findingsOf(checkText, 'src/a.ts', longest)).toEqual([]);
    expect(findingsOf(checkText, 'src/a.ts', `${longest}f();\n`)).toHaveLength(1);
  });

  it('finds a file without an opening paragraph', () => {
    expect(findingsOf(checkText, 'src/a.ts', '// What it owns.\nf();\n')).toHaveLength(1);
  });

  it.each([
    '// oxlint-disable-next-line no-console',
    '/* eslint-disable no-console */',
    '// @ts-expect-error',
    '// TODO: later',
  ])('finds %s', (comment) => {
    expect(findingsOf(checkText, 'src/a.ts', `${head}${comment}\nf();\n`)).toHaveLength(1);
  });

  it.each([
    '// oxlint-disable-next-line no-console -- the log is not up yet',
    '// @ts-expect-error the types of this package lack the option',
    '// TODO(#12): later',
  ])('accepts %s', (comment) => {
    expect(findingsOf(checkText, 'src/a.ts', `${head}${comment}\nf();\n`)).toEqual([]);
  });
});

describe('the rule on docs/errors.md', () => {
  const known: CodeFacts[] = [
    { code: 'deadline', status: 504, retryable: true },
    { code: 'jail_died', status: null, retryable: true },
  ];
  const rows = ['| `deadline` | 504 | yes | a | b |', '| `jail_died` | – | yes | a | b |'];

  it('accepts a page that has them all', () => {
    expect(checkErrorsPage(rows.join('\n'), known)).toEqual([]);
  });

  it.each([
    ['a missing code', rows.slice(1)],
    ['a code too many', [...rows, '| `other` | 400 | no | a | b |']],
    ['a code twice', [...rows, ...rows.slice(1)]],
    ['a wrong status', ['| `deadline` | 500 | yes | a | b |', ...rows.slice(1)]],
    ['wrong advice', ['| `deadline` | 504 | no | a | b |', ...rows.slice(1)]],
  ])('finds %s', (_, page) => {
    expect(checkErrorsPage(page.join('\n'), known)).toHaveLength(1);
  });
});

describe('the rule on languages', () => {
  const files = [
    'language.json',
    ...['ok', 'compile-error', 'runtime-error', 'time-limit', 'memory-limit', 'output-limit'].map(
      (name) => `selftest/${name}.py`,
    ),
    'selftest/fork-bomb.py',
  ];

  it('accepts a complete folder', () => {
    expect(checkLanguage('python', files)).toEqual([]);
  });

  it.each(files)('finds that %s is missing', (missing) => {
    expect(
      checkLanguage(
        'python',
        files.filter((file) => file !== missing),
      ),
    ).toHaveLength(1);
  });
});

describe('the rule on the lock file', () => {
  it('finds the address of a package, whatever its registry', () => {
    const lock = { packages: { 'node_modules/a': { resolved: 'https://registry.invalid/a.tgz' } } };
    expect(checkLockFile(JSON.stringify(lock))).toHaveLength(1);
  });

  it('accepts the address of a donation page', () => {
    const lock = { packages: { 'node_modules/a': { funding: { url: 'https://a.invalid' } } } };
    expect(checkLockFile(JSON.stringify(lock))).toEqual([]);
  });
});
