/** Where a candidate's files lie beside the program that loads them. Pure. */
import type { SourceFile } from '../../domain/submission.ts';
import type { Program } from '../program.ts';

/** Tells the loader which file is the candidate's. */
const POINTER = 'solution.json';

/**
 * The program's files with the main one under a name that is not the loader's, and the pointer to it. `sourceFile` is
 * the name that the loader takes.
 */
export function candidateFiles(program: Program, sourceFile: string): readonly SourceFile[] {
  const taken = new Set([...program.files.map(({ path }) => path), sourceFile, POINTER]);
  const moved = program.files.flatMap((file): SourceFile[] => {
    if (file.path !== sourceFile) return file.path === POINTER ? [] : [file];
    return program.entry === sourceFile
      ? [{ path: freeName(taken, sourceFile), content: file.content }]
      : [];
  });
  const path = program.entry === sourceFile ? freeName(taken, sourceFile) : program.entry;
  const pointer = { path: POINTER, content: Buffer.from(JSON.stringify({ path })) };
  return [...moved, pointer];
}

function freeName(taken: ReadonlySet<string>, sourceFile: string): string {
  const extension = sourceFile.slice(sourceFile.lastIndexOf('.'));
  for (let n = 0; ; n += 1) {
    const name = n === 0 ? `solution${extension}` : `solution_${n}${extension}`;
    if (!taken.has(name)) return name;
  }
}
