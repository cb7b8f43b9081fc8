/** Pickles that Python wrote, in every protocol; those that would call something; bytes that are none. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parsePickle } from './pickle.ts';
import { DecodeError, PythonBytes } from './value.ts';

const bytes = (base64: string) => Buffer.from(base64, 'base64');

/** `{'a': [1, -2, 2**40, 10**30, 1.0, 1.5, True, False, None, 'é\n😀', (), (1,), (1, 2, 3), (1, 2, 3, 4)]}`, by protocol. */
const PLAIN = [
  'KGRwMApWYQpwMQoobHAyCkkxCmFJLTIKYUwxMDk5NTExNjI3Nzc2TAphTDEwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDBMCmFGMS4wCmFGMS41CmFJMDEKYUkwMAphTmFW6Vx1MDAwYVxVMDAwMWY2MDAKcDMKYSh0YShJMQp0cDQKYShJMQpJMgpJMwp0cDUKYShJMQpJMgpJMwpJNAp0cDYKYXMu',
  'fXEAWAEAAABhcQFdcQIoSwFK/v///0wxMDk5NTExNjI3Nzc2TApMMTAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMEwKRz/wAAAAAAAARz/4AAAAAAAASTAxCkkwMApOWAcAAADDqQrwn5iAcQMpKEsBdHEEKEsBSwJLA3RxBShLAUsCSwNLBHRxBmVzLg==',
  'gAJ9cQBYAQAAAGFxAV1xAihLAUr+////igYAAAAAAAGKDQAAAEDq7XRG0JwsnwxHP/AAAAAAAABHP/gAAAAAAACIiU5YBwAAAMOpCvCfmIBxAylLAYVxBEsBSwJLA4dxBShLAUsCSwNLBHRxBmVzLg==',
];
/** As before, with `'b': b'\x00\xff'`, in protocols 3 to 5. */
const WITH_BYTES = [
  'gAN9cQAoWAEAAABhcQFdcQIoSwFK/v///4oGAAAAAAABig0AAABA6u10RtCcLJ8MRz/wAAAAAAAARz/4AAAAAAAAiIlOWAcAAADDqQrwn5iAcQMpSwGFcQRLAUsCSwOHcQUoSwFLAksDSwR0cQZlWAEAAABicQdDAgD/cQh1Lg==',
  'gASVawAAAAAAAAB9lCiMAWGUXZQoSwFK/v///4oGAAAAAAABig0AAABA6u10RtCcLJ8MRz/wAAAAAAAARz/4AAAAAAAAiIlOjAfDqQrwn5iAlClLAYWUSwFLAksDh5QoSwFLAksDSwR0lGWMAWKUQwIA/5R1Lg==',
  'gAWVawAAAAAAAAB9lCiMAWGUXZQoSwFK/v///4oGAAAAAAABig0AAABA6u10RtCcLJ8MRz/wAAAAAAAARz/4AAAAAAAAiIlOjAfDqQrwn5iAlClLAYWUSwFLAksDh5QoSwFLAksDSwR0lGWMAWKUQwIA/5R1Lg==',
];
const LIST =
  '[1,-2,1099511627776,1000000000000000000000000000000,1.0,1.5,true,false,null,"é\\n😀",[],[1],[1,2,3],[1,2,3,4]]';

