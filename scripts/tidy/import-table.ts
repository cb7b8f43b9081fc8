/**
 * Which folder of src/ may import which, as data: the table of ARCHITECTURE's layers. The tidy test reads the
 * imports against it and holds the lint configuration to it. It knows folders only, never what is in them.
 */

/** A rule of one folder of src/. */
export interface FolderRule {
  /** Folders of src/ (or single files, by their path below src/) that its files may import, besides its own. */
  readonly may: readonly string[];
}

/** One entry per folder of src/; one that is not listed is an error. The longest path that fits a file rules it. */
export const IMPORT_TABLE: Readonly<Record<string, FolderRule>> = {
  lib: { may: [] },
  domain: { may: ['lib'] },
  config: { may: ['domain', 'lib'] },
  observe: { may: ['domain', 'lib'] },
  catalog: { may: ['domain', 'lib'] },
  sandbox: { may: ['domain', 'lib'] },
  // The fake wall plays the supervisor's part, so it speaks the runner protocol from the other side.
  'sandbox/fake': { may: ['domain', 'lib', 'sandbox', 'runner'] },
  runner: { may: ['domain', 'lib', 'sandbox/port.ts'] },
  pool: { may: ['domain', 'lib', 'sandbox/port.ts', 'runner'] },
  admission: { may: ['domain', 'lib'] },
  verify: { may: ['domain', 'lib'] },
  datasets: { may: ['domain', 'lib'] },
  jobs: { may: ['domain', 'lib'] },
  sessions: { may: ['domain', 'lib'] },
  judge: {
    may: ['domain', 'lib', 'catalog', 'sandbox', 'runner', 'pool', 'admission', 'verify'],
  },
  http: { may: ['domain', 'lib', 'judge', 'datasets', 'jobs', 'observe', 'sessions'] },
};

/** Folders and files of src/ that put the others together: they may import everything, and nothing may import them. */
export const COMPOSITION: readonly string[] = [
  'cli',
  'app.ts',
  'host-room.ts',
  'jails.ts',
  'main.ts',
  'observers.ts',
  'open-jobs.ts',
  'open-sessions.ts',
  'tenants.ts',
  'wall.ts',
];

/** Files of src/ that may start processes, as path prefixes, with the reason. */
export const SPAWNERS: Readonly<Record<string, string>> = {
  'src/sandbox/': 'starts the launcher, and probes what the host can enforce',
  'src/catalog/': 'runs the toolchain probes of languages/ once at start',
};

/** Files of src/ that may touch `process` (but not its `env`, which is config's), as path prefixes, with the reason. */
export const PROCESS_USERS: Readonly<Record<string, string>> = {
  'src/config/': 'reads the environment',
  'src/cli/': 'arguments, exit status and signals',
  'src/main.ts': 'arguments, exit status and signals',
  'src/sandbox/': 'names things on the host by our own pid, and looks at our rights there',
  'src/observe/': 'measures our own process',
};
