/** The comparison of a named grader, on bytes. Owns what is no text; the graders themselves see text only. */
import { isUtf8 } from 'node:buffer';

import type { Grader } from '../../domain/profile.ts';
import { appsCascade, primeCascade, rllmCascade, tacoCascade } from './cascades.ts';
import {
  codeContests,
  commonOj,
  decimalLines,
  diffB,
  stripped1000,
  strippedLines,
  tokenList,
  trailingStripped,
  whiteDiff,
  yesNoWords,
  zippedLines,
} from './line-graders.ts';

const GRADERS: Readonly<Record<Grader, (expected: string, printed: string) => boolean>> = {
  zipped_lines: zippedLines,
  decimal_lines: decimalLines,
  apps_cascade: appsCascade,
  prime_cascade: primeCascade,
  taco_cascade: tacoCascade,
  rllm_cascade: rllmCascade,
  code_contests: codeContests,
  common_oj: commonOj,
  yes_no_words: yesNoWords,
  diff_b: diffB,
  white_diff: whiteDiff,
  trailing_stripped: trailingStripped,
  stripped_1000: stripped1000,
  token_list: tokenList,
  stripped_lines: strippedLines,
};

/** Why it is not accepted; null where it is. Output that is no UTF-8 is right only where it is expected byte for byte. */
export function grade(grader: Grader, expected: Uint8Array, printed: Uint8Array): string | null {
  const [wanted, got] = [toBuffer(expected), toBuffer(printed)];
  if (!isUtf8(wanted) || !isUtf8(got)) {
    return wanted.equals(got) ? null : 'the output is not text in UTF-8';
  }
  const isAccepted = GRADERS[grader](wanted.toString('utf8'), got.toString('utf8'));
  return isAccepted ? null : `not equal by ${grader}`;
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
