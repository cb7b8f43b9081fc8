/** The list behaves as an array would, whatever is pushed and removed. */
import fc from 'fast-check';
import { expect, it } from 'vitest';

import { LinkedList, type Link } from './linked-list.ts';

it('holds what was pushed and not removed, in order', () => {
  const step = fc.option(fc.nat(30), { nil: null, freq: 2 });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const list = new LinkedList<number>();
      const links: Link<number>[] = [];
      let model: number[] = [];
      for (const at of steps) {
        if (at === null) {
          model.push(links.length);
          links.push(list.push(links.length));
        } else if (links.length > 0) {
          const value = at % links.length;
          const link = links[value];
          if (link === undefined) throw new Error('no such link');
          expect(list.remove(link)).toBe(model.includes(value));
          model = model.filter((each) => each !== value);
        }
        expect([...list]).toEqual(model);
        expect(list.length).toBe(model.length);
        expect(list.first).toBe(model[0]);
      }
    }),
  );
});

it('does not take out what belongs to another', () => {
  const [one, other] = [new LinkedList<string>(), new LinkedList<string>()];
  const link = one.push('a');
  expect(other.remove(link)).toBe(false);
  expect([...one]).toEqual(['a']);
});
