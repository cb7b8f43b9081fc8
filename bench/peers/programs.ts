/**
 * The programs that all contenders judge, as data: the same small problem in each language, written as models write
 * it. Reads `n k` and n numbers; prints the sum of the k least, the greatest common divisor of all, and the most
 * frequent number with its count. So little work that what is measured is the judge.
 */
import type { Random } from '../lib/random.ts';
import type { ContenderId, StdinTest } from './contender.ts';

/** What must hold between the medians of one run. */
export type Target =
  /** Tests a second of `who`, in multiples of those of `against`. */
  | { kind: 'rate'; who: ContenderId; against: ContenderId; atLeast: number }
  /** Time per test of `who`, in multiples of that of `against`. */
  | { kind: 'cost'; who: ContenderId; against: ContenderId; atMost: number }
  /** The compile phase of a submission. */
  | { kind: 'compile'; who: ContenderId; belowMs: number };

export interface PeerProgram {
  /** Name of the scenario without its prefix. */
  readonly name: string;
  readonly title: string;
  readonly language: string;
  /** An environment that has to be there; null for the language's default. */
  readonly environment: string | null;
  readonly file: string;
  /** What begins a comment: every submission gets a line of its own, so that no cache can help. */
  readonly comment: string;
  readonly code: string;
  /** What plain subprocesses do; `{python}` and the like are tools. */
  readonly compile: readonly string[] | null;
  readonly run: readonly string[];
  /** What the compile step leaves, for a judge that has to be told. */
  readonly artefacts: readonly string[];
  /** A last line that makes isolates leave the program to a process; null where there are none. */
  readonly fullPath: string | null;
  /** Modules of the interpreter that is forked warm; null where programs are executed. */
  readonly warmModules: readonly string[] | null;
  /** Python packages that plain runs need. */
  readonly packages: readonly string[];
  readonly contenders: readonly ContenderId[];
  /** Why the others are not there. */
  readonly absent: readonly string[];
  readonly targets: readonly Target[];
}

const INTERPRETED = ['assay', 'assay-cold', 'plain'] as const;
const COMPILED = ['assay', 'assay-seen', 'plain', 'limit'] as const;
const NO_WARM_LIMIT = 'no bare limit: this runtime cannot be forked';

const PYTHON_MODULES = ['bisect', 'collections', 'functools', 'heapq', 'itertools', 'json'];
const MORE_MODULES = ['math', 're', 'string', 'typing'];

const PYTHON = `
import sys, math, re, json, heapq, itertools
from bisect import bisect_left
from collections import Counter, defaultdict, deque
from functools import lru_cache, reduce
from string import ascii_lowercase
from typing import Dict, List, Optional, Tuple

def main():
    words = re.split(r"\\s+", sys.stdin.read().strip())
    n, k = int(words[0]), int(words[1])
    a = list(map(int, itertools.islice(words, 2, 2 + n)))
    print(sum(heapq.nsmallest(k, a)))
    print(reduce(math.gcd, a))
    value, count = min(Counter(a).items(), key=lambda item: (-item[1], item[0]))
    print(json.dumps([value, count]))

main()
`;

const NUMPY = `
import sys
import numpy as np

def main():
    words = np.array(sys.stdin.read().split(), dtype=np.int64)
    n, k = int(words[0]), int(words[1])
    a = np.sort(words[2:2 + n])
    print(int(a[:k].sum()))
    print(int(np.gcd.reduce(a)))
    values, counts = np.unique(a, return_counts=True)
    best = int(np.argmax(counts))
    print(f"[{int(values[best])}, {int(counts[best])}]")

main()
`;

const JAVASCRIPT = `
const lines = require('fs').readFileSync(0, 'utf8').trim().split('\\n');
const [n, k] = lines[0].split(' ').map(Number);
const a = lines[1].split(' ').map(Number).slice(0, n).sort((x, y) => x - y);
const gcd = (x, y) => (y === 0 ? x : gcd(y, x % y));
console.log(a.slice(0, k).reduce((sum, x) => sum + x, 0));
console.log(a.reduce(gcd));
const counts = new Map();
for (const x of a) counts.set(x, (counts.get(x) ?? 0) + 1);
const [value, count] = [...counts].sort((p, q) => q[1] - p[1] || p[0] - q[0])[0];
console.log(\`[\${value}, \${count}]\`);
`;

