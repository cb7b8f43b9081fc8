/** The descriptions in a problem package: Kattis's `problem.yaml` (legacy and 2023-07), test groups, DOMjudge's ini. */
import { z } from 'zod';

const Amount = z.coerce.number().positive().max(1e9);
const Words = z
  .union([z.string(), z.array(z.coerce.string())])
  .transform((given) => (typeof given === 'string' ? given.split(/\s+/) : given))
  .transform((words) => words.filter((word) => word !== ''));

/** Problem package format, `problem.yaml`; what is not said here is of no matter for judging. */
export const ProblemYaml = z.looseObject({
  type: Words.prefault('pass-fail'),
  /** Legacy: `default`, or `custom` with `score` or `interactive`. */
  validation: Words.prefault('default'),
  validator_flags: Words.prefault(''),
  limits: z
    .looseObject({
      /** s; the others are MiB and s. */
      time_limit: Amount.optional(),
      memory: Amount.optional(),
      output: Amount.optional(),
      compilation_time: Amount.optional(),
      validation_time: Amount.optional(),
      validation_memory: Amount.optional(),
      validation_output: Amount.optional(),
    })
    .nullish()
    .transform((limits) => limits ?? {}),
});
export type ProblemYaml = z.output<typeof ProblemYaml>;

/** `testdata.yaml` (legacy) and `test_group.yaml` (2023-07). */
export const GroupYaml = z.looseObject({
  accept_score: z.coerce.number().optional(),
  reject_score: z.coerce.number().optional(),
  range: z.string().optional(),
  grading: z.string().optional(),
  grader_flags: Words.optional(),
  output_validator_flags: Words.optional(),
  scoring: z
    .looseObject({
      score: z.union([z.number().min(0), z.literal('unbounded')]).optional(),
      aggregation: z.enum(['pass-fail', 'sum', 'min']).optional(),
    })
    .optional(),
  output_validator_args: Words.optional(),
  args: Words.optional(),
});
export type GroupYaml = z.output<typeof GroupYaml>;

/** Longer lines say nothing that matters. */
const LINE_MAX = 1000;
const PAIR = /^\s*([\w-]+)\s*=\s*(?:(["'])(.*)\2|([^;#]*))(?:\s*[;#].*)?\s*$/;

/** `key = value` a line, values in quotes or not; `;` and `#` begin comments. */
export function parseIni(text: string): ReadonlyMap<string, string> {
  const lines = text.split(/\r?\n/).filter((line) => line.length <= LINE_MAX);
  const pairs = lines.flatMap((line): [string, string][] => {
    const [, key, , quoted, plain = ''] = PAIR.exec(line) ?? [];
    return key === undefined ? [] : [[key, quoted ?? plain.trim()]];
  });
  return new Map(pairs);
}
