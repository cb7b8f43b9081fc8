/**
 * `assay tenant add|set|list|rotate|revoke`: who may use the service, and how much. Works on the file or the Redis that the
 * service reads, which sees a change within a second. A key is printed once; only its digest is kept.
 */
import { defineCommand } from 'citty';

import { connectRedis } from '../../admission/redis/connection.ts';
import { editDocument, type TenantDocument } from '../../admission/tenants/document.ts';
import {
  addTenant,
  EditError,
  revoke,
  rotateKeys,
  setPolicy,
} from '../../admission/tenants/edit.ts';
import { createKey } from '../../admission/tenants/key.ts';
import {
  parseDirectory,
  TenantId,
  type Directory,
  type TenantRecord,
} from '../../admission/tenants/schema.ts';
import { ANONYMOUS } from '../../domain/tenant.ts';
import { systemClock } from '../../lib/clock.ts';
import { tenantDocument } from '../../tenants.ts';
import { configArgs, loadCommandConfig } from '../config-args.ts';
import { UsageError } from '../exit-codes.ts';
import { policyArgs, policyFrom } from '../tenant/policy-args.ts';

/** Settings that say where tenants are kept; the names of others mean something else here. */
const PLACE = ['stateDir', 'tenants', 'redisUrl', 'config'] as const;

const HOUR_MS = 3_600_000;
const CONNECT_MS = 2000;

type Args = Readonly<Record<string, unknown>>;

export const tenantCommand = defineCommand({
  meta: {
    name: 'tenant',
    description:
      'Say who may use the service: `add NAME` prints a key, `rotate NAME` a further one, `revoke NAME` ends them, `set NAME` changes limits, `list` tells all.',
  },
  args: {
    action: { type: 'positional', required: true, description: 'add, set, list, rotate or revoke' },
    name: {
      type: 'positional',
      required: false,
      description: `The tenant; ${ANONYMOUS.tenant} is who calls without a key.`,
    },
    expiresIn: { type: 'string', description: 'Of a new key: hours until it ends; never.' },
    grace: { type: 'string', description: 'Of rotate: hours until older keys end; 24.' },
    key: { type: 'string', description: 'Of revoke: the id of the one key to end.' },
    json: { type: 'boolean', description: 'Of list: as JSON.' },
    ...policyArgs,
    ...Object.fromEntries(PLACE.map((key) => [key, configArgs[key] ?? {}])),
  },
  async run({ args }) {
    await using place = await openPlace(args);
    const { action, name } = args;
    if (action === 'list') return await list(place.document, args);
    const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
    if (act === undefined)
      throw new UsageError(`assay tenant takes add, set, list, rotate or revoke, not ${action}`);
    if (name === undefined) throw new UsageError('NAME is missing: which tenant?');
    const id = TenantId.safeParse(name);
    if (!id.success)
      throw new UsageError(`the name of a tenant ${id.error.issues[0]?.message ?? 'is missing'}`);
    await act(place.document, id.data, args).catch((error: unknown) => {
      if (error instanceof EditError) throw new UsageError(error.message, { cause: error });
      throw error;
    });
  },
});

type Action = (document: TenantDocument, id: string, args: Args) => Promise<void>;

const ACTIONS: Readonly<Record<string, Action>> = {
  async add(document, id, args) {
    const policy = policyFrom(args, {});
    const added = id === ANONYMOUS.tenant ? null : aKey(args);
    await edit(document, (directory) => addTenant(directory, { id, policy, added }));
    if (added === null)
      console.error(`assay: callers without a key are limited (${document.place})`);
    else tell(id, added, document);
  },
  async set(document, id, args) {
    await edit(document, (directory) =>
      setPolicy(directory, id, (before) => policyFrom(args, before)),
    );
    console.error(`assay: ${id} is changed (${document.place})`);
  },
  async rotate(document, id, args) {
    const added = aKey(args);
    const graceMs = hours(args, 'grace', 24) * HOUR_MS;
    const graceUntil = new Date(added.now.getTime() + graceMs);
    await edit(document, (directory) => rotateKeys(directory, { id, added, graceUntil }));
    tell(id, added, document);
    console.error(`assay: older keys of ${id} end by ${graceUntil.toISOString()}`);
  },
  async revoke(document, id, args) {
    const key = typeof args['key'] === 'string' ? args['key'] : null;
    await edit(document, (directory) => revoke(directory, { id, key }));
    console.error(`assay: ${key === null ? `${id} is gone` : `key ${key} of ${id} has ended`}`);
  },
};