const TYPESCRIPT = `
import { readFileSync } from 'node:fs';

type Entry = [value: number, count: number];
const lines: string[] = readFileSync(0, 'utf8').trim().split('\\n');
const [n, k] = (lines[0] as string).split(' ').map(Number) as [number, number];
const a: number[] = lines[1]!.split(' ').map(Number).slice(0, n).sort((x, y) => x - y);
const gcd = (x: number, y: number): number => (y === 0 ? x : gcd(y, x % y));
console.log(a.slice(0, k).reduce((sum, x) => sum + x, 0));
console.log(a.reduce(gcd));
const counts = new Map<number, number>();
for (const x of a) counts.set(x, (counts.get(x) ?? 0) + 1);
const [value, count] = ([...counts] as Entry[]).sort((p, q) => q[1] - p[1] || p[0] - q[0])[0]!;
console.log(\`[\${value}, \${count}]\`);
`;

const CPP = `
#include <bits/stdc++.h>
using namespace std;

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n, k;
    cin >> n >> k;
    vector<long long> a(n);
    for (auto &x : a) cin >> x;
    sort(a.begin(), a.end());
    cout << accumulate(a.begin(), a.begin() + k, 0LL) << "\\n";
    long long g = 0;
    map<long long, int> counts;
    for (auto x : a) g = __gcd(g, x), counts[x]++;
    cout << g << "\\n";
    pair<long long, int> best = *counts.begin();
    for (auto &entry : counts) if (entry.second > best.second) best = entry;
    cout << "[" << best.first << ", " << best.second << "]\\n";
}
`;

const JAVA = `
import java.util.*;
import java.io.*;

public class Main {
    static long gcd(long a, long b) { return b == 0 ? a : gcd(b, a % b); }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        StringTokenizer head = new StringTokenizer(in.readLine());
        int n = Integer.parseInt(head.nextToken()), k = Integer.parseInt(head.nextToken());
        StringTokenizer line = new StringTokenizer(in.readLine());
        long[] a = new long[n];
        for (int i = 0; i < n; i++) a[i] = Long.parseLong(line.nextToken());
        Arrays.sort(a);
        long sum = 0, g = 0;
        Map<Long, Integer> counts = new TreeMap<>();
        for (int i = 0; i < n; i++) {
            if (i < k) sum += a[i];
            g = gcd(g, a[i]);
            counts.merge(a[i], 1, Integer::sum);
        }
        System.out.println(sum);
        System.out.println(g);
        long value = 0;
        int count = 0;
        for (Map.Entry<Long, Integer> entry : counts.entrySet()) {
            if (entry.getValue() > count) { value = entry.getKey(); count = entry.getValue(); }
        }
        System.out.println("[" + value + ", " + count + "]");
    }
}
`;

const GO = `
package main

import (
	"bufio"
	"fmt"
	"os"
	"sort"
)

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func main() {
	in := bufio.NewReader(os.Stdin)
	var n, k int
	fmt.Fscan(in, &n, &k)
	a := make([]int, n)
	for i := range a {
		fmt.Fscan(in, &a[i])
	}
	sort.Ints(a)
	sum, g, counts := 0, 0, map[int]int{}
	for i, x := range a {
		if i < k {
			sum += x
		}
		g = gcd(g, x)
		counts[x]++
	}
	value, count := 0, 0
	for _, x := range a {
		if counts[x] > count {
			value, count = x, counts[x]
		}
	}
	fmt.Printf("%d\\n%d\\n[%d, %d]\\n", sum, g, value, count)
}
`;

const rate = (who: ContenderId, against: ContenderId, atLeast: number): Target => ({
  kind: 'rate',
  who,
  against,
  atLeast,
});

const PYTHON_PROGRAM: PeerProgram = {
  name: 'python',
  title: 'Python with typical imports',
  language: 'python',
  environment: null,
  file: 'main.py',
  comment: '#',
  code: PYTHON,
  compile: null,
  run: ['{python}', 'main.py'],
  artefacts: [],
  fullPath: null,
  warmModules: [...PYTHON_MODULES, ...MORE_MODULES],
  packages: [],
  contenders: [...INTERPRETED, 'limit', 'go-judge'],
  absent: [],
  targets: [
    rate('assay', 'plain', 10),
    { kind: 'cost', who: 'assay', against: 'limit', atMost: 1.6 },
    rate('assay', 'go-judge', 5),
  ],
};

