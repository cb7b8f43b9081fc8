/**
 * Languages and environments as data: the schema of `languages/<id>/language.json` and what the catalog makes of
 * it on this host. Nothing outside `languages/` branches on a language's id.
 */
import { z } from 'zod';

/**
 * Strings in `compile.command`, `run.command` and `env` may contain `{entry}` (path of the main file; an argument that is
 * exactly `{units}` stands for those of the files that are compiled beside it, often none), `{stem}` (the
 * same without extension), `{tools.NAME}` (the in-jail path of a probed tool), `{vars.NAME}` (what the environment
 * says), `{memory_mb}` (the memory limit in force without `extraMemoryMb`, MiB, for runtimes that size their heap
 * themselves) and `{stack_mb}` (the stack that they give a thread). Other braces stand for themselves.
 */
const Command = z.array(z.string()).min(1);

export const ExpectedSelfTest = z.enum([
  'accepted',
  'compile_error',
  'runtime_error',
  'time_limit',
  'memory_limit',
  'output_limit',
]);
export type ExpectedSelfTest = z.infer<typeof ExpectedSelfTest>;

/** A program that shows what the language does here; only `ok` has an input and an expected output. */
const SelfTestDefinition = z
  .strictObject({
    /** Relative to the language's folder, in `selftest/`. */
    file: z.string().startsWith('selftest/'),
    expect: ExpectedSelfTest,
    stdin: z.string().default('17 25\n'),
    /** What an accepted program prints, compared by tokens. */
    stdout: z.string().default(''),
  })
  .refine(({ expect, stdout }) => expect !== 'accepted' || stdout.trim() !== '', {
    message: 'an accepted self-test must print something, or an empty program would pass it',
  });

const ProbeDefinition = z.strictObject({
  program: z.string(),
  args: z.array(z.string()).default([]),
});

/** Kinds of tests that are code, or calls. */
export const CODE_KINDS = ['function', 'asserts', 'check', 'unittest', 'pytest', 'jest'] as const;

const ModuleName = z.string().regex(/^[A-Za-z0-9_.]+$/);

/** A second process with fewer modules: forking it costs less, because it has less memory to copy and to take apart. */
const LightRuntime = z.strictObject({
  imports: z.array(ModuleName),
  /** Programs with one of these words in a source file are forked from the one with all modules. */
  unless: z.array(z.string().min(1)),
});

/** One way to run a language. What it does not say is as the language says. */
export const EnvironmentDefinition = z.strictObject({
  /** Unique among all environments and language names of the service. */
  id: z.string().regex(/^[a-z][a-z0-9_+-]*$/),
  /** For people; the language's title by default. */
  title: z.string().optional(),
  /** Other names of this environment, lower case. Each is also a name of the language with this environment. */
  aliases: z.array(z.string()).default([]),
  /** What `{vars.NAME}` stands for. A list takes the place of an argument that is exactly the placeholder. */
  vars: z.record(z.string(), z.union([z.string(), z.array(z.string())])).default({}),
  /** Features that the probe must have found; one that is missing makes this environment unavailable. */
  needs: z.array(z.string()).default([]),
  /** Its own toolchain (mounts, tools, packages) in place of the language's. */
  probe: ProbeDefinition.optional(),
  /** Added to the language's fixed environment variables. */
  env: z.record(z.string(), z.string()).default({}),
  /** Changes to the language's warm runtime, which must be there. */
  warm: z
    .strictObject({
      /** Imported besides the language's. */
      imports: z.array(ModuleName).default([]),
      /** Besides the language's. */
      coldWords: z.array(z.string().min(1)).default([]),
      /** In place of the language's. */
      startLimitMs: z.int().positive().optional(),
      /** In place of the language's, its modules besides the language's. */
      light: LightRuntime.optional(),
    })
    .optional(),
  /**
   * Whether its jails take seconds to start. The service is then ready before they are, and whoever asks for the
   * environment meanwhile waits.
   */
  startsLate: z.boolean().default(false),
  /** In place of the language's self-tests of the same names. */
  selfTests: z.record(z.string(), SelfTestDefinition).default({}),
  /** In place of the language's. */
  startGraceMs: z.int().min(0).optional(),
  extraProcesses: z.int().min(0).optional(),
  extraMemoryMb: z.int().min(0).optional(),
});
export type EnvironmentDefinition = z.infer<typeof EnvironmentDefinition>;

