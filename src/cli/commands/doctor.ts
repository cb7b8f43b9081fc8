/** `assay doctor`: what this host, or a running service, can enforce and serve, what not, and how to mend it. */
import { defineCommand } from 'citty';

import { systemClock } from '../../lib/clock.ts';
import { projectPath } from '../../lib/project.ts';
import { REAL_WALLS } from '../../domain/wall.ts';
import { installGvisor } from '../../sandbox/gvisor/install.ts';
import { missingProperties, probeWall } from '../../wall.ts';
import { openApi } from '../api.ts';
import { configArgs, loadCommandConfig } from '../config-args.ts';
import { describeFindings, isFit } from '../doctor/describe.ts';
import { askService, type Findings, type WallFindings } from '../doctor/findings.ts';
import { EXIT, UsageError } from '../exit-codes.ts';

export const doctorCommand = defineCommand({
  meta: {
    name: 'doctor',
    description:
      'Say what this host, or the service at --url, can enforce and which languages, packages and kinds of tests it has, and how to mend the rest.',
  },
  args: {
    url: {
      type: 'string',
      description: 'A running service to ask; by default this host is tried.',
    },
    json: { type: 'boolean', description: 'As JSON.' },
    install: { type: 'string', description: 'First get what a wall needs: gvisor.' },
    ...configArgs,
  },
  async run({ args }) {
    const { install, url } = args;
    if (install !== undefined && install !== 'gvisor')
      throw new UsageError(`--install: ${install} is nothing to install; gvisor is`);
    if (install !== undefined && url !== undefined)
      throw new UsageError('--install is for this host, and --url asks another service');
    if (install !== undefined && (await installGvisor(projectPath('scripts', 'gvisor.sh'))) !== 0) {
      process.exitCode = EXIT.notAccepted;
      return;
    }
    const findings = url === undefined ? await lookAtHost(args) : await lookAtService(args);
    if (args.json) console.log(JSON.stringify(findings, null, 2));
    else console.log(describeFindings(findings));
    process.exitCode = isFit(findings) ? EXIT.ok : EXIT.notAccepted;
  },
});

type Args = Readonly<Record<string, unknown>>;

/** Tries the walls of this host, and, where they are strong enough, its languages by a service of our own. */
async function lookAtHost(args: Args): Promise<Findings> {
  const loaded = loadCommandConfig(args);
  const walls: WallFindings[] = [];
  // One after the other: each starts a jail of its own.
  for (const wall of REAL_WALLS) {
    const probe = await probeWall(wall, loaded, systemClock);
    const isAsked = loaded.config.walls.includes(wall);
    const missing = isAsked ? missingProperties(probe, loaded) : [];
    walls.push({ probe, isAsked, missing, test: null });
  }
  const isStrong = walls.every(({ missing }) => missing.length === 0);
  if (!isStrong) return { service: null, walls, languages: null };
  await using api = await openApi(args);
  const found = await askService(api, { anew: false });
  const tested = walls.map((each) => {
    const own = found.walls.find(({ wall }) => wall === each.probe.wall);
    return { ...each, test: own?.test ?? null };
  });
  return { service: null, walls: tested, languages: found.languages };
}

async function lookAtService(args: Args): Promise<Findings> {
  await using api = await openApi(args);
  const { version, ready, reasons, walls, languages } = await askService(api, { anew: true });
  return {
    service: { version, ready, reasons },
    walls: walls.map(({ test, ...probe }) => ({ probe, isAsked: true, missing: [], test })),
    languages,
  };
}
