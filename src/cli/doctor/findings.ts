/** What the doctor has found: of this host by trying, of a service by asking it. */
import { z } from 'zod';

import { CapabilitiesResponse, LanguagesResponse } from '../../http/native/info-to-wire.ts';
import type { HostProbe } from '../../sandbox/probe.ts';
import { expectSuccess, type Api } from '../api.ts';
import { UsageError } from '../exit-codes.ts';

type WallWire = CapabilitiesResponse['walls'][number];
type LanguageWire = LanguagesResponse['languages'][number];

export interface WallFindings {
  /** Of another machine's wall only what its service tells. */
  readonly probe: Pick<HostProbe, 'available' | 'version' | 'cgroup' | 'problems'> & {
    readonly wall: string;
    readonly enforced: Readonly<Partial<Record<string, string | null>>>;
  } & Partial<Pick<HostProbe, 'host' | 'program' | 'controllers' | 'jailStartMs'>>;
  /** Whether the configuration offers it. */
  readonly isAsked: boolean;
  /** What the configuration requires and this wall does not enforce here, a line each. */
  readonly missing: readonly string[];
  /** What came of trying to get out; null where that was not tried. */
  readonly test: WallWire['test'];
}

export interface Findings {
  /** The running service that was asked; null for this host. */
  readonly service: {
    readonly version: string;
    readonly ready: boolean;
    readonly reasons: readonly string[];
  } | null;
  readonly walls: readonly WallFindings[];
  /** As tried by their self-tests behind the first wall; null where one is too weak to try. */
  readonly languages: readonly LanguageFindings[] | null;
}

export type LanguageFindings = Pick<
  LanguageWire,
  'id' | 'version' | 'available' | 'reason' | 'environments' | 'tests'
>;

/** What a service says of itself, after it has tried its walls anew where we may ask for that. */
export interface ServiceFindings extends NonNullable<Findings['service']> {
  readonly walls: CapabilitiesResponse['walls'];
  readonly languages: readonly LanguageFindings[];
}

const Ready = z.looseObject({ ready: z.boolean(), reasons: z.array(z.string()) });

interface Asking {
  /** Whether it is to try its walls anew, where we may ask for that; else its last tests count. */
  readonly anew: boolean;
}

/** Throws UsageError with the service's words where it refuses, or where it answers otherwise than this version. */
export async function askService(api: Api, { anew }: Asking): Promise<ServiceFindings> {
  const read = <Shape extends z.ZodType>(path: string, shape: Shape, body: unknown) => {
    const parsed = shape.safeParse(body);
    if (parsed.success) return parsed.data;
    throw new UsageError(
      `${path} answers otherwise than here; is it a service of another version?`,
    );
  };
  const ask = async <Shape extends z.ZodType>(path: string, shape: Shape) =>
    read(path, shape, expectSuccess(await api.get(path)));
  // Who may not ask for it is told of the last one.
  if (anew) await api.post('/v1/selftest', {});
  const { service: version, walls } = await ask('/v1/capabilities', CapabilitiesResponse);
  const { languages } = await ask('/v1/languages', LanguagesResponse);
  // With 503 where it is not ready, which is an answer.
  const { ready, reasons } = read('/readyz', Ready, (await api.get('/readyz')).body);
  return { version, walls, languages, ready, reasons };
}
