/** The dashboard's parts without a browser: its figures, its policy, its data. The page is proved in test/e2e/seen.test.ts. */
import { describe, expect, it } from 'vitest';

import { aJudgeBody, createTestApp, post } from '../test-support/scripted-service.ts';

interface Look {
  readonly now_ms: number;
  readonly tenants: readonly {
    readonly name: string;
    readonly kind: string;
    readonly count: number;
  }[];
}

interface Figures {
  ratesBetween(
    before: Look,
    after: Look,
  ): { passed: number; failed: number; fault: number; byTenant: Map<string, number> } | null;
  warmShare(environments: readonly object[]): number | null;
  count(value: number): string;
  rate(value: number): string;
  duration(ms: number | null): string;
  age(ms: number): string;
  bytes(value: number | null): string;
  percent(share: number | null): string;
}

// The page's own JavaScript has no types.
const figures = (await import(new URL('figures.js', import.meta.url).href)) as Figures;

describe('figures of the page', () => {
  const passed = (name: string, count: number) => ({ name, kind: 'passed', count });

  it('tells rates between two looks, by tenant', () => {
    const before = { now_ms: 1000, tenants: [passed('a', 10)] };
    const after = {
      now_ms: 3000,
      tenants: [passed('a', 30), passed('b', 4), { name: 'a', kind: 'fault', count: 1 }],
    };
    expect(figures.ratesBetween(before, after)).toEqual({
      passed: 12,
      failed: 0,
      fault: 0.5,
      byTenant: new Map([
        ['a', 10.5],
        ['b', 2],
      ]),
    });
  });

  it('tells no negative rate, and none at all for the same moment', () => {
    const before = { now_ms: 1000, tenants: [passed('a', 10)] };
    const after = { now_ms: 3000, tenants: [passed('a', 3)] };
    expect(figures.ratesBetween(before, after)?.passed).toBe(0);
    expect(figures.ratesBetween(before, before)).toBeNull();
  });

  it('weighs warm hits by jails, each pool once', () => {
    const environment = (pool: string, rate: number | null, target: number) => ({
      pool,
      warm_hit_rate: rate,
      jails: { target },
    });
    expect(figures.warmShare([environment('a', null, 1)])).toBeNull();
    const all = [environment('a', 1, 3), environment('a', 1, 3), environment('b', 0, 1)];
    expect(figures.warmShare(all)).toBe(0.75);
  });

  it('writes numbers as people read them', () => {
    expect([0, 999, 12_345, 1_234_567].map((each) => figures.count(each))).toEqual([
      '0',
      '999',
      '12.3 k',
      '1.23 M',
    ]);
    expect([null, 0.034, 12.34, 1234, 90_000].map((each) => figures.duration(each))).toEqual([
      '–',
      '0.03 ms',
      '12.3 ms',
      '1.23 s',
      '1.5 min',
    ]);
    expect([0, 0.01, 12.34].map((each) => figures.rate(each))).toEqual(['0', '< 0.1', '12.3']);
    expect([5000, 600_000, 7_200_000, 200_000_000].map((each) => figures.age(each))).toEqual([
      '5 s',
      '10 min',
      '2 h 0 min',
      '2 d 7 h',
    ]);
    expect([null, 0, 1536, 5e9].map((each) => figures.bytes(each))).toEqual([
      '–',
      '0 B',
      '1.5 KiB',
      '4.66 GiB',
    ]);
    expect([null, 0.9251].map((each) => figures.percent(each))).toEqual(['–', '92.5 %']);
  });
});

describe('pages', () => {
  it.each(['/dashboard', '/docs'])(
    '%s lets nothing in that is not of this service',
    async (path) => {
      const { app } = createTestApp();
      const response = await app.request(path);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      const page = await response.text();
      expect(page).not.toMatch(
        /<script(?![^>]*\bsrc=)|<style| style=| on\w+=|(?:src|href)="(?:https?:)?\/\//,
      );
      const parts = [...page.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(
        ([, part]) => part,
      );
      expect(parts.length).toBeGreaterThan(1);
      for (const part of parts) {
        const answer = await app.request(part ?? '');
        expect(answer.status, part).toBe(200);
        expect(answer.headers.get('content-type')).toMatch(
          /^text\/(?:css|javascript); charset=utf-8$/,
        );
      }
    },
  );

  it('has data without anything of submissions but identifiers', async () => {
    const { app } = createTestApp();
    const code = 'print("of the caller")';
    await app.request('/v1/judge', post(aJudgeBody({ code })));
    const text = await (await app.request('/dashboard/data')).text();
    expect(text).not.toContain('of the caller');
    expect(JSON.parse(text)).toMatchObject({
      readiness: { ready: true },
      languages: expect.arrayContaining([
        expect.objectContaining({ title: 'bash', available: false, reason: 'no bash here' }),
      ]),
    });
  });
});
