/**
 * What tests that are code ask of right programs, as models write them, over HTTP against real jails: none is refused; and
 * tests that test nothing reward nobody.
 */
import { describe, expect, it } from 'vitest';

import { asserts, type Tests, usePythonJudge } from '../support/python-judge.ts';

const { judge } = usePythonJudge();

describe('tests that test nothing', () => {
  it.each<Tests>([
    asserts('# nothing', 'assert f() == 1'),
    asserts('x = 1\nassert x == 1'),
    { kind: 'check', code: 'f\n', entry: 'f' },
    { kind: 'check', code: 'def check(candidate): pass\n', entry: 'f' },
    { kind: 'pytest', files: { 'test_f.py': 'import solution\ndef test(): pass\n' } },
  ])('are a fault, whatever the program is: %j', async (tests) => {
    const [right, wrong] = await Promise.all([
      judge('def f(): return 1\n', tests),
      judge('def f(): return 2\n', tests),
    ]);
    const fault = { reward: null, fault: { code: 'tests_broken' } };
    expect([right, wrong]).toMatchObject([fault, fault]);
  });
});

describe('what right programs are asked', () => {
  const right = async (code: string, test: string, level: 1 | 2 = 1): Promise<void> => {
    const tests: Tests = { kind: 'asserts', cases: [test], level };
    expect(await judge(code, tests)).toMatchObject({ message: '', verdict: 'accepted' });
  };

  it('by several threads at once', async () => {
    const code = `import threading
class Count:
    def __init__(self): self.n, self.lock = 0, threading.Lock()
    def add(self):
        with self.lock: self.n += 1
def each(f, xs):
    threads = [threading.Thread(target=f, args=(x,)) for x in xs]
    [t.start() for t in threads]
    [t.join() for t in threads]
`;
    const test = `import threading
c = Count()
threads = [threading.Thread(target=lambda: [c.add() for _ in range(50)]) for _ in range(4)]
[t.start() for t in threads]
[t.join() for t in threads]
assert c.n == 200`;
    await right(code, test);
    await right(code, 'got = []\neach(got.append, [1, 2, 3])\nassert sorted(got) == [1, 2, 3]', 2);
  });

  it('by coroutines, and tests that are some', async () => {
    const code = `import asyncio
async def twice(x):
    await asyncio.sleep(0)
    if x < 0: raise ValueError("negative")
    return 2 * x
async def count(n):
    for i in range(n): yield i
class Queue:
    def __init__(self): self.q = asyncio.Queue()
    async def put(self, x): await self.q.put(x)
    async def get(self): return await self.q.get()
`;
    await right(code, 'import asyncio\nassert asyncio.run(twice(2)) == 4');
    const test = `import asyncio, pytest
from solution import *
@pytest.mark.parametrize("x", [1, 2])
async def test_twice(x):
    assert await asyncio.gather(twice(x), twice(3)) == [2 * x, 6]
    with pytest.raises(ValueError, match="negative"): await twice(-1)
async def test_others():
    assert [i async for i in count(3)] == [0, 1, 2]
    q = Queue()
    await q.put(5)
    assert await q.get() == 5
async def test_wrong():
    assert await twice(1) == 3
`;
    const report = await judge(
      code,
      { kind: 'pytest', files: { 'test_f.py': test } },
      { stop: 'never' },
    );
    expect(report).toMatchObject({ passed: 3, total: 4 });
  });

  it('of their classes: ancestors, both sides of operators, sets, copies', async () => {
    const code = `import functools
class Animal:
    def __init__(self, n): self.n = n
    def __eq__(self, other): return self.n == other.n
    def __hash__(self): return hash(self.n)
class Dog(Animal):
    def __add__(self, other): return Dog(self.n + getattr(other, "n", other))
    __radd__ = __add__
`;
    await right(code, 'assert isinstance(Dog(1), Animal) and not isinstance(Animal(1), Dog)');
    await right(
      code,
      'import copy\na = Dog(1)\nb = copy.copy(a)\nb.n = 5\nassert (a.n, b.n) == (1, 5)',
    );
    await right(code, 'assert sum([Dog(1), Dog(2)]).n == 3 and len({Dog(1), Dog(1)}) == 1', 2);
  });

  it('of their errors: classes between, and attributes', async () => {
    const code = `class BankError(Exception): pass
class Other(BankError): pass
class Poor(BankError, ValueError):
    def __init__(self, need):
        super().__init__(f"need {need}")
        self.need = need
def pay(): raise Poor(3)
`;
    const test = `for error in Poor, BankError, ValueError:
    try: pay()
    except error as e: assert (e.need, str(e)) == (3, "need 3")
    else: assert False
try: pay()
except Other: assert False
except BankError: pass`;
    await right(code, test);
  });

  it('with functions of Python, paths and identifiers', async () => {
    const code = `from pathlib import Path
import ipaddress
def by(key, xs): return sorted(xs, key=key)
def under(path): return Path(path) / "x"
def next_to(address): return address + 1
def same(u): return u
`;
    await right(
      code,
      `import ipaddress, operator, uuid
from pathlib import Path
assert by(abs, [-3, 2]) == [2, -3] and by(operator.neg, [1, 2]) == [2, 1]
assert under(Path("/a")) == Path("/a/x")
assert next_to(ipaddress.ip_address("1.2.3.4")) == ipaddress.ip_address("1.2.3.5")
assert same(uuid.UUID(int=5)) == uuid.UUID(int=5)`,
    );
  });
});
