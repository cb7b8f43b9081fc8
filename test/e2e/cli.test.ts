/** The command line from outside: what it prints, and the exit code that scripts rely on. */
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { Config } from '../../src/config/schema.ts';
import { assay, command, type CommandResult } from '../support/command.ts';
import { JudgeResponse, RunResponse } from '../../src/http/native/schema/report.ts';
import { projectFile } from '../support/project.ts';
import {
  freshStateDir,
  startService,
  temporaryFolder,
  type RunningService,
} from '../support/service.ts';

const OK = 0;
const NOT_ACCEPTED = 1;
const USAGE = 2;

const ADD = 'print(sum(map(int, input().split())))\n';
const CASES = [
  { stdin: '1 2\n', expected_stdout: '3\n' },
  { stdin: '20 22\n', expected_stdout: '42\n' },
];

describe('assay', () => {
  let service: RunningService;
  let folder: string;
  const file = (name: string): string => path.join(folder, name);
  beforeAll(async () => {
    service = await startService({ flags: { '--slots': '2' } });
    folder = await temporaryFolder();
    await mkdir(file('folder'));
    await Promise.all([
      writeFile(file('add.py'), ADD),
      writeFile(file('wrong.py'), 'print(3)\n'),
      writeFile(file('broken.cpp'), 'int main() { return undeclared; }\n'),
      writeFile(file('exit7.sh'), 'cat; echo oops >&2; exit 7\n'),
      writeFile(file('program.unknown'), ADD),
      writeFile(file('cases.json'), JSON.stringify(CASES)),
      writeFile(file('tests.json'), JSON.stringify({ kind: 'stdio', cases: CASES })),
      writeFile(file('cases.jsonl'), CASES.map((each) => JSON.stringify(each)).join('\n')),
      writeFile(file('broken.json'), '['),
      writeFile(file('args.py'), 'import sys\nprint(sys.argv[1:])\n'),
      writeFile(file('spin.py'), 'while True: pass\n'),
      writeFile(file('module.mjs'), 'import { EOL } from "node:os";\nconsole.log(EOL.length);\n'),
      ...['1', '2', '10'].flatMap((name) => [
        writeFile(file(`folder/${name}.in`), `${name} 2\n`),
        writeFile(file(`folder/${name}.ans`), `${Number(name) + 2}\n`),
      ]),
    ]);
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  const remote = async (argv: readonly string[], stdin = ''): Promise<CommandResult> =>
    await assay([...argv, '--url', service.url], { stdin });

  describe('judge', () => {
    it.each(['cases.json', 'tests.json', 'cases.jsonl', 'folder'])(
      'takes tests from %s',
      async (tests) => {
        const { code, stdout } = await remote(['judge', file('add.py'), '--tests', file(tests)]);
        expect(stdout).toMatch(/^accepted {2}reward 1 /);
        expect(code).toBe(OK);
      },
    );

    it.each([
      ['wrong.py', /^wrong_answer {2}reward 0 .*\n {2}case 2: wrong_answer/],
      ['broken.cpp', /^compile_error {2}reward 0 [\s\S]*undeclared/],
    ])('says why %s is not accepted, and exits with 1', async (program, text) => {
      const { code, stdout } = await remote([
        'judge',
        file(program),
        '--tests',
        file('cases.json'),
      ]);
      expect(stdout).toMatch(text);
      expect(code).toBe(NOT_ACCEPTED);
    });

    it('takes a folder in the order of its numbers, and tells what was not run in one line', async () => {
      const argv = ['judge', file('wrong.py'), '--tests', file('folder')];
      const shown = await remote(argv);
      expect(shown.stdout).toBe(
        'wrong_answer  reward 0  1/3 passed\n  case 2: wrong_answer: token 1: expected 4, got 3\n  1 not run; see --scoring\n',
      );
      const json = await remote([...argv, '--json']);
      const { cases } = JudgeResponse.parse(JSON.parse(json.stdout));
      expect(cases.map(({ id }) => id)).toEqual(['1', '2', '10']);
    });

    it('judges by the rules of a profile, and says so where they can be gamed', async () => {
      const argv = ['judge', file('wrong.py'), '--tests', file('cases.json'), '--profile'];
      const gamed = await remote([...argv, 'trl']);
      expect(gamed.stdout).toContain('by the rules of trl, which can be gamed');
      expect(gamed.code).toBe(NOT_ACCEPTED);
      expect((await remote([...argv, 'cms'])).stdout).not.toContain('gamed');
      expect((await remote([...argv, 'luck'])).code).toBe(USAGE);
    });

    it('keeps a record, which a replay finds to be the same, or not', async () => {
      const kept = file('kept.json');
      const judged = ['judge', file('wrong.py'), '--tests', file('cases.json')];
      expect((await remote([...judged, '--record', kept])).code).toBe(NOT_ACCEPTED);
      const same = await remote(['replay', kept, '--times', '3']);
      expect([same.code, same.stdout]).toEqual([OK, 'record 1: the same in 3 replays\n']);
      const record: unknown = JSON.parse(await readFile(kept, 'utf8'));
      const { request } = z.object({ request: z.looseObject({}) }).parse(record);
      const changed = { ...z.looseObject({}).parse(record), request: { ...request, code: ADD } };
      await writeFile(
        file('two.jsonl'),
        [record, changed].map((each) => JSON.stringify(each)).join('\n'),
      );
      const other = await remote(['replay', file('two.jsonl')]);
      expect(other.code).toBe(NOT_ACCEPTED);
      expect(other.stdout).toContain('record 1: the same');
      expect(other.stdout).toContain(
        'record 2: DIFFERS in 1 replay\n  verdict: wrong_answer → accepted',
      );
      for (const argv of [
        ['replay', file('cases.json')],
        ['replay', kept, '--times', '0'],
      ])
        expect((await remote(argv)).code).toBe(USAGE);
    });

    it('sets limits', async () => {
      const argv = ['judge', file('spin.py'), '--tests', file('cases.json'), '--cpu-ms', '100'];
      const { code, stdout } = await remote(argv);
      expect(stdout).toMatch(/^time_limit/);
      expect(code).toBe(NOT_ACCEPTED);
    });

    it('prints the whole report with --json', async () => {
      const argv = [
        'judge',
        file('add.py'),
        '--tests',
        file('cases.json'),
        '--json',
        '--scoring',
        'fraction',
      ];
      const { code, stdout } = await remote(argv);
      expect(JudgeResponse.parse(JSON.parse(stdout))).toMatchObject({
        verdict: 'accepted',
        reward: 1,
        total: 2,
      });
      expect(code).toBe(OK);
    });

    it.each([
      ['a program that is not there', ['judge', '/nowhere.py', '--tests', 'cases.json']],
      ['tests that are not there', ['judge', 'add.py', '--tests', '/nowhere.json']],
      ['tests that are no JSON', ['judge', 'add.py', '--tests', 'broken.json']],
      ['no tests', ['judge', 'add.py']],
      ['no program', ['judge', '--tests', 'cases.json']],
      ['a language that is not clear', ['judge', 'program.unknown', '--tests', 'cases.json']],
      ['an unknown language', ['judge', 'add.py', '--tests', 'cases.json', '--language', 'cobol']],
      [
        'an unknown way to compare',
        ['judge', 'add.py', '--tests', 'cases.json', '--compare', 'luck'],
      ],
      ['an unknown option', ['judge', 'add.py', '--tests', 'cases.json', '--cpuMS', '1']],
      ['one program too many', ['judge', 'add.py', 'add.py', '--tests', 'cases.json']],
      ['a limit that is none', ['judge', 'add.py', '--tests', 'cases.json', '--cpu-ms', '1s']],
    ])('exits with 2 for %s', async (_, argv) => {
      const known = new Set(['add.py', 'cases.json', 'broken.json', 'program.unknown']);
      const { code, stderr } = await remote(
        argv.map((each) => (known.has(each) ? file(each) : each)),
      );
      expect(code).toBe(USAGE);
      expect(stderr).not.toMatch(/\n\s+at /);
      expect(stderr.length).toBeGreaterThan(10);
    });

    it('starts a service of its own without --url', async () => {
      const stateDir = await freshStateDir();
      const argv = [
        'judge',
        file('add.py'),
        '--tests',
        file('cases.json'),
        '--state-dir',
        stateDir,
      ];
      const { code, stdout } = await assay(argv);
      expect(stdout).toMatch(/^accepted/);
      expect(code).toBe(OK);
      await rm(stateDir, { recursive: true });
    });

    it('exits with 2 when no service answers', async () => {
      const argv = [
        'judge',
        file('add.py'),
        '--tests',
        file('cases.json'),
        '--url',
        'http://127.0.0.1:1',
      ];
      const { code, stderr } = await assay(argv);
      expect(code).toBe(USAGE);
      expect(stderr).toContain('npm start');
    });
  });

  describe('run', () => {
    it('passes output through and exits as the program does', async () => {
      const { code, stdout, stderr } = await remote([
        'run',
        file('exit7.sh'),
        '--stdin',
        file('cases.json'),
      ]);
      expect(stdout).toBe(JSON.stringify(CASES));
      expect(stderr).toContain('oops\n');
      expect(code).toBe(7);
    });

    it.each([[['--stdin', '-']], [[]]])('reads its own stdin with %j', async (flags) => {
      const { code, stdout } = await remote(['run', file('add.py'), ...flags], '40 2\n');
      expect({ code, stdout }).toEqual({ code: 0, stdout: '42\n' });
    });

    it('takes the program from its own stdin, with -', async () => {
      const flags = ['run', '-', '--language', 'python'];
      const { code, stdout } = await remote(flags, 'print(6 * 7)\n');
      expect([code, stdout]).toEqual([OK, '42\n']);
      await expect(remote(['run', '-'], '')).resolves.toMatchObject({ code: USAGE });
    });

    it('exits with 2 for an input that is not there', async () => {
      const { code, stderr } = await remote(['run', file('add.py'), '--stdin', '/nowhere']);
      expect(stderr).toContain('/nowhere');
      expect(code).toBe(USAGE);
    });

    it('prints the whole answer with --json', async () => {
      const { code, stdout } = await remote(['run', file('exit7.sh'), '--json']);
      expect(RunResponse.parse(JSON.parse(stdout)).outcome).toMatchObject({
        kind: 'exited',
        exit_code: 7,
      });
      expect(code).toBe(7);
    });

    it('passes on what follows --', async () => {
      const argv = ['run', file('args.py'), '--url', service.url, '--', '--x', '1', '--'];
      const { code, stdout } = await assay(argv);
      expect({ code, stdout }).toEqual({ code: 0, stdout: "['--x', '1', '--']\n" });
    });

    it('keeps an extension that means something to the runtime', async () => {
      const { code, stdout } = await remote(['run', file('module.mjs')]);
      expect({ code, stdout }).toEqual({ code: 0, stdout: '1\n' });
    });

    it('shows compile errors once and exits with 1', async () => {
      const { code, stderr } = await remote(['run', file('broken.cpp')]);
      expect(stderr.match(/error: .undeclared/g)).toHaveLength(1);
      expect(code).toBe(NOT_ACCEPTED);
    });
  });

  describe('languages, config', () => {
    it('lists languages', async () => {
      const { code, stdout } = await remote(['languages']);
      expect(stdout).toMatch(/^python\s+(?:3\.|Python 3)/m);
      expect(code).toBe(OK);
      const json = await remote(['languages', '--json']);
      const { languages } = z
        .looseObject({ languages: z.array(z.looseObject({ id: z.string() })) })
        .parse(JSON.parse(json.stdout));
      expect(languages.map(({ id }) => id)).toContain('cpp');
    });

    it('shows every setting and where it came from', async () => {
      const { code, stdout } = await assay(['config', '--json', '--slots', '3'], {
        env: { ASSAY_PORT: '9001' },
      });
      const Shown = z.looseObject({
        config: z.record(z.string(), z.unknown()),
        sources: z.record(z.string(), z.string()),
      });
      const { config, sources } = Shown.parse(JSON.parse(stdout));
      expect(Object.keys(config)).toEqual(Object.keys(Config.shape));
      expect(config).toMatchObject({ slots: 3, port: 9001 });
      expect(sources).toMatchObject({ slots: 'flag', port: 'environment', host: 'default' });
      expect(code).toBe(OK);
    });

    it('prints what it takes back, from a shell and as a file', async () => {
      const flags = ['--require', 'none', '--state-dir', "/a 'b' $c", '--queue-length', '7'];
      const shown = await assay(['config', '--json', ...flags]);
      const { config } = z.looseObject({ config: z.unknown() }).parse(JSON.parse(shown.stdout));
      await writeFile(file('printed.json'), shown.stdout);
      await writeFile(file('printed.env'), (await assay(['config', ...flags])).stdout);
      const again = await assay(['config', '--json', '--config', file('printed.json')]);
      expect(JSON.parse(again.stdout)).toMatchObject({ config });
      const main = `${process.execPath} ${projectFile('src', 'main.ts')}`;
      const script = `set -a; . ${file('printed.env')}; exec ${main} config --json`;
      const sourced = await command(['/bin/sh', '-c', script]);
      expect(JSON.parse(sourced.stdout)).toMatchObject({ config });
    });

    it.each([
      ['an unknown variable', ['config'], { ASSAY_PROT: '1' }],
      ['a value that is none', ['config', '--port', 'eighty'], {}],
      ['a file that is not there', ['config', '--config', '/nowhere.json'], {}],
      ['an unknown command', ['frobnicate'], {}],
      ['an unknown option', ['config', '--prot', '1'], {}],
      ['an argument too many', ['serve', '9000'], {}],
    ])('exits with 2 for %s', async (_, argv, env) => {
      const { code, stdout, stderr } = await assay(argv, { env });
      expect({ code, stdout }).toEqual({ code: USAGE, stdout: '' });
      expect(stderr).toMatch(/^assay: /);
    });

    it('prints its usage', async () => {
      for (const argv of [[], ['help'], ['--help'], ['judge', '--help'], ['--version'], ['-v']]) {
        const { code, stdout } = await assay(argv);
        expect(stdout).toContain('assay');
        expect(code).toBe(OK);
      }
    });
  });

  it('refuses to start weaker than configured, with 2 and the reason', async () => {
    const stateDir = await temporaryFolder();
    const { code, stderr } = await assay([
      'serve',
      '--port',
      '0',
      '--state-dir',
      stateDir,
      '--nsjail',
      '/nowhere/nsjail',
    ]);
    expect(code).toBe(USAGE);
    expect(stderr).toContain('nsjail');
    expect(stderr).not.toMatch(/\n\s+at /);
    await rm(stateDir, { recursive: true });
  });

  it('refuses a port that is taken, with 2 and the reason', async () => {
    const stateDir = await temporaryFolder();
    const { port } = new URL(service.url);
    const { code, stdout, stderr } = await assay([
      'serve',
      '--port',
      port,
      '--state-dir',
      stateDir,
    ]);
    expect(code).toBe(USAGE);
    expect(stderr).toMatch(/^assay: port \d+ of 127\.0\.0\.1 is taken; .*--port\n$/);
    expect(stdout).toBe('');
    // Nothing was started for it.
    expect(await readdir(stateDir)).toEqual([]);
    await rm(stateDir, { recursive: true });
  });

  it('refuses an address that is not there, with advice that fits', async () => {
    const { code, stderr } = await assay(['serve', '--port', '0', '--host', '192.0.2.1']);
    expect(code).toBe(USAGE);
    expect(stderr).toMatch(/^assay: 192\.0\.2\.1 is no address of this machine; .*--host.*\n$/);
  });

  it('is found from anywhere, through a link', async () => {
    await symlink(projectFile('bin', 'assay'), file('assay-link'));
    const { code, stdout } = await command([file('assay-link'), 'config'], { cwd: '/' });
    expect(stdout).toContain('ASSAY_PORT=');
    expect(code).toBe(OK);
  });
});