const JAVASCRIPT_PROGRAM: PeerProgram = {
  name: 'javascript',
  title: 'JavaScript',
  language: 'javascript',
  environment: null,
  file: 'main.js',
  comment: '//',
  code: JAVASCRIPT,
  compile: null,
  run: ['{node}', 'main.js'],
  artefacts: [],
  fullPath: '// WebAssembly',
  warmModules: null,
  packages: [],
  contenders: ['assay', 'assay-full', 'assay-cold', 'plain', 'go-judge'],
  absent: [NO_WARM_LIMIT],
  targets: [
    rate('assay', 'plain', 10),
    rate('assay-full', 'plain', 1),
    rate('assay', 'go-judge', 5),
  ],
};

export const PEER_PROGRAMS: readonly PeerProgram[] = [
  PYTHON_PROGRAM,
  {
    ...PYTHON_PROGRAM,
    name: 'numpy',
    title: 'Python with numpy',
    environment: 'scientific',
    code: NUMPY,
    warmModules: ['numpy'],
    packages: ['numpy'],
    contenders: [...INTERPRETED, 'limit'],
    absent: ['no go-judge: its container would need the same packages'],
    targets: [rate('assay', 'plain', 15)],
  },
  JAVASCRIPT_PROGRAM,
  {
    ...JAVASCRIPT_PROGRAM,
    name: 'typescript',
    title: 'TypeScript',
    language: 'typescript',
    file: 'main.ts',
    code: TYPESCRIPT,
    run: ['{node}', 'main.ts'],
  },
  {
    name: 'cpp',
    title: 'C++ with bits/stdc++.h',
    language: 'cpp',
    environment: null,
    file: 'main.cpp',
    comment: '//',
    code: CPP,
    compile: ['{g++}', '-O2', '-std=gnu++17', '-o', 'main', 'main.cpp'],
    run: ['./main'],
    artefacts: ['main'],
    fullPath: null,
    warmModules: null,
    packages: [],
    contenders: [...COMPILED, 'go-judge'],
    absent: [],
    targets: [
      rate('assay', 'plain', 2),
      rate('assay', 'go-judge', 2),
      { kind: 'compile', who: 'assay-seen', belowMs: 10 },
    ],
  },
  {
    name: 'java',
    title: 'Java',
    language: 'java',
    environment: null,
    file: 'Main.java',
    comment: '//',
    code: JAVA,
    compile: ['{javac}', 'Main.java'],
    run: ['{java}', '-cp', '.', 'Main'],
    artefacts: ['Main.class'],
    fullPath: null,
    warmModules: null,
    packages: [],
    contenders: [...COMPILED, 'go-judge'],
    absent: [],
    targets: [rate('assay', 'plain', 2), rate('assay', 'go-judge', 1.5)],
  },
  {
    name: 'go',
    title: 'Go',
    language: 'go',
    environment: null,
    file: 'main.go',
    comment: '//',
    code: GO,
    compile: ['{go}', 'build', '-o', 'main', 'main.go'],
    run: ['./main'],
    artefacts: ['main'],
    fullPath: null,
    warmModules: null,
    packages: [],
    contenders: [...COMPILED],
    absent: ['no go-judge: without a build cache it would compile the standard library each time'],
    targets: [],
  },
];

const NUMBERS = 24;

/** Tests of the problem with their right answers, which no program had a part in. */
export function createTests(random: Random, count: number): StdinTest[] {
  return Array.from({ length: count }, () => {
    const k = random.int(1, NUMBERS);
    const factor = random.int(1, 9);
    const a = Array.from({ length: NUMBERS }, () => random.int(1, 40) * factor);
    const sorted = a.toSorted((x, y) => x - y);
    const sum = sorted.slice(0, k).reduce((total, x) => total + x, 0);
    const countOf = (value: number): number => a.filter((x) => x === value).length;
    const best = sorted.reduce((so, x) => (countOf(x) > countOf(so) ? x : so));
    return {
      stdin: `${NUMBERS} ${k}\n${a.join(' ')}\n`,
      expected: `${sum}\n${a.reduce(gcd)}\n[${best}, ${countOf(best)}]\n`,
    };
  });
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}

/** Sources that differ in a comment only: the program as one that nobody has seen. */
export function createSources(program: PeerProgram, seed: number): () => string {
  let number = 0;
  return () => {
    number += 1;
    return `${program.comment} ${seed}.${process.pid}.${number}\n${program.code}`;
  };
}
