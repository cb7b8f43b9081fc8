/** Messages of the test runner: cut anywhere the same, and bounded. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Fault } from '../../domain/errors.ts';
import { encodeGeneration, encodeMessage, MessageDecoder } from './envelope.ts';

function decode(stream: Uint8Array, cuts: readonly number[]): [string, string][] {
  const decoder = new MessageDecoder();
  const edges = [0, ...cuts.toSorted((a, b) => a - b), stream.length];
  return edges
    .slice(0, -1)
    .flatMap((from, index) =>
      [...decoder.push(stream.subarray(from, edges[index + 1]))].map(
        ({ letter, body }): [string, string] => [letter, body.toString('hex')],
      ),
    );
}

describe('messages', () => {
  it('are the same wherever the stream is cut', () => {
    const bodies = fc.array(fc.uint8Array({ maxLength: 100 }), { maxLength: 6 });
    fc.assert(
      fc.property(bodies, fc.array(fc.nat(), { maxLength: 8 }), (parts, numbers) => {
        const stream = Buffer.concat(parts.map((body) => encodeMessage('F', body)));
        const cuts = numbers.map((n) => n % (stream.length + 1));
        const wanted = parts.map((body) => ['F', Buffer.from(body).toString('hex')]);
        expect(decode(stream, cuts)).toEqual(wanted);
      }),
    );
  });

  it('are joined from parts', () => {
    expect(decode(encodeMessage('X', encodeGeneration(258), Buffer.from('a')), [])).toEqual([
      ['X', '0000010261'],
    ]);
  });

  it.each([0, 8 * 1024 * 1024 + 1, 0xffff_ffff])('of %i bytes are a fault', (length) => {
    const head = Buffer.alloc(5);
    head.writeUInt32BE(length, 0);
    expect(() => decode(head, [])).toThrow(Fault);
  });
});
