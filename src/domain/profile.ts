/**
 * Named graders: what a profile fixes of a judgement. Types and look-up; `profiles.ts` is the table. Pure data, so that
 * every layer can say which rules were in force.
 */
import type { LimitsRequest } from './limits.ts';
import { PROFILES, type ProfileName } from './profiles.ts';

/** How the graders of `verify/graders` compare two outputs; each is documented there. */
export const GRADERS = [
  'zipped_lines',
  'decimal_lines',
  'apps_cascade',
  'prime_cascade',
  'taco_cascade',
  'rllm_cascade',
  'code_contests',
  'common_oj',
  'yes_no_words',
  'diff_b',
  'white_diff',
  'trailing_stripped',
  'stripped_1000',
  'token_list',
  'stripped_lines',
] as const;
export type Grader = (typeof GRADERS)[number];

/**
 * Which ends of a program may still be right. `zero`: exit code 0. `no_exception`: any exit code, unless a signal or an
 * uncaught exception (its message on stderr) ended it. `any`: whatever it ended with. A limit always fails.
 */
export type ExitPolicy = 'zero' | 'no_exception' | 'any';

export interface Profile {
  /** Goes up with every change of the rules. */
  readonly version: number;
  /** Whose verdicts they are. */
  readonly title: string;
  /** Whether a program that is known to be wrong can earn the reward. */
  readonly canBeGamed: boolean;
  /** Kinds of tests that it judges. */
  readonly kinds: readonly string[];
  /** Null: the request's own `compare`. */
  readonly grader: Grader | null;
  /** Of calls (kind `function`), where the request gives none. */
  readonly float: { readonly abs: number; readonly rel: number } | null;
  /** Whether a checker of the problem may take the grader's place. */
  readonly mayCheck: boolean;
  readonly exit: ExitPolicy;
  /** Whether what is compared is stdout followed by stderr. */
  readonly mergesStderr: boolean;
  /** In place of the defaults, and of a row's own; what the request asks for wins. */
  readonly limits: LimitsRequest;
  /** Where the request gives none. */
  readonly scoring: 'all' | 'fraction';
  readonly stop: 'first_failure' | 'never';
  /** Which tests count, in place of all. */
  readonly selects: { readonly which: 'first' | 'longest_input'; readonly most: number } | null;
  /** What differs from the original, a sentence each. */
  readonly notes: readonly string[];
}

/** What a submission and its report say of the profile in force. */
export interface ProfileInForce {
  readonly name: ProfileName;
  readonly version: number;
  readonly canBeGamed: boolean;
  readonly exit: ExitPolicy;
  readonly mergesStderr: boolean;
  /** Cases of the request that it does not count. */
  readonly leftOut: number;
}

/** The rules of a name. */
export function profileOf(name: ProfileName): Profile {
  return PROFILES[name];
}

export function inForce(name: ProfileName): ProfileInForce {
  const { version, canBeGamed, exit, mergesStderr } = PROFILES[name];
  return { name, version, canBeGamed, exit, mergesStderr, leftOut: 0 };
}

/** `lcb@1`, for provenance. */
export function profileLabel({ name, version }: Pick<ProfileInForce, 'name' | 'version'>): string {
  return `${name}@${version}`;
}
