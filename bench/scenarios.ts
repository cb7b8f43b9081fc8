/** The list of scenarios, in the order in which they run; those that share a service are the last. */
import type { Scenario } from './lib/scenario.ts';
import { bigIo } from './scenarios/big-io.ts';
import { dedupe } from './scenarios/dedupe.ts';
import { eventLoop } from './scenarios/event-loop.ts';
import { freshRuns } from './scenarios/fresh-runs.ts';
import { gvisor } from './scenarios/gvisor.ts';
import { http100Tests } from './scenarios/http-100-tests.ts';
import { inFlight } from './scenarios/in-flight.ts';
import { oneCallPerTest } from './scenarios/one-call-per-test.ts';
import { overload } from './scenarios/overload.ts';
import { PEERS } from './scenarios/peers.ts';
import { repeats } from './scenarios/repeats.ts';
import { replays } from './scenarios/replays.ts';
import { rewardBatch } from './scenarios/reward-batch.ts';
import { runOverhead } from './scenarios/run-overhead.ts';
import { sameVerdicts } from './scenarios/same-verdicts.ts';
import { sessions } from './scenarios/sessions.ts';
import { soak } from './scenarios/soak.ts';
import { split } from './scenarios/split.ts';
import { surfaces } from './scenarios/surfaces.ts';
import { timing } from './scenarios/timing.ts';
import { verlClients } from './scenarios/verl-clients.ts';
import { warmVerdicts } from './scenarios/warm-verdicts.ts';

export const SCENARIOS: readonly Scenario[] = [
  runOverhead,
  http100Tests,
  bigIo,
  eventLoop,
  inFlight,
  overload,
  dedupe,
  sameVerdicts,
  timing,
  repeats,
  replays,
  warmVerdicts,
  sessions,
  soak,
  surfaces,
  ...PEERS,
  oneCallPerTest,
  rewardBatch,
  verlClients,
  freshRuns,
  split,
  gvisor,
];
