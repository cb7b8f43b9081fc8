/**
 * Whether the host has room for something new. Looks now and then by one timer, whatever the load, and answers from the
 * last look; what is under way is none of its business.
 */
import type { Clock, Timer } from '../../lib/clock.ts';
import { RESOURCES, isFull, usedPercent } from './watermark.ts';
import type { Reading, Resource, Watermark } from './watermark.ts';

const LOOK_MS = 1000;
const MIB = 1024 * 1024;

/** One resource that is watched. */
export interface Watched {
  readonly mark: Watermark;
  /** The names of its two settings, for whoever is refused and wants to know. */
  readonly settings: string;
  /** Null where there is nothing to read, e.g. no limit. */
  readonly read: () => Promise<Reading | null>;
}

/** What was seen last, in the order of `RESOURCES`; those that could never be read are left out. */
export interface RoomStat {
  readonly resource: Resource;
  readonly usedPercent: number;
  readonly freeBytes: number;
  readonly limitPercent: number;
  readonly isFull: boolean;
}

export interface HostRoomOptions {
  readonly watched: Readonly<Partial<Record<Resource, Watched>>>;
  readonly clock: Clock;
  /** Told when a resource becomes full, and when there is room again. */
  readonly onChange: (stat: RoomStat) => void;
  /** Told once of a resource that cannot be read; what was seen of it last goes on to count. */
  readonly onUnreadable: (resource: Resource, error: unknown) => void;
}

const TITLES = {
  disk: 'the disk of the state folder',
  memory: 'the memory of this host',
  cgroup_memory: 'the memory of the service’s control group',
} as const satisfies Record<Resource, string>;

export class HostRoom {
  readonly #options: HostRoomOptions;
  readonly #seen = new Map<Resource, RoomStat>();
  readonly #unreadable = new Set<Resource>();
  #timer: Timer | null = null;
  #isClosed = false;

  private constructor(options: HostRoomOptions) {
    this.#options = options;
  }

  /** Takes the first look, then goes on looking until it is closed. */
  static async open(options: HostRoomOptions): Promise<HostRoom> {
    const room = new HostRoom(options);
    await room.look();
    room.#later();
    return room;
  }

  /** Why nothing new can be taken, a sentence a resource, with what to do; empty where there is room. */
  reasons(): string[] {
    return this.stats()
      .filter((stat) => stat.isFull)
      .map(({ resource, usedPercent: used, freeBytes }) => {
        const free = Math.floor(freeBytes / MIB);
        const settings = this.#options.watched[resource]?.settings ?? '';
        return `${TITLES[resource]} is ${Math.floor(used)} % full, ${free} MiB are left (${settings})`;
      });
  }

  stats(): RoomStat[] {
    return RESOURCES.flatMap((resource) => this.#seen.get(resource) ?? []);
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  /** Looks at everything now. Never rejects. */
  async look(): Promise<void> {
    const looks = RESOURCES.map(async (resource) => {
      const watched = this.#options.watched[resource];
      if (watched !== undefined) await this.#lookAt(resource, watched);
    });
    await Promise.all(looks);
  }

  async #lookAt(resource: Resource, { mark, read }: Watched): Promise<void> {
    let reading: Reading | null;
    try {
      reading = await read();
    } catch (error) {
      if (!this.#unreadable.has(resource)) this.#options.onUnreadable(resource, error);
      this.#unreadable.add(resource);
      return;
    }
    this.#unreadable.delete(resource);
    const before = this.#seen.get(resource);
    const wasFull = before?.isFull ?? false;
    if (reading === null) {
      this.#seen.delete(resource);
      // What has no limit any more is not full.
      if (before?.isFull === true) this.#options.onChange({ ...before, isFull: false });
      return;
    }
    const stat: RoomStat = {
      resource,
      usedPercent: usedPercent(reading),
      freeBytes: reading.freeBytes,
      limitPercent: mark.percent,
      isFull: isFull(reading, mark, wasFull),
    };
    this.#seen.set(resource, stat);
    if (stat.isFull !== wasFull) this.#options.onChange(stat);
  }

  #later(): void {
    if (this.#isClosed) return;
    this.#timer = this.#options.clock.after(LOOK_MS, () => {
      void this.look().then(() => this.#later());
    });
  }
}
