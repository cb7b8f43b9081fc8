/**
 * ECMAScript modules that only import Node's own modules, as the text of a strict function: imports become constants at
 * its head, lines keep their numbers. Whatever is not of the plain forms below is null, and a process's to run. Pure.
 */

/** `import x from 'm'`, `import * as x from 'm'`, `import { a, b as c } from 'm'`, `import x, { a } from 'm'`. */
const IMPORT =
  /^[ \t]*import[ \t]+(?:([\w$]+)[ \t]*(?:,[ \t]*|(?=from\b|[ \t]+from\b)))?(?:\*[ \t]+as[ \t]+([\w$]+)|\{([\w$\s,]*)\})?\s*from[ \t]*(?:'([\w/:]+)'|"([\w/:]+)")[ \t]*;?[ \t]*$/gm;
/** `export {}` and `export` in front of a declaration. */
const EXPORT_NOTHING = /^[ \t]*export[ \t]*\{[ \t]*\}[ \t]*;?[ \t]*$/gm;
const EXPORT_DECLARATION = /^([ \t]*)export[ \t]+(?=(?:const|let|var|function|class|async)\b)/gm;
/** Words that remain only where a form was not understood, or stands in a text. */
const LEFT_OVER = /\b(?:import|export)\b/;

/** The name by which the function's text reaches the guest's `require`; no program has it by chance. */
export const IMPORT_PARAMETER = '__assay_import';

/** A template may hold lines that look like imports and exports; other strings end with their line. */
function hasDoubt(text: string): boolean {
  const template = text.indexOf('`');
  if (template < 0) return false;
  const isAfter = (pattern: RegExp): boolean =>
    [...text.matchAll(pattern)].some(({ index }) => index > template);
  return isAfter(IMPORT) || isAfter(EXPORT_DECLARATION) || isAfter(EXPORT_NOTHING);
}

/** The constants of a list of names; the guest checks that the module has them. */
function named(list: string, source: string): string {
  const names = list.split(',').map((part) => part.trim().split(/\s+as\s+/));
  const imported = names.flatMap(([name = '']) => (name === '' ? [] : [name]));
  const call = `${IMPORT_PARAMETER}(${JSON.stringify(source)}, ${JSON.stringify(imported)})`;
  return `const {${list.replace(/\bas\b/g, ':')}} = ${call};`;
}

/** The function's body, or null. Precondition: the text is no CommonJS module. */
export function moduleBody(text: string): string | null {
  if (text.includes(IMPORT_PARAMETER) || hasDoubt(text)) return null;
  const heads: string[] = [];
  const body = text
    .replace(IMPORT, (whole: string, ...parts: (string | undefined)[]) => {
      const [name, namespace, list, single, double] = parts;
      const source = `${IMPORT_PARAMETER}(${JSON.stringify(single ?? double ?? '')})`;
      if (name !== undefined) heads.push(`const ${name} = ${source};`);
      if (namespace !== undefined) heads.push(`const ${namespace} = ${source};`);
      if (list !== undefined) heads.push(named(list, single ?? double ?? ''));
      return '\n'.repeat(whole.split('\n').length - 1);
    })
    .replace(EXPORT_NOTHING, '')
    .replace(EXPORT_DECLARATION, '$1');
  if (LEFT_OVER.test(body)) return null;
  return `'use strict';${heads.join('').replaceAll('\n', ' ')}${body}`;
}
