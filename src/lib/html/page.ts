/** One HTML page that needs nothing else: no network, no scripts, light and dark. Pure; every text is escaped. */

/** The text as content or as the value of an attribute; control characters that pages must not hold are shown as U+FFFD. */
export function escapeText(text: string): string {
  return text
    .replaceAll(/[\0-\u0008\u000B\u000C\u000E-\u001F\u007F\uFFFE\uFFFF]/g, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --paper: #ffffff; --soft: #57606a; --line: #d0d5dd;
  --ours: #1f6feb; --peer: #98a2b3; --good: #1a7f37; --bad: #cf222e; --box: #f6f8fa; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --paper: #0d1117; --soft: #9aa4b2;
  --line: #30363d; --ours: #58a6ff; --peer: #6e7681; --good: #3fb950; --bad: #ff7b72; --box: #161b22; } }
body { margin: 2rem auto; max-width: 68rem; padding: 0 1rem; color: var(--ink); background: var(--paper);
  font: 15px/1.5 system-ui, sans-serif; }
a { color: var(--ours); }
h2 { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; }
th, td { padding: .25rem .75rem .25rem 0; text-align: left; border-bottom: 1px solid var(--line); white-space: nowrap; }
th, .soft { color: var(--soft); font-weight: normal; }
.good { color: var(--good); } .bad { color: var(--bad); font-weight: bold; }
figure { margin: 1rem 0; } figcaption { font-weight: 600; }
svg { width: 100%; height: auto; font: 13px system-ui, sans-serif; fill: var(--ink); }
svg a { fill: var(--ours); text-decoration: underline; }
.ours { fill: var(--ours); } .peer { fill: var(--peer); } .whisker { stroke: var(--ink); stroke-width: 1.5; }
.axis { stroke: var(--line); }
pre { overflow-x: auto; background: var(--box); border: 1px solid var(--line); padding: .5rem .75rem; max-height: 30rem;
  font: 13px/1.45 ui-monospace, monospace; }
details { margin: .5rem 0; } summary { cursor: pointer; }
`;

/** What a page with hostile data in it may do even where an escape were missing: be shown. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** The whole document. `body` is HTML. */
export function renderDocument({
  title,
  body,
}: {
  readonly title: string;
  readonly body: string;
}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>${escapeText(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeText(title)}</h1>
${body}
</main>
</body>
</html>
`;
}

/** A table whose cells are HTML. */
export function renderTable({
  caption = '',
  head,
  rows,
}: {
  readonly caption?: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}): string {
  const top = head.map((name) => `<th scope="col">${escapeText(name)}</th>`).join('');
  const lines = rows.map((cells) => `<tr>${cells.map((each) => `<td>${each}</td>`).join('')}</tr>`);
  const said = caption === '' ? '' : `<caption>${escapeText(caption)}</caption>`;
  return `<div class="scroll"><table>${said}<thead><tr>${top}</tr></thead><tbody>
${lines.join('\n')}
</tbody></table></div>`;
}
