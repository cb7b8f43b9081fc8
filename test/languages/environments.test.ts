/**
 * The environments of C and C++ through the live service: each judges a program that its standard alone takes, by id and
 * by alias; they share one pool of jails; a sanitizer finds what the plain build lets pass. What this host's compiler
 * cannot do is skipped with its reason.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { aJudge } from '../support/builders.ts';
import { startService, type RunningService } from '../support/service.ts';

const SUM = `#include <iostream>
int main() { int a, b; std::cin >> a >> b; std::cout << a + b << "\\n"; }`;

/** `body` is checked by the compiler, `SUM` by the judge. */
const cpp = (version: number, body: string): string =>
  `${body}\nstatic_assert(__cplusplus ${version > 202002 ? '> 202002L' : `== ${version}L`}, "");\n${SUM}`;

const c = (condition: string, body: string): string => `#include <stdio.h>
#if !(__STDC_VERSION__ ${condition})
#error another standard
#endif
${body}
int main(void) { int a, b; if (scanf("%d %d", &a, &b) != 2) return 1; printf("%d\\n", a + b); return 0; }`;

/** Environment, an alias, and a program that it takes and its neighbours do not. */
const ROWS: readonly (readonly [string, string, string])[] = [
  ['cpp11', 'c++11', cpp(201103, 'auto f = [](int x) { return x; }; void g() throw(int);')],
  ['cpp14', 'c++14', cpp(201402, 'auto f = [](auto x) { return x; }; void g() throw(int);')],
  ['cpp17', 'c++17', cpp(201703, '#include <optional>\nstd::optional<int> none;')],
  ['cpp20', 'c++20', cpp(202002, '#include <concepts>\ntemplate <std::integral T> T f(T x);')],
  ['cpp23', 'c++23', cpp(202302, '#include <expected>\nstd::expected<int, int> e = 1;')],
  ['cpp17-asan', 'c++17-asan', cpp(201703, '#ifndef __SANITIZE_ADDRESS__\n#error plain\n#endif')],
  ['c99', 'gnu99', c('== 199901L', '')],
  ['c11', 'gnu11', c('== 201112L', '_Thread_local int x; _Static_assert(1, "");')],
  ['c17', 'gnu17', c('== 201710L', '')],
  ['c23', 'c2x', c('> 201710L', "[[maybe_unused]] static int x = 0b1 + 1'000; _Static_assert(1);")],
];

const cases = [{ stdin: '17 25\n', expected_stdout: '42\n' }];
const languageOf = (environment: string): string => environment.replace(/\d.*$/, '');

describe('environments', () => {
  let service: RunningService;
  /** Environment → why this host does not have it. */
  let missing: ReadonlyMap<string, string>;
  beforeAll(async () => {
    service = await startService({
      languages: ['c', 'cpp'],
      flags: { '--slots': '2', '--self-test': 'none' },
    });
    const languages = await service.client.languages();
    missing = new Map(
      languages
        .flatMap(({ environments }) => environments)
        .flatMap(({ id, reason }) => (reason === null ? [] : [[id, reason]])),
    );
  });
  afterAll(async () => await service.stop());

  it.for(ROWS)('%s judges a program of its standard', async ([environment, alias, code], ctx) => {
    const reason = missing.get(environment);
    ctx.skip(reason !== undefined, `${environment}: ${reason}`);
    const language = languageOf(environment);
    const [byId, byAlias, byDefault] = await Promise.all([
      service.client.judge(aJudge({ language, environment, code, cases })),
      service.client.judge(aJudge({ language: alias, code, cases })),
      service.client.judge(aJudge({ language, code, cases })),
    ]);
    expect([byId.verdict, byId.environment.id]).toEqual(['accepted', environment]);
    expect([byAlias.verdict, byAlias.environment.id]).toEqual(['accepted', environment]);
    const isDefault = byDefault.environment.id === environment;
    expect(byDefault.verdict).toBe(isDefault ? 'accepted' : 'compile_error');
  });

  it('the sanitizer ends a program that writes beyond its array, with its report', async (ctx) => {
    ctx.skip(missing.has('cpp17-asan'), missing.get('cpp17-asan'));
    const code = `#include <vector>
#include <cstdio>
int main() { std::vector<int> v(4); volatile int i = 4; v.data()[i] = 1; puts("42"); }`;
    const judge = async (environment: string) =>
      await service.client.judge(aJudge({ language: 'cpp', environment, code, cases }));
    const [plain, checked] = await Promise.all([judge('cpp17'), judge('cpp17-asan')]);
    expect(plain.verdict).toBe('accepted');
    expect(checked.verdict).toBe('runtime_error');
    expect(checked.cases[0]?.stderr).toContain('heap-buffer-overflow');
  });

  it('share one pool a language, and are counted each', async () => {
    const { environments } = await service.client.stats();
    const ofCpp = environments.filter(({ id }) => /^cpp(?!.*\+)/.test(id));
    expect(new Set(ofCpp.map(({ pool }) => pool))).toEqual(new Set(['cpp']));
    for (const { id, outcomes } of ofCpp) {
      if (!missing.has(id)) expect(outcomes['exited']).toBeGreaterThan(0);
    }
  });

  it('an environment that is not there is named with those that are', async () => {
    const asked = aJudge({ language: 'cpp', environment: 'cpp98' });
    const { status, body } = await service.client.post('/v1/judge', asked);
    expect(status).toBe(422);
    expect(body).toMatchObject({ code: 'unknown_environment' });
    expect(JSON.stringify(body)).toContain('cpp17, cpp11');
  });
});
