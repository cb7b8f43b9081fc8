/** A `Jail` over any byte channel: its end is noticed once, with the first reason that anybody gives. */
import type { Duplex } from 'node:stream';

import type { Jail, JailExit } from './port.ts';

export interface ChannelJail extends Jail {
  /** Gives the reason of the end; the first one stays. */
  explain(reason: string): void;
}

interface ChannelJailOptions {
  /** Awaited between the channel's close and `closed`, e.g. for the launcher's last words. Must not reject. */
  readonly afterClose?: () => Promise<void>;
}

export function createChannelJail(channel: Duplex, options: ChannelJailOptions = {}): ChannelJail {
  let reason: string | null = null;
  let failure: string | null = null;
  const { promise: closed, resolve } = Promise.withResolvers<JailExit>();
  const finish = async (): Promise<void> => {
    await options.afterClose?.();
    const told = [failure, reason].filter((each) => each !== null);
    resolve({ reason: told.join('; ') || 'the supervisor closed the channel' });
  };
  channel.on('error', (error) => {
    failure ??= `the channel failed: ${error.message}`;
  });
  channel.once('close', () => void finish());
  return {
    channel,
    closed,
    explain(why) {
      reason ??= why;
    },
    async close() {
      if (!channel.destroyed && !channel.readableEnded) reason ??= 'closed by the service';
      channel.destroy();
      await closed;
    },
  };
}
