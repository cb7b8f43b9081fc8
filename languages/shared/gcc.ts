/**
 * Probe of GCC, for C (argument `c`) or C++ (argument `c++`): asks the compiler where its parts are and mounts those
 * folders. A compiler that is a link to a cache (ccache, distcc) is passed over. Further arguments are options
 * (`-std=gnu++20`, `-fsanitize=address`) of which each is tried: a feature that an environment can need.
 */
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

import {
  baseMounts,
  bind,
  libraryFolders,
  messages,
  nameOf,
  onPath,
  output,
  places,
  requireReachable,
  runProbe,
  type Toolchain,
  Unavailable,
} from './host.ts';

const KINDS = {
  c: { program: 'gcc', back: 'cc1', header: 'stdio.h', library: 'libc.so.6' },
  'c++': { program: 'g++', back: 'cc1plus', header: 'iostream', library: 'libstdc++.so' },
} as const;

const MINIMAL_PROGRAM = 'int main(void) { return 0; }\n';

runProbe(() => {
  const language = process.argv[2] === 'c++' ? 'c++' : 'c';
  const { program } = KINDS[language];
  const candidates = onPath(program);
  const isCache = (path: string): boolean => /cache|distcc|icecc/.test(nameOf(realpathSync(path)));
  const compiler = candidates.find((path) => !isCache(path));
  if (compiler === undefined) throw new Unavailable(`no ${program} on PATH`);
  const skipped = candidates.slice(0, candidates.indexOf(compiler));
  return {
    ...describe(realpathSync(compiler), language),
    choice: { program: compiler, skipped: skipped.map((path) => `${path} is a cache's`) },
  };
});

function describe(compiler: string, language: keyof typeof KINDS): Toolchain {
  const { program, back, header, library } = KINDS[language];
  requireReachable(compiler);
  // Fails when the compiler proper or the headers are not installed.
  output(compiler, ['-fsyntax-only', '-include', header, '-x', language, '/dev/null']);
  const file = (name: string): string => output(compiler, [`-print-file-name=${name}`]);
  const part = (name: string): string => {
    const path = output(compiler, [`-print-prog-name=${name}`]);
    const found = isAbsolute(path) ? path : onPath(path)[0];
    if (found === undefined) throw new Unavailable(`${compiler} has no ${name}`);
    return realpathSync(found);
  };
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
  const version = output(compiler, ['-dumpfullversion']);
  return {
    version,
    tools: { [program]: compiler },
    mounts: [...baseMounts(), ...folders.map(bind)],
    packages: {
      [program]: version,
      glibc: lastWord(output('ldd', ['--version'])),
      binutils: lastWord(output(part('ld'), ['--version'])),
    },
    features: Object.fromEntries(features.map(({ option, reason }) => [option, reason])),
    watch: [...places(program), compiler, ...parts],
  };
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
