/**
 * Other values for literals of compiled languages, from their text alone: of the same kind and, as far as can be, of the same
 * length. Of numbers with more than nine digits smaller ones, so that they still fit the type that they are compared with;
 * others as often larger as smaller, for a bound from below would tell an altered one. Drawn by a secret of this process, or a
 * program could draw them, too.
 */
import { createHash, randomBytes } from 'node:crypto';

import { alterDigits, type Draw } from '../../verify/altered-digits.ts';
import type { LiteralKind, Near } from './plan.ts';

const VARIANTS = 3;
/** Alterations that are tried for as many that hold. */
const TRIES = 12;
/** How much farther than a tolerance a new value must be. */
const FARTHER = 2.5;
/** Longer numbers are left as they are. */
const NUMBER_MAX = 40;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const DECIMAL = /^(\d[\d_]*)([lL]?)$/;
const FLOAT = /^(\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)((?:[eE][+-]?\d+)?)([fFdDlL]?)$/;

const SECRET = randomBytes(16);

/** At most three texts that may take the literal's place, none equal to it; empty where none is sure to differ. */
export function alteredTexts(text: string, kind: LiteralKind, near: Near | null): string[] {
  if (kind === 'bool') return [text === 'true' ? 'false' : 'true'];
  const draw = drawing(text);
  const made = new Set<string>();
  for (let n = 0; n < TRIES && made.size < VARIANTS; n += 1) {
    const other = ALTER[kind](text, draw, near);
    if (other !== null && other !== text) made.add(other);
  }
  return [...made];
}

type Alter = (text: string, draw: Draw, near: Near | null) => string | null;

const ALTER: Readonly<Record<Exclude<LiteralKind, 'bool'>, Alter>> = {
  integer: alterInteger,
  float: alterFloat,
  char: (text, draw) => (text.length === 3 ? `'${alterText(text.slice(1, 2), draw)}'` : null),
  string: alterString,
  // Without quotes around it, of a list in a string.
  text: (text, draw) => (/^[\w .:-]+$/.test(text) ? alterText(text, draw) : null),
};

/** The same for the same text. */
function drawing(text: string): Draw {
  let count = 0;
  return (bound) => {
    count += 1;
    return (
      createHash('sha256').update(SECRET).update(`${count}:${text}`).digest().readUIntBE(0, 6) %
      bound
    );
  };
}

function alterInteger(text: string, draw: Draw, near: Near | null): string | null {
  const [, digits = '', suffix = ''] = DECIMAL.exec(text) ?? [];
  const isOctal = digits.length > 1 && digits.startsWith('0');
  if (digits === '' || isOctal || digits.length > NUMBER_MAX) return null;
  const other = alterDigits(digits, draw, { mayLead: false, isFirst: near !== null });
  if (other === null || !isFar(digits, other, near)) return null;
  return `${other}${suffix}`;
}

function alterFloat(text: string, draw: Draw, near: Near | null): string | null {
  const [, mantissa = '', exponent = '', suffix = ''] = FLOAT.exec(text) ?? [];
  if (mantissa === '' || mantissa.length > NUMBER_MAX) return null;
  const other = alterDigits(mantissa, draw, { mayLead: true, isFirst: near !== null });
  if (other === null || !isFar(`${mantissa}${exponent}`, `${other}${exponent}`, near)) return null;
  return `${other}${exponent}${suffix}`;
}

function isFar(text: string, other: string, near: Near | null): boolean {
  const [a, b] = [text, other].map((each) => Number(each.replaceAll('_', '')));
  if (a === undefined || b === undefined || near === null) return true;
  return Math.abs(a - b) > FARTHER * near.abs;
}

/** A string with its quotes: `"…"`, or `\`…\`` where a backslash is one. */
function alterString(text: string, draw: Draw): string | null {
  const quote = text[0];
  if (text.length < 2 || (quote !== '"' && quote !== '`') || text.startsWith('"""')) return null;
  const body = text.slice(1, -1);
  if (body === '') return `${quote}x${quote}`;
  const other = alterText(body, draw, quote === '"');
  return other === null ? null : `${quote}${other}${quote}`;
}

/** One letter or digit another of its kind; where there is none, one other character. Escapes stay. */
function alterText(text: string, draw: Draw, hasEscapes = false): string | null {
  const escaped = new Set<number>();
  if (hasEscapes) {
    for (const found of text.matchAll(
      /\\(?:u+[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|[0-7]{1,3}|.)/gs,
    ))
      for (let at = found.index; at < found.index + found[0].length; at += 1) escaped.add(at);
  }
  const plain = [...text.matchAll(/[\x20-\x7e]/g)]
    .map(({ 0: each, index: at }) => ({ each, at }))
    .filter(({ at }) => !escaped.has(at));
  const usual = plain.filter(({ each }) => /[A-Za-z0-9]/.test(each));
  const chosen = usual.length > 0 ? usual : plain;
  const one = chosen[draw(Math.max(1, chosen.length))];
  if (one === undefined) return `x${text}`;
  return `${text.slice(0, one.at)}${otherOf(one.each, draw)}${text.slice(one.at + 1)}`;
}

function otherOf(character: string, draw: Draw): string {
  if (/\d/.test(character)) return String((Number(character) + 1 + draw(9)) % 10);
  const at = LETTERS.indexOf(character.toLowerCase());
  if (at < 0) return 'x';
  const other = LETTERS[(at + 1 + draw(25)) % 26] ?? 'x';
  return character === character.toUpperCase() ? other.toUpperCase() : other;
}
