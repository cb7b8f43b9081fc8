/**
 * The Python client with its own tests, against the whole service, and its types by a strict checker that is fetched
 * once from the package index by pinned hashes into the ignored folder `.assay/clients/`.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { projectFile, readProjectFile } from '../support/project.ts';
import { childEnvironment, startService, type RunningService } from '../support/service.ts';

const FOLDER = projectFile('clients', 'python');
const PYTHONS = ['/usr/bin/python3', '/usr/local/bin/python3', 'python3'];
const TIMEOUT_MS = 180_000;
/** What pip says when it cannot reach the index at all; anything else, a wrong hash above all, is a failure. */
const UNREACHABLE =
  /NewConnectionError|NameResolutionError|ConnectTimeoutError|Connection refused|Network is unreachable|ReadTimeoutError|ProxyError/;

interface Ended {
  readonly isGood: boolean;
  readonly output: string;
}

async function python(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const env = { ...childEnvironment(), PYTHONDONTWRITEBYTECODE: '1', ...environment };
  const options = { cwd: FOLDER, env, timeout: TIMEOUT_MS };
  try {
    const { stdout, stderr } = await promisify(execFile)(program, [...args], options);
    return { isGood: true, output: stdout + stderr };
  } catch (error) {
    const { stdout = '', stderr = '' } = Object(error) as { stdout?: string; stderr?: string };
    return { isGood: false, output: `${String(error)}\n${stdout}${stderr}`.slice(-6000) };
  }
}

async function findPython(needs: string): Promise<string> {
  const check = `import sys, ${needs}; sys.exit(sys.version_info < (3, 9))`;
  for (const candidate of PYTHONS) {
    if ((await python(candidate, ['-c', check])).isGood) return candidate;
  }
  throw new Error(`no python3 of 3.9 or later with ${needs} among ${PYTHONS.join(', ')}`);
}

/** Where the checker is, or why the index cannot be reached. */
async function getChecker(): Promise<{ folder: string } | { unreachable: string }> {
  const requirements = 'requirements-dev.txt';
  const pins = readProjectFile('clients', 'python', requirements);
  const digest = createHash('sha256').update(pins).digest('hex').slice(0, 12);
  const folder = projectFile('.assay', 'clients', `mypy-${digest}`);
  if (existsSync(folder)) return { folder };
  await mkdir(projectFile('.assay', 'clients'), { recursive: true });
  const fresh = `${folder}.new-${process.pid}`;
  const flags = ['--no-input', '--no-deps', '--no-compile', '--only-binary=:all:'];
  const from = ['--require-hashes', '--target', fresh, '-r', requirements];
  // The settings of pip are the user's own, so that it finds what he finds.
  const environment = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && /^(?:PIP_|SSL_|https?_proxy$|no_proxy$)/i.test(name)
        ? [[name, value]]
        : [],
    ),
  );
  const { isGood, output } = await python(
    await findPython('pip'),
    ['-m', 'pip', 'install', ...flags, ...from],
    environment,
  );
  if (!isGood) {
    await rm(fresh, { recursive: true, force: true });
    const reason = output.split('\n').find((line) => UNREACHABLE.test(line));
    if (reason === undefined) throw new Error(`pip failed:\n${output}`);
    return { unreachable: reason };
  }
  await rename(fresh, folder);
  return { folder };
}

describe('the Python client', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ languages: ['python'] });
  }, TIMEOUT_MS);
  afterAll(async () => await service?.stop());

  it.each([
    ['keeps the rules of trying again', 'tests.test_retries', 14],
    ['and its adapters get what they ask the service for', 'tests.test_live', 11],
  ])('%s', { timeout: TIMEOUT_MS }, async (_title, module, count) => {
    const environment = { PYTHONPATH: 'src', ASSAY_URL: service.url };
    const program = await findPython('unittest');
    const { isGood, output } = await python(
      program,
      ['-W', 'error', '-m', 'unittest', module],
      environment,
    );
    expect(isGood, output).toBe(true);
    expect(output).toContain(`Ran ${count} tests`);
    expect(output).not.toContain('skipped');
  });
});

const checker = await getChecker();
const note =
  'unreachable' in checker ? ` — SKIPPED, it cannot be fetched: ${checker.unreachable}` : '';

describe.skipIf('unreachable' in checker)(`the Python client for mypy${note}`, () => {
  it('has types throughout', { timeout: TIMEOUT_MS }, async () => {
    if ('unreachable' in checker) throw new Error(checker.unreachable);
    const { isGood, output } = await python(
      await findPython('pip'),
      ['-m', 'mypy', '--cache-dir', '/dev/null', '--config-file', 'pyproject.toml', 'src', 'tests'],
      { PYTHONPATH: checker.folder },
    );
    expect(isGood, output).toBe(true);
    expect(output).toContain('Success: no issues found');
  });
});
