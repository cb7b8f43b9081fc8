/** What the doctor prints, and whether it is content. Pure. */
import { ENFORCED_PROPERTIES } from '../../domain/wall.ts';
import { describeHoles } from '../../judge/wall-test/verdict.ts';
import type { Findings, LanguageFindings, WallFindings } from './findings.ts';

/** Fit: nothing required is missing, every wall that is offered holds, and some language works. */
export function isFit({ service, walls, languages }: Findings): boolean {
  return (
    service?.ready !== false &&
    walls.every((wall) => wall.missing.length === 0 && (!wall.isAsked || holds(wall))) &&
    (languages ?? []).some(({ available }) => available)
  );
}

export function describeFindings(findings: Findings): string {
  const { service, walls, languages } = findings;
  const lines = service === null ? [] : describeService(service);
  lines.push(...walls.flatMap(describeWall), 'languages');
  if (languages === null) lines.push('  not checked');
  lines.push(...(languages ?? []).flatMap(describeLanguage));
  const problems = new Set(
    walls.flatMap(({ probe, isAsked }) => (isAsked || probe.available ? probe.problems : [])),
  );
  if (problems.size > 0) lines.push('', 'to mend');
  for (const problem of problems) lines.push(`  - ${problem}`);
  return [...lines, '', ...conclusion(findings)].join('\n');
}

function describeService({ version, ready, reasons }: NonNullable<Findings['service']>): string[] {
  return [`service   ${version}, ${ready ? 'ready' : `NOT READY: ${reasons.join('; ')}`}`, ''];
}

function describeWall({ probe, isAsked, test }: WallFindings): string[] {
  const { host, program, controllers, jailStartMs } = probe;
  const role = isAsked ? '' : ', not offered (ASSAY_WALLS)';
  const place = program === undefined ? '' : ` (${program ?? 'not found'}${role})`;
  const head = `wall      ${probe.wall} ${probe.version ?? ''}${place}`;
  // What nobody asked for is one line, with what it would take.
  if (!isAsked && !probe.available) return [head, `          ${probe.problems.join('; ')}`, ''];
  const lines = [head];
  if (host !== undefined) {
    lines.push(`kernel    ${host.kernel}, ${host.isRoot ? 'root' : 'unprivileged'}`);
  }
  const named = controllers === undefined ? '' : ` (${controllers.join(', ') || 'none'})`;
  lines.push(`cgroups   ${probe.available ? `${probe.cgroup}${named}` : 'not checked'}`);
  if (typeof jailStartMs === 'number') {
    lines.push(`a jail    started in ${jailStartMs.toFixed(0)} ms`);
  }
  lines.push(`tried     ${describeTest(test)}`);
  // Without a jail nothing was seen to hold, and nothing to fail either.
  const otherwise = probe.available ? 'NOT ENFORCED' : 'not checked';
  lines.push('', 'enforced');
  for (const property of ENFORCED_PROPERTIES) {
    lines.push(`  ${property.padEnd(14)} ${probe.enforced[property] ?? otherwise}`);
  }
  return [...lines, ''];
}

function describeTest(test: WallFindings['test']): string {
  if (test === null) return 'not tried';
  const { state, tried, reason, ms } = test;
  if (state === 'unknown') return `NOT PROVED: ${reason}`;
  if (state === 'fails') return `DOES NOT HOLD: ${describeHoles(test)}`;
  return `holds: ${tried.length} ways out were tried in ${ms} ms`;
}

/** A line for the language, one for each environment with packages or without what it takes, and one for its tests. */
function describeLanguage(language: LanguageFindings): string[] {
  const { id, version, available, reason, environments, tests } = language;
  const line = (name: string, text: string): string => `  ${name.padEnd(14)} ${text}`;
  const head = line(id, available ? (version ?? '') : `NOT AVAILABLE: ${reason}`);
  if (!available) return [head];
  const packages = environments.flatMap((environment) => {
    const { id: name, available: has, reason: why, packages: those } = environment;
    const list = Object.entries(those).map(([each, at]) => `${each} ${at}`);
    if (!has) return [line(`  ${name}`, `NOT AVAILABLE: ${why}`)];
    return list.length === 0 ? [] : [line(`  ${name}`, list.join(', '))];
  });
  const kinds = tests.filter((each) => each.available).map(({ kind }) => kind);
  const lacking = tests
    .filter((each) => !each.available)
    .map(({ kind, reason: why }) => line(`  ${kind}`, `NOT AVAILABLE: ${why}`));
  const own = kinds.length === 0 ? [] : [line('  tests', kinds.join(', '))];
  return [head, ...packages, ...own, ...lacking];
}

function holds({ test }: WallFindings): boolean {
  return test?.state === 'holds';
}

function conclusion(findings: Findings): string[] {
  const { service, walls } = findings;
  const languages = findings.languages ?? [];
  const names = (available: boolean): string =>
    languages
      .filter((language) => language.available === available)
      .map(({ id }) => id)
      .join(', ');
  const who = service === null ? 'This host' : 'This service';
  if (isFit(findings)) {
    const without = names(false) === '' ? '' : `, but not ${names(false)}`;
    return [`${who} is fit to serve ${names(true)}${without}.`];
  }
  const missing = walls.flatMap((wall) => wall.missing);
  // A service says so itself, among its reasons.
  const open = (service === null ? walls : [])
    .filter((wall) => wall.isAsked && wall.test !== null && !holds(wall))
    .map(({ probe, test }) => `${probe.wall}: ${describeTest(test)}`);
  const reasons = [...missing, ...open, ...(service?.reasons ?? [])];
  const why = reasons.length > 0 ? [...new Set(reasons)] : ['no language works here'];
  return [`${who} is NOT fit to serve as configured:`, ...why.map((line) => `  - ${line}`)];
}
