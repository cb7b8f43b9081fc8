/** Rows A and B: the host's files through names that a program made; requests, environment, network. */
import { expect } from 'vitest';

import { aJudge, aRun } from '../../support/builders.ts';
import { hostileProgram } from '../../support/hostile-program.ts';
import { waitFor } from '../../support/wait.ts';
import type { Escape, Scene } from './escape.ts';

const FIRST_FILES = {
  'sitecustomize.py': 'open("loaded", "w")',
  'usercustomize.py': 'open("loaded", "w")',
  'abc.py': 'open("loaded", "w")',
  'pyvenv.cfg': 'home = /work',
};
const LINKS = ['link', 'environ', 'environ-of-init', 'root/etc/passwd', 'loop', 'link-to-plain'];
const SPECIAL = ['pipe', 'folder', 'socket', 'plain/below'];
const LITERAL = ['a\nb', '\\', '$(id)', '`id`', ';id', '&& id', '-rf', '*', "'", '"', '\t', ''];
/** Each is a language, a name or a path that must not reach a command. */
const LOADERS = [
  'LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT PYTHONPATH PYTHONSTARTUP PYTHONHOME PYTHONINSPECT NODE_OPTIONS NODE_PATH',
  'BASH_ENV ENV PATH GCC_EXEC_PREFIX COMPILER_PATH CPATH LIBRARY_PATH JAVA_TOOL_OPTIONS GCONV_PATH PERL5LIB IFS',
].flatMap((line) => line.split(' '));
const byPort = ({ service }: Scene) => ({ args: [new URL(service.url).port] });
const AT_ONCE_MS = 5000;
const OWN_LOOPBACK = {
  granted: ['udp 127.0.0.1', 'udp ::1'],
  reason:
    'its loopback is up, in a network that each run has to itself: what is sent arrives nowhere',
};
/** Left by the program under such names, each with the same content. */
const ODD_NAMES = ['new\nline', 'qu"ote', 'back\\slash', '\u001B[2J', '-rf', ' ', '$(id)', 'a\rb'];
const ODD_CONTENT = 'odd';
const ODD_IN_JSON = /new\\nline|qu\\"ote|back\\\\slash/;
const LOGGED_WITHIN_MS = 10_000;

/** A second case finds the data it was given, whatever the first planted in its place; the artefact may not be a folder. */
async function plantsBetweenCases({ service, canaries }: Scene): Promise<void> {
  const code = `import os, sys
target = sys.argv[1]
for name in ("data.txt", "main.py", "stdin", "stdout", "main", "other.txt"):
    try:
        os.unlink(name)
    except OSError:
        pass
    os.symlink(target, name)
print("planted")
`;
  const given = { expected_stdout: 'planted\n', args: [`${canaries.folder}/canary`] };
  const cases = Array.from({ length: 3 }, () => ({ ...given, files: { 'data.txt': 'data' } }));
  expect(await service.client.judge(aJudge({ code, cases }))).toMatchObject({ reward: 1 });
  const inTheWay = aRun({
    language: 'c',
    code: 'int main(void) { return 0; }',
    files: { 'main/in-the-way': '', 'main.o/in-the-way': '' },
  });
  const answer = await service.client.post('/v1/run', inTheWay);
  expect([200, 422]).toContain(answer.status);
  if (answer.status === 200) expect(answer.body).toMatchObject({ fault: null });
}

/** A daemon swaps file and link up to its end; what is collected is one of the two names, never what is behind the link. */
async function swapsWhileCollecting({ service }: Scene): Promise<void> {
  const given = aRun({
    ...hostileProgram('files/plant.py'),
    collect: ['swapped', 'next', 'root/etc/passwd'],
  });
  const answers = await Promise.all([service.client.run(given), service.client.run(given)]);
  for (const answer of answers) {
    expect(answer.fault).toBeNull();
    expect(Object.values(answer.files).filter((content) => content !== '')).toEqual([]);
  }
}

/** Every line of the log is whole, and none tells of the names that the run made and was asked for. */
async function logsNoNames({ service }: Scene): Promise<void> {
  const from = service.output().length;
  const odd = hostileProgram('escapes/hostile-names.py');
  const { id } = await service.client.run(aRun({ ...odd, collect: ODD_NAMES }));
  const lines = await waitFor(
    () => {
      const said = service.output().slice(from).split('\n').slice(0, -1);
      return said.some((line) => line.includes(id)) ? said : null;
    },
    { what: 'line of the run in the log', timeoutMs: LOGGED_WITHIN_MS },
  );
  for (const line of lines) {
    expect(() => JSON.parse(line) as unknown, line).not.toThrow();
    expect(line).not.toMatch(ODD_IN_JSON);
  }
}

