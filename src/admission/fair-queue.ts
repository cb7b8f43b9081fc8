/**
 * Who gets the next slot: deficit round robin over tenants by core time, priorities within a tenant, first come first
 * served within those. Pure: it is told the time, sets no timer, and knows neither slots nor jails
 * (../../docs/decisions/0025-fair-queue.md).
 *
 * A tenant has a balance in milliseconds of core time. What it starts is charged with its estimate, and put right when
 * its end tells what it took; whoever is in debt lets the others pass until rounds have paid for it, each worth
 * `QUANTUM_MS` × weight. Who comes with no debt and nothing waiting is next, once.
 */
import type { Payer } from '../domain/tenant.ts';
import { LinkedList, type Link } from '../lib/linked-list.ts';
import { shortage, shortageOf, type Shortage } from '../lib/room.ts';

/** Worth of a round to a tenant of weight 1. Small beside most jobs: tenants take turns job by job. */
const QUANTUM_MS = 20;

export interface FairQueueBounds {
  readonly lengthMax: number;
  readonly bytesMax: number;
  /** How much of both one tenant may fill, 0 < … ≤ 1, so that there is room for the others. */
  readonly tenantShare: number;
}

/** What is asked for a job. */
export interface Ask {
  readonly payer: Payer;
  /** Before jobs of the same tenant with a lower one. */
  readonly priority: number;
  /** Core time it will take, as far as can be told, ms; above 0. */
  readonly costMs: number;
  /** What it holds in memory while it waits. */
  readonly bytes: number;
  /** When it must have ended, by the clock of `take`; null for never. */
  readonly deadlineAt: number | null;
  /** What must be left of its time when its turn comes, ms. */
  readonly reserveMs: number;
}

/** A job's place in the queue, and afterwards its account. */
export interface Ticket<Item> extends Ask {
  readonly item: Item;
}

export interface Taken<Item> {
  /** Null when nothing waits. */
  readonly ticket: Ticket<Item> | null;
  /** Those that would not have ended in time; they have left. */
  readonly late: readonly Ticket<Item>[];
}

export interface TenantQueue {
  readonly tenant: string;
  readonly length: number;
  readonly bytes: number;
}

interface Lane<Item> {
  readonly priority: number;
  readonly tickets: LinkedList<Entry<Item>>;
  costMs: number;
}

interface Flow<Item> {
  readonly tenant: string;
  weight: number;
  balanceMs: number;
  /** From the highest priority down; kept while the flow is, since priorities are few. */
  readonly lanes: Lane<Item>[];
  length: number;
  bytes: number;
  running: number;
  /** Where it stands, if anywhere. */
  place: { readonly in: LinkedList<Flow<Item>>; readonly link: Link<Flow<Item>> } | null;
}

interface Entry<Item> extends Ticket<Item> {
  readonly flow: Flow<Item>;
  readonly lane: Lane<Item>;
  link: Link<Entry<Item>> | null;
}

export class FairQueue<Item> {
  readonly #bounds: FairQueueBounds;
  /** Tenants of whom something waits or runs, or who are in debt to somebody who waits. */
  readonly #flows = new Map<string, Flow<Item>>();
  /** Those that came with nothing waiting and no debt: before the others. */
  readonly #fresh = new LinkedList<Flow<Item>>();
  readonly #round = new LinkedList<Flow<Item>>();
  #length = 0;
  #bytes = 0;
  #costMs = 0;
  /** Of the tenants of whom something waits. */
  #weight = 0;

  constructor(bounds: FairQueueBounds) {
    this.#bounds = bounds;
  }

