/** The list of scenarios, in the order in which they run. */
import type { Scenario } from './lib/scenario.ts';
import { bigIo } from './scenarios/big-io.ts';
import { eventLoop } from './scenarios/event-loop.ts';
import { http100Tests } from './scenarios/http-100-tests.ts';
import { inFlight } from './scenarios/in-flight.ts';
import { peerRate } from './scenarios/peer-rate.ts';
import { runOverhead } from './scenarios/run-overhead.ts';
import { sameVerdicts } from './scenarios/same-verdicts.ts';
import { soak } from './scenarios/soak.ts';
import { warmVerdicts } from './scenarios/warm-verdicts.ts';

export const SCENARIOS: readonly Scenario[] = [
  runOverhead,
  http100Tests,
  bigIo,
  eventLoop,
  inFlight,
  sameVerdicts,
  warmVerdicts,
  peerRate,
  soak,
];
