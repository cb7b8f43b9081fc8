/** The command line's root: subcommands, loaded when asked for, and the one place where their errors end. */
import { defineCommand, renderUsage, runCommand, type CommandDef } from 'citty';

import { ConfigError } from '../config/load.ts';
import { EXIT, UsageError } from './exit-codes.ts';

/** A command with its own argument types forgotten: the root only hands the words on. */
// oxlint-disable-next-line typescript/no-explicit-any -- commands differ in their arguments, and citty takes no other
type AnyCommand = CommandDef<any>;

const SUBCOMMANDS: Readonly<Record<string, () => Promise<AnyCommand>>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  run: async () => (await import('./commands/run.ts')).runCommand,
  judge: async () => (await import('./commands/judge.ts')).judgeCommand,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
  languages: async () => (await import('./commands/languages.ts')).languagesCommand,
  config: async () => (await import('./commands/config.ts')).configCommand,
};

const root = defineCommand({
  meta: {
    name: 'assay',
    description: 'Runs model-written code in sandboxes and answers with a reward.',
  },
  subCommands: SUBCOMMANDS,
});

/** Runs one command line; sets the exit status and never throws. */
export async function runCli(argv: readonly string[]): Promise<void> {
  const [name] = argv;
  const wantsHelp = argv.includes('--help') || argv.includes('-h');
  const load = Object.entries(SUBCOMMANDS).find(([known]) => known === name)?.[1];
  try {
    if (load === undefined) {
      console.log(await renderUsage(root));
      process.exitCode = name === undefined || wantsHelp ? EXIT.ok : EXIT.usage;
      return;
    }
    const command = await load();
    if (wantsHelp) console.log(await renderUsage(command, root));
    else await runCommand(command, { rawArgs: argv.slice(1) });
  } catch (error) {
    process.exitCode = describeError(error);
  }
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
