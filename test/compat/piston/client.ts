/** An independent Piston client, and Open R1's ways of asking, as programs run against a URL. */
import { z } from 'zod';

import { getPythonClient, type ClientResult } from '../../support/python-client.ts';

/** What they need, fetched once; a host without a fit Python or without a package index has the reason why not. */
export async function getPistonClients() {
  return await getPythonClient('piston', 11);
}

type PythonClient = Extract<ClientResult, { readonly kind: 'ready' }>;

type Call = { readonly call: string } & Readonly<Record<string, unknown>>;

/** Results of the independent client in the order of the calls: its objects, or the name of what it raised. */
export async function askPiston(
  client: PythonClient,
  url: string,
  calls: readonly Call[],
): Promise<readonly unknown[]> {
  const input = { url: `${url}/api/v2`, calls };
  return z.array(z.unknown()).parse(await client.drive('driver.py', input));
}

export type OpenR1Request =
  | { readonly kind: 'e2b' | 'morph'; readonly body: object }
  | { readonly kind: 'codeforces' | 'ioi'; readonly bodies: readonly object[] };

/** What Open R1 makes of the answers, in order. */
export async function askOpenR1(
  client: PythonClient,
  url: string,
  request: OpenR1Request,
): Promise<readonly unknown[]> {
  const rewards = await client.drive('../open-r1/driver.py', { url, ...request });
  return z.array(z.unknown()).parse(rewards);
}
