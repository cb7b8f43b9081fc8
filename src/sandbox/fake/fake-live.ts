/** A live run of the fake wall: what it says while its input comes, and the bound on what it has not taken. */
import { LIVE_BUFFER } from '../../runner/frame.ts';
import { Fault } from '../../domain/errors.ts';
import type { FakeStep } from './script.ts';

/** What the supervisor keeps of a live run under way. */
export class FakeLive {
  readonly step: FakeStep;
  #untold = 0;

  constructor(step: FakeStep) {
    this.step = step;
  }

  /** Takes input: what is said at once, and how much TAKEN tells of, 0 for no frame. */
  input(bytes: Uint8Array): { readonly said: Uint8Array; readonly taken: number } {
    this.#untold += bytes.length;
    if (this.#untold > LIVE_BUFFER) throw new Fault('protocol_error', 'STDIN exceeds the buffer');
    const isTold = this.step.reads && this.#untold >= LIVE_BUFFER / 2;
    const taken = isTold ? this.#untold : 0;
    this.#untold -= taken;
    return { said: this.step.echo ? bytes : new Uint8Array(0), taken };
  }
}
