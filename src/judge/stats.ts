/** What the service counts for `/v1/stats`. */
import type { RejectionCode } from '../domain/errors.ts';
import type { OutcomeKind } from '../domain/outcome.ts';
import type { Outcome } from '../domain/outcome.ts';
import { GIVEN_UP_REASONS, type EnvironmentStats, type GivenUpReason, type Stats } from './door.ts';
import type { GivenUpStage } from './perform.ts';
import type { ServiceOptions } from './service-options.ts';
import type { ServiceWalls } from './walls.ts';

type Counts<Name extends string> = Partial<Record<Name, number>>;

export class ServiceStats {
  readonly rejections: Counts<RejectionCode> = {};
  readonly givenUp: Record<GivenUpStage, Counts<GivenUpReason>> = { waiting: {}, running: {} };
  readonly #outcomes = new Map<string, Counts<OutcomeKind>>();
  run = 0;
  judged = 0;
  faults = 0;

  rejected(code: RejectionCode): void {
    this.rejections[code] = (this.rejections[code] ?? 0) + 1;
  }

  /** Counts work that came to no answer for one of these reasons; other refusals are no work. */
  gaveUp(stage: GivenUpStage, code: RejectionCode): void {
    const reason = GIVEN_UP_REASONS.find((each) => each === code);
    if (reason === undefined) return;
    this.givenUp[stage][reason] = (this.givenUp[stage][reason] ?? 0) + 1;
  }

  /** Counts one run of an environment; environments are a closed set. */
  outcome(environment: string, outcome: Outcome | null): void {
    if (outcome === null) return;
    const counts = this.#outcomes.get(environment) ?? {};
    counts[outcome.kind] = (counts[outcome.kind] ?? 0) + 1;
    this.#outcomes.set(environment, counts);
  }

  /** One entry for each pool's name of an environment, a wall after the other; outcomes are those behind any wall. */
  environments(walls: ServiceWalls): EnvironmentStats[] {
    return walls.flatMap(({ probe: { wall }, pools }) =>
      [...pools].map(([id, pool]) => {
        const { starting, ready, leased, target, ...rest } = pool.stats();
        const jails = { starting, ready, leased, target };
        const outcomes = { ...this.#outcomes.get(id) };
        return { id, wall, pool: pool.name, jails, outcomes, ...rest };
      }),
    );
  }
}

/** Everything that is counted, of the service and of its parts. */
export function collectStats(options: ServiceOptions, own: ServiceStats, bornAt: number): Stats {
  const { gate, slots, clock, queueLengthMax, walls } = options;
  return {
    uptimeMs: Math.round(clock.now() - bornAt),
    slots: { total: slots, busy: gate.busy },
    queue: { ...gate.queue, lengthMax: queueLengthMax },
    submissions: { run: own.run, judged: own.judged, faults: own.faults },
    rejections: { ...own.rejections },
    givenUp: { waiting: { ...own.givenUp.waiting }, running: { ...own.givenUp.running } },
    environments: own.environments(walls),
    compileCache: options.artefacts?.stats() ?? null,
    reuse: null,
    jailMemory: options.jailMemory(),
    hostRoom: options.hostRoom.stats(),
    eventLoopDelayMs: options.eventLoopDelay(),
    memoryBytes: options.memoryBytes(),
  };
}
