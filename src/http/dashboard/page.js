/**
 * The page: asks for the figures again and again, and shows them. Whatever comes from outside is set as text, never as
 * markup. Keeps the last five minutes itself; nothing of it is lost on the service's side.
 */
import { roundUp, sparkline, stackedAreas } from './chart.js';
import {
  age,
  bytes,
  CLASSES,
  count,
  duration,
  percent,
  rate,
  ratesBetween,
  tenantRows,
  warmShare,
} from './figures.js';

const POLL_MS = 2000;
/** No answer for so long is a lost connection. */
const PATIENCE_MS = 8000;
const LOOKS = (5 * 60_000) / POLL_MS;
/** The small lines show the last minute; the large chart shows at least as much. */
const LOOKS_OF_MINUTE = 60_000 / POLL_MS;

/** Kept by this tab alone. */
const KEY = 'assay-key';

const history = [];
let last = null;
let lastAt = null;

const byId = (id) => document.querySelector(`#${id}`);
const setText = (id, text) => {
  const target = byId(id);
  if (target.textContent !== text) target.textContent = text;
};

function make(name, { text, className, children = [], ...attributes } = {}) {
  const made = document.createElement(name);
  if (className !== undefined) made.className = className;
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

async function poll() {
  try {
    const key = sessionStorage.getItem(KEY);
    const response = await fetch('/dashboard/data', {
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: key === null ? {} : { 'x-api-key': key },
    });
    const isRefused = response.status === 401 || response.status === 403;
    byId('key-form').hidden = !isRefused;
    if (isRefused) throw new Error(key === null ? 'a key is needed' : 'this key may not see it');
    if (!response.ok) throw new Error(`the service answers ${response.status}`);
    show(await response.json());
  } catch (error) {
    showDisconnected(error);
  }
}

byId('key-form').addEventListener('submit', (event) => {
  event.preventDefault();
  sessionStorage.setItem(KEY, byId('key').value.trim());
  byId('key').value = '';
  void poll();
});

async function live() {
  for (;;) {
    // A tab that nobody looks at asks for nothing.
    if (!document.hidden) await poll();
    await new Promise((resolve) => {
      setTimeout(resolve, POLL_MS);
      document.addEventListener('visibilitychange', resolve, { once: true });
    });
  }
}

function showDisconnected(error) {
  document.body.dataset.state = 'disconnected';
  setText('state', 'disconnected');
  const since = lastAt === null ? '' : ` What is shown is of ${lastAt.toLocaleTimeString()}.`;
  const why = error.name === 'TimeoutError' ? 'no answer' : error.message;
  setText('disconnected', `The service cannot be reached (${why}). Trying again.${since}`);
  byId('disconnected').hidden = false;
}

function show(data) {
  const { stats, readiness } = data;
  // The service began anew: what is remembered is another's.
  if (last !== null && data.now_ms < last.now_ms) {
    history.length = 0;
    last = null;
  }
  const rates = last === null ? null : ratesBetween(last, data);
  last = data;
  lastAt = new Date();
  history.push({
    rates,
    busy: stats.slots.busy,
    queue: stats.queue.length,
    p95: data.latencyMs.total?.p95 ?? null,
    warm: warmShare(stats.environments),
  });
  if (history.length > LOOKS) history.shift();

  document.body.dataset.state = readiness.ready ? 'ready' : 'unready';
  setText('state', readiness.ready ? 'ready' : 'not ready');
  byId('disconnected').hidden = true;
  byId('unready').hidden = readiness.ready;
  setText('unready', `Not ready: ${readiness.reasons.join('; ')}.`);
  byId('empty').hidden = data.tenants.length > 0;
  setText('version', data.version);
  setText(
    'about',
    `${data.wall ?? 'no wall'} · cgroup ${data.cgroup} · up ${age(stats.uptime_ms)}`,
  );

  showTiles(data, rates);
  showThroughput();
  showLatency(data.latencyMs);
  showBars('results', data.results, 'None yet.');
  showBars('rejections', stats.rejections, 'None.');
  showTenants(data.tenants, rates);
  showFaults(data.faults);
  showLanguages(data.languages);
  showJails(stats);
}

function showTiles({ stats, latencyMs, faults }, rates) {
  const total = rates === null ? null : rates.passed + rates.failed + rates.fault;
  setText('rate', total === null ? '–' : rate(total));
  setText('busy', String(stats.slots.busy));
  setText('slots', `of ${stats.slots.total}`);
  setText('queue', count(stats.queue.length));
  setText('queue-most', `of ${count(stats.queue.length_max)} · ${bytes(stats.queue.bytes)}`);
  setText('p95', duration(latencyMs.total?.p95 ?? null));
  setText('warm', percent(warmShare(stats.environments)));
  setText('faults', count(stats.submissions.faults));
  byId('fault-tile').classList.toggle('has-faults', stats.submissions.faults > 0);
  setText('fault-last', faults.length === 0 ? 'None.' : `last: ${faults[0].code}`);

  const sums = history.map(({ rates: each }) =>
    each === null ? null : each.passed + each.failed + each.fault,
  );
  showLine('rate-line', sums, { what: 'Submissions a second' });
  showLine(
    'busy-line',
    history.map(({ busy }) => busy),
    { top: stats.slots.total, what: 'Slots busy' },
  );
  showLine(
    'queue-line',
    history.map(({ queue }) => queue),
    { what: 'Queue' },
  );
  showLine(
    'p95-line',
    history.map(({ p95 }) => p95),
    { what: 'Latency in milliseconds' },
  );
  showLine(
    'warm-line',
    history.map(({ warm }) => warm),
    { top: 1, what: 'Share of warm hits' },
  );
}

function showLine(id, values, { top, what }) {
  const known = values.filter((value) => value !== null);
  const most = Math.max(0, ...known);
  const now = known.at(-1);
  const label =
    now === undefined
      ? `${what}: nothing yet`
      : `${what}: now ${round(now)}, at most ${round(most)}`;
  byId(id).replaceChildren(sparkline(values, { slots: LOOKS, top: top ?? roundUp(most), label }));
}

const round = (value) => Math.round(value * 100) / 100;

function showThroughput() {
  const series = CLASSES.map((name) => ({
    name,
    values: history.map(({ rates }) => rates?.[name] ?? null),
  }));
  const sums = history.map(({ rates }) =>
    rates === null ? 0 : rates.passed + rates.failed + rates.fault,
  );
  const most = Math.max(0, ...sums);
  const top = roundUp(most);
  const label = `Submissions a second lately: at most ${round(most)}, now ${round(sums.at(-1) ?? 0)}`;
  const slots = Math.max(LOOKS_OF_MINUTE, history.length);
  byId('throughput').replaceChildren(stackedAreas(series, { slots, top, height: 150, label }));
  setText('throughput-span', age(slots * POLL_MS));
  setText('chart-top', String(top));
}

function showLatency(latencyMs) {
  const top = Math.max(1e-9, ...Object.values(latencyMs).map((each) => each?.p99 ?? 0));
  const rows = Object.entries(latencyMs).map(([phase, each]) => {
    const track = make('span', { className: 'track' });
    if (each !== null) track.append(part('tail', each.p99 / top), part('body', each.p50 / top));
    return make('tr', {
      className: phase === 'total' ? 'total' : '',
      children: [
        make('th', { scope: 'row', text: phase }),
        ...['p50', 'p95', 'p99'].map((name) =>
          make('td', { text: duration(each?.[name] ?? null) }),
        ),
        make('td', { className: 'bar', 'aria-hidden': 'true', children: [track] }),
      ],
    });
  });
  byId('latency').replaceChildren(...rows);
}

function part(className, share) {
  const made = make('span', { className });
  made.style.width = `${Math.min(1, share) * 100}%`;
  return made;
}

function showBars(id, counts, none) {
  const entries = Object.entries(counts).toSorted(([, a], [, b]) => b - a);
  const total = entries.reduce((sum, [, value]) => sum + value, 0);
  const rows = entries.flatMap(([name, value]) => {
    const track = make('span', {
      className: `track ${name}`,
      'aria-hidden': 'true',
      children: [part('', value / total)],
    });
    const figure = make('span', { text: `${count(value)} · ${percent(value / total)}` });
    return [
      make('dt', { text: name.replaceAll('_', ' ') }),
      make('dd', { children: [track, figure] }),
    ];
  });
  byId(id).replaceChildren(
    ...(rows.length > 0 ? rows : [make('dd', { className: 'quiet none', text: none })]),
  );
}

function showTenants(tenants, rates) {
  const rows = tenantRows(tenants, rates?.byTenant ?? null).map((row) =>
    make('tr', {
      children: [
        make('th', { scope: 'row', text: row.name }),
        make('td', { text: row.rate === null ? '–' : rate(row.rate) }),
        ...CLASSES.map((name) => make('td', { text: count(row[name]) })),
      ],
    }),
  );
  byId('tenants').replaceChildren(...(rows.length > 0 ? rows : [emptyRow(5, 'Nobody yet.')]));
}

function emptyRow(columns, text) {
  const cell = make('th', { className: 'quiet', colspan: String(columns), text });
  return make('tr', { children: [cell] });
}

function showFaults(faults) {
  const items = faults.map(({ code, message, count: often, at, submissions }) =>
    make('li', {
      children: [
        make('p', { children: [make('code', { text: code }), ` × ${count(often)}: ${message}`] }),
        make('p', {
          className: 'quiet',
          text: `last at ${new Date(at).toLocaleTimeString()}: ${submissions.join(', ')}`,
        }),
      ],
    }),
  );
  const none = make('li', { className: 'quiet', text: 'None since the start.' });
  byId('fault-list').replaceChildren(...(items.length > 0 ? items : [none]));
}

function showLanguages(languages) {
  const sorted = languages.toSorted((a, b) => Number(b.available) - Number(a.available));
  const items = sorted.map(({ title, version, available, reason, missing }) => {
    const said = available
      ? `available · ${version ?? 'version unknown'}`
      : `not available: ${reason}`;
    const lacks = missing.map((each) =>
      make('p', { className: 'quiet', text: `without ${each.title}: ${each.reason}` }),
    );
    return make('li', {
      className: available ? '' : 'missing',
      children: [
        make('strong', { text: title }),
        make('p', { className: 'quiet', text: said }),
        ...(available ? lacks : []),
      ],
    });
  });
  byId('languages').replaceChildren(...items);
}

function showJails(stats) {
  const pools = [...new Map(stats.environments.map((each) => [each.pool, each])).values()];
  const isUsed = ({ jails, acquire_ms: times }) =>
    jails.ready + jails.leased + jails.starting > 0 || times !== null;
  const rows = pools.filter(isUsed).map((each) =>
    make('tr', {
      children: [
        make('th', { scope: 'row', text: each.pool }),
        ...['leased', 'ready', 'starting', 'target'].map((name) =>
          make('td', { text: String(each.jails[name]) }),
        ),
        make('td', { text: percent(each.warm_hit_rate) }),
        make('td', { text: duration(each.acquire_warm_ms?.p95) }),
        make('td', { text: duration(each.acquire_cold_ms?.p95) }),
        make('td', { text: bytes(each.idle_bytes) }),
      ],
    }),
  );
  byId('jails').replaceChildren(...(rows.length > 0 ? rows : [emptyRow(9, 'None yet.')]));
  const { jail_memory: memory, compile_cache: cache } = stats;
  const facts = [
    [
      'memory of jails',
      `${bytes(memory.idle_bytes + memory.busy_bytes)} of ${bytes(memory.capacity_bytes)}`,
    ],
    [
      'compile cache',
      cache === null ? 'off' : `${percent(cacheShare(cache))} found · ${bytes(cache.bytes)}`,
    ],
    ['event loop, p99', duration(stats.event_loop_delay_ms.p99)],
    ['memory of the service', bytes(stats.memory_bytes)],
  ];
  byId('stores').replaceChildren(
    ...facts.map(([name, text]) =>
      make('div', { children: [make('dt', { text: name }), make('dd', { text })] }),
    ),
  );
}

function cacheShare({ hits, shared, misses }) {
  const all = hits + shared + misses;
  return all === 0 ? null : (hits + shared) / all;
}

/** The host's choice unless somebody chose here. */
function themes() {
  const root = document.documentElement;
  const isDark = () =>
    root.dataset.theme === undefined
      ? matchMedia('(prefers-color-scheme: dark)').matches
      : root.dataset.theme === 'dark';
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => name());
  const stored = localStorage.getItem('theme');
  if (stored !== null) root.dataset.theme = stored;
  const name = () => setText('theme', isDark() ? 'Light' : 'Dark');
  byId('theme').addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    localStorage.setItem('theme', root.dataset.theme);
    name();
  });
  name();
}

function example() {
  const request = {
    language: 'python',
    code: 'print(sum(map(int, input().split())))',
    tests: { kind: 'stdio', cases: [{ stdin: '1 2\n', expected_stdout: '3\n' }] },
  };
  return `curl -s ${location.origin}/v1/judge -H 'content-type: application/json' -d '${JSON.stringify(request)}'`;
}

themes();
setText('example', example());
await live();
