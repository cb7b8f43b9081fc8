/** What the service is made of. */
import type { Gate } from '../admission/gate.ts';
import type { Fault } from '../domain/errors.ts';
import type { CatalogEntry } from '../domain/language.ts';
import type { Limits } from '../domain/limits.ts';
import type { JudgeReport, RunReport } from '../domain/report.ts';
import type { Clock } from '../lib/clock.ts';
import type { MemoryBudgetStats } from '../pool/memory-budget.ts';
import type { ArtefactCache } from './artefacts/cache.ts';
import type { Comparator } from './case-verdict.ts';
import type { CallContext, HostRoomStat, Quantiles } from './door.ts';
import type { ProblemFiles } from './problem-program.ts';
import type { LanguageWalls, ServiceWalls } from './walls.ts';

export interface ServiceOptions {
  readonly catalog: readonly CatalogEntry[];
  readonly gate: Gate;
  readonly slots: number;
  readonly clock: Clock;
  readonly maxima: Limits;
  readonly comparator: Comparator;
  /** Compiled programs of earlier submissions; null when none are kept. */
  readonly artefacts: ArtefactCache | null;
  /** What programs of problems may need of ours. */
  readonly problemFiles: ProblemFiles;
  readonly walls: ServiceWalls;
  readonly languageWalls: LanguageWalls;
  readonly versions: {
    readonly service: string;
    readonly runner: string;
    readonly verifier: string;
  };
  /** Delay of the event loop and resident memory of this process. */
  readonly eventLoopDelay: () => Quantiles;
  readonly memoryBytes: () => number;
  /** What jails take, and may take. */
  readonly jailMemory: () => MemoryBudgetStats;
  /** What the host has left, and why it takes nothing new; see `observe/host-room`. */
  readonly hostRoom: { stats(): readonly HostRoomStat[]; reasons(): readonly string[] };
  readonly queueLengthMax: number;
  /** Told of each submission once it is answered, with whose it is; for the log. */
  readonly onReport: (report: RunReport | JudgeReport, context: CallContext) => void;
  /** Told of each fault with its detail, for the operator. */
  readonly onFault: (fault: Fault, submissionId: string) => void;
}