/**
 * How a runtime ends that ran out of the heap it was given: it kills itself before the wall's limit is reached. Both
 * signs must be there, so that a program's own exit code alone is not taken for it.
 */
const MemoryFailure = z.strictObject({
  exitCode: z.int().min(1).max(255),
  /** What standard error contains. */
  stderr: z.string().min(1),
});
export type MemoryFailure = z.infer<typeof MemoryFailure>;

/** See `LanguageDefinition.determinism`. `varies` names what differs between equal runs all the same. */
export const Determinism = z.strictObject({
  seed: z.string().min(1).nullable(),
  clock: z.string().min(1).nullable(),
  varies: z.string().min(1).nullable().default(null),
});
export type Determinism = z.infer<typeof Determinism>;

export const LanguageDefinition = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9_+]*$/),
  title: z.string(),
  /** Other names callers use, lower case. */
  aliases: z.array(z.string()),
  /** Tags of fenced blocks that mean this language (besides id and aliases). */
  fenceTags: z.array(z.string()).default([]),
  /** Where a single `code` string is written. */
  sourceFile: z.string(),
  /**
   * The toolchain probe: a Node program, its path relative to the language's folder, run once at start on the host with
   * an environment from an allow-list. It prints one JSON object (`ProbeOutput`) or exits non-zero with a one-line
   * reason on stderr.
   */
  probe: ProbeDefinition,
  /** The first is the default. Empty: one environment, with the language's id and nothing of its own. */
  environments: z.array(EnvironmentDefinition).max(32).default([]),
  /** Null: no compile step; a syntax error is then a runtime error. */
  compile: z
    .strictObject({
      command: Command,
      /**
       * A quicker way to the same end, tried first where the main file contains one of the texts (precompiled headers).
       * It counts only when it succeeds and says nothing, or meets the time limit; else the command itself decides.
       */
      quick: z
        .strictObject({
          /** Put after the command's first word. Left out when a tool in them was not found. */
          args: z.array(z.string()).min(1),
          ifEntryHas: z.array(z.string()),
        })
        .nullable()
        .default(null),
      /**
       * Names of files that are compiled each on its own and linked, where a grader says that there are several; in other
       * languages the compiler finds the files of a program itself.
       */
      unitExtensions: z.array(z.string().startsWith('.')).default([]),
      /** Files of the work folder that the compile step leaves for the runs. */
      artefacts: z.array(z.string()).min(1),
      processes: z.int().positive().default(64),
      memoryMb: z.int().positive().default(1024),
    })
    .nullable(),
  run: z.strictObject({
    command: Command,
    /** Whether the source files are needed at run time, or only the artefacts and data files. */
    needsSource: z.boolean(),
    /** Null for a program that only the wall's own memory limit ends. */
    memoryFailure: MemoryFailure.nullable().default(null),
  }),
  /** Whether programs are first tried in an isolate of a warm host, where the probe finds one. */
  isolate: z.boolean().default(false),
  /** The fixed environment of compile and run. */
  env: z.record(z.string(), z.string()).default({}),
  /** Environment variable that carries the deterministic hash seed, where the language has one. */
  seedVariable: z.string().nullable().default(null),
  /** Put after the first word of the run's command where a request gives a seed; `{seed}` stands for it. */
  seedArgs: z.array(z.string()).default([]),
  /** What `seed` and `clock` of a request fix, in a line for its caller; null where they cannot be held and are refused. */
  determinism: Determinism.default({ seed: null, clock: null, varies: null }),
  /** A warm runtime from which runs are forked, or null: each run then starts the language's own. */
  warm: z
    .strictObject({
      /** What is preloaded into it: a file name in the runners' build folder. */
      library: z.string().regex(/^[a-z-]+\.so$/),
      /** Modules that are imported already when a run is forked. */
      imports: z.array(ModuleName),
      /** Programs with one of these words in a source file are started the cold way. */
      coldWords: z.array(z.string().min(1)),
      /**
       * Ends of a fork that may be the fork's own doing: signals, and its wall limit. The submission is then judged anew
       * by processes. Null for a runtime whose forks are as good as fresh ones.
       */
      doubtfulSignals: z.array(z.int().min(1).max(64)).nullable().default(null),
      /** A runtime that is not ready after this is done without, ms; 10 s leave room for a busy host. */
      startLimitMs: z.int().positive().default(10_000),
      light: LightRuntime.nullable().default(null),
    })
    .nullable()
    .default(null),
  /** The two sides of tests that are code, or null where there are none. Both are programs of this language. */
  verifier: z
    .strictObject({
      /** Kinds of tests that it runs; others go through `caller`, where there is one. */
      kinds: z.array(z.enum(CODE_KINDS)).min(1),
      /** Below `runners/`. */
      folder: z.string().regex(/^[a-z]+(?:\/[a-z]+)*$/),
      /** Of the modules' files. */
      extension: z.string().startsWith('.'),
      /**
       * How each run gets the modules: `warm`, a jail's warm runtime holds them or they are compiled once; `text`, they are
       * the main file of each run.
       */
      start: z.enum(['warm', 'text']),
      /** Modules in the order of their loading; the last one is what runs. */
      candidate: z.array(z.string().regex(/^[a-z]+$/)).min(1),
      tests: z.array(z.string().regex(/^[a-z]+$/)).min(1),
      /** Reads tests that are to run beside the program, and what runs both; empty where that is not to be had. */
      planner: z.array(z.string().regex(/^[a-z]+$/)).default([]),
      inprocess: z.array(z.string().regex(/^[a-z]+$/)).default([]),
    })
    .nullable()
    .default(null),
  /**
   * Test files of the language's own, which are built with the program and run in its process, where they are judged by
   * canaries; or null. Only where the probe finds a `verifier`. Built in `program/` and, for each variant, `tests/N/`.
   */
  harness: z
    .strictObject({
      /** The kind of tests that these are. */
      kind: z.enum(['go_test', 'junit']),
      /** What source files end with; those of a program that end with `leftOut` are not built. */
      sources: z.string().startsWith('.'),
      leftOut: z.string().nullable().default(null),
      /** Reads tests, where no candidate is: what it is given and answers, src/judge/inprocess/plan.ts tells. */
      planner: Command,
      /** `{n}` in an artefact is the number of the variant. The artefact is put in the work folder as `program`. */
      build: z.strictObject({ command: Command, artefact: z.string().includes('{n}') }),
      program: z.string(),
      run: Command,
      /** CPU time that reading and running tests takes beside the program, ms, and memory, MiB. */
      extraCpuMs: z.int().min(0),
      extraMemoryMb: z.int().min(0),
      /** Why it is not there where the probe finds no `verifier`. */
      missing: z.string(),
    })
    .nullable()
    .default(null),
  /** How single calls of a program are made where there is no test runner, or null. */
  caller: z
    .strictObject({
      /** The main that calls, relative to the language's folder. */
      driver: z.string().regex(/^(?:\.\.\/shared\/)?[\w./]+$/),
      /** What is compiled with it, relative to the language's folder. */
      beside: z.array(z.string().regex(/^[\w./]+$/)).default([]),
      /** What the program's main file is called beside it. */
      solution: z.string().regex(/^\w+\.\w+$/),
      /** Environments in which the main does not compile. */
      except: z.array(z.string()).default([]),
    })
    .nullable()
    .default(null),
  /** How cells of a notebook are run, or null where they are not. */
  cells: z
    .strictObject({
      /** The program that runs them, below `runners/`: the text of a module with `main(namespace)`. */
      driver: z.string().regex(/^[a-z]+(?:\/[a-z]+)*\.[a-z]+$/),
    })
    .nullable()
    .default(null),
  /** Added to the CPU limit to pay for the runtime's own start, ms. */
  startGraceMs: z.int().min(0).default(0),
  /** Added to the process limit for threads the runtime itself starts. */
  extraProcesses: z.int().min(0).default(0),
  /** Added to the memory limit for the runtime itself, MiB. */
  extraMemoryMb: z.int().min(0).default(0),
  selfTests: z.record(z.string(), SelfTestDefinition),
});
export type LanguageDefinition = z.infer<typeof LanguageDefinition>;