  get length(): number {
    return this.#length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Tenants that it remembers; no more than wait and run. */
  get tenantCount(): number {
    return this.#flows.size;
  }

  /** Those of whom most waits, the longest first; `most` of them. */
  tenants(most: number): readonly TenantQueue[] {
    return [...this.#flows.values()]
      .filter(({ length }) => length > 0)
      .toSorted((a, b) => b.length - a.length)
      .slice(0, most)
      .map(({ tenant, length, bytes }) => ({ tenant, length, bytes }));
  }

  /** Why there is no room for a job of so many bytes: the queue's bounds, the tenant's share of them; or null. */
  refusal({ tenant }: Payer, bytes: number): Shortage | null {
    const { lengthMax, bytesMax, tenantShare: share } = this.#bounds;
    const flow = this.#flows.get(tenant);
    return shortageOf([
      shortage({ max: lengthMax, share }, { all: this.#length, own: flow?.length ?? 0 }, 1),
      shortage({ max: bytesMax, share }, { all: this.#bytes, own: flow?.bytes ?? 0 }, bytes),
    ]);
  }

  /**
   * Core time that comes before a job that would be put here now, ms: what waits of its own tenant before it, and of the
   * others what their weights let pass meanwhile.
   */
  aheadMs({ payer, priority }: Pick<Ask, 'payer' | 'priority'>): number {
    const flow = this.#flows.get(payer.tenant);
    const ownMs = (flow?.lanes ?? [])
      .filter((lane) => lane.priority >= priority)
      .reduce((sum, lane) => sum + lane.costMs, 0);
    const weight = this.#weight + (flow !== undefined && flow.length > 0 ? 0 : payer.weight);
    return Math.min(this.#costMs, (ownMs * weight) / payer.weight);
  }

  /** Puts a job in, whatever the bounds: who asks has looked at `refusal`. */
  push(item: Item, ask: Ask): Ticket<Item> {
    const flow = this.#flowOf(ask.payer);
    const lane = laneOf(flow, ask.priority);
    const entry: Entry<Item> = { ...ask, item, flow, lane, link: null };
    entry.link = lane.tickets.push(entry);
    if (flow.length === 0) this.#weight += flow.weight;
    this.#count(entry, 1);
    if (flow.place === null) {
      flow.balanceMs = Math.min(flow.balanceMs, worth(flow));
      this.#put(flow, flow.balanceMs > 0 ? this.#fresh : this.#round);
    }
    return entry;
  }

  /** Takes a job out before it starts, in constant time; false if it is not in. */
  remove(ticket: Ticket<Item>): boolean {
    const entry = entryOf(ticket);
    if (!this.#withdraw(entry)) return false;
    if (this.#length === 0) this.#forgive();
    return true;
  }

  /**
   * The job to start now; `settle` its ticket when it has ended. One whose rest of time is shorter than its reserve is
   * left out where another may use the slot: it would only be ended halfway.
   */
  take(now: number): Taken<Item> {
    const late: Ticket<Item>[] = [];
    let ticket: Entry<Item> | null = null;
    while (ticket === null && this.#length > 0) {
      const entry = firstOf(this.#next());
      this.#withdraw(entry);
      const restMs = entry.deadlineAt === null ? Infinity : entry.deadlineAt - now;
      if (restMs <= 0 || (restMs < entry.reserveMs && this.#length > 0)) late.push(entry);
      else ticket = entry;
    }
    if (ticket !== null) {
      ticket.flow.running += 1;
      ticket.flow.balanceMs -= ticket.costMs;
    }
    if (this.#length === 0) this.#forgive();
    return { ticket, late };
  }

  /** A job that was taken has ended, after so much core time. Once for each. */
  settle(ticket: Ticket<Item>, usedMs: number): void {
    const { flow, costMs } = entryOf(ticket);
    flow.running -= 1;
    flow.balanceMs += costMs - usedMs;
    if (flow.place === null && flow.balanceMs <= 0) this.#put(flow, this.#round);
    if (this.#length === 0) this.#forgive();
    this.#forget(flow);
  }

  /** Takes all out, tenant by tenant. */
  clear(): readonly Ticket<Item>[] {
    const all = [...this.#flows.values()].flatMap(({ lanes }) =>
      lanes.flatMap(({ tickets }) => [...tickets]),
    );
    for (const entry of all) this.remove(entry);
    return all;
  }

  #withdraw(entry: Entry<Item>): boolean {
    if (entry.link === null || !entry.lane.tickets.remove(entry.link)) return false;
    entry.link = null;
    this.#count(entry, -1);
    if (entry.flow.length === 0) this.#weight -= entry.flow.weight;
    if (this.#length === 0) this.#weight = 0;
    return true;
  }

  /** Who is due and has something waiting. Precondition: something waits. */
  #next(): Flow<Item> {
    for (let passed = 0; ; passed += 1) {
      if (passed > this.#fresh.length + this.#round.length) {
        this.#leap();
        passed = 0;
      }
      const flow = this.#fresh.first ?? this.#round.first;
      if (flow === undefined) throw new Error('a job waits of a tenant that stands nowhere');
      if (flow.length > 0 && flow.balanceMs > 0) return flow;
      const isFresh = flow.place?.in === this.#fresh;
      this.#lift(flow);
      if (flow.length === 0 && flow.balanceMs > 0 && !isFresh) {
        this.#forget(flow);
        continue;
      }
      if (!isFresh) flow.balanceMs += worth(flow);
      this.#put(flow, this.#round);
    }
  }

  /** As many rounds at once as pass before anybody who waits is out of debt. */
  #leap(): void {
    let rounds = Infinity;
    for (const flow of this.#round) {
      if (flow.length === 0) continue;
      rounds = Math.min(rounds, Math.max(0, Math.floor(-flow.balanceMs / worth(flow))));
    }
    for (const flow of this.#round) {
      const balanceMs = flow.balanceMs + rounds * worth(flow);
      // Who does not wait saves nothing.
      flow.balanceMs = flow.length > 0 ? balanceMs : Math.min(balanceMs, worth(flow));
    }
  }

  /** Nobody waits: debts are to nobody, but for those of running jobs, whose tenants may be back at once. */
  #forgive(): void {
    for (const list of [this.#fresh, this.#round]) {
      for (const flow of list) {
        if (flow.running > 0) continue;
        this.#lift(flow);
        this.#forget(flow);
      }
    }
  }

  #flowOf({ tenant, weight }: Payer): Flow<Item> {
    let flow = this.#flows.get(tenant);
    if (flow === undefined) {
      const empty = { lanes: [], length: 0, bytes: 0, running: 0, place: null };
      flow = { tenant, weight, balanceMs: QUANTUM_MS * weight, ...empty };
      this.#flows.set(tenant, flow);
    } else if (flow.weight !== weight) {
      if (flow.length > 0) this.#weight += weight - flow.weight;
      flow.weight = weight;
    }
    return flow;
  }

  #put(flow: Flow<Item>, list: LinkedList<Flow<Item>>): void {
    flow.place = { in: list, link: list.push(flow) };
  }

  #lift(flow: Flow<Item>): void {
    flow.place?.in.remove(flow.place.link);
    flow.place = null;
  }

  #forget(flow: Flow<Item>): void {
    if (flow.length > 0 || flow.running > 0 || flow.place !== null) return;
    this.#flows.delete(flow.tenant);
  }

  #count({ flow, lane, bytes, costMs }: Entry<Item>, sign: 1 | -1): void {
    flow.length += sign;
    flow.bytes += sign * bytes;
    this.#length += sign;
    this.#bytes += sign * bytes;
    // Sums of fractions drift; what is empty costs nothing.
    lane.costMs = lane.tickets.length === 0 ? 0 : lane.costMs + sign * costMs;
    this.#costMs = this.#length === 0 ? 0 : this.#costMs + sign * costMs;
  }
}

function entryOf<Item>(ticket: Ticket<Item>): Entry<Item> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- tickets are made by `push` alone
  return ticket as Entry<Item>;
}

/** What a round gives it. */
function worth({ weight }: { readonly weight: number }): number {
  return QUANTUM_MS * weight;
}

function laneOf<Item>({ lanes }: Flow<Item>, priority: number): Lane<Item> {
  const at = lanes.findIndex((lane) => lane.priority <= priority);
  const found = lanes[at];
  if (found?.priority === priority) return found;
  const lane: Lane<Item> = { priority, tickets: new LinkedList(), costMs: 0 };
  lanes.splice(at < 0 ? lanes.length : at, 0, lane);
  return lane;
}

function firstOf<Item>({ lanes }: Flow<Item>): Entry<Item> {
  for (const { tickets } of lanes) if (tickets.first !== undefined) return tickets.first;
  throw new Error('a tenant is counted as waiting with nothing that waits');
}
