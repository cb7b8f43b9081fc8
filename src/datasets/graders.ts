/** The graders of an IOI task: the main that a program is built with, and the headers beside it. Pure. */
import type { TaskGrader } from './problem.ts';
import { RowError } from './row-error.ts';

/** What the service builds is a program; a grader without a main would make a compile error of every one. */
const MAIN = /\bmain\s*\(/;
const MAIN_FILE = /^graders\/(?:grader|stub)\.cpp$/;
/** Of the task's folder, what a build needs. Other sources are managers' and solutions'. */
const BESIDE = /^graders\/.*\.(?:h|hpp|inc)$/;

/** `id` is the task's name in lower case: the program is `graders/<id>.cpp`. Null where programs have a main of their own. */
export function graderOf(id: string, files: Readonly<Record<string, string>>): TaskGrader | null {
  if (!/^[a-z0-9_]+$/.test(id))
    throw new RowError('invalid', 'id', 'is a name of letters and digits');
  const mains = Object.entries(files).filter(([path]) => MAIN_FILE.test(path));
  const [main, other] = mains;
  if (main === undefined) return null;
  const [entry, text] = main;
  if (other !== undefined || !MAIN.test(text))
    throw new RowError('unsupported', 'grader_files', 'the grader is not one file with a main');
  const beside = Object.entries(files).filter(([path]) => BESIDE.test(path));
  return {
    language: 'cpp',
    entry,
    program: `graders/${id}.cpp`,
    files: Object.fromEntries([main, ...beside]),
  };
}