const Mount = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('bind'), source: z.string(), target: z.string() }),
  z.strictObject({ kind: z.literal('symlink'), source: z.string(), target: z.string() }),
  /** An empty read-only folder, to hide what lies under a bind. */
  z.strictObject({ kind: z.literal('empty'), target: z.string() }),
]);

/** A warm host: the first process of a jail of its own, with a root of its own. */
const WarmHost = z.strictObject({
  /** Path in that jail, and arguments. */
  command: z.array(z.string()).min(1),
  mounts: z.array(Mount),
});

/** What a probe prints. Mount sources are host paths, targets are absolute paths in a run's root. */
export const ToolchainProbe = z.strictObject({
  version: z.string(),
  tools: z.record(z.string(), z.string()),
  mounts: z.array(Mount),
  packages: z.record(z.string(), z.string()),
  /** What test runners have besides, and no candidate; left out where there is nothing. */
  verifier: z.strictObject({ packages: z.string(), mounts: z.array(Mount) }).optional(),
  /** Runs programs in isolates. Left out where there is none. */
  isolateHost: WarmHost.optional(),
  /** Compiles programs. Left out where there is none. */
  compileHost: WarmHost.optional(),
});
export type ToolchainProbe = z.infer<typeof ToolchainProbe>;

/** Which program of the host was taken and which were passed over, for the operator; callers are not told. */
const ToolchainChoice = z.strictObject({
  /** Host path. */
  program: z.string(),
  /** `path: why not`, in the order of the search. */
  skipped: z.array(z.string()).default([]),
});
type ToolchainChoice = z.infer<typeof ToolchainChoice>;

