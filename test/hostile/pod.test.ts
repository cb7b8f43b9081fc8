/** A service in a pod that is a sandbox itself: real gVisor, the service inside it, jails of its own in there. */
import { describe, expect, it } from 'vitest';

import { gvisorWall, skipNote } from '../contract/walls.ts';
import { type PodAnswer, type PodLeft, PROGRAMS, namedBy } from '../pod/programs.ts';
import { inPod } from '../pod/sandbox.ts';

const { missing, program: runsc } = await gvisorWall('auto');
/** Starting Node and trying the wall take a minute in there. */
const TIMEOUT_MS = 300_000;

describe.skipIf(missing !== null)(`the wall of a pod${skipNote(missing)}`, () => {
  it.each([
    ['with cgroups of its own', true],
    ['whose cgroups are read-only', false],
  ])(
    'holds programs %s',
    async (_, hasCgroups) => {
      const words = hasCgroups ? ['python', 'c '] : ['python fills memory', 'python right'];
      const answers: PodAnswer[] = [];
      const left: PodLeft[] = [];
      await inPod(['test/pod/inside.ts', 'few', ...words], {
        runsc,
        hasCgroups,
        timeoutMs: TIMEOUT_MS,
        onAnswer: (answer) => void answers.push(answer),
        onLeft: (each) => void left.push(each),
      });
      for (const { name, expected } of namedBy(PROGRAMS, words)) {
        const answer = answers.find((each) => each.name === name);
        expect(answer, name).toMatchObject({ wall: 'pod', fault: null });
        expect(expected, name).toContain(answer?.verdict);
        expect(answer?.reward, name).toBe(answer?.verdict === 'accepted' ? 1 : 0);
      }
      expect(left).toHaveLength(1);
      expect(left[0]?.after).toEqual(left[0]?.before);
    },
    TIMEOUT_MS,
  );
});
