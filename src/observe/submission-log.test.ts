/** What the log says of faults: the details of ours, and of a problem's only length and digest. */
import { describe, expect, it } from 'vitest';

import { Fault, FAULT_CODES, FAULTS } from '../domain/errors.ts';
import type { Logger } from './logger.ts';
import { logFault } from './submission-log.ts';

function collect(): { readonly logger: Logger; readonly lines: object[] } {
  const lines: object[] = [];
  const take = (fields: object): void => {
    lines.push(fields);
  };
  return { lines, logger: { debug: take, info: take, warn: take, error: take } };
}

describe('logFault', () => {
  it.each(FAULT_CODES)('of %s tells no more than it may', (code) => {
    const { logger, lines } = collect();
    logFault(logger, new Fault(code, 'what was said'), 'jdg_1');
    const common = { event: 'fault', id: 'jdg_1', code };
    const [line] = lines;
    if (FAULTS[code].isProblems) {
      expect(line).toEqual({
        ...common,
        detail_bytes: 13,
        detail_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
      expect(JSON.stringify(line)).not.toContain('what was said');
    } else {
      expect(line).toEqual({ ...common, detail: 'what was said' });
    }
  });
});
