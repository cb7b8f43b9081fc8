/** Puts together what watches the host's disk and memory, and says how much of that the jails may take. */
import { hostFullRejection } from './admission/gate.ts';
import type { LoadedConfig } from './config/load.ts';
import type { Config } from './config/schema.ts';
import type { Clock } from './lib/clock.ts';
import { HostRoom } from './observe/host-room/host-room.ts';
import { readDisk, readMemory } from './observe/host-room/readings.ts';
import { jailShare, type Watermark } from './observe/host-room/watermark.ts';
import type { Logger } from './observe/logger.ts';
import { readCgroupView } from './sandbox/cgroup/mounts.ts';
import { leastOf } from './sandbox/cgroup/own-memory.ts';
import { stateFolder } from './wall.ts';

const MIB = 1024 * 1024;

export async function openHostRoom(
  loaded: LoadedConfig,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Promise<HostRoom> {
  const { hostDiskPercent, hostDiskFreeMb } = loaded.config;
  // Where a process is put does not change while it runs.
  const groups = await readCgroupView();
  const memory = {
    mark: memoryMark(loaded.config),
    settings: 'host_memory_percent, host_memory_free_mb',
  };
  return await HostRoom.open({
    clock,
    watched: {
      disk: {
        mark: { percent: hostDiskPercent, enoughBytes: hostDiskFreeMb * MIB },
        settings: 'host_disk_percent, host_disk_free_mb',
        read: () => readDisk(stateFolder(loaded)),
      },
      memory: { ...memory, read: readMemory },
      cgroup_memory: { ...memory, read: () => leastOf(groups) },
    },
    onChange: (stat) => {
      const text = stat.isFull ? 'nothing new is taken' : 'there is room again';
      logger.warn({ event: 'host_room', ...stat }, text);
    },
    onUnreadable: (resource, error) =>
      logger.warn({ event: 'host_room', resource, reason: String(error) }, 'cannot be read'),
  });
}

type MemoryConfig = Pick<Config, 'jailMemoryMb' | 'hostMemoryPercent' | 'hostMemoryFreeMb'>;

function memoryMark({ hostMemoryPercent, hostMemoryFreeMb }: MemoryConfig): Watermark {
  return { percent: hostMemoryPercent, enoughBytes: hostMemoryFreeMb * MIB };
}

/** What all jails together may take of so much memory, bytes; as configured, or what `jailShare` says. */
export function jailMemoryBytes(config: MemoryConfig, totalBytes: number): number {
  const { jailMemoryMb } = config;
  return jailMemoryMb > 0 ? jailMemoryMb * MIB : jailShare(totalBytes, memoryMark(config));
}

/** Throws the refusal that says what the host is short of, if it is. */
export function toHostCheck(hostRoom: HostRoom): () => void {
  return () => {
    const shortages = hostRoom.reasons();
    if (shortages.length > 0) throw hostFullRejection(shortages);
  };
}
