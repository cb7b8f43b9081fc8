/** How the code of a completion becomes a program: what the data set leaves to the reader of its rows. Pure. */
import type { Problem } from './problem.ts';

/** The program that a completion's code is for this problem. The code is extracted already. */
export function toProgram({ build }: Pick<Problem, 'build'>, code: string): string {
  return build.kind === 'prompt' ? withPrompt(code, build) : code;
}

/**
 * The code behind the prompt, unless it repeats it. Code that defines the entry anew gets only what the prompt has before
 * its own definition (imports, helpers, records): a second head of the function would change what it is.
 */
export function withPrompt(
  code: string,
  { prompt, entry }: { readonly prompt: string; readonly entry: string },
): string {
  const text = prompt.trim();
  if (text === '' || includesLines(code, text)) return code;
  const name = /^[A-Za-z_]\w*/.exec(entry)?.[0] ?? entry;
  if (!defines(code, name)) return prompt.endsWith('\n') ? prompt + code : `${prompt}\n${code}`;
  const before = definitionAt(prompt, name);
  const preamble = (before === -1 ? prompt : prompt.slice(0, before)).trimEnd();
  // Such an import has to be the first statement of a file.
  const isFirst = /^from __future__ import/m.test(code);
  return preamble === '' || isFirst || includesLines(code, preamble.trim())
    ? code
    : `${preamble}\n\n\n${code}`;
}

/** Whether the text is in there, line ends and blanks at the ends of lines aside. */
function includesLines(code: string, text: string): boolean {
  return normal(code).includes(normal(text));
}

function normal(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

function defines(code: string, name: string): boolean {
  return definitionAt(code, name) !== -1;
}

/** Where a line begins that defines the name at the top level; -1 if none does. */
function definitionAt(text: string, name: string): number {
  return text.search(new RegExp(String.raw`^(?:async +def|def|class) +${name}\b`, 'm'));
}
