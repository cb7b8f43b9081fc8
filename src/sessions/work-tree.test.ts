/** Trees as values: the digest says all that counts and nothing else, and changes make other trees. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type FileNode, TreeConflict, type TreeNode, WorkTree } from './work-tree.ts';

const name = fc.stringMatching(/^[a-c\n" é]{1,3}$/).filter((text) => !text.includes('/'));
const mode = fc.integer({ min: 0, max: 0o777 });
const mtimeUs = fc.nat();
const node: fc.Arbitrary<TreeNode> = fc.oneof(
  fc.record({
    kind: fc.constant('file' as const),
    mode,
    mtimeUs,
    digest: fc.constantFrom('aa', 'bb'),
    bytes: fc.nat({ max: 9000 }),
  }),
  fc.record({ kind: fc.constant('folder' as const), mode, mtimeUs }),
  fc.record({ kind: fc.constant('link' as const), target: name, mtimeUs }),
);
const entries = fc.uniqueArray(fc.tuple(name, node), { selector: ([path]) => path, maxLength: 8 });

const file = (digest = 'aa'): FileNode => ({
  kind: 'file',
  mode: 0o644,
  mtimeUs: 1,
  digest,
  bytes: 1,
});

/** What the digest is to tell apart, without the hash. */
function meaning(tree: WorkTree): string {
  const parts = tree.paths().map((path) => {
    const { mtimeUs: _, ...rest } = tree.nodes.get(path) ?? { mtimeUs: 0 };
    return [path, 'bytes' in rest ? { ...rest, bytes: 0 } : rest];
  });
  return JSON.stringify(parts);
}

describe('the digest of a tree', () => {
  it('depends on neither order nor times', () => {
    fc.assert(
      fc.property(entries, fc.nat(), (all, time) => {
        const tree = new WorkTree(new Map(all));
        const other = all
          .toReversed()
          .map(([path, each]) => [path, { ...each, mtimeUs: time }] as const);
        expect(new WorkTree(new Map(other)).digest).toBe(tree.digest);
      }),
    );
  });

  it('is the same exactly for the same names, kinds, modes, contents and targets', () => {
    fc.assert(
      fc.property(entries, entries, (one, two) => {
        const [a, b] = [new WorkTree(new Map(one)), new WorkTree(new Map(two))];
        expect(a.digest === b.digest).toBe(meaning(a) === meaning(b));
        const { added, changed, removed } = a.diffFrom(b);
        expect(added.length + changed.length + removed.length === 0).toBe(a.digest === b.digest);
      }),
    );
  });

  it('is told by any one change', () => {
    const tree = WorkTree.empty.withFile('d/a', file());
    const link = { kind: 'link', target: 'a', mtimeUs: 0 } as const;
    const others = [
      WorkTree.empty,
      tree.withFile('d/a', file('bb')),
      tree.withFile('d/a', { ...file(), mode: 0o755 }),
      tree.withFile('d/b', file()),
      tree.without('d/a'),
      new WorkTree(new Map([...tree.nodes, ['l', link] as const])),
      new WorkTree(new Map([...tree.nodes, ['l', { ...link, target: 'b' }] as const])),
    ];
    const digests = new Set([tree, ...others].map(({ digest }) => digest));
    expect(digests.size).toBe(others.length + 1);
  });
});

describe('changes of a tree', () => {
  it('makes the folders of a file, and takes away what lies below a path alone', () => {
    const tree = WorkTree.empty.withFile('a/b/c', file()).withFile('a/bc', file());
    expect(tree.paths()).toEqual(['a', 'a/b', 'a/b/c', 'a/bc']);
    expect(tree.without('a/b').paths()).toEqual(['a', 'a/bc']);
    expect(tree.without('nothing')).toBe(tree);
  });

  it('refuses a file where a folder is, and below a file or a link', () => {
    const tree = WorkTree.empty.withFile('a/b', file());
    const linked = new WorkTree(new Map([['l', { kind: 'link', target: 'a', mtimeUs: 0 }]]));
    expect(() => tree.withFile('a', file())).toThrow(TreeConflict);
    expect(() => tree.withFile('a/b/c', file())).toThrow(TreeConflict);
    expect(() => linked.withFile('l/x', file())).toThrow(TreeConflict);
    expect(linked.withFile('l', file()).nodes.get('l')?.kind).toBe('file');
  });

  it('counts whole pages', () => {
    const tree = WorkTree.empty.withFile('a', { ...file(), bytes: 4097 }).withFile('b', file());
    expect(tree.diskBytes).toBe(3 * 4096);
  });
});
