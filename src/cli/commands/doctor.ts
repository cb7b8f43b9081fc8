/** `assay doctor`: what this host can enforce and which languages work here, what not, and how to mend it. */
import { defineCommand } from 'citty';

import { systemClock } from '../../lib/clock.ts';
import { projectPath } from '../../lib/project.ts';
import { ENFORCED_PROPERTIES, REAL_WALLS } from '../../domain/wall.ts';
import type { LanguageInfo } from '../../judge/door.ts';
import { installGvisor } from '../../sandbox/gvisor/install.ts';
import type { HostProbe } from '../../sandbox/probe.ts';
import { missingProperties, probeWall } from '../../wall.ts';
import { configArgs, loadCommandConfig } from '../config-args.ts';
import { EXIT, UsageError } from '../exit-codes.ts';
import { startOwnService } from '../own-service.ts';

export const doctorCommand = defineCommand({
  meta: {
    name: 'doctor',
    description:
      'Say what this host can enforce and which languages work, and how to mend the rest.',
  },
  args: {
    json: { type: 'boolean', description: 'As JSON.' },
    install: { type: 'string', description: 'First get what a wall needs: gvisor.' },
    ...configArgs,
  },
  async run({ args }) {
    const { install } = args;
    if (install !== undefined && install !== 'gvisor')
      throw new UsageError(`--install: ${install} is nothing to install; gvisor is`);
    if (install !== undefined && (await installGvisor(projectPath('scripts', 'gvisor.sh'))) !== 0) {
      process.exitCode = EXIT.notAccepted;
      return;
    }
    const loaded = loadCommandConfig(args);
    const walls: WallFindings[] = [];
    // One after the other: each starts a jail of its own.
    for (const wall of REAL_WALLS) {
      const probe = await probeWall(wall, loaded, systemClock);
      const isAsked = loaded.config.walls.includes(wall);
      walls.push({ probe, isAsked, missing: isAsked ? missingProperties(probe, loaded) : [] });
    }
    const isStrong = walls.every(({ missing }) => missing.length === 0);
    const languages = isStrong ? await tryLanguages(args) : null;
    const findings = { walls, languages };
    if (args.json) console.log(JSON.stringify(findings, null, 2));
    else console.log(describeFindings(findings));
    process.exitCode = isFit(findings) ? EXIT.ok : EXIT.notAccepted;
  },
});

interface WallFindings {
  readonly probe: HostProbe;
  /** Whether the configuration offers it. */
  readonly isAsked: boolean;
  /** What the configuration requires and this wall does not enforce here, a line each. */
  readonly missing: readonly string[];
}

interface Findings {
  readonly walls: readonly WallFindings[];
  /** As tried by their self-tests behind the first wall; null where one is too weak to try. */
  readonly languages:
    | readonly Pick<LanguageInfo, 'id' | 'version' | 'available' | 'reason'>[]
    | null;
}

/** Each language judges its own program in a jail, as at the start of the service. */
async function tryLanguages(args: Readonly<Record<string, unknown>>) {
  await using own = await startOwnService(args);
  return own.assay.service
    .languages()
    .map(({ id, version, available, reason }) => ({ id, version, available, reason }));
}

/** Fit: nothing required is missing, and some language works. */
function isFit({ walls, languages }: Findings): boolean {
  return (
    walls.every(({ missing }) => missing.length === 0) &&
    (languages ?? []).some(({ available }) => available)
  );
}

/** What the doctor prints. Pure. */
export function describeFindings(findings: Findings): string {
  const { walls, languages } = findings;
  const lines = walls.flatMap(describeWall);
  lines.push('languages');
  if (languages === null) lines.push('  not checked');
  for (const { id, version, available, reason } of languages ?? []) {
    lines.push(`  ${id.padEnd(14)} ${available ? version : `NOT AVAILABLE: ${reason}`}`);
  }
  const problems = new Set(
    walls.flatMap(({ probe, isAsked }) => (isAsked || probe.available ? probe.problems : [])),
  );
  if (problems.size > 0) lines.push('', 'to mend');
  for (const problem of problems) lines.push(`  - ${problem}`);
  return [...lines, '', ...conclusion(findings)].join('\n');
}

function describeWall({ probe, isAsked }: WallFindings): string[] {
  const role = isAsked ? '' : ', not offered (ASSAY_WALLS)';
  const head = `wall      ${probe.wall} ${probe.version ?? ''} (${probe.program ?? 'not found'}${role})`;
  // What nobody asked for is one line, with what it would take.
  if (!isAsked && !probe.available) return [head, `          ${probe.problems.join('; ')}`, ''];
  const lines = [
    head,
    `kernel    ${probe.host.kernel}, ${probe.host.isRoot ? 'root' : 'unprivileged'}`,
    `cgroups   ${probe.available ? `${probe.cgroup} (${probe.controllers.join(', ') || 'none'})` : 'not checked'}`,
  ];
  if (probe.jailStartMs !== null) {
    lines.push(`a jail    started in ${probe.jailStartMs.toFixed(0)} ms`);
  }
  // Without a jail nothing was seen to hold, and nothing to fail either.
  const otherwise = probe.available ? 'NOT ENFORCED' : 'not checked';
  lines.push('', 'enforced');
  for (const property of ENFORCED_PROPERTIES) {
    lines.push(`  ${property.padEnd(14)} ${probe.enforced[property] ?? otherwise}`);
  }
  return [...lines, ''];
}

function conclusion(findings: Findings): string[] {
  const missing = findings.walls.flatMap((wall) => wall.missing);
  const languages = findings.languages ?? [];
  const names = (available: boolean): string =>
    languages
      .filter((language) => language.available === available)
      .map(({ id }) => id)
      .join(', ');
  if (isFit(findings)) {
    const without = names(false) === '' ? '' : `, but not ${names(false)}`;
    return [`This host is fit to serve ${names(true)}${without}.`];
  }
  const why = missing.length > 0 ? missing : ['no language works here'];
  return ['This host is NOT fit to serve as configured:', ...why.map((line) => `  - ${line}`)];
}
