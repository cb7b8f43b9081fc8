/** Figures of the page: what two looks at the counters tell, and how numbers are written. Pure. */

/** How a submission may end, in the order of display. */
export const CLASSES = ['passed', 'failed', 'fault'];

/**
 * Submissions a second between two looks, in all and by tenant. A counter that went down has begun anew with the service,
 * so there is nothing to tell until the next look.
 * @returns {{passed: number, failed: number, fault: number, byTenant: Map<string, number>} | null}
 */
export function ratesBetween(before, after) {
  const seconds = (after.now_ms - before.now_ms) / 1000;
  if (!(seconds > 0)) return null;
  const rates = { passed: 0, failed: 0, fault: 0, byTenant: new Map() };
  const earlier = new Map(before.tenants.map((each) => [keyOf(each), each.count]));
  for (const each of after.tenants) {
    // One that was among the others comes back with nothing, and the others lose what they had of one that left.
    const more = Math.max(0, each.count - (earlier.get(keyOf(each)) ?? 0)) / seconds;
    rates[each.kind] += more;
    rates.byTenant.set(each.name, (rates.byTenant.get(each.name) ?? 0) + more);
  }
  return rates;
}

const keyOf = ({ name, kind }) => JSON.stringify([name, kind]);

/** Counts by tenant, the busiest first. */
export function tenantRows(tenants, byTenant) {
  const rows = new Map();
  for (const { name, kind, count } of tenants) {
    const row = rows.get(name) ?? { name, passed: 0, failed: 0, fault: 0, rate: null };
    row[kind] = count;
    row.rate = byTenant === null ? null : (byTenant.get(name) ?? 0);
    rows.set(name, row);
  }
  const total = (row) => row.passed + row.failed + row.fault;
  return [...rows.values()].toSorted(
    (a, b) => (b.rate ?? 0) - (a.rate ?? 0) || total(b) - total(a),
  );
}

/** Warm hits over all pools, weighed by their jails; null while there is nothing to tell. */
export function warmShare(environments) {
  const pools = [...new Map(environments.map((each) => [each.pool, each])).values()];
  const told = pools.filter((each) => each.warm_hit_rate !== null);
  if (told.length === 0) return null;
  const weight = (each) => Math.max(1, each.jails.target);
  const sum = told.reduce((total, each) => total + weight(each), 0);
  return told.reduce((total, each) => total + each.warm_hit_rate * weight(each), 0) / sum;
}

/** `1234567` → `1.23 M`. */
export function count(value) {
  if (value >= 1e9) return `${digits(value / 1e9)} G`;
  if (value >= 1e6) return `${digits(value / 1e6)} M`;
  if (value >= 1e4) return `${digits(value / 1e3)} k`;
  return String(Math.round(value));
}

/** Submissions a second. */
export function rate(value) {
  if (value === 0) return '0';
  return value < 0.1 ? '< 0.1' : digits(value);
}

/** Milliseconds, as people say them. */
export function duration(ms) {
  if (ms === null || ms === undefined) return '–';
  if (ms >= 60_000) return `${digits(ms / 60_000)} min`;
  if (ms >= 1000) return `${digits(ms / 1000)} s`;
  return `${digits(ms)} ms`;
}

/** `5 d 3 h`, `12 min`. */
export function age(ms) {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return `${Math.floor(ms / 1000)} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 24
    ? `${hours} h ${minutes % 60} min`
    : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** Binary units. */
export function bytes(value) {
  if (value === null) return '–';
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let rest = value;
  let unit = 0;
  while (rest >= 1024 && unit < units.length - 1) {
    rest /= 1024;
    unit += 1;
  }
  return `${digits(rest)} ${units[unit]}`;
}

export function percent(share) {
  return share === null ? '–' : `${digits(share * 100)} %`;
}

/** Three digits that count. */
function digits(value) {
  if (value === 0) return '0';
  if (value >= 100) return value.toFixed(0);
  return String(Number(value.toFixed(value >= 10 ? 1 : 2)));
}
