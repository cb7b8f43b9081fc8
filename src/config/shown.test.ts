/** What of a configuration may be shown. */
import { describe, expect, it } from 'vitest';

import { Config, shownValue } from './schema.ts';

describe('the address of Redis', () => {
  it.each([
    ['redis://127.0.0.1:6379', 'redis://127.0.0.1:6379'],
    ['redis://:secret@host:6379/0', 'redis://***@host:6379/0'],
    ['rediss://user:sec@ret/x@host', 'rediss://***@host'],
    ['redis://host?password=secret', 'redis://host?***'],
    ['', ''],
  ])('is shown without its password: %s', (redisUrl, shown) => {
    expect(shownValue(Config.parse({ redisUrl }), 'redisUrl')).toBe(shown);
  });

  it('is not told where it is wrong', () => {
    const parsed = Config.safeParse({ redisUrl: 'http://:secret@host' });
    expect(parsed.success).toBe(false);
    expect(JSON.stringify(parsed.error?.issues)).not.toContain('secret');
  });
});
