/** The wire of programs that are the problem's: checkers and interactors. */
import { z } from '@hono/zod-openapi';

import {
  BRIDGED,
  CONVENTIONS,
  INTERACTOR_CONVENTIONS,
  MANAGER_CONVENTIONS,
  PROCESSES_MAX,
} from '../../../domain/submission.ts';
import { strictRecord } from '../validation.ts';
import { Args, Files, LimitsRequest, submissionShape } from './submission.ts';

/** What all programs of a problem have. */
const problemProgramShape = {
  language: submissionShape.language,
  environment: submissionShape.environment,
  code: z.string().optional().describe('The program.'),
  files: Files.optional().describe(
    'With `entry`: the program. Beside `code`: files it includes or reads; none may lie in `case/`.',
  ),
  entry: z.string().optional().describe('Path of the main file among `files`.'),
  args: Args.default([]).describe('Added behind the arguments of the convention; no NUL.'),
  limits: LimitsRequest.default({}).describe(
    "Its own limits, for each case; they do not depend on the candidate's.",
  ),
};

export const Grader = strictRecord({
  files: Files.describe('A main, headers, libraries. They are seen by the program: no answers.'),
  entry: z.string().describe('Path of the main file among `files`.'),
  program: z.string().describe("Where the candidate's main file is put, e.g. `task.cpp`."),
})
  .describe(
    "Built with the candidate's program, executed in its process. In C and C++ each source file is compiled on its own and linked; elsewhere the main finds the others.",
  )
  .openapi('Grader');
export type Grader = z.infer<typeof Grader>;

export const Checker = strictRecord({
  ...problemProgramShape,
  convention: z
    .enum(CONVENTIONS)
    .describe(
      'How it is called and answers. testlib: input output answer. cms: input answer output. kattis: input answer feedback_dir/, output on stdin. dmoj: a Python file with `check(process_output, judge_output, **kwargs)`. dmoj_bridged: as `bridged` says. python_file: input answer output, prints 1 or 100.',
    ),
  bridged: z
    .enum(BRIDGED)
    .optional()
    .describe(
      "The kind of a dmoj_bridged checker. Default: default. `peg` takes answer output input; it and the others are DMOJ's.",
    ),
  points_max: z
    .number()
    .positive()
    .max(1e9)
    .optional()
    .describe(
      'Points that stand for a score of 1. Default: 1 for testlib, the weight of the case for dmoj and dmoj_bridged; for kattis it declares custom scoring (score.txt).',
    ),
}).openapi('Checker');
export type Checker = z.infer<typeof Checker>;

export const Interactor = strictRecord({
  ...problemProgramShape,
  convention: z
    .enum(INTERACTOR_CONVENTIONS)
    .describe(
      'How it is called and answers; it talks on its standard streams. testlib: input tout answer. dmoj_bridged: input answer, or as testlib. kattis: input answer feedback_dir/. cms: a manager in C or C++; input on stdin, the names of two FIFOs for each process (from the program, to it), outcome on stdout.',
    ),
  processes: z
    .int()
    .min(1)
    .max(PROCESSES_MAX)
    .default(1)
    .describe(
      `Of convention cms: runs of the program that it talks with at once, at most ${PROCESSES_MAX}, each in a jail of its own with its number, from 0, as last argument. Their CPU times count together.`,
    ),
  bridged: z
    .enum(['default', 'testlib', 'coci'])
    .optional()
    .describe('The kind of a dmoj_bridged interactor. Default: default.'),
  points_max: z
    .number()
    .positive()
    .max(1e9)
    .optional()
    .describe("Points that stand for a score of 1; as a checker's."),
}).openapi('Interactor');
export type Interactor = z.infer<typeof Interactor>;

export const Manager = strictRecord({
  ...problemProgramShape,
  convention: z
    .enum(MANAGER_CONVENTIONS)
    .describe(
      "As a checker's. It judges the output of the first run; where it accepts, what it prints is the second run's input.",
    ),
}).openapi('Manager');
export type Manager = z.infer<typeof Manager>;
