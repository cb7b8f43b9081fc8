/** A sample and its problem as the bodies of judge requests. Pure. */
import { DEFAULT_EXTRACT } from '../../domain/submission.ts';
import { extractCode } from '../../verify/extract.ts';
import type { Language } from '../program-file.ts';
import type { EvalProblem, EvalSettings } from './problems.ts';
import type { TaskSample } from './sample.ts';

export type Requests =
  | {
      readonly kind: 'requests';
      /** JSON texts; all have to be accepted. */
      readonly bodies: readonly string[];
      /** The program, for whoever reads why it failed. */
      readonly code: string;
    }
  | { readonly kind: 'refusal'; readonly reason: string };

interface RequestContext {
  readonly problem: EvalProblem;
  readonly settings: EvalSettings;
  readonly languages: readonly Language[];
}

const FENCE = /^[ \t>]*(?:```|~~~)/m;
/** Behind a prompt that ends in a function's head, what follows is indented. */
const CONTINUATION = /^\s*?[ \t]+\S/;

/** Requests that judge it. A refusal says why nobody could. */
export function toRequests(sample: TaskSample, context: RequestContext): Requests {
  const { problem, settings, languages } = context;
  const language = settings.language ?? sample.language ?? problem.language;
  // A test set knows its own language where it has one.
  const isOpen = language === null;
  if (isOpen && problem.isContinued !== null)
    return { kind: 'refusal', reason: 'nobody says which language it is in: say --language' };
  const known = languages.find(
    ({ id, aliases }) => id === language || aliases.includes(language ?? ''),
  );
  const program = programOf(sample, known, context);
  if (program.kind === 'refusal') return program;
  const fields = {
    ...(isOpen ? {} : { language }),
    ...(program.kind === 'none' ? { completion: sample.text } : { code: program.code }),
    detail: 'failures',
  };
  const own = JSON.stringify(fields).slice(1);
  const code = program.kind === 'none' ? sample.text : program.code;
  const fixed = problem.requestsFor(code);
  if (fixed.length === 0) return { kind: 'refusal', reason: 'the problem has no tests' };
  return {
    kind: 'requests',
    code,
    bodies: fixed.map((each) => (each === '{}' ? `{${own}` : `${each.slice(0, -1)},${own}`)),
  };
}

type Program =
  | { readonly kind: 'program'; readonly code: string }
  /** The answer has a fence and no code of this language in it: the judge says so. */
  | { readonly kind: 'none' }
  | { readonly kind: 'refusal'; readonly reason: string };

function programOf(
  { form, text }: TaskSample,
  language: Language | undefined,
  { problem, settings }: RequestContext,
): Program {
  if (form === 'program') return { kind: 'program', code: text };
  const isContinuation = CONTINUATION.test(text);
  if (isContinuation && problem.isContinued === null)
    return {
      kind: 'refusal',
      reason: 'it goes on with a prompt that a test set does not keep: give --problems as well',
    };
  // What begins indented goes on with the prompt, whatever its docstrings and comments have in them.
  const isBare = settings.isRaw || !FENCE.test(text) || (isContinuation && problem.isContinued);
  if (isBare) return { kind: 'program', code: problem.toProgram(text) };
  const names = {
    id: language?.id ?? '',
    aliases: language?.aliases ?? [],
    fenceTags: language?.fence_tags ?? [],
  };
  const options =
    language === undefined ? { ...DEFAULT_EXTRACT, languageMatch: false } : DEFAULT_EXTRACT;
  const { code } = extractCode(text, { language: names, options });
  return code === null ? { kind: 'none' } : { kind: 'program', code: problem.toProgram(code) };
}
