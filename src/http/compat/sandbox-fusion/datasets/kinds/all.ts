/** The kinds of data sets by their names, and by the names under which the original registers data sets of them. */
import type { DatasetKind } from '../plan.ts';
import { autoEval } from './auto-eval.ts';
import { commonOJ } from './common-oj.ts';
import { humanEval } from './human-eval.ts';
import { liveCodeBench } from './live-code-bench.ts';
import { mbpp } from './mbpp.ts';
import { multiPLE } from './multipl-e.ts';

const KINDS: Readonly<Record<string, DatasetKind>> = {
  HumanEvalDataset: {
    // The original's class serves rows of both shapes.
    prompt: (row, config) => kindOf(row).prompt(row, config),
    plan: (row, request) => kindOf(row).plan(row, request),
  },
  EvoEvalDataset: humanEval,
  HumanEvalDeprecated: humanEval,
  MBPPDataset: mbpp,
  AutoEvalDataset: autoEval,
  AutoEvalV4Dataset: autoEval,
  AutoEvalV5Dataset: autoEval,
  AutoEvalV6Dataset: autoEval,
  CommonOJDataset: commonOJ,
  LiveCodeBenchDataset: liveCodeBench,
  MultiPLEDataset: multiPLE,
};

export const KIND_NAMES: readonly string[] = Object.keys(KINDS);

const REGISTERED: Readonly<Record<string, string>> = {
  humaneval_python: 'HumanEvalDataset',
  shadow_humaneval_python: 'HumanEvalDataset',
  evoeval: 'EvoEvalDataset',
  mbpp: 'MBPPDataset',
  code_contests: 'CommonOJDataset',
  live_code_bench_v1: 'LiveCodeBenchDataset',
};
/** `multiple_cpp`, `humaneval_java` … */
const MULTIPLE = /^(?:multiple|humaneval)_[a-z]+$/;

function kindOf(row: Readonly<Record<string, unknown>>): DatasetKind {
  return typeof row['tests'] === 'string' && row['language'] !== 'python' ? multiPLE : humanEval;
}

/** The kind of a class name; null if there is none here. */
export function kindNamed(name: string): DatasetKind | null {
  return Object.hasOwn(KINDS, name) ? (KINDS[name] ?? null) : null;
}

/** The class of a data set that the original knows by name; null if it knows none. */
export function classOf(dataset: string): string | null {
  if (Object.hasOwn(REGISTERED, dataset)) return REGISTERED[dataset] ?? null;
  return MULTIPLE.test(dataset) ? 'MultiPLEDataset' : null;
}
