/**
 * Sessions of a real service, over HTTP: every verb, what is refused, what a hostile work folder comes to, whose they are,
 * and how they end. What breaks is in test/faults.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import {
  ExecResponse,
  ForkResponse,
  ReplayResponse,
  SessionList,
  SessionWire,
  SnapshotWire,
  TreeWire,
} from '../../src/http/native/schema/session.ts';
import { ownedProcesses } from '../support/process-tree.ts';
import { startService, temporaryFolder, type RunningService } from '../support/service.ts';
import { writeTenants } from '../support/tenants.ts';
import { waitFor } from '../support/wait.ts';

const Wrong = z.array(z.looseObject({ path: z.string() }));
const Refusal = z.looseObject({ code: z.string().optional(), errors: Wrong.optional() });
type Name = 'one' | 'two' | 'c-only' | 'strong';

let service: RunningService;
let keys: Readonly<Record<Name, string>>;
let folder: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  const file = path.join(folder, 'tenants.json');
  keys = await writeTenants(file, {
    ...{ one: {}, two: {}, 'c-only': { languages: ['c'] }, strong: { wall: 'gvisor' } },
  });
  service = await startService({
    languages: ['bash', 'c'],
    flags: {
      ...{ '--self-test': 'none', '--slots': '2', '--tenants': file },
      ...{ '--sessions-tenant': '24', '--sessions': '60', '--session-mb': '200' },
    },
  });
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

type Call = Partial<{ method: string; body: unknown; as: Name; headers: Record<string, string> }>;

async function call(where: string, { method, body, as = 'one', headers = {} }: Call = {}) {
  const isBytes = body instanceof Uint8Array;
  const response = await fetch(`${service.url}/v1/${where}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      authorization: `Bearer ${keys[as]}`,
      'content-type': isBytes ? 'application/octet-stream' : 'application/json',
      ...headers,
    },
    ...(body === undefined ? {} : { body: isBytes ? Buffer.from(body) : JSON.stringify(body) }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJSON = response.headers.get('content-type')?.includes('json') === true;
  const json: unknown = isJSON ? JSON.parse(bytes.toString()) : null;
  return { status: response.status, headers: response.headers, bytes, json };
}

async function create(request: object = {}, as: Name = 'one'): Promise<SessionWire> {
  const made = await call('sessions', { body: { language: 'bash', ...request }, as });
  expect(made.status, JSON.stringify(made.json)).toBe(201);
  return SessionWire.parse(made.json);
}

async function exec(id: string, request: object, headers = {}): Promise<ExecResponse> {
  const made = await call(`sessions/${id}/exec`, { body: request, headers });
  expect(made.status, JSON.stringify(made.json)).toBe(200);
  return ExecResponse.parse(made.json);
}

const sh = async (id: string, command: string, limits = {}) => await exec(id, { command, limits });
const filesOf = (id: string, file: string) =>
  `sessions/${id}/files?path=${encodeURIComponent(file)}`;

async function refusal(where: string, request: Call = {}) {
  const { status, json } = await call(where, request);
  const { code = null, errors = [] } = Refusal.parse(json ?? {});
  return { status, code, paths: errors.map(({ path: at }) => at) };
}

async function snapshot(id: string): Promise<SnapshotWire> {
  const made = await call(`sessions/${id}/snapshots`, { body: {} });
  expect(made.status).toBe(201);
  return SnapshotWire.parse(made.json);
}

describe('a session', () => {
  it('keeps its files from exec to exec, with modes, links, times and empty folders', async () => {
    const { id } = await create();
    await sh(
      id,
      'mkdir -p a/empty; echo one > a/x; chmod 640 a/x; ln -s ../a/x a/l; chmod 500 a/empty; touch -d @1000000000 a/x',
    );
    const seen = await sh(
      id,
      'stat -c "%n %a %F" a/empty; stat -c "%n %a %F %Y" a/x; readlink a/l; cat a/l; pwd; id -u; ls -A /tmp',
    );
    expect(seen.outcome?.stdout).toBe(
      'a/empty 500 directory\na/x 640 regular file 1000000000\n../a/x\none\n/work\n1000\n',
    );
    expect(seen).toMatchObject({ kept: true, fault: null, seq: 2 });
  });

  it('keeps no process, and what an exec was ended for is told', async () => {
    const { id } = await create();
    const ended = await sh(id, 'echo before > f; sleep 60 & sleep 60', {
      cpu_ms: 500,
      wall_ms: 300,
    });
    expect(ended.outcome).toMatchObject({ kind: 'time_limit', limit: 'wall' });
    expect(ended.kept).toBe(true);
    const quick = await sh(id, 'cat f; sleep 600 >/dev/null 2>&1 &');
    expect(quick.outcome?.stdout).toBe('before\n');
    const after = await sh(id, 'ls /proc | grep -c "^[0-9]"');
    expect(Number(after.outcome?.stdout)).toBeLessThan(6);
    const flooded = await sh(id, 'yes', { output_kb: 1 });
    expect(flooded.outcome?.kind).toBe('output_limit');
    expect(
      (await sh(id, 'head -c 99999999 /dev/zero | tail', { memory_mb: 8 })).outcome?.kind,
    ).toBe('memory_limit');
  });

  it('runs programs of its language, argv, stdin and variables', async () => {
    const { id } = await create({ env: { A: 'a' }, files: { 'lib/t.txt': 'given' } });
    const code = await exec(id, {
      code: 'cat; echo $A$B $1 $(cat lib/t.txt)',
      args: ['x'],
      env: { B: 'b' },
      stdin: 'in ',
    });
    expect(code.outcome?.stdout).toBe('in ab x given\n');
    expect((await exec(id, { argv: ['cat', 'main.sh'] })).outcome?.stdout).toContain('echo $A$B');
    const c = await create({ language: 'c' });
    const source = '#include <stdio.h>\nint main(void){puts("c");}';
    expect(await exec(c.id, { code: source })).toMatchObject({
      outcome: { stdout: 'c\n' },
      compile: { ok: true },
    });
    expect(await exec(c.id, { code: 'int main(' })).toMatchObject({
      outcome: { kind: 'compile_error' },
    });
    expect((await exec(c.id, { argv: ['./nothing'] })).outcome?.exit_code).toBe(127);
  });

  it('puts, gets and deletes files of any bytes; links are never followed', async () => {
    const { id } = await create();
    const content = Uint8Array.from({ length: 70_000 }, (_, index) => index % 251);
    const put = await call(`${filesOf(id, 'd/é.bin')}&mode=750`, { method: 'PUT', body: content });
    expect(put.json).toMatchObject({ bytes: 70_000, mode: '0750', seq: 1 });
    const got = await call(filesOf(id, 'd/é.bin'));
    expect(Buffer.compare(got.bytes, Buffer.from(content))).toBe(0);
    await sh(id, 'ln -s /etc/passwd d/l; ln -s d e; sha256sum d/é.bin > sum');
    expect((await call(filesOf(id, 'sum'))).bytes.toString()).toContain(
      got.headers.get('etag')?.slice('"sha256:'.length, -1),
    );
    expect(await refusal(filesOf(id, 'd/l'))).toMatchObject({ status: 422, paths: ['path'] });
    expect(await refusal(filesOf(id, 'd'))).toMatchObject({ status: 422, paths: ['path'] });
    expect(await refusal(filesOf(id, 'e/é.bin'))).toMatchObject({ code: 'no_such_file' });
    expect(await refusal(filesOf(id, 'e/x'), { method: 'PUT', body: content })).toMatchObject({
      status: 422,
    });
    expect((await call(filesOf(id, 'd'), { method: 'DELETE' })).status).toBe(204);
    expect(
      TreeWire.parse((await call(`sessions/${id}/tree`)).json).entries.map((each) => each.path),
    ).toEqual(['e', 'sum']);
    expect(await refusal(filesOf(id, 'd'), { method: 'DELETE' })).toMatchObject({
      code: 'no_such_file',
    });
  });

  it('answers a step that is sent again under its key without doing it again', async () => {
    const { id } = await create();
    const headers = { 'idempotency-key': `step-${id}` };
    const first = await exec(id, { command: 'echo x >> f' }, headers);
    expect(await exec(id, { command: 'echo x >> f' }, headers)).toEqual(first);
    expect((await call(filesOf(id, 'f'))).bytes.toString()).toBe('x\n');
    const long = { body: { command: 'echo y >> f; head -c 2000000 /dev/zero | tr "\\0" z' } };
    const again = { ...long, headers: { 'idempotency-key': `long-${id}` } };
    expect((await call(`sessions/${id}/exec`, again)).status).toBe(200);
    expect(await refusal(`sessions/${id}/exec`, again)).toMatchObject({ code: 'key_reused' });
    expect((await call(filesOf(id, 'f'))).bytes.toString()).toBe('x\ny\n');
  });
});

describe('what a program leaves', () => {
  it.each([
    ['a deep tree', 'for i in $(seq 40); do mkdir d; cd d; done', 'too_deep'],
    ['sparse files', 'for i in 1 2 3; do truncate -s 900K s$i; done', 'too_large'],
    ['a name that is no text', 'touch "$(printf \'\\377\')"', 'bad_name'],
  ])('%s: refused whole, and the folder is as before', async (_, command, reason) => {
    const { id } = await create({ limits: { disk_mb: 1 } });
    const before = await sh(id, 'echo kept > f');
    const after = await sh(id, command);
    expect(after).toMatchObject({ kept: false, not_kept: reason, tree: before.tree, fault: null });
    expect((await sh(id, 'ls')).outcome?.stdout).toBe('f\n');
  });

  it('keeps no special file and says so; a file with two names is two', async () => {
    const { id } = await create();
    const left = await sh(id, 'mkfifo p; echo 1 > a; ln a b');
    expect(left).toMatchObject({ kept: true, dropped: ['p'], dropped_count: 1 });
    expect((await sh(id, 'echo 2 >> a; cat b; ls')).outcome?.stdout).toBe('1\na\nb\n');
  });

  it('is bounded in entries and bytes, for programs and callers alike', async () => {
    const { id } = await create({ files_max: 3, limits: { disk_mb: 1 } });
    const many = await sh(id, 'touch 1 2 3 4 5 2>&1');
    expect(many.outcome?.stdout).toContain('No space left');
    expect(many.kept).toBe(true);
    const big = new Uint8Array(1024 * 1024 + 1);
    expect(await refusal(filesOf(id, '1'), { method: 'PUT', body: big })).toMatchObject({
      status: 413,
    });
    expect(
      await refusal(filesOf(id, 'n'), { method: 'PUT', body: Uint8Array.of(1) }),
    ).toMatchObject({ status: 413 });
  });
});

describe('snapshots', () => {
  it('are diffs with digests; restore and forks give the same tree, and steps do it again', async () => {
    const { id } = await create({ labels: { run: 'snap' }, seed: 7 });
    await sh(id, 'mkdir d; for i in 1 2 3; do echo $i > d/$i; done');
    const first = await snapshot(id);
    expect(first).toMatchObject({
      parent: null,
      new_bytes: 6,
      diff: { added: ['d', 'd/1', 'd/2', 'd/3'] },
    });
    await sh(id, 'echo more >> d/2; rm d/3; chmod 600 d/1; ln -s 1 d/l');
    const second = await snapshot(id);
    expect(second).toMatchObject({
      ...{ parent: first.id, new_bytes: 7 },
      diff: { added: ['d/l'], changed: ['d/1', 'd/2'], removed: ['d/3'] },
    });
    await call(filesOf(id, 'put'), { method: 'PUT', body: Uint8Array.of(1, 2) });
    await call(filesOf(id, 'd/2'), { method: 'DELETE' });
    const restored = await call(`sessions/${id}/restore`, { body: { snapshot_id: first.id } });
    expect(restored.json).toMatchObject({ tree: first.tree });
    await sh(id, 'cat d/* > all');
    const again = ReplayResponse.parse(
      (await call(`sessions/${id}/replay`, { method: 'POST' })).json,
    );
    expect(again).toMatchObject({ same: true, fault: null });
    expect(again.steps.map(({ kind }) => kind)).toEqual([
      'exec',
      'exec',
      'put',
      'delete',
      'restore',
      'exec',
    ]);
    const { forks } = ForkResponse.parse(
      (await call(`snapshots/${second.id}/fork`, { body: { count: 3, labels: { run: 'fork' } } }))
        .json,
    );
    expect(forks.map(({ session }) => session?.tree)).toEqual([
      second.tree,
      second.tree,
      second.tree,
    ]);
    expect(new Set(forks.map(({ session }) => session?.id)).size).toBe(3);
    await call(`snapshots/${first.id}`, { method: 'DELETE' });
    const own = await create({ snapshot_id: second.id, language: 'c' });
    expect((await sh(own.id, 'cat d/2; echo x > d/2')).outcome?.stdout).toBe('2\nmore\n');
    const other = forks[0]?.session?.id ?? '';
    expect((await call(filesOf(other, 'd/2'))).bytes.toString()).toBe('2\nmore\n');
    const gone = await call('sessions?label=run%3Dfork', { method: 'DELETE' });
    expect(gone.json).toEqual({ destroyed: 3 });
    expect(await refusal(`sessions/${other}`)).toMatchObject({ status: 404 });
  });

  it('tell a replay that comes to something else', async () => {
    const { id } = await create();
    await sh(id, 'head -c 16 /dev/urandom > f');
    const again = ReplayResponse.parse(
      (await call(`sessions/${id}/replay`, { method: 'POST' })).json,
    );
    expect(again).toMatchObject({ same: false, steps: [{ same: false }] });
  });
});

describe('what is refused', () => {
  it.each([
    ['no language', { language: undefined }, 422, ['language']],
    ['an unknown language', { language: 'nope' }, 422, ['language']],
    ['an unknown environment', { environment: 'nope' }, 422, ['environment']],
    ['a wall that is not offered', { wall: 'gvisor' }, 422, ['wall']],
    ['a life beyond the maximum', { ttl_s: 10_000_000 }, 422, ['ttl_s']],
    ['a time-out beyond the maximum', { idle_timeout_s: 10_000_000 }, 422, ['idle_timeout_s']],
    ['a path outside', { files: { '../x': '' } }, 422, ['files["../x"]']],
    ['variables that load code', { env: { LD_PRELOAD: 'x' } }, 422, ['env.LD_PRELOAD']],
    ['an unknown field', { nope: 1 }, 422, ['nope']],
    ['no such snapshot', { snapshot_id: 'snap_x' }, 404, []],
  ])('%s', async (_, request, status, paths) => {
    expect(await refusal('sessions', { body: { language: 'bash', ...request } })).toMatchObject({
      status,
      paths,
    });
  });

  it("what the tenant's execs would be refused for, and no name that a run may have", async () => {
    const body = { language: 'bash' };
    expect(await refusal('sessions', { as: 'c-only', body })).toMatchObject({
      code: 'not_allowed',
    });
    expect(await refusal('sessions', { as: 'strong', body })).toMatchObject({ paths: ['wall'] });
    expect(await create({ environment: 'Bash' })).toMatchObject({ environment: 'Bash' });
  });

  it('execs without one command, with other limits, in two at once', async () => {
    const { id } = await create();
    const at = `sessions/${id}/exec`;
    expect(await refusal(at, { body: {} })).toMatchObject({ status: 422 });
    expect(await refusal(at, { body: { command: 'a', code: 'b' } })).toMatchObject({ status: 422 });
    expect(await refusal(at, { body: { command: 'a', limits: { disk_mb: 2 } } })).toMatchObject({
      paths: ['limits.disk_mb'],
    });
    expect(await refusal(at, { body: { argv: ['a\0b'] } })).toMatchObject({ paths: ['argv[0]'] });
    expect(await refusal(filesOf(id, '../x'))).toMatchObject({ paths: ['path'] });
    expect(
      await refusal(`${filesOf(id, 'x')}&mode=4755`, { method: 'PUT', body: Uint8Array.of() }),
    ).toMatchObject({ paths: ['mode'] });
    expect(await refusal('sessions', { method: 'DELETE' })).toMatchObject({ paths: ['label'] });
    expect(await refusal(at, { method: 'PUT', body: {} })).toMatchObject({ status: 405 });
    const running = call(at, { body: { command: 'sleep 30' } });
    await waitFor(
      async () => ((await refusal(at, { body: { command: 'true' } })).status === 409 ? true : null),
      { what: 'a busy session', timeoutMs: 20_000 },
    );
    expect(
      await refusal(filesOf(id, 'x'), { method: 'PUT', body: Uint8Array.of(1) }),
    ).toMatchObject({ code: 'session_busy' });
    expect((await call(`sessions/${id}`)).json).toMatchObject({ state: 'running' });
    expect((await call(`sessions/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await running).json).toMatchObject({ status: 404, code: 'no_such_session' });
    await waitFor(() => (ownedProcesses(service.pid).runs.length === 0 ? true : null), {
      what: 'end of the run',
      timeoutMs: 20_000,
    });
  });

  it("everything of another tenant's, and more than there is room for", async () => {
    const { id } = await create({ labels: { of: 'one' } });
    const { id: snap } = await snapshot(id);
    for (const where of [
      `sessions/${id}`,
      `sessions/${id}/tree`,
      `sessions/${id}/log`,
      filesOf(id, 'x'),
      `snapshots/${snap}`,
    ])
      expect((await call(where, { as: 'two' })).status).toBe(404);
    expect((await call(`sessions/${id}`, { as: 'two', method: 'DELETE' })).status).toBe(404);
    expect(
      (await call(`sessions/${id}/exec`, { as: 'two', body: { command: 'true' } })).status,
    ).toBe(404);
    expect((await call(`snapshots/${snap}/fork`, { as: 'two', body: {} })).status).toBe(404);
    expect(
      (await call('sessions', { as: 'two', body: { language: 'bash', snapshot_id: snap } })).status,
    ).toBe(404);
    expect((await call('sessions?label=of%3Done', { as: 'two', method: 'DELETE' })).json).toEqual({
      destroyed: 0,
    });
    expect(SessionList.parse((await call('sessions', { as: 'two' })).json).sessions).toEqual([]);
    const made = await Promise.all(
      Array.from(
        { length: 32 },
        async () =>
          (await call('sessions', { as: 'two', body: { language: 'bash', labels: { t: '2' } } }))
            .status,
      ),
    );
    expect(made.toSorted((a, b) => a - b)).toEqual([...Array(24).fill(201), ...Array(8).fill(429)]);
    await call('sessions?label=t%3D2', { as: 'two', method: 'DELETE' });
  });
});

describe('the end of a session', () => {
  it('comes when it is not used, and when its life is over, also in the middle of an exec', async () => {
    const idle = await create({ idle_timeout_s: 1 });
    const short = await create({ ttl_s: 2 });
    const answer = call(`sessions/${short.id}/exec`, { body: { command: 'sleep 30' } });
    expect((await answer).json).toMatchObject({ code: 'no_such_session' });
    expect(await refusal(`sessions/${idle.id}`)).toMatchObject({ status: 404 });
    expect(await refusal(`sessions/${short.id}`)).toMatchObject({ status: 404 });
  });
});