export const FILES_AND_REQUESTS: readonly Escape[] = [
  {
    row: 1,
    attack: 'a link planted where the host opens a file later',
    judged: [
      { program: 'leftovers/rewrite-itself.py', verdicts: ['wrong_answer', 'runtime_error'] },
    ],
    scene: plantsBetweenCases,
  },
  {
    row: 2,
    attack: 'a link given back as a result',
    runs: [
      {
        program: 'files/plant.py',
        request: { collect: [...LINKS, 'plain'] },
        check: (_, { files, uncollected }) => {
          expect(files).toEqual({ plain: 'plain text' });
          expect(Object.keys(uncollected)).toEqual(expect.arrayContaining(LINKS));
        },
      },
    ],
    heldBy: 'test/hostile/host.test.ts',
  },
  {
    row: 3,
    attack: 'file and link swapped in a loop',
    scene: swapsWhileCollecting,
    heldBy: 'test/hostile/host.test.ts',
  },
  {
    row: 4,
    attack: 'a link to where the reference might be',
    judged: [
      { program: 'escapes/link-to-reference.py', verdicts: ['wrong_answer'] },
      { program: 'verdicts/find-expected.py', verdicts: ['wrong_answer'] },
    ],
  },
  {
    row: 5,
    attack: 'a pipe, a socket or a folder where a file is expected',
    runs: [
      {
        program: 'files/plant.py',
        request: { collect: SPECIAL },
        check: ({ wall_ms: wallMs }, { files, uncollected }) => {
          expect(files).toEqual({});
          expect(Object.keys(uncollected)).toEqual(expect.arrayContaining(SPECIAL));
          expect(wallMs).toBeLessThan(AT_ONCE_MS);
        },
      },
    ],
    heldBy: 'test/hostile/host.test.ts',
  },
  {
    row: 6,
    attack: 'names that break lines, quotes and encodings',
    runs: [
      {
        program: 'escapes/hostile-names.py',
        request: { collect: ODD_NAMES },
        // One by one: whatever is not given back has to be named with its reason.
        check: (_, { files, uncollected }) => {
          expect(Object.keys({ ...files, ...uncollected }).toSorted()).toEqual(
            ODD_NAMES.toSorted(),
          );
          expect(files['new\nline']).toBe(ODD_CONTENT);
          expect(new Set(Object.values(files))).toEqual(new Set([ODD_CONTENT]));
        },
      },
    ],
    refused: ['/etc/passwd', '../x', 'a/../../x', '.', 'nul\0', ''].map((name) => ({
      as: JSON.stringify(name),
      request: { collect: [name] },
      status: 422,
    })),
    scene: logsNoNames,
  },
  {
    row: 7,
    attack: 'trees as deep and as wide as the disk allows',
    runs: [
      { program: 'resources/deep-tree.c', outcome: { kind: 'exited', exit_code: 0 } },
      {
        program: 'resources/inodes.c',
        request: { limits: { disk_mb: 16 } },
        outcome: { kind: 'disk_limit', limit: 'disk' },
      },
    ],
    heldBy: 'test/hostile/resources.test.ts',
  },
  {
    row: 8,
    attack: 'writing below every mount, nested ones too',
    runs: [{ program: 'escapes/read-only-mounts.py' }],
  },
  {
    row: 9,
    attack: 'connecting to what the service talks with',
    runs: [
      {
        program: 'files/network.py',
        as: 'the port of a data base',
        request: { args: ['5432'] },
        gvisor: OWN_LOOPBACK,
      },
    ],
    heldBy: 'test/contract/network.test.ts',
  },
  {
    row: 10,
    attack: 'shell words in arguments, names and languages',
    runs: [
      {
        program: 'files/arguments.c',
        request: { args: LITERAL },
        check: ({ stdout }) => expect(stdout).toBe(LITERAL.map((arg) => `[${arg}]\n`).join('')),
      },
    ],
    refused: [
      { as: 'a language', request: { language: 'c; id' }, status: 422 },
      { as: 'an argument with a NUL', request: { args: ['a\0b'] }, status: 422 },
      { as: 'a path', request: { files: { '../x': '' } }, status: 422 },
      {
        as: 'an entry',
        request: { code: undefined, entry: '$(id)', files: { a: '' } },
        status: 422,
      },
    ],
  },
  {
    row: 11,
    attack: 'TCP, UDP, names, loopback, link-local, the service itself',
    runs: [
      {
        program: 'files/network.py',
        request: byPort,
        check: ({ stdout, wall_ms: wallMs }) => {
          expect(stdout).toMatch(/^no tcp 127/m);
          expect(wallMs).toBeLessThan(AT_ONCE_MS);
        },
        gvisor: OWN_LOOPBACK,
      },
    ],
    heldBy: 'test/hostile/host.test.ts',
  },
  {
    row: 12,
    attack: 'secrets of the service in the environment',
    // The guard's text is in a variable of the service; no answer may hold it.
    runs: [
      { program: 'escapes/environment.py' },
      { program: 'escapes/environment.js', outcome: { kind: 'exited', exit_code: 0 } },
      { program: 'files/environment.c', outcome: { kind: 'exited', exit_code: 0 } },
    ],
  },
  {
    row: 13,
    attack: 'code that runs before the walls are up',
    runs: [{ program: 'escapes/first-byte.py', request: { files: FIRST_FILES } }],
    refused: LOADERS.map((name) => ({
      as: name,
      request: { env: { [name]: '/work/x' } },
      status: 422,
    })),
  },
];