describe('parsePickle', () => {
  it.each(PLAIN.map((text, protocol) => [protocol, text] as const))(
    'reads plain data of protocol %i',
    (_protocol, text) => {
      expect(JSON.stringify(parsePickle(bytes(text)))).toBe(`{"a":${LIST}}`);
    },
  );

  it.each(WITH_BYTES.map((text, index) => [index + 3, text] as const))(
    'reads plain data with bytes of protocol %i',
    (_protocol, text) => {
      const value = parsePickle(bytes(text)) as Record<string, unknown>;
      expect(JSON.stringify(value['a'])).toBe(LIST);
      expect(value['b']).toEqual(new PythonBytes(Buffer.from([0, 0xff])));
    },
  );

  it.each([
    ['calls os.system, protocol 0', 'Y3Bvc2l4CnN5c3RlbQpwMAooVnRydWUKcDEKdHAyClJwMwou', '63'],
    ['calls os.system, protocol 2', 'gAJjcG9zaXgKc3lzdGVtCnEAWAQAAAB0cnVlcQGFcQJScQMu', '63'],
    [
      'calls os.system, protocol 4',
      'gASVHwAAAAAAAACMBXBvc2l4lIwGc3lzdGVtlJOUjAR0cnVllIWUUpQu',
      '93',
    ],
    [
      'makes an object, protocol 0',
      'Y2NvcHlfcmVnCl9yZWNvbnN0cnVjdG9yCnAwCihjX19tYWluX18KQwpwMQpjX19idWlsdGluX18Kb2JqZWN0CnAyCk50cDMKUnA0CihkcDUKVngKcDYKSTEKc2Iu',
      '63',
    ],
    [
      'makes an object, protocol 4',
      'gASVHgAAAAAAAACMCF9fbWFpbl9flIwBQ5STlCmBlH2UjAF4lEsBc2Iu',
      '93',
    ],
    ['makes a set', 'gASVCQAAAAAAAACPlChLAUsCkC4=', '8f'],
  ])('refuses one that %s', (_what, text, opcode) => {
    expect(() => parsePickle(bytes(text))).toThrow(`opcode 0x${opcode}, which is no plain data`);
  });

  it('refuses every opcode that names, calls, builds or fetches', () => {
    // GLOBAL, INST, OBJ, REDUCE, BUILD, NEWOBJ, NEWOBJ_EX, STACK_GLOBAL, EXT1-4, PERSID, BINPERSID, NEXT_BUFFER.
    const opcodes = [
      0x63, 0x69, 0x6f, 0x52, 0x62, 0x81, 0x92, 0x93, 0x82, 0x83, 0x84, 0x50, 0x51, 0x97, 0x98,
    ];
    for (const opcode of opcodes) {
      const text = Buffer.concat([
        Buffer.from('\x80\x04]]', 'latin1'),
        Buffer.from([opcode]),
        Buffer.from('x\nx\n.'),
      ]);
      expect(() => parsePickle(text), opcode.toString(16)).toThrow(/no plain data/);
    }
  });

  it('refuses lists that hold themselves, and shared lists that would grow without end', () => {
    expect(() => parsePickle(bytes('gASVBgAAAAAAAABdlGgAYS4='))).toThrow(/100 deep/);
    // Thirty lists, each of them ten times the one before.
    const laugh = ['\x80\x04]q\x00(', 'K\x01'.repeat(10), 'e'];
    for (let at = 0; at < 30; at += 1)
      laugh.push(
        `]q${String.fromCharCode(at + 1)}(`,
        `h${String.fromCharCode(at)}`.repeat(10),
        'e',
      );
    expect(() => parsePickle(Buffer.from(`${laugh.join('')}.`, 'latin1'))).toThrow(
      /more than a row may/,
    );
  }, 20_000);

  it('takes lists 99 deep around a value, and none deeper', () => {
    const nested = (depth: number) =>
      Buffer.from(`${']'.repeat(depth)}N${'a'.repeat(depth)}.`, 'latin1');
    expect(JSON.stringify(parsePickle(nested(99)))).toBe(`${'['.repeat(99)}null${']'.repeat(99)}`);
    expect(() => parsePickle(nested(100))).toThrow(/100 deep/);
  });

  it('refuses a shared text that would be written out without end', () => {
    const text = Buffer.concat([
      Buffer.from('\x80\x04\x8d', 'latin1'),
      Buffer.from([0, 0, 0x10, 0, 0, 0, 0, 0]),
      Buffer.alloc(0x100000, 'a'),
      Buffer.from('q\x00](', 'latin1'),
      Buffer.from('h\x00'.repeat(300), 'latin1'),
      Buffer.from('e.'),
    ]);
    expect(() => parsePickle(text)).toThrow(/more than a row may/);
  });

  it.each([
    ['NaN', 'gASVCgAAAAAAAABHf/gAAAAAAAAu'],
    ['a lone surrogate', 'gASVBwAAAAAAAACMA+2gvZQu'],
    ['a protocol that is not yet', Buffer.from('\x80\x06N.', 'latin1').toString('base64')],
    ['nothing', ''],
    [
      'a length beyond its end',
      Buffer.from('\x80\x04X\xff\xff\xff\x7fa.', 'latin1').toString('base64'),
    ],
    [
      'a length of 2^63',
      Buffer.from('\x80\x04\x8e\0\0\0\0\0\0\0\x80a.', 'latin1').toString('base64'),
    ],
    [
      'an integer of 64 KB',
      Buffer.concat([
        Buffer.from('\x80\x02\x8b\0\0\x01\0', 'latin1'),
        Buffer.alloc(65536, 1),
        Buffer.from('.'),
      ]).toString('base64'),
    ],
    ['a mark that is popped', Buffer.from('(a.').toString('base64')],
    ['items under a mark', Buffer.from('](N(a.').toString('base64')],
  ])('refuses %s', (_name, text) => {
    expect(() => parsePickle(bytes(text))).toThrow(DecodeError);
  });

  it('throws nothing but DecodeError, whatever the bytes', () => {
    const opcode = fc.constantFrom(
      ...Buffer.from(
        'NIJKMFGVXSUBC(01]laetpqrghjsud)}.\x80\x85\x86\x87\x88\x89\x8a\x8c\x94\x95',
        'latin1',
      ),
    );
    const any = fc.oneof(
      fc.array(opcode, { maxLength: 60 }),
      fc.uint8Array().map((each) => [...each]),
    );
    fc.assert(
      fc.property(any, (list) => {
        try {
          parsePickle(Buffer.from([...list, 0x2e]));
        } catch (error) {
          expect(error).toBeInstanceOf(DecodeError);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('throws nothing but DecodeError, wherever a real one is cut or changed', () => {
    for (const text of [...PLAIN, ...WITH_BYTES]) {
      const whole = bytes(text);
      for (let at = 0; at < whole.length; at += 1) {
        for (const broken of [whole.subarray(0, at), whole.with(at, 0xff), whole.with(at, 0x28)]) {
          try {
            parsePickle(broken);
          } catch (error) {
            expect(error).toBeInstanceOf(DecodeError);
          }
        }
      }
    }
  });

  it('is linear in hostile bytes', () => {
    const start = performance.now();
    for (const piece of [']', '}', 'N0', '](', '(', 'h\x00', ']\x94', 'I1\n', 'NN\x86']) {
      const text = Buffer.from(`]q\x00${piece.repeat(200_000 / piece.length)}`, 'latin1');
      expect(() => parsePickle(text)).toThrow(DecodeError);
    }
    expect(performance.now() - start).toBeLessThan(4000);
  });
});
