/**
 * Refuses the words of a command line that its command does not take: citty leaves them out in silence, and a limit
 * or a port that is misspelt would then be the default. Knows names and shapes; what values mean is the command's.
 */
import type { ArgDef, ArgsDef } from 'citty';

import { nearestName } from '../http/native/nearest-name.ts';
import { UsageError } from './exit-codes.ts';

interface Grammar {
  /** As typed after `assay`, for messages. */
  readonly command: string;
  readonly args: ArgsDef;
  /** Whether words after `--` are passed on. */
  readonly takesRest: boolean;
}

/** The words before the first `--`, and those after it; null when there is none. */
export function splitRest(words: readonly string[]): {
  readonly own: readonly string[];
  readonly rest: readonly string[] | null;
} {
  const at = words.indexOf('--');
  return at < 0
    ? { own: words, rest: null }
    : { own: words.slice(0, at), rest: words.slice(at + 1) };
}

/** `queueLength` → `queue-length`. */
export function flagName(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Throws UsageError for an unknown option, an option without its value, and words too few or too many. */
export function checkWords(words: readonly string[], grammar: Grammar): void {
  const { command, args, takesRest } = grammar;
  const { own, rest } = splitRest(words);
  const places = Object.entries(args).filter(([, arg]) => arg.type === 'positional');
  const plain: string[] = [];
  for (let at = 0; at < own.length; at += 1) {
    const word = own[at] ?? '';
    if (word === '-' || !word.startsWith('-')) plain.push(word);
    else if (takesNext(word, grammar)) {
      at += 1;
      const value = own[at];
      if (value === undefined || value.startsWith('--')) {
        throw new UsageError(`option ${word} needs a value`);
      }
    }
  }
  const extra = plain[places.length] ?? (takesRest ? undefined : rest?.[0]);
  if (extra !== undefined) throw new UsageError(whyNotTaken(extra, command));
  const [missing, place] = places[plain.length] ?? [];
  if (missing !== undefined && place?.required !== false) {
    throw new UsageError(`${missing.toUpperCase()} is missing; see \`assay ${command} --help\``);
  }
}

/** Whether the option's value is the next word. Throws for an option that the command does not have. */
function takesNext(word: string, { args, command }: Grammar): boolean {
  const options = new Map<string, ArgDef>(
    Object.entries(args)
      .filter(([, arg]) => arg.type !== 'positional')
      .map(([key, arg]) => [flagName(key), arg]),
  );
  const [flag = ''] = word.split('=', 1);
  const name = flagName(flag.replace(/^--?/, ''));
  const option = flag.startsWith('--') ? options.get(name) : undefined;
  if (option !== undefined) return option.type !== 'boolean' && !word.includes('=');
  const positive = name.startsWith('no-') ? options.get(name.slice('no-'.length)) : undefined;
  if (positive?.type === 'boolean' && !word.includes('=')) return false;
  if (positive !== undefined) {
    throw new UsageError(`unknown option ${flag}; say --${name.slice('no-'.length)} false`);
  }
  const known = [...options.keys()];
  const nearest = nearestName(
    name,
    known.map((each) => each.replaceAll('-', '_')),
  );
  throw new UsageError(
    nearest === null
      ? `unknown option ${flag}; \`assay ${command} --help\` lists those there are`
      : `unknown option ${flag}; did you mean --${nearest.replaceAll('_', '-')}?`,
  );
}

function whyNotTaken(word: string, command: string): string {
  const hint =
    command === 'serve' ? '; npm passes options on only after --: npm start -- --port 9000' : '';
  return `unexpected argument "${word}"${hint}`;
}
