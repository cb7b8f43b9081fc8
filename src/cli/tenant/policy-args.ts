/** A tenant's policy as flags of `assay tenant add` and `set`. */
import type { ArgsDef } from 'citty';

import { Policy } from '../../admission/tenants/schema.ts';
import { UsageError } from '../exit-codes.ts';

const MIB = 1024 * 1024;

type Read = (text: string) => unknown;

const number: Read = Number;
const orNone =
  (read: Read): Read =>
  (text) =>
    text === 'none' ? null : read(text);
const list: Read = (text) => text.split(',').map((each) => each.trim());

interface Field {
  readonly description: string;
  readonly read: Read;
  /** Of the policy, or below its `maxima`. */
  readonly field: keyof Policy | `maxima.${string}`;
}

/** Flag → field; `none` takes a limit away. */
const FIELDS: Readonly<Record<string, Field>> = {
  rate: {
    description: 'Submissions a second; none for no limit.',
    read: orNone(number),
    field: 'requestsPerS',
  },
  burst: {
    description: 'Submissions at once after a pause; by default those of a second.',
    read: number,
    field: 'burst',
  },
  concurrency: {
    description: 'Submissions under way at once; none for no limit.',
    read: orNone(number),
    field: 'concurrency',
  },
  cpuSPerMinute: {
    description: 'Seconds of CPU time a minute; none for no limit.',
    read: orNone(number),
    field: 'cpuSPerMinute',
  },
  weight: {
    description: 'Share of the slots beside other tenants; 1.',
    read: number,
    field: 'weight',
  },
  priorityMax: {
    description: 'Highest priority it may ask for, -10 … 10; 10.',
    read: number,
    field: 'priorityMax',
  },
  languages: {
    description: 'Languages it may use, comma separated; none for all.',
    read: orNone(list),
    field: 'languages',
  },
  wall: {
    description: 'The wall its submissions get at least: nsjail, pod or gvisor; none.',
    read: orNone(String),
    field: 'wall',
  },
  sharesBuilds: {
    description: 'true: shares compiled programs with all tenants that do.',
    read: (text) => text === 'true',
    field: 'sharesBuilds',
  },
  isOperator: {
    description: 'true: /v1/stats tells it of all tenants.',
    read: (text) => text === 'true',
    field: 'isOperator',
  },
  maxCpuMs: { description: 'Largest CPU limit, ms.', read: number, field: 'maxima.cpuMs' },
  maxWallMs: { description: 'Largest wall limit, ms.', read: number, field: 'maxima.wallMs' },
  maxMemoryMb: {
    description: 'Largest memory limit, MiB.',
    read: (text) => Number(text) * MIB,
    field: 'maxima.memoryBytes',
  },
  maxOutputKb: {
    description: 'Largest output limit of a stream, KiB.',
    read: (text) => Number(text) * 1024,
    field: 'maxima.outputBytes',
  },
  maxProcesses: {
    description: 'Largest limit of processes and threads.',
    read: number,
    field: 'maxima.processes',
  },
};

export const policyArgs: ArgsDef = Object.fromEntries(
  Object.entries(FIELDS).map(([name, { description }]) => [name, { type: 'string', description }]),
);

/** The fields that were given, over those that were there. Throws UsageError. */
export function policyFrom(args: Readonly<Record<string, unknown>>, before: Policy): Policy {
  const policy: Record<string, unknown> = { ...before };
  const maxima: Record<string, unknown> = { ...before.maxima };
  for (const [name, { read, field }] of Object.entries(FIELDS)) {
    const text = args[name];
    if (typeof text !== 'string') continue;
    const [first, second] = field.split('.');
    if (second === undefined) policy[first ?? ''] = read(text);
    else maxima[second] = read(text);
  }
  if (Object.keys(maxima).length > 0) policy['maxima'] = maxima;
  const parsed = Policy.safeParse(policy);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join('.') ?? '';
  const flag = Object.entries(FIELDS).find(([, { field }]) => field === path)?.[0] ?? path;
  throw new UsageError(`${flag}: ${issue?.message ?? 'is not valid'}`);
}
