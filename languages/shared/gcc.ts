/**
 * Probe of GCC, for C (argument `c`) or C++ (argument `c++`): asks the compiler where its parts are and mounts those
 * folders, and for C++ the headers that set-up compiled, where they are. Further arguments are options (`-std=gnu++20`,
 * `-fsanitize=address`) of which each is tried: a feature that an environment can need.
 */
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

import { findHeaders, HEADERS_TARGET } from './gcc-headers.ts';
import { findCompiler, partOf } from './gcc-toolchain.ts';
import {
  baseMounts,
  bind,
  libraryFolders,
  messages,
  nameOf,
  output,
  places,
  requireReachable,
  runProbe,
  type Toolchain,
  Unavailable,
  unreachable,
} from './host.ts';
import { preparedFolder } from './prepared.ts';

const KINDS = {
  c: { program: 'gcc', back: 'cc1', header: 'stdio.h', library: 'libc.so.6' },
  'c++': { program: 'g++', back: 'cc1plus', header: 'iostream', library: 'libstdc++.so' },
} as const;

type Headers = Pick<Toolchain, 'tools' | 'mounts' | 'watch'>;

const NO_HEADERS: Headers = { tools: {}, mounts: [], watch: [] };

const MINIMAL_PROGRAM = 'int main(void) { return 0; }\n';

runProbe(() => {
  const language = process.argv[2] === 'c++' ? 'c++' : 'c';
  const { program } = KINDS[language];
  const { name, path, skipped } = findCompiler(program);
  return {
    ...describe(path, language),
    choice: { program: name, skipped: skipped.map((each) => `${each} is a cache's`) },
  };
});

function describe(compiler: string, language: keyof typeof KINDS): Toolchain {
  const { program, back, header, library } = KINDS[language];
  requireReachable(compiler);
  // Fails when the compiler proper or the headers are not installed.
  output(compiler, ['-fsyntax-only', '-include', header, '-x', language, '/dev/null']);
  const file = (name: string): string => output(compiler, [`-print-file-name=${name}`]);
  const part = (name: string): string => partOf(compiler, name);
  const parts = [part(back), part('collect2'), part('as'), part('ld')];
  const files = [file('crt1.o'), file('libgcc.a'), file('libm.so'), file(library)];
  for (const path of files) {
    if (!isAbsolute(path)) throw new Unavailable(`${compiler} has no ${path}`);
  }
  const folders = [
    dirname(compiler),
    ...parts.map((path) => dirname(path)),
    ...files.map((path) => realpathSync(dirname(path))),
    ...libraryFolders([compiler, ...parts]),
    ...includeFolders(compiler, language),
  ];
  const features = process.argv.slice(3).map((option) => feature(compiler, language, option));
  const headers = language === 'c++' ? precompiled() : NO_HEADERS;
  const version = output(compiler, ['-dumpfullversion']);
  return {
    version,
    tools: { [program]: compiler, ...headers.tools },
    mounts: [...baseMounts(), ...folders.map(bind), ...headers.mounts],
    packages: {
      [program]: version,
      glibc: lastWord(output('ldd', ['--version'])),
      binutils: lastWord(output(part('ld'), ['--version'])),
    },
    features: Object.fromEntries(features.map(({ option, reason }) => [option, reason])),
    watch: [...places(program), compiler, ...parts, ...headers.watch],
  };
}

/** The precompiled headers; without them programs take longer to compile, and nothing else. */
function precompiled(): Headers {
  const { preparation, files } = findHeaders();
  const folder = preparedFolder(preparation);
  const watch = [folder, ...files];
  if (!existsSync(folder) || unreachable(folder) !== null) return { ...NO_HEADERS, watch };
  const mount = { kind: 'bind', source: folder, target: HEADERS_TARGET } as const;
  return { tools: { headers: HEADERS_TARGET }, mounts: [mount], watch };
}

/** Whether a program can be compiled and linked with this option; sanitizers need libraries of their own. */
function feature(
  compiler: string,
  language: keyof typeof KINDS,
  option: string,
): { readonly option: string; readonly reason: string | null } {
  const folder = mkdtempSync(join(tmpdir(), 'assay-probe-'));
  const args = [option, '-x', language, '-o', join(folder, 'main'), '-'];
  try {
    output(compiler, args, { input: MINIMAL_PROGRAM });
    return { option, reason: null };
  } catch {
    return { option, reason: `${nameOf(compiler)} cannot build programs with ${option}` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The folders that the compiler searches for headers, /usr/local only if the compiler is at home there. */
function includeFolders(compiler: string, language: string): string[] {
  const report = messages(compiler, ['-E', '-v', '-x', language, '/dev/null', '-o', '/dev/null']);
  const list = /search starts here:\n([\s\S]*?)End of search list/.exec(report)?.[1] ?? '';
  return list
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => isAbsolute(line) && existsSync(line))
    .map((line) => realpathSync(line))
    .filter((path) => !path.startsWith('/usr/local/') || compiler.startsWith('/usr/local/'));
}

function lastWord(text: string): string {
  return text.split('\n', 1)[0]?.split(/\s+/).at(-1) ?? '';
}
