/**
 * Set-up for Java: gathers the JDK, compiles our compile step, and makes the class archives with which compiler and
 * programs start faster. A JDK that makes no archives is served without: they only cost time when missing.
 */
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { COMPILER_SOURCES, findJdk, type Jdk, jdkFiles } from '../shared/jdk.ts';
import { build, gather, prepare } from '../shared/prepared.ts';

/** As programs and the compile step are started (language.json): archives hold for one collector. */
const FLAGS = ['-XX:+UseSerialGC', '-XX:-UsePerfData', '-ea'] as const;
const QUICK = '-XX:TieredStopAtLevel=1';
/**
 * Of the compiler, for the compile server alone: how a compilation ended. Named in the archive's manifest and not on the
 * command line, where it would keep a JVM from using a class archive whole.
 */
const EXPORTED = [
  'jdk.compiler/com.sun.tools.javac.api',
  'jdk.compiler/com.sun.tools.javac.main',
] as const;
/** What the training program reads. */
const INPUT = '7\n5 3 8 1 9 2\nsome words\ntoken 12 2.5 end\n';
/** From here on one archive holds linked classes and profiles, too. */
const AOT_FEATURE = 25;

prepare(findJdk, (folder, jdk) => {
  gather(jdk.home, jdkFiles(jdk.home), join(folder, 'jdk'));
  const classes = join(folder, 'classes');
  const sources = readdirSync(COMPILER_SOURCES)
    .filter((name) => name.endsWith('.java'))
    .map((name) => join(COMPILER_SOURCES, name));
  const tool = (name: string): string => join(jdk.home, 'bin', name);
  const exported = EXPORTED.flatMap((name) => ['--add-exports', `${name}=ALL-UNNAMED`]);
  build(tool('javac'), [...exported, '-d', classes, ...sources], { cwd: folder });
  const manifest = join(folder, 'manifest');
  writeFileSync(manifest, `Main-Class: Server\nAdd-Exports: ${EXPORTED.join(' ')}\n`);
  const training = ['-C', COMPILER_SOURCES, 'training'];
  const jar = ['--create', '--file', 'compiler.jar', '--manifest', 'manifest', '-C', classes, '.'];
  build(tool('jar'), [...jar, ...training], { cwd: folder });
  rmSync(classes, { recursive: true });
  rmSync(manifest);
  archive(folder, jdk);
});

/** `compile.jsa` and `run.jsa`. */
function archive(folder: string, { feature }: Jdk): void {
  const work = join(folder, 'work');
  mkdirSync(work);
  copyFileSync(join(COMPILER_SOURCES, 'training', 'Main.java'), join(work, 'Main.java'));
  const java = (args: readonly string[], input = ''): void => {
    build(join(folder, 'jdk', 'bin', 'java'), [...FLAGS, ...args], { cwd: work, input });
  };
  const compiler = ['-cp', join(folder, 'compiler.jar'), 'Compile', 'Main.java'];
  try {
    if (feature >= AOT_FEATURE) {
      java([QUICK, `-XX:AOTCacheOutput=${join(folder, 'compile.jsa')}`, ...compiler]);
    } else {
      java([QUICK, '-XX:DumpLoadedClassList=compile.list', ...compiler]);
      java(dump('compile.list', join(folder, 'compile.jsa')));
    }
    java(['-XX:DumpLoadedClassList=run.list', '@main.args'], INPUT);
    java(dump('run.list', join(folder, 'run.jsa')));
  } catch (error) {
    process.stdout.write(`no class archives: ${String(error)}\n`);
  }
  rmSync(work, { recursive: true });
}

/** Of the JDK's classes alone: with an empty class path an archive fits every program's. */
function dump(list: string, target: string): string[] {
  return [
    '-Xshare:dump',
    `-XX:SharedClassListFile=${list}`,
    `-XX:SharedArchiveFile=${target}`,
    '-cp',
    '/nonexistent',
  ];
}
