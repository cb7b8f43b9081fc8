/** `assay doctor`: what this host can enforce, what not, and how to mend it. */
import { defineCommand } from 'citty';

import { systemClock } from '../../lib/clock.ts';
import { ENFORCED_PROPERTIES } from '../../domain/wall.ts';
import type { HostProbe } from '../../sandbox/probe.ts';
import { missingProperties, probeWall } from '../../wall.ts';
import { configArgs, loadCommandConfig } from '../config-args.ts';
import { EXIT } from '../exit-codes.ts';

export const doctorCommand = defineCommand({
  meta: {
    name: 'doctor',
    description: 'Say what this host can enforce, and how to mend the rest.',
  },
  args: { json: { type: 'boolean', description: 'As JSON.' }, ...configArgs },
  async run({ args }) {
    const loaded = loadCommandConfig(args);
    const probe = await probeWall(loaded, systemClock);
    const missing = missingProperties(probe, loaded);
    if (args.json) console.log(JSON.stringify({ ...probe, missing }, null, 2));
    else console.log(describe(probe, missing));
    process.exitCode = missing.length === 0 ? EXIT.ok : EXIT.notAccepted;
  },
});

function describe(probe: HostProbe, missing: readonly string[]): string {
  const lines = [
    `wall      ${probe.wall} ${probe.version ?? ''} (${probe.nsjail ?? 'not found'})`,
    `kernel    ${probe.host.kernel}, ${probe.host.isRoot ? 'root' : 'unprivileged'}`,
    `cgroups   ${probe.cgroup} (${probe.controllers.join(', ') || 'none'})`,
  ];
  if (probe.jailStartMs !== null) {
    lines.push(`a jail    started in ${probe.jailStartMs.toFixed(0)} ms`);
  }
  lines.push('', 'enforced');
  for (const property of ENFORCED_PROPERTIES) {
    lines.push(`  ${property.padEnd(14)} ${probe.enforced[property] ?? 'NOT ENFORCED'}`);
  }
  if (probe.problems.length > 0) lines.push('', 'to mend');
  for (const problem of probe.problems) lines.push(`  - ${problem}`);
  lines.push('');
  if (missing.length === 0) lines.push('This host is fit to serve.');
  else
    lines.push('This host is NOT fit to serve as configured:', ...missing.map((m) => `  - ${m}`));
  return lines.join('\n');
}
