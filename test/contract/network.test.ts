/**
 * Nothing gets out of a jail: not by IPv4, IPv6, an abstract unix socket or netlink, while this test listens for it
 * on loopback. The program also tries what a working network would let it do, so that a refusal by mistake of the
 * program is not taken for a wall.
 */
import { execFile, spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Sandbox } from '../../src/sandbox/port.ts';
import { POLICY, aCommand, gvisorWall, nsjailWall, openSession, skipNote } from './walls.ts';

const ABSTRACT = `assay-network-test-${process.pid}`;
const walls = [await nsjailWall('none'), await gvisorWall('none')];
const hasPerl = spawnSync('/usr/bin/perl', ['-MSocket', '-e', '1']).status === 0;
const noPerl = hasPerl ? null : '/usr/bin/perl is not there';

/** Prints one line a way out: its name and what came of it. Perl, because Debian's base system always has it. */
const PROGRAM = `
use Socket; use strict;
my ($port4, $port6, $name) = @ARGV;
sub way { my ($what, $sub) = @_; my $ok = eval { $sub->() }; print "$what ", ($ok ? "OPEN" : "closed"), "\\n"; }
way("ipv4", sub { my $s; socket($s, AF_INET, SOCK_STREAM, 0) && connect($s, sockaddr_in($port4, inet_aton("127.0.0.1"))) });
way("ipv4-any", sub { my $s; socket($s, AF_INET, SOCK_STREAM, 0) && connect($s, sockaddr_in(53, inet_aton("8.8.8.8"))) });
way("udp", sub { my $s; socket($s, AF_INET, SOCK_DGRAM, 0) && connect($s, sockaddr_in(53, inet_aton("8.8.8.8"))) && send($s, "x", 0) });
way("ipv6", sub { my $s; socket($s, AF_INET6, SOCK_STREAM, 0) && connect($s, pack_sockaddr_in6($port6, Socket::inet_pton(AF_INET6, "::1"))) });
way("abstract", sub { my $s; socket($s, AF_UNIX, SOCK_STREAM, 0) && connect($s, pack("S a*", AF_UNIX, "\\0$name")) });
way("netlink", sub { my ($s, $b); socket($s, 16, SOCK_RAW, 0) && bind($s, pack("S S L L", 16, 0, 0, 0)) && send($s, pack("L S S L L C x15", 32, 18, 0x301, 1, 0, 0), 0) && sysread($s, $b, 4096) && $b =~ /eth|ens|enp|wlan/ });
way("raw", sub { my $s; socket($s, AF_INET, SOCK_RAW, 1) });
way("packet", sub { my $s; socket($s, 17, SOCK_RAW, 0) });
`;

function listen(
  server: Server,
  where: { readonly host?: string; readonly path?: string },
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: 0, ...where }, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

describe.each(walls)('the network, $name', (wall) => {
  const missing = wall.missing ?? noPerl;

  describe.skipIf(missing !== null)(`is closed${skipNote(missing)}`, () => {
    let sandbox: Sandbox;
    let visitors = 0;
    const servers = [0, 1, 2].map(() =>
      createServer((socket) => {
        visitors += 1;
        socket.destroy();
      }),
    );
    let ports: number[] = [];

    beforeAll(async () => {
      sandbox = await wall.create();
      const [four, six, unix] = servers;
      if (four === undefined || six === undefined || unix === undefined) throw new Error('servers');
      await new Promise<void>((resolve) => {
        unix.listen(`\0${ABSTRACT}`, resolve);
      });
      // A host without IPv6 has nothing to reach there.
      ports = [
        await listen(four, { host: '127.0.0.1' }),
        await listen(six, { host: '::1' }).catch(() => 9),
      ];
    });
    afterAll(async () => {
      await sandbox.close();
      for (const server of servers) server.close();
    });

    it('is open outside, so that the program is a fair one', async () => {
      const { promise, resolve } = Promise.withResolvers<string>();
      execFile('/usr/bin/perl', ['-e', PROGRAM, ...ports.map(String), ABSTRACT], (_, out) =>
        resolve(out),
      );
      expect(await promise).toMatch(/^ipv4 OPEN$/m);
      expect(await promise).toMatch(/^abstract OPEN$/m);
      expect(visitors).toBeGreaterThanOrEqual(2);
    });

    it('lets nothing out of a jail', async () => {
      visitors = 0;
      const session = await openSession(await sandbox.start(POLICY), sandbox);
      const argv = ['/usr/bin/perl', '-e', PROGRAM, ...ports.map(String), ABSTRACT];
      const exit = await session.run(aCommand(argv));
      await session.close();
      const lines = Buffer.from(exit.stdout).toString().trim().split('\n');
      expect(lines).toHaveLength(8);
      expect(lines.filter((line) => !line.endsWith(' closed'))).toEqual([]);
      expect(visitors).toBe(0);
    });

    it('has no interface that is up', async () => {
      const session = await openSession(await sandbox.start(POLICY), sandbox);
      const exit = await session.run(aCommand(['/bin/cat', '/proc/net/dev', '/proc/net/route']));
      await session.close();
      const names = [
        ...Buffer.from(exit.stdout)
          .toString()
          .matchAll(/^\s*(\w+):/gm),
      ].map(([, name]) => name);
      expect(names.filter((name) => name !== 'lo')).toEqual([]);
    });
  });
});