interface Place extends AsyncDisposable {
  readonly document: TenantDocument;
}

async function openPlace(args: Args): Promise<Place> {
  const own = Object.fromEntries(PLACE.map((key) => [key, args[key]]));
  const loaded = loadCommandConfig(own);
  const { redisUrl } = loaded.config;
  const connection =
    redisUrl === ''
      ? null
      : connectRedis(redisUrl, {
          clock: systemClock,
          // Somebody is waiting, and can bear it.
          answerMs: CONNECT_MS,
          onError: (reason) => console.error(`assay: Redis cannot be reached: ${reason}`),
        });
  await connection?.settled(CONNECT_MS);
  return {
    document: tenantDocument(loaded, connection, systemClock),
    [Symbol.asyncDispose]: async () => connection?.close(),
  };
}

async function edit(
  document: TenantDocument,
  to: (directory: Directory) => Directory,
): Promise<void> {
  try {
    await editDocument(
      document,
      (text) => `${JSON.stringify(to(parseDirectory(text)), null, 2)}\n`,
    );
  } catch (error) {
    throw readable(error, document);
  }
}

async function list(document: TenantDocument, args: Args): Promise<void> {
  const read = async (): Promise<Directory> => parseDirectory(await document.read());
  const { tenants } = await read().catch((error: unknown) => {
    throw readable(error, document);
  });
  if (args['json'] === true) {
    console.log(JSON.stringify(tenants.map(withoutDigests), null, 2));
    return;
  }
  for (const { id, policy, keys } of tenants) {
    console.log(`${id}  ${JSON.stringify(policy)}`);
    for (const { id: key, created, expires = 'never' } of keys)
      console.log(`  key ${key}  created ${created}  ends ${expires}`);
  }
  if (tenants.length === 0) console.error(`assay: there are no tenants (${document.place})`);
}

/** Digests are of no use to whoever reads a list. */
function withoutDigests({ id, policy, keys }: TenantRecord): object {
  return { id, policy, keys: keys.map(({ sha256: _digest, ...rest }) => rest) };
}

function readable(error: unknown, { place }: TenantDocument): Error {
  if (error instanceof EditError || error instanceof UsageError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new UsageError(`tenants (${place}): ${reason}`, { cause: error });
}

function aKey(args: Args) {
  const now = systemClock.date();
  const expiresMs = args['expiresIn'] === undefined ? null : hours(args, 'expiresIn', 0) * HOUR_MS;
  const expires = expiresMs === null ? {} : { expires: new Date(now.getTime() + expiresMs) };
  return { key: createKey(), now, ...expires };
}

function hours(args: Args, name: string, byDefault: number): number {
  const text = args[name];
  if (text === undefined) return byDefault;
  const value = Number(text);
  if (Number.isFinite(value) && value >= 0 && value <= 1_000_000) return value;
  throw new UsageError(`--${name === 'expiresIn' ? 'expires-in' : name} takes hours`);
}

/** The key alone on standard output, for scripts. */
function tell(id: string, { key }: ReturnType<typeof aKey>, { place }: TenantDocument): void {
  console.error(
    `assay: a key of ${id} (id ${key.id}, kept as a digest in ${place}); it is not shown again:`,
  );
  console.log(key.key);
}
