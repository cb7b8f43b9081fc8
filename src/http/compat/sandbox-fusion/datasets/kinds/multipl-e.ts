/** MultiPL-E: HumanEval and MBPP in other languages; tests are code behind the function, and the program's exit code. */
import { BadRequest } from '../../errors.ts';
import { cutAt, extractCode, hasFence, languageName, type Extracted } from '../extract.ts';
import type { DatasetKind } from '../plan.ts';
import { readAll, textIn } from '../row.ts';
import type { Row } from '../schema.ts';
import { goProgram } from './go-tests.ts';
import { behind, completionPrompt } from './human-eval.ts';

const DEFAULT_S = 20;
/** A stop token that is no mark: the blank line between statements. */
const NO_STOP = '\n\n';

/** What is put before a program, by language. */
const HELPERS: Readonly<Record<string, readonly string[]>> = {
  cpp: ['#include <bits/stdc++.h>', 'using namespace std;'],
  java: [
    'import java.util.*;',
    'import java.util.stream.*;',
    'import java.lang.reflect.*;',
    'import java.math.*;',
    'import java.security.*;',
    'import java.io.*;',
  ],
};
/** Where a program's own main begins, which the tests bring themselves. */
const MAINS: Readonly<Record<string, string>> = {
  cpp: 'int main(',
  rust: 'fn main(',
  java: 'public static void main(',
};
/** Languages whose functions lie in a class, which the tests end. */
const IN_CLASS: ReadonlySet<string> = new Set(['java']);
/** Tests that begin so close the function that the prompt opened. */
const CLOSING = /^\s*\}/;
/** Languages in which the end of a function stands alone, and a continuation ends with it. */
const ENDS: Readonly<Record<string, string>> = { typescript: '\n}', nodejs: '\n}', go: '\n}' };
/** A library of Java that is not here. */
const TUPLES = /\borg\.javatuples\b/;
const TUPLE_CLASSES = /\b(?:Unit|Pair|Triplet|Quartet|Quintet|Sextet|Septet|Octet)\s*[.<(]/;
const TUPLE_IMPORT = /^import org\.javatuples\.\*;\n?/gm;

interface Parts {
  readonly before: string;
  readonly tests: string;
}

/** What makes a program of a text with its tests, where that is more than one behind the other. */
const ADAPTED: Readonly<Record<string, (parts: Parts) => Parts>> = {
  java: javaParts,
  go: goProgram,
};

export const multiPLE: DatasetKind = {
  prompt: (row, config) => completionPrompt(row, config, tagOf(row)),
  plan(row, { completion, config }) {
    const isWhole = config.extra['is_freeform'] === true || hasFence(completion);
    const { language, given, prompt } = readAll({
      language: () => languageOf(row),
      given: () => textIn(row, 'tests'),
      // A whole program needs none.
      prompt: () => (isWhole ? '' : textIn(row, 'prompt')),
    });
    const extracted = isWhole
      ? wholeCode(completion, language)
      : continuation(completion, language, row);
    const program = isWhole ? extracted.code : behind(prompt, extracted.code);
    const tests = isWhole ? given.replace(CLOSING, '') : given;
    const parts = { before: [...(HELPERS[language] ?? []), program, ''].join('\n'), tests };
    const { before, tests: checked } = ADAPTED[language]?.(parts) ?? parts;
    return {
      extracted,
      fullCode: before + checked,
      testCode: given,
      work: {
        kind: 'program',
        language,
        before,
        tests: checked,
        files: [],
        runS: config.run_timeout ?? DEFAULT_S,
        compileS: config.compile_timeout ?? DEFAULT_S,
      },
    };
  },
};

/** `go_test` of `go_test.go`. */
function tagOf(row: Row): string {
  return textIn(row, 'language').split('.')[0] ?? '';
}

function languageOf(row: Row): string {
  const name = languageName(tagOf(row));
  return name === 'go_test' ? 'go' : name;
}

function wholeCode(completion: string, language: string): Extracted {
  const found = extractCode(completion, language);
  const code = found.code.replaceAll('\r', '');
  const main = MAINS[language];
  const own = main === undefined ? code : cutAt(code, main);
  if (!IN_CLASS.has(language) || own !== code) return { ...found, code: own };
  const end = code.lastIndexOf('}');
  return { ...found, code: end === -1 ? code : code.slice(0, end) };
}

function continuation(completion: string, language: string, row: Row): Extracted {
  const end = ENDS[language];
  const place = end === undefined ? -1 : completion.indexOf(end);
  const own = place === -1 ? completion : completion.slice(0, place + (end?.length ?? 0));
  const code = end === undefined || place === -1 ? withoutEnd(own, row) : own;
  return { code, type: code.trim() === '' ? 'empty' : 'heuristic' };
}

/** Up to the first stop token. */
function withoutEnd(code: string, row: Row): string {
  const given = row['stop_tokens'];
  const stops = Array.isArray(given) ? given.map(String) : [];
  if (stops.some((stop) => stop.startsWith('re:')))
    throw new BadRequest('provided_data.stop_tokens: patterns are not served, only texts');
  return cutAt(code, ...stops.filter((stop) => stop !== NO_STOP && stop !== ''));
}

/** The class is named as its file; what needs a library that is not here is refused, not failed. */
function javaParts({ before, tests }: Parts): Parts {
  const text = before + tests;
  if (TUPLES.test(text) && TUPLE_CLASSES.test(text))
    throw new BadRequest('provided_data needs org.javatuples, which is not here');
  const adapt = (code: string): string =>
    code.replaceAll(TUPLE_IMPORT, '').replaceAll('class Problem', 'class Main');
  return { before: adapt(before), tests: adapt(tests) };
}
