/** The machine's clock where `setTimeout` alone would surprise: long delays, and a process with nothing else to do. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { afterEach, describe, expect, it, vi } from 'vitest';

import { systemClock } from './clock.ts';

const run = promisify(execFile);
const CLOCK = new URL('./clock.ts', import.meta.url).href;

/** What a bare process prints and how it ends. */
async function bare(statement: string): Promise<{ code: number; stdout: string }> {
  const script = `import { systemClock as clock } from '${CLOCK}'; ${statement}`;
  try {
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
    return { code: 0, stdout };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string }; // execFile's own error
    return { code, stdout };
  }
}

describe('systemClock', () => {
  afterEach(() => vi.useRealTimers());

  it('keeps a process alive that only sleeps', { timeout: 30_000 }, async () => {
    const ended = await bare('await clock.sleep(50); console.log("awake");');
    expect(ended).toEqual({ code: 0, stdout: 'awake\n' });
  });

  it('lets a process end that only has limits', { timeout: 30_000 }, async () => {
    const ended = await bare('clock.after(60_000, () => {}); console.log("over");');
    expect(ended).toEqual({ code: 0, stdout: 'over\n' });
  });

  it.each([2 ** 31, 1e13, Number.POSITIVE_INFINITY])('waits %d ms', async (ms) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const callback = vi.fn<() => void>();
    const timer = systemClock.after(ms, callback);
    await vi.advanceTimersByTimeAsync(2 ** 31 - 2);
    expect(callback).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2);
    expect(callback).toHaveBeenCalledTimes(ms === 2 ** 31 ? 1 : 0);
    timer.cancel();
    expect(vi.getTimerCount()).toBe(0);
  });
});
