/** Small charts as SVG. They say in words what they show, for whoever does not see them. */

const SVG = 'http://www.w3.org/2000/svg';
const WIDTH = 600;

function element(name, attributes, children = []) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/** A picture with a coordinate system of its own that is stretched to its place. */
function picture(height, label, children) {
  const attributes = {
    viewBox: `0 0 ${WIDTH} ${height}`,
    preserveAspectRatio: 'none',
    role: 'img',
    'aria-label': label,
  };
  return element('svg', attributes, children);
}

/**
 * Areas on top of each other over time, the newest at the right edge.
 * @param {{name: string, values: (number | null)[]}[]} series one value a look each, from below; null where there is none
 * @param {{slots: number, top: number, height: number, label: string}} options looks in the width, the value at the top
 */
export function stackedAreas(series, { slots, top, height, label }) {
  const length = series[0]?.values.length ?? 0;
  const x = (index) => WIDTH - ((length - 1 - index) * WIDTH) / (slots - 1);
  const y = (value) => height - (value / top) * (height - 2);
  const floor = Array.from({ length }, () => 0);
  const areas = series.map(({ name, values }) => {
    const lower = floor.map((value, index) => `${x(index)},${y(value)}`);
    for (const [index, value] of values.entries()) floor[index] += value ?? 0;
    const upper = floor.map((value, index) => `${x(index)},${y(value)}`);
    return element('polygon', {
      class: `area ${name}`,
      points: [...upper, ...lower.toReversed()].join(' '),
    });
  });
  const lines = [0.25, 0.5, 0.75].map((share) =>
    element('line', { class: 'grid', x1: 0, x2: WIDTH, y1: share * height, y2: share * height }),
  );
  return picture(height, label, [...lines, ...areas]);
}

/** One line over time. */
export function sparkline(values, { slots, top, label }) {
  const height = 60;
  const x = (index) => WIDTH - ((values.length - 1 - index) * WIDTH) / (slots - 1);
  const y = (value) => height - 2 - (value / Math.max(top, 1e-9)) * (height - 4);
  const points = values.flatMap((value, index) =>
    value === null ? [] : [`${x(index)},${y(value)}`],
  );
  return picture(height, label, [
    element('polyline', { class: 'spark', points: points.join(' ') }),
  ]);
}

/** The next round number above, for the top of a scale. */
export function roundUp(value) {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((each) => each * power >= value) ?? 10;
  return step * power;
}
