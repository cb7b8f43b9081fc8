/** What all payload parsers of the runner protocol share: strictness, and one kind of fault. */
import { BinaryError, ByteReader } from '../lib/binary.ts';
import { protocolFault } from './frame.ts';

/** Runs a payload parser to the payload's end; whatever is off becomes a fault that names the frame. */
export function parsePayload<T>(
  frame: string,
  payload: Uint8Array,
  read: (reader: ByteReader) => T,
): T {
  const reader = new ByteReader(payload);
  try {
    const value = read(reader);
    reader.end();
    return value;
  } catch (error) {
    if (!(error instanceof BinaryError || error instanceof RangeError)) throw error;
    throw protocolFault(`${frame}: ${error.message}`, error);
  }
}

/** The value of that number; throws `BinaryError` for a number without one. */
export function pick<T>(values: readonly T[], index: number): T {
  const value = values[index];
  if (value === undefined) throw new BinaryError(`value ${index} is not defined`);
  return value;
}

/** UTF-8 without NUL; throws `BinaryError`. */
export function parseText(bytes: Uint8Array): string {
  if (bytes.includes(0)) throw new BinaryError('NUL inside a string');
  return Buffer.from(bytes).toString('utf8');
}
