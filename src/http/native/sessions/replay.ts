/** Doing again what was done with a session, in another one, and whether it leads to the same. */
import type { FaultInfo } from '../../../domain/report.ts';
import type { CallContext } from '../../../judge/door.ts';
import { type Session, storeFull } from '../../../sessions/session.ts';
import type { Step } from '../../../sessions/step-log.ts';
import type { HTTPDeps } from '../../app-env.ts';
import { ExecRequest } from '../schema/session.ts';
import { invalid } from '../validation.ts';
import { exec, putFile, deletePath } from './work.ts';

interface Replayed {
  readonly session: Session;
  /** As many as were done; the last one before a fault. */
  readonly steps: readonly { readonly step: Step; readonly replayed: string }[];
  readonly fault: FaultInfo | null;
}

interface Parts {
  readonly deps: Pick<HTTPDeps, 'service' | 'sessions' | 'clock'>;
  readonly context: CallContext;
}

/**
 * Leaves a session of its own; the old one is in use meanwhile. Throws Rejection `invalid` where the log is not complete,
 * `session_busy`, and what steps throw.
 */
export async function replay(old: Session, parts: Parts): Promise<Replayed> {
  return await parts.deps.sessions.use(old, async () => await replayAll(old, parts));
}

async function replayAll(old: Session, { deps, context }: Parts): Promise<Replayed> {
  const { sessions } = deps;
  const { log, tenant, spec } = old;
  if (!log.isComplete)
    throw invalid([{ path: 'id', message: 'its log is not complete; see its /log' }]);
  // They are given up where the old one ends meanwhile, which is looked for before each.
  const steps = [...log.steps];
  const session = sessions.create(tenant, spec, { base: null, tree: log.origin });
  try {
    const done: { step: Step; replayed: string }[] = [];
    for (const step of steps) {
      const fault = await again(session, old, step, { deps, context });
      if (fault !== null) return { session, steps: done, fault };
      done.push({ step, replayed: session.tree.digest });
    }
    return { session, steps: done, fault: null };
  } catch (error) {
    sessions.destroy(session);
    throw error;
  }
}

async function again(
  session: Session,
  old: Session,
  { what }: Step,
  { deps, context }: Parts,
): Promise<FaultInfo | null> {
  const { sessions } = deps;
  old.end.signal.throwIfAborted();
  switch (what.kind) {
    case 'exec': {
      const wire = ExecRequest.parse(what.request);
      return (await exec(session, wire, { deps, context })).answer.fault;
    }
    case 'put': {
      const { path, file } = what;
      const content = old.store.content(file.digest);
      await putFile(session, { path, content, mode: file.mode }, deps);
      return null;
    }
    case 'delete':
      await deletePath(session, what.path, deps);
      return null;
    case 'restore':
      await sessions.use(session, async () => {
        if (!sessions.commit(session, what.tree, new Map())) throw storeFull();
        sessions.note(session, what);
      });
      return null;
  }
}