/** The probe's whole answer: the toolchain, and what only the catalog needs to know. */
export const ProbeOutput = ToolchainProbe.extend({
  /** What some environments need of the toolchain: name → null when it is there, else why not, one line. */
  features: z.record(z.string(), z.string().nullable()).default({}),
  /** Host paths, existing or not, whose change makes the answer stale. */
  watch: z.array(z.string()),
  choice: ToolchainChoice.optional(),
});
export type ProbeOutput = z.infer<typeof ProbeOutput>;
export type ToolchainMount = ToolchainProbe['mounts'][number];

/** A language at a version, ready for jails. Environments whose jails would be equal share them. */
export interface Environment {
  readonly id: string;
  /** The language as this environment has it: variables filled in, its own values in place. */
  readonly language: LanguageDefinition;
  readonly toolchain: ToolchainProbe;
  /** `sha256:…` */
  readonly fingerprint: string;
}

/** An environment as the service offers it: ready, or with the reason why not. */
export interface OfferedEnvironment {
  readonly definition: EnvironmentDefinition;
  readonly environment: Environment | null;
  /** Null when available. */
  readonly reason: string | null;
  /** Where its probe tells it. */
  readonly choice?: ToolchainChoice | undefined;
}

/** A language with at least one environment; the first is the default. */
export interface CatalogEntry {
  readonly definition: LanguageDefinition;
  readonly environments: readonly [OfferedEnvironment, ...OfferedEnvironment[]];
}

/** All environments of a language, the default first. */
export function environmentsOf(
  definition: LanguageDefinition,
): readonly [EnvironmentDefinition, ...EnvironmentDefinition[]] {
  const [first, ...others] = definition.environments;
  return [first ?? EnvironmentDefinition.parse({ id: definition.id }), ...others];
}

/** Every name that means the language, with the environment that it means: null for the default. */
export function namesOf(definition: LanguageDefinition): ReadonlyMap<string, string | null> {
  const names = new Map<string, string | null>();
  for (const { id, aliases } of definition.environments) {
    for (const name of [id, ...aliases]) names.set(name, id);
  }
  // The language's own names win, so that one of them may be the name of its default environment too.
  for (const name of [definition.id, ...definition.aliases]) names.set(name, null);
  return names;
}
