/**
 * Who a key belongs to. Looks at its document again now and then, so that tenants change without a restart; where that fails it goes on
 * with what it knew. Knows nothing of limits or wires.
 */
import { Rejection } from '../../domain/errors.ts';
import { ANONYMOUS, DEFAULT_POLICY, type Tenant } from '../../domain/tenant.ts';
import type { Clock } from '../../lib/clock.ts';
import type { TenantDocument } from './document.ts';
import { hasDigest, keyId } from './key.ts';
import { parseDirectory, toPolicy, type Directory, type KeyRecord } from './schema.ts';

/** A change is seen so soon, ms. */
const FRESH_MS = 1000;
/** Compared with where no key has the id, so that it takes as long. */
const NO_DIGEST = '0'.repeat(64);

interface Held {
  readonly key: KeyRecord;
  readonly tenant: Tenant;
}

interface Known {
  readonly text: string | null;
  readonly byKey: ReadonlyMap<string, Held>;
  readonly byId: ReadonlyMap<string, Tenant>;
  readonly anonymous: Tenant;
}

interface DirectoryOptions {
  readonly document: TenantDocument;
  readonly clock: Clock;
  /** Told once of each reason why the document cannot be used; null when it can again. */
  readonly onTrouble: (reason: string | null) => void;
}

export class TenantDirectory {
  readonly #options: DirectoryOptions;
  #known: Known | null = null;
  #trouble: string | null = null;
  #looking: Promise<void> | null = null;
  #looksAt = -Infinity;

  constructor(options: DirectoryOptions) {
    this.#options = options;
  }

  /** Reads the document. Throws where it cannot be used, for the start. */
  async open(): Promise<void> {
    await this.#look();
    if (this.#known === null) throw new Error(this.#trouble ?? 'it cannot be read');
  }

  /** Whether any tenant has a key. Throws Rejection `not_ready` where that is not known. */
  async hasKeys(): Promise<boolean> {
    return (await this.#current()).byKey.size > 0;
  }

  /** Whose key it is; null for nobody's. Throws as `hasKeys`. */
  async find(key: string): Promise<Tenant | null> {
    const { byKey } = await this.#current();
    const id = keyId(key);
    const held = id === null ? undefined : byKey.get(id);
    const isRight = id !== null && hasDigest(key, held?.key.sha256 ?? NO_DIGEST);
    if (held === undefined || !isRight) return null;
    const { expires } = held.key;
    const isOver = expires !== undefined && new Date(expires) <= this.#options.clock.date();
    return isOver ? null : held.tenant;
  }

  /** Of that id; null for one that there is not, or not any more. Throws as `hasKeys`. */
  async tenant(id: string): Promise<Tenant | null> {
    return (await this.#current()).byId.get(id) ?? null;
  }

  /** Whoever calls without a key. Throws as `hasKeys`. */
  async anonymous(): Promise<Tenant> {
    return (await this.#current()).anonymous;
  }

  async #current(): Promise<Known> {
    const { clock } = this.#options;
    if (clock.now() - this.#looksAt >= FRESH_MS) {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = null;
      });
      await this.#looking;
    }
    if (this.#known !== null) return this.#known;
    throw new Rejection('not_ready', { detail: 'the tenants cannot be read', retryAfterMs: 1000 });
  }

  async #look(): Promise<void> {
    const { document, clock, onTrouble } = this.#options;
    const was = this.#trouble;
    try {
      const text = await document.read();
      const hadKeys = (this.#known?.byKey.size ?? 0) > 0;
      // A store that lost it must not open the service to everybody; an empty directory is written as one.
      if (text === null && hadKeys) throw new Error('the tenants are not there any more');
      if (this.#known === null || text !== this.#known.text) this.#known = toKnown(text);
      this.#trouble = null;
    } catch (error) {
      this.#trouble = error instanceof Error ? error.message : String(error);
    }
    this.#looksAt = clock.now();
    if (was !== this.#trouble) onTrouble(this.#trouble);
  }
}

function toKnown(text: string | null): Known {
  const directory: Directory = parseDirectory(text);
  const byKey = new Map<string, Held>();
  const byId = new Map<string, Tenant>();
  let anonymous: Tenant = { id: ANONYMOUS.tenant, policy: DEFAULT_POLICY };
  for (const { id, policy, keys } of directory.tenants) {
    const tenant: Tenant = { id, policy: toPolicy(policy) };
    if (id === ANONYMOUS.tenant) anonymous = tenant;
    byId.set(id, tenant);
    for (const key of keys) byKey.set(key.id, { key, tenant });
  }
  byId.set(anonymous.id, anonymous);
  return { text, byKey, byId, anonymous };
}
