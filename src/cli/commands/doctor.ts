/** `assay doctor`: what this host can enforce and which languages work here, what not, and how to mend it. */
import { defineCommand } from 'citty';

import { systemClock } from '../../lib/clock.ts';
import { ENFORCED_PROPERTIES } from '../../domain/wall.ts';
import type { LanguageInfo } from '../../judge/door.ts';
import type { HostProbe } from '../../sandbox/probe.ts';
import { missingProperties, probeWall } from '../../wall.ts';
import { configArgs, loadCommandConfig } from '../config-args.ts';
import { EXIT } from '../exit-codes.ts';
import { startOwnService } from '../own-service.ts';

export const doctorCommand = defineCommand({
  meta: {
    name: 'doctor',
    description:
      'Say what this host can enforce and which languages work, and how to mend the rest.',
  },
  args: { json: { type: 'boolean', description: 'As JSON.' }, ...configArgs },
  async run({ args }) {
    const loaded = loadCommandConfig(args);
    const probe = await probeWall(loaded, systemClock);
    const missing = missingProperties(probe, loaded);
    const languages = missing.length === 0 ? await tryLanguages(args) : null;
    const findings = { probe, missing, languages };
    if (args.json) console.log(JSON.stringify({ ...probe, missing, languages }, null, 2));
    else console.log(describeFindings(findings));
    process.exitCode = isFit(findings) ? EXIT.ok : EXIT.notAccepted;
  },
});

interface Findings {
  readonly probe: HostProbe;
  /** What the configuration requires and this host does not enforce, a line each. */
  readonly missing: readonly string[];
  /** As tried by their self-tests; null where the wall is too weak to try. */
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
function isFit({ missing, languages }: Findings): boolean {
  return missing.length === 0 && (languages ?? []).some(({ available }) => available);
}

/** What the doctor prints. Pure. */
export function describeFindings(findings: Findings): string {
  const { probe, languages } = findings;
  const lines = [
    `wall      ${probe.wall} ${probe.version ?? ''} (${probe.nsjail ?? 'not found'})`,
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
  lines.push('', 'languages');
  if (languages === null) lines.push('  not checked');
  for (const { id, version, available, reason } of languages ?? []) {
    lines.push(`  ${id.padEnd(14)} ${available ? version : `NOT AVAILABLE: ${reason}`}`);
  }
  if (probe.problems.length > 0) lines.push('', 'to mend');
  for (const problem of probe.problems) lines.push(`  - ${problem}`);
  return [...lines, '', ...conclusion(findings)].join('\n');
}

function conclusion(findings: Findings): string[] {
  const { missing } = findings;
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
