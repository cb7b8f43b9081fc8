/** The command line's root: subcommands, loaded when asked for, and the one place where their errors end. */
import { stripVTControlCharacters } from 'node:util';

import { defineCommand, renderUsage, runCommand, type ArgsDef, type CommandDef } from 'citty';

import { ConfigError } from '../config/load.ts';
import { nearestName } from '../http/native/nearest-name.ts';
import { projectVersion } from '../lib/project.ts';
import { checkWords, flagName, splitRest } from './check-words.ts';
import { EXIT, UsageError } from './exit-codes.ts';

/** A command with its own argument types forgotten: the root only hands the words on. */
// oxlint-disable-next-line typescript/no-explicit-any -- commands differ in their arguments, and citty takes no other
type AnyCommand = CommandDef<any>;

interface Loaded {
  readonly command: AnyCommand;
  readonly args: ArgsDef;
}

async function withArgs<Args extends ArgsDef>(command: CommandDef<Args>): Promise<Loaded> {
  const { args } = command;
  const resolved = typeof args === 'function' ? await args() : await args;
  return { command, args: resolved ?? {} };
}

const SUBCOMMANDS: Readonly<Record<string, () => Promise<Loaded>>> = {
  serve: async () => await withArgs((await import('./commands/serve.ts')).serveCommand),
  run: async () => await withArgs((await import('./commands/run.ts')).runCommand),
  judge: async () => await withArgs((await import('./commands/judge.ts')).judgeCommand),
  replay: async () => await withArgs((await import('./commands/replay.ts')).replayCommand),
  gauntlet: async () => await withArgs((await import('./commands/gauntlet.ts')).gauntletCommand),
  eval: async () => await withArgs((await import('./commands/eval.ts')).evalCommand),
  testset: async () => await withArgs((await import('./commands/testset.ts')).testsetCommand),
  tenant: async () => await withArgs((await import('./commands/tenant.ts')).tenantCommand),
  doctor: async () => await withArgs((await import('./commands/doctor.ts')).doctorCommand),
  languages: async () => await withArgs((await import('./commands/languages.ts')).languagesCommand),
  config: async () => await withArgs((await import('./commands/config.ts')).configCommand),
};

/** Commands that pass on what follows `--`. */
const TAKES_REST: ReadonlySet<string> = new Set(['run']);

const root = defineCommand({
  meta: {
    name: 'assay',
    description: 'Runs model-written code in sandboxes and answers with a reward.',
  },
  subCommands: Object.fromEntries(
    Object.entries(SUBCOMMANDS).map(([name, load]) => [name, async () => (await load()).command]),
  ),
});

/** Runs one command line; sets the exit status and never throws. */
export async function runCli(argv: readonly string[]): Promise<void> {
  try {
    await dispatch(argv);
  } catch (error) {
    process.exitCode = describeError(error);
  }
}

async function dispatch([name = 'help', ...words]: readonly string[]): Promise<void> {
  const { own } = splitRest(words);
  if (name === '--version' || name === '-v' || name === 'version') {
    console.log(`assay ${projectVersion()}`);
    return;
  }
  if (name === 'help' || name === '--help' || name === '-h') {
    const about = Object.hasOwn(SUBCOMMANDS, own[0] ?? '') ? SUBCOMMANDS[own[0] ?? ''] : undefined;
    await showUsage(about);
    return;
  }
  const load = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
  if (load === undefined) throw new UsageError(unknownCommand(name));
  if (own.includes('--help') || own.includes('-h')) {
    await showUsage(load);
    return;
  }
  const { command, args } = await load();
  checkWords(words, { command: name, args, takesRest: TAKES_REST.has(name) });
  await runCommand(command, { rawArgs: [...words] });
}

/** Prints the usage of a command, or of all; plain where nobody looks at colours. */
async function showUsage(load: (() => Promise<Loaded>) | undefined): Promise<void> {
  const usage = load === undefined ? await renderUsage(root) : await commandUsage(await load());
  console.log(process.stdout.isTTY ? usage : stripVTControlCharacters(usage));
}

async function commandUsage({ command, args }: Loaded): Promise<string> {
  const named = Object.entries(args).map(([key, arg]) => [flagName(key), arg] as const);
  return await renderUsage({ ...command, args: Object.fromEntries(named) }, root);
}

function unknownCommand(name: string): string {
  const known = Object.keys(SUBCOMMANDS);
  const nearest = nearestName(name, known);
  const what = name.startsWith('-') ? `unknown option ${name}` : `unknown command ${name}`;
  return nearest === null
    ? `${what}; the commands are ${known.join(', ')}`
    : `${what}; did you mean ${nearest}?`;
}

function describeError(error: unknown): number {
  const isUsage =
    error instanceof UsageError ||
    error instanceof ConfigError ||
    (error instanceof Error && error.name === 'CLIError');
  if (isUsage && error instanceof Error) {
    console.error(`assay: ${error.message}`);
    return EXIT.usage;
  }
  console.error('assay:', error);
  return EXIT.fault;
}
