/** How the place of an error in a request is written, e.g. `tests.cases[3].stdin` or `files["a/b.txt"]`. */

export type PathPart = string | number;

const PLAIN = /^[A-Za-z_]\w*$/;
/** A name is the caller's own text: shown, but not at any length. */
const PART_MAX = 64;
const PARTS_MAX = 16;

/** Parts from the outside in; "" for the whole body. */
export function formatPath(parts: readonly PropertyKey[]): string {
  let text = '';
  for (const part of parts.slice(0, PARTS_MAX)) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += formatName(String(part), text === '');
  }
  return parts.length > PARTS_MAX ? `${text}…` : text;
}

function formatName(name: string, isFirst: boolean): string {
  if (name.length <= PART_MAX && PLAIN.test(name)) return isFirst ? name : `.${name}`;
  const shown = name.length > PART_MAX ? `${name.slice(0, PART_MAX)}…` : name;
  return `[${JSON.stringify(shown.toWellFormed())}]`;
}
