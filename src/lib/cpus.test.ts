/** Reading the kernel's list format (cpuset(7), "List format"). */
import { describe, expect, it } from 'vitest';

import { allowedCpus } from './cpus.ts';

describe('allowedCpus', () => {
  it.each([
    ['Cpus_allowed_list:\t0-3\n', [0, 1, 2, 3]],
    ['Cpus_allowed_list:\t1,4-5,9\n', [1, 4, 5, 9]],
    ['nothing of the kind\n', [0]],
  ])('reads %j', (status, cpus) => {
    expect(allowedCpus(status)).toEqual(cpus);
  });
});
