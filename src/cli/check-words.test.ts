/** Which words a command takes, and what is said of the others. */
import type { ArgsDef } from 'citty';
import { describe, expect, it } from 'vitest';

import { checkWords, flagName, splitRest } from './check-words.ts';
import { UsageError } from './exit-codes.ts';

const ARGS: ArgsDef = {
  file: { type: 'positional', required: true },
  port: { type: 'string' },
  queueLength: { type: 'string' },
  language: { type: 'string' },
  json: { type: 'boolean' },
  pin: { type: 'string' },
};

function check(words: readonly string[], takesRest = false): void {
  checkWords(words, { command: 'judge', args: ARGS, takesRest });
}

describe('checkWords', () => {
  it.each([
    [['a.py']],
    [['--port', '1', 'a.py', '--json']],
    [['a.py', '--port=1', '--queue-length', '5', '--queueLength=5']],
    [['a.py', '--no-json', '--json=false']],
    [['--language', '-', '-']],
    [['a.py', '--port', '-1']],
  ])('takes %j', (words) => {
    expect(() => check(words)).not.toThrow();
  });

  it.each([
    [['a.py', '--prot', '1'], 'unknown option --prot; did you mean --port?'],
    [['a.py', '--lang=py'], 'unknown option --lang; did you mean --language?'],
    [['a.py', '--queue-lenght', '1'], 'did you mean --queue-length?'],
    [['a.py', '--frobnicate'], '`assay judge --help` lists'],
    [['a.py', '-p', '1'], 'unknown option -p'],
    [['a.py', '-json'], 'unknown option -json'],
    [['a.py', '--no-pin'], '--pin false'],
    [['a.py', '--no-nothing'], 'unknown option --no-nothing'],
    [['a.py', '--__proto__=1'], 'unknown option'],
    [['a.py', '--port'], '--port needs a value'],
    [['a.py', '--port', '--json'], '--port needs a value'],
    [['a.py', 'b.py'], 'unexpected argument "b.py"'],
    [['a.py', '--', 'x'], 'unexpected argument "x"'],
    [[], 'FILE is missing'],
    [['--json'], 'FILE is missing'],
  ])('refuses %j', (words, message) => {
    expect(() => check(words)).toThrow(UsageError);
    expect(() => check(words)).toThrow(message);
  });

  it('leaves what follows -- to a command that takes it', () => {
    expect(() => check(['a.py', '--', '--prot', 'x', '--'], true)).not.toThrow();
    expect(() => check(['--', 'a.py'], true)).toThrow('FILE is missing');
  });

  it('knows how npm swallows options', () => {
    const serve = { command: 'serve', args: {}, takesRest: false };
    expect(() => checkWords(['1'], serve)).toThrow('npm start -- --port');
  });
});

describe('splitRest', () => {
  it('splits at the first --', () => {
    expect(splitRest(['a', '--', 'b', '--'])).toEqual({ own: ['a'], rest: ['b', '--'] });
    expect(splitRest(['a'])).toEqual({ own: ['a'], rest: null });
    expect(splitRest(['--'])).toEqual({ own: [], rest: [] });
  });
});

describe('flagName', () => {
  it('is the key in kebab case', () => {
    expect(flagName('maxCompileCpuMs')).toBe('max-compile-cpu-ms');
  });
});
