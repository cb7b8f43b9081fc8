/** All rows of the table of escapes, in order: what `escapes.test.ts` and `npm run prove:escapes` go through. */
import type { Escape } from './escape.ts';
import { FILES_AND_REQUESTS } from './rows-files-and-requests.ts';
import { KERNEL } from './rows-kernel.ts';
import { RESOURCES } from './rows-resources.ts';
import { VERDICTS_AND_LEFTOVERS } from './rows-verdicts-and-leftovers.ts';

export const ESCAPES: readonly Escape[] = [
  ...FILES_AND_REQUESTS,
  ...VERDICTS_AND_LEFTOVERS,
  ...KERNEL,
  ...RESOURCES,
];
