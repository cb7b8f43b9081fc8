/** A store of jobs that may be away: while it is, callers are told so at once (503 `jobs_away`) instead of held. */
import { Rejection } from '../domain/errors.ts';
import { AwayError, type Presence } from '../lib/presence.ts';
import type { JobStore } from './store.ts';

/** The same store, asked only while it is there. Its calls throw Rejection `jobs_away`, and what the store's throw. */
export function guardedStore(store: JobStore, presence: Presence): JobStore {
  const ask = async <Result>(question: () => Promise<Result>): Promise<Result> => {
    try {
      return await presence.ask(question);
    } catch (error) {
      if (!(error instanceof AwayError)) throw error;
      const detail = 'jobs are kept in Redis, which does not answer now';
      const { retryAfterMs } = error;
      throw new Rejection('jobs_away', { detail, retryAfterMs }, { cause: error });
    }
  };
  return {
    create: (job) => ask(() => store.create(job)),
    add: (id, items) => ask(() => store.add(id, items)),
    seal: (id) => ask(() => store.seal(id)),
    get: (id) => ask(() => store.get(id)),
    list: (tenant) => ask(() => store.list(tenant)),
    cancel: (id) => ask(() => store.cancel(id)),
    remove: (id) => ask(() => store.remove(id)),
    claim: (options) => ask(() => store.claim(options)),
    renew: (claims) => ask(() => store.renew(claims)),
    putBack: (claim, how) => ask(() => store.putBack(claim, how)),
    complete: (claim, result) => ask(() => store.complete(claim, result)),
    results: (id, query) => ask(() => store.results(id, query)),
    bytes: (tenant) => ask(() => store.bytes(tenant)),
    sweep: (before) => ask(() => store.sweep(before)),
    // Whether it answers or not.
    close: () => store.close(),
  };
}
