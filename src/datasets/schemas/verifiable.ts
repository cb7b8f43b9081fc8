/** "Verifiable coding problems" of PrimeIntellect (SYNTHETIC-1; literals as text) and of Open R1 (structures). */
import { decodeField } from '../decode/decode.ts';
import { isList, isObject } from '../decode/value.ts';
import { has, limitsOf, objectOf, textOf, unfenced, type Row } from '../fields.ts';
import type { Problem } from '../problem.ts';
import { RowError } from '../row-error.ts';
import { noTests, toTests } from '../test-list.ts';
import { referenceOf, toProblemOf, type Schema } from './schema.ts';

export const verifiable: Schema = {
  name: 'verifiable',
  looksFor: 'verification_info',
  matches: (row) => Object.hasOwn(row, 'verification_info'),
  read,
};

const PATH = 'verification_info';

function read(row: Row): Problem {
  const info = decodeField(row[PATH], PATH);
  if (info === null) throw noTests(PATH);
  const path = isList(info) ? PATH : `${PATH}.test_cases`;
  const list = isList(info) ? info : decodeField(objectOf(info)['test_cases'], path);
  if (!isList(info) && !isObject(info)) throw new RowError('invalid', PATH, 'is an object');
  const metadata = objectOf(has(row, 'metadata') ? decodeField(row['metadata'], 'metadata') : null);
  const language = textOf(objectOf(info), 'language') ?? 'python';
  const solution = textOf(row, 'gold_standard_solution');
  const code = solution === null ? null : unfenced(solution);
  const bytes = metadata['memory_limit_bytes'] ?? null;
  const { limits, notes } = limitsOf({
    time: metadata['time_limit'],
    memory: bytes ?? metadata['memory_limit'],
    memoryUnit: bytes === null ? 'mb' : 'bytes',
  });
  return toProblemOf('verifiable', row, {
    language,
    tests: toTests(list, {
      path,
      textArgs: 'list',
      isLoose: true,
      hints: [code, textOf(row, 'starter_code')],
    }),
    limits,
    notes,
    reference: referenceOf(language, code),
  });
}
