/** Time and memory limits as data sets write them: numbers in a unit of the source, durations, free text. Pure. */
import { isObject, toNumber, type Value } from './decode/value.ts';

const KIB = 1024;
const MIB = KIB * KIB;

const MS_PER: Readonly<Record<string, number>> = {
  ms: 1,
  msec: 1,
  msecs: 1,
  millisecond: 1,
  milliseconds: 1,
  s: 1000,
  sec: 1000,
  secs: 1000,
  second: 1000,
  seconds: 1000,
  min: 60_000,
  minute: 60_000,
  minutes: 60_000,
};

/** Judges' memory limits are powers of two, whatever the unit's name says. */
const BYTES_PER: Readonly<Record<string, number>> = {
  b: 1,
  byte: 1,
  bytes: 1,
  k: KIB,
  kb: KIB,
  kib: KIB,
  kilobyte: KIB,
  kilobytes: KIB,
  kbytes: KIB,
  m: MIB,
  mb: MIB,
  mib: MIB,
  megabyte: MIB,
  megabytes: MIB,
  mbytes: MIB,
  g: KIB * MIB,
  gb: KIB * MIB,
  gib: KIB * MIB,
  gigabyte: KIB * MIB,
  gigabytes: KIB * MIB,
};

const AMOUNT = /^\s*(\d{1,15}(?:[.,]\d{1,9})?)\s*([A-Za-z]*)\.?\s*$/;
const TEXT_MAX = 64;

/** A limit, `null` where the row gives none (missing, null, blank, zero), `unreadable` where it cannot be understood. */
export type Limit = number | null | 'unreadable';

interface Units {
  readonly factors: Readonly<Record<string, number>>;
  /** Of a number, and of a text, that names no unit. */
  readonly plain: number;
}

/** ms of CPU time, rounded up. Numbers without a unit are seconds; a duration is `{seconds, nanos}`. */
export function toTimeLimitMs(value: Value | undefined): Limit {
  if (!isObject(value)) return toLimit(value, { factors: MS_PER, plain: 1000 });
  const seconds = toNumber(value['seconds'] ?? 0);
  const nanos = toNumber(value['nanos'] ?? 0);
  if (seconds === null || nanos === null) return 'unreadable';
  return positive(seconds * 1000 + nanos / 1e6);
}

/** Bytes, rounded up. Numbers without a unit are in that of the source. */
export function toMemoryLimitBytes(value: Value | undefined, unit: 'bytes' | 'kb' | 'mb'): Limit {
  return toLimit(value, { factors: BYTES_PER, plain: BYTES_PER[unit] ?? 1 });
}

function toLimit(value: Value | undefined, { factors, plain }: Units): Limit {
  if (value === undefined || value === null) return null;
  const number = toNumber(value);
  if (number !== null) return positive(number * plain);
  if (typeof value !== 'string' || value.length > TEXT_MAX) return 'unreadable';
  if (value.trim() === '') return null;
  const [, amount, unit = ''] = AMOUNT.exec(value) ?? [];
  if (amount === undefined) return 'unreadable';
  const name = unit.toLowerCase();
  const factor = name === '' ? plain : Object.hasOwn(factors, name) ? factors[name] : undefined;
  if (factor === undefined) return 'unreadable';
  return positive(Number(amount.replace(',', '.')) * factor);
}

/** A fraction of a unit counts as a whole one; a double's last bit does not. */
function positive(amount: number): Limit {
  if (!Number.isFinite(amount) || amount < 0) return 'unreadable';
  return amount === 0 ? null : Math.ceil(Number(amount.toFixed(6)));
}
