/** Who waits for something that others give: first come, first served. Bounded by who may wait at all. */

interface Waiter<Thing> {
  readonly give: (thing: Thing) => void;
  readonly fail: (error: unknown) => void;
}

export class WaitingLine<Thing> {
  readonly #waiters = new Set<Waiter<Thing>>();

  get length(): number {
    return this.#waiters.size;
  }

  /** Resolves with what is given. Throws what the line is failed with, or the signal's reason. */
  async wait(signal: AbortSignal): Promise<Thing> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Thing>();
    const leave = (): void => {
      this.#waiters.delete(waiter);
      signal.removeEventListener('abort', onAbort);
    };
    const waiter: Waiter<Thing> = {
      give: (thing) => {
        leave();
        resolve(thing);
      },
      fail: (error) => {
        leave();
        reject(error);
      },
    };
    const onAbort = (): void => waiter.fail(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#waiters.add(waiter);
    return await promise;
  }

  /** To who waits longest; false where nobody does. */
  give(thing: Thing): boolean {
    const [first] = this.#waiters;
    first?.give(thing);
    return first !== undefined;
  }

  /** Tells all of them. */
  fail(error: unknown): void {
    for (const waiter of [...this.#waiters]) waiter.fail(error);
  }
}
