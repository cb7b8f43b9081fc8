/** Programs whose bytes are the point: encodings, marks, line ends and sizes that no text file should hold. */
import type { Program } from '../program.ts';

const bytes = (text: string, encoding: BufferEncoding = 'latin1'): Buffer =>
  Buffer.from(text, encoding);

const SOURCES: Readonly<Record<string, Buffer>> = {
  'byte order mark': bytes('\xef\xbb\xbfprint("\xc3\xa9")\n'),
  'latin-1 by cookie': bytes('# -*- coding: latin-1 -*-\nprint("\xe9", ascii("\xe9"))\n'),
  'latin-1 by cookie, an error': bytes('# coding: latin-1\nraise ValueError("\xe9")\n'),
  'no utf-8': bytes('x = 1\nprint("\xe9")\n'),
  'unknown cookie': bytes('# coding: nothing\nprint(1)\n'),
  'mark against cookie': bytes('\xef\xbb\xbf# coding: latin-1\nprint(1)\n'),
  'null byte': bytes('print(1)\nx = "a\0b"\nprint(2)\n'),
  'null byte first': bytes('\0print(1)\n'),
  'carriage returns': bytes('print(1)\r\nprint("""a\r\nb""".encode())\r\nprint(3)\r'),
  'no newline at the end': bytes('print(1)\nif True:\n    print(2)'),
  'form feed': bytes('print(1)\n\f\nif 1:\n    \f\n    print(2)\n'),
  'backslash at the end': bytes('x = 1 \\'),
  'only a backslash': bytes('\\\n'),
  'utf-16': Buffer.concat([bytes('\xff\xfe'), bytes('print(1)\n', 'utf16le')]),
  'many lines': bytes('x = 1\n'.repeat(60_000) + 'print(x)\nraise ValueError\n'),
  'one long line': bytes(`print(len([${'1,'.repeat(50_000)}]))\n`),
  'many constants': bytes(
    `${Array.from({ length: 3000 }, (_, i) => `v${i} = ${i}.5`).join('\n')}\nprint(v2999)\n`,
  ),
  'deep nesting': bytes(`${Array.from({ length: 30 }, (_, i) => `${' '.repeat(i)}if 1:`).join('\n')}
${' '.repeat(31)}print(1)\n`),
  'too deep nesting': bytes(
    `${Array.from({ length: 120 }, (_, i) => `${' '.repeat(i)}if 1:`).join('\n')}\n`,
  ),
};

const PACKAGE = {
  'tool/main.py': 'from . import x\n',
  'tool/other.py': 'import sys\nprint(__file__, sys.argv, __name__)\nimport near\nprint(near.x)\n',
  'tool/near.py': 'x = 1\n',
};

/** The programs, each forked unless it says otherwise. */
export const ODD_SOURCES: readonly Program[] = [
  ...Object.entries(SOURCES).map(([name, source]): Program => ({
    name: `source: ${name}`,
    runtime: 'forked',
    differs: false,
    request: {
      language: 'python',
      files: { 'main.py': { base64: source.toString('base64') } },
      entry: 'main.py',
    },
  })),
  ...['tool/main.py', 'tool/other.py'].map((entry): Program => ({
    name: `entry: ${entry}`,
    runtime: 'process',
    differs: false,
    request: { language: 'python', files: PACKAGE, entry },
  })),
  {
    name: 'stdin: big input',
    runtime: 'forked',
    differs: false,
    request: {
      language: 'python',
      code: 'import sys\nn = int(input())\nprint(n, sum(map(int, sys.stdin.read().split())))\n',
      stdin: `400000\n${'1234567 '.repeat(400_000)}`,
    },
  },
  {
    name: 'stdin: big input, left unread',
    runtime: 'forked',
    differs: false,
    request: { language: 'python', code: 'print(input())\n', stdin: 'line\n'.repeat(200_000) },
  },
];
