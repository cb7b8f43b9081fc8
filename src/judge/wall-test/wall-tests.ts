/**
 * When walls are tested, and what is known of each: at the start, again while the answer is `unknown`, and when somebody
 * asks. One test at a time; who asks meanwhile gets that one's answer.
 */
import type { WallName } from '../../domain/wall.ts';
import { Backoff } from '../../pool/backoff.ts';
import type { Clock, Timer } from '../../lib/clock.ts';
import type { Sandbox } from '../../sandbox/port.ts';
import { testWall } from './test-wall.ts';
import type { WallTest } from './verdict.ts';

export interface WallTestsOptions {
  readonly sandboxes: readonly Sandbox[];
  readonly clock: Clock;
  /** Host path of the program that tries. */
  readonly probe: string;
  /** Told of each test of a wall. */
  readonly onTest: (test: WallTest) => void;
}

/** Between tests whose answer is unknown, ms. */
const RETRIES = { first: 1000, max: 60_000 };

export class WallTests {
  readonly #options: WallTestsOptions;
  readonly #last = new Map<WallName, WallTest>();
  readonly #stopped = new AbortController();
  readonly #backoff = new Backoff(RETRIES);
  #flight: Promise<readonly WallTest[]> | null = null;
  #retry: Timer | null = null;

  constructor(options: WallTestsOptions) {
    this.#options = options;
  }

  /** Tests every wall now, or takes part in the test that is under way. Never rejects. */
  run(): Promise<readonly WallTest[]> {
    if (this.#stopped.signal.aborted) return Promise.resolve([]);
    this.#flight ??= this.#testAll().finally(() => {
      this.#flight = null;
    });
    return this.#flight;
  }

  /** The first test: until it has ended nothing is known of any wall. Resolves then, whatever the answer. */
  async start(): Promise<void> {
    const reason = 'its test has not ended yet';
    for (const { wall } of this.#options.sandboxes) {
      const nothing = { at: null, ms: 0, tried: [], holes: [] };
      this.#last.set(wall, { wall, state: 'unknown', ...nothing, reason });
    }
    await this.run();
  }

  /** The last test of a wall; null where nobody has asked for one. */
  of(wall: WallName): WallTest | null {
    return this.#last.get(wall) ?? null;
  }

  /** Gives up what is under way; resolves when it has ended. */
  async stop(): Promise<void> {
    this.#retry?.cancel();
    this.#stopped.abort();
    await this.#flight;
  }

  async #testAll(): Promise<readonly WallTest[]> {
    const { sandboxes, clock, probe, onTest } = this.#options;
    const { signal } = this.#stopped;
    this.#retry?.cancel();
    const tests: WallTest[] = [];
    // One after the other: they would only wait for each other's processor.
    for (const sandbox of sandboxes) {
      const test = await testWall({ sandbox, clock, probe, signal });
      if (signal.aborted) break;
      tests.push(test);
      this.#last.set(sandbox.wall, test);
      onTest(test);
    }
    this.#planRetry();
    return tests;
  }

  /** A hole stays known until somebody asks again: it is no accident that may pass. */
  #planRetry(): void {
    if (this.#stopped.signal.aborted) return;
    const isUnknown = [...this.#last.values()].some(({ state }) => state === 'unknown');
    if (!isUnknown) {
      this.#backoff.reset();
      return;
    }
    this.#retry = this.#options.clock.after(this.#backoff.next(), () => void this.run());
  }
}
