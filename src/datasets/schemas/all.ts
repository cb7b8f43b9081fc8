/** All schemas, in the order in which a row is held against them: what names more of its fields comes first. */
import { aceCode, openInstruct } from './asserts.ts';
import { apps, taco } from './apps.ts';
import { codeContests } from './code-contests.ts';
import { codeforces } from './codeforces.ts';
import { columns, deepCoder, rllm } from './deep-coder.ts';
import { nemoGym, stdinProblems, verl } from './gym.ts';
import { humanEval, leetCode } from './human-eval.ts';
import { ioi } from './ioi.ts';
import { kodCode } from './kod-code.ts';
import { liveCodeBench, skyRL } from './live-code-bench.ts';
import { mbpp } from './mbpp.ts';
import type { Schema } from './schema.ts';
import { verifiable } from './verifiable.ts';

export const SCHEMAS: readonly Schema[] = [
  humanEval,
  leetCode,
  mbpp,
  kodCode,
  ioi,
  codeforces,
  codeContests,
  liveCodeBench,
  skyRL,
  verl,
  nemoGym,
  verifiable,
  openInstruct,
  rllm,
  taco,
  apps,
  aceCode,
  deepCoder,
  stdinProblems,
  columns,
];
