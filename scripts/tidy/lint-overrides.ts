/**
 * Says what `no-restricted-imports` in .oxlintrc.json has to be for each folder of src/, derived from the import
 * table, so that the lint and the table cannot drift apart. It writes nothing; the tidy test compares.
 */
import { COMPOSITION, IMPORT_TABLE, PROCESS_USERS, SPAWNERS } from './import-table.ts';

interface RestrictedPath {
  readonly name: string;
  readonly importNames?: readonly string[];
  readonly message: string;
}

interface RestrictedImports {
  readonly paths: readonly RestrictedPath[];
  readonly patterns: readonly { readonly regex: string; readonly message: string }[];
}

const PROCESS_PATH: RestrictedPath = {
  name: 'node:process',
  message:
    'few folders touch the process (scripts/tidy/import-table.ts); take what you need as an argument',
};
const TIMER_PATHS: readonly RestrictedPath[] = [
  { name: 'node:timers', message: 'take a Clock of src/lib/clock.ts' },
  {
    name: 'node:timers/promises',
    importNames: ['setTimeout', 'setInterval', 'scheduler'],
    message: 'take a Clock of src/lib/clock.ts',
  },
];
const SPAWN_PATH: RestrictedPath = {
  name: 'node:child_process',
  message: 'the service starts no processes; ask the sandbox port',
};

/** The source of a regular expression that matches relative imports of what `folder` may not import. */
export function forbiddenImports(folder: string): string {
  const may = IMPORT_TABLE[folder]?.may ?? [];
  const files = may.filter((entry) => entry.endsWith('.ts'));
  const [top] = folder.split('/');
  const others = [...Object.keys(IMPORT_TABLE), ...COMPOSITION].filter(
    (other) => other !== top && !other.includes('/') && !may.includes(other),
  );
  const parts = others.map((other) => {
    if (other.endsWith('.ts')) return `${escape(other)}$`;
    const exception = files.find((file) => file.startsWith(`${other}/`));
    return exception === undefined
      ? `${other}/`
      : `${other}/(?:${anythingBut(exception.slice(other.length + 1))})`;
  });
  return `^(?:\\.\\./)+(?:${parts.join('|')})`;
}

/** The options that `.oxlintrc.json` has to give `no-restricted-imports` for `src/<folder>/**`. */
export function restrictedImportsOf(folder: string): RestrictedImports {
  const prefix = `src/${folder}/`;
  return {
    paths: [
      ...(Object.hasOwn(PROCESS_USERS, prefix) ? [] : [PROCESS_PATH]),
      ...(folder === 'lib' ? [] : TIMER_PATHS),
      ...(Object.hasOwn(SPAWNERS, prefix) ? [] : [SPAWN_PATH]),
    ],
    patterns: [
      {
        regex: forbiddenImports(folder),
        message: `src/${folder}/ may not import this: see scripts/tidy/import-table.ts`,
      },
    ],
  };
}

/** Matches every text that does not begin with `name`; the linter's engine has no look-ahead. */
function anythingBut(name: string): string {
  return name
    .split('')
    .map((character, index) => `${escape(name.slice(0, index))}[^${character}]`)
    .join('|');
}

function escape(text: string): string {
  return text.replaceAll('.', '\\.');
}
