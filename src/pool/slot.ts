/**
 * The life of one jail in the pool as a state machine. Pure: `nextSlotState` is the only way from state to state,
 * and a step that is not in the table is a programmer's error.
 *
 *   starting ─started─▶ ready ─lease─▶ leased ─release─▶ resetting ─clean─▶ ready
 *       └─fail─▶ gone      └─retire─▶ gone  └─retire─▶ gone    └─retire─▶ gone
 */
import assert from 'node:assert/strict';

export type SlotState = 'starting' | 'ready' | 'leased' | 'resetting' | 'gone';
export type SlotEvent = 'started' | 'lease' | 'release' | 'clean' | 'retire';

const STEPS: Readonly<Record<SlotState, Partial<Record<SlotEvent, SlotState>>>> = {
  starting: { started: 'ready', retire: 'gone' },
  ready: { lease: 'leased', retire: 'gone' },
  leased: { release: 'resetting', retire: 'gone' },
  resetting: { clean: 'ready', retire: 'gone' },
  gone: {},
};

/** The state after `event`; throws an AssertionError for a step that does not exist. */
export function nextSlotState(state: SlotState, event: SlotEvent): SlotState {
  const next = STEPS[state][event];
  assert(next !== undefined, `a slot cannot ${event} while it is ${state}`);
  return next;
}

/** Why a jail was ended. Counted in `/v1/stats`. */
export type RetireReason =
  | 'start_failed'
  | 'died'
  | 'fault'
  | 'dirty'
  | 'leases'
  | 'age'
  | 'memory'
  /** Its user has had all that it can give. */
  | 'used_up'
  | 'surplus'
  /** Not used for long: another one has taken its place. */
  | 'idle'
  /** Its memory was needed for a run elsewhere. */
  | 'reclaimed'
  | 'closed';

export interface RetireRules {
  readonly leasesMax: number;
  readonly ageMaxMs: number;
  /** Growth of the jail's memory over what it used when new, bytes. */
  readonly memoryGrowthMaxBytes: number;
  /** A jail that nobody used for so long is made anew, ms. */
  readonly idleMaxMs: number;
}

export const DEFAULT_RETIRE_RULES: RetireRules = {
  leasesMax: 2000,
  ageMaxMs: 3_600_000,
  memoryGrowthMaxBytes: 64 * 1024 * 1024,
  idleMaxMs: 1_800_000,
};

export interface SlotHistory {
  readonly leases: number;
  readonly ageMs: number;
  /** Null while unknown. */
  readonly memoryGrowthBytes: number | null;
}

/** The reason to retire a jail that is clean but used up, or null to keep it. */
export function retireReason(history: SlotHistory, rules: RetireRules): RetireReason | null {
  if (history.leases >= rules.leasesMax) return 'leases';
  if (history.ageMs >= rules.ageMaxMs) return 'age';
  if ((history.memoryGrowthBytes ?? 0) > rules.memoryGrowthMaxBytes) return 'memory';
  return null;
}
