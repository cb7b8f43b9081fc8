/**
 * Which environments share a pool: those of one language whose jails would be equal, so that ten standards of one
 * compiler do not hold ten sets of jails ready. Pure.
 */
import type { Environment } from '../domain/language.ts';
import type { JailPolicy } from '../sandbox/port.ts';

/** Environments that run in each other's jails. */
export interface JailShare {
  /** The policy's `environment` is the share's name: that of the first environment, or of the language if it is alone. */
  readonly policy: JailPolicy;
  /** At least one, in catalog order. */
  readonly environments: readonly [Environment, ...Environment[]];
}

/** Groups environments, in the order of their first members. */
export function shareJails(
  environments: readonly Environment[],
  toPolicy: (environment: Environment) => JailPolicy,
): JailShare[] {
  const shares = new Map<string, [Environment, ...Environment[]]>();
  for (const environment of environments) {
    const policy = { ...toPolicy(environment), environment: '' };
    const key = JSON.stringify([environment.language.id, policy]);
    const members = shares.get(key);
    if (members === undefined) shares.set(key, [environment]);
    else members.push(environment);
  }
  const languages = [...shares.values()].map(([first]) => first.language.id);
  return [...shares.values()].map((members) => {
    const [first] = members;
    const isAlone = languages.filter((id) => id === first.language.id).length === 1;
    const name = isAlone ? first.language.id : first.id;
    return { policy: { ...toPolicy(first), environment: name }, environments: members };
  });
}
