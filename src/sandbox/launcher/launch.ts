/** The LAUNCH frame: records in the order in which the launcher carries them out. Pure. */
import { ByteWriter } from '../../lib/binary.ts';
import type { LaunchRecord } from './launch-record.ts';

const KIND = { config: 1, write: 2, fd: 3, mkdir: 4, chown: 5, join: 6 } as const;
/** The frame's header and bound, as runners/protocol.md has them for every frame. */
const FRAME_LAUNCH = 0x10;
const MAX_PAYLOAD = 262_144;
const ACCESS = { read: 0, read_write: 1, directory: 2 } as const;

/** Throws RangeError when all records together exceed one frame. */
export function encodeLaunch(records: readonly LaunchRecord[]): Buffer {
  const writer = new ByteWriter(8192);
  for (const record of records) {
    const bytes = encodeRecord(record);
    writer.u8(KIND[record.kind]).u32(bytes.length).bytes(bytes);
  }
  const payload = writer.finish();
  if (payload.length > MAX_PAYLOAD) throw new RangeError('the policy exceeds one LAUNCH frame');
  const header = new ByteWriter(12).u32(payload.length).u8(FRAME_LAUNCH).u8(0).u16(0).u32(0);
  return Buffer.concat([header.finish(), payload]);
}

function encodeRecord(record: LaunchRecord): Buffer {
  if (record.kind === 'config') return Buffer.from(record.text, 'utf8');
  const path = Buffer.from(record.path, 'utf8');
  const writer = new ByteWriter().u8(record.parent);
  switch (record.kind) {
    case 'write':
      return writer.u8(path.length).bytes(path).bytes(Buffer.from(record.value, 'utf8')).finish();
    case 'fd':
      return writer.u8(ACCESS[record.access]).u8(record.fd).bytes(path).finish();
    case 'chown':
      return writer.u32(record.uid).bytes(path).finish();
    case 'mkdir':
    case 'join':
      return writer.bytes(path).finish();
  }
}
