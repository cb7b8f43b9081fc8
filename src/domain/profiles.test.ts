/** The table of named graders, and the page of the documentation that is made of it. */
import { expect, it } from 'vitest';

import { profileOf, type Profile } from './profile.ts';
import { PROFILE_NAMES, type ProfileName } from './profiles.ts';

const HEAD = `# Profiles

Whose rules decide, for \`"profile"\` of \`/v1/judge\` and \`/v1/reward\`. \`strict\` is the default: nothing but a right program that ends well is rewarded. The others reproduce the verdicts of published graders, for scores that have to be comparable.

**A profile that can be gamed is known to reward programs that are wrong.** Every report says so: \`profile\`, \`can_be_gamed\`, \`cases_not_counted\`, and \`provenance.profile\` with the version. Do not train on one if you can help it.

What a request gives itself (\`limits\`, \`scoring\`, \`stop\`, a checker where the profile may have one) wins over the profile; what the profile fixes (\`compare\`) is refused. In \`/v1/reward\` the time, memory and comparison of a profile also win over those of a row. In every profile a row without tests is refused, never passed, and a fault is \`null\`.

Limits of time are CPU time. Where the original limits wall time, a quarter more of it is allowed, 2 s at least.
`;

const COMPARES: Readonly<Record<string, string>> = {
  zipped_lines: 'as many stripped lines as the shorter side has',
  decimal_lines: 'stripped lines, as many; equal, or tokens equal as exact decimals',
  apps_cascade:
    'the first that fits of: text, lines, numbers within 1e-5, sets of each line’s tokens, the same rounded to 3 places',
  prime_cascade:
    'the first that fits of: text, lines, numbers within 1e-5 where one is no plain integer',
  taco_cascade: 'the first that fits of: text, then characters and tokens as sets against lines',
  rllm_cascade: 'numbers within 1e-5, any word for any other; else as taco',
  code_contests: 'lower-cased words, numbers within 1e-5, integers too',
  common_oj: 'lower-cased stripped lines, numbers within 1e-5 of the expected, integers too',
  yes_no_words: 'words; yes and no in any case',
  diff_b: '`diff -b`',
  white_diff: 'lines, their white space squeezed and stripped; blank lines at the end ignored',
  trailing_stripped: 'text without white space at ends of lines and at its end',
  stripped_1000: 'stripped text; more than 1000 characters fail',
  token_list: 'words',
  stripped_lines: 'stripped lines, as many',
};

const EXITS = {
  zero: 'must be 0',
  no_exception: 'ignored, unless a signal or an uncaught exception',
  any: 'ignored',
} as const;

function limitsText({ limits }: Profile): string {
  const { cpuMs, wallMs, memoryBytes, processes } = limits;
  const parts = [
    cpuMs === undefined ? null : `${cpuMs / 1000} s CPU, ${(wallMs ?? 0) / 1000} s wall`,
    memoryBytes === undefined ? null : `${Math.round(memoryBytes / 1024 / 1024)} MiB`,
    processes === undefined ? null : `${processes} process${processes === 1 ? '' : 'es'}`,
  ];
  return parts.filter((part) => part !== null).join(', ') || 'the request’s';
}

function testsText({ selects }: Profile): string {
  if (selects === null) return 'all';
  return `${selects.which === 'first' ? 'the first' : 'those of the longest inputs,'} ${selects.most}`;
}

function compareText({ kinds, grader, float, mayCheck }: Profile): string {
  if (kinds.length === 1 && kinds[0] === 'asserts') return 'the tests’ own';
  const own = grader === null ? 'the request’s `compare`' : (COMPARES[grader] ?? '');
  const numbers =
    float === null ? '' : `, floats within ${float.abs} or ${float.rel} of the expected`;
  return `${own}${numbers}${grader !== null && mayCheck ? '; or a checker' : ''}`;
}

function rowOf(name: ProfileName): string {
  const profile: Profile = profileOf(name);
  const { version, title, canBeGamed, kinds, exit, scoring, stop, mergesStderr } = profile;
  const cells = [
    `\`${name}\` ${version}`,
    title,
    canBeGamed ? '**can be gamed**' : 'no',
    kinds.join(', '),
    `${compareText(profile)}${mergesStderr ? ', of stdout followed by stderr' : ''}`,
    EXITS[exit],
    limitsText(profile),
    testsText(profile),
    `${scoring}, ${stop}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function page(): string {
  const notes = PROFILE_NAMES.flatMap((name) => {
    const profile: Profile = profileOf(name);
    return profile.notes.length === 0 ? [] : [`- \`${name}\`: ${profile.notes.join(' ')}`];
  });
  const columns =
    '| profile, version | of | gamed | kinds of tests | comparison | exit code | limits of a test | tests that count | scoring, stop |';
  return [
    HEAD,
    columns,
    `|${'---|'.repeat(9)}`,
    ...PROFILE_NAMES.map(rowOf),
    '',
    '## What differs from the originals',
    '',
    ...notes,
    '',
  ].join('\n');
}

it('is documented to the word (docs/profiles.md is made of it; vitest -u writes it)', async () => {
  await expect(page()).toMatchFileSnapshot('../../docs/profiles.md');
});

it('marks every profile that takes more than an exit of 0 or more than strict as one that can be gamed', () => {
  const honest = PROFILE_NAMES.filter((name) => !profileOf(name).canBeGamed);
  expect(honest).toEqual([
    'strict',
    'oi-asserts',
    'cms',
    'judge0',
    'evalplus',
    'code_eval',
    'kodcode',
    'lc-functional',
  ]);
  for (const name of honest) expect(profileOf(name).exit).toBe('zero');
});
