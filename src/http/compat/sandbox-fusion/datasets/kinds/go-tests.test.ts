/** Go's tests as a program. */
import { expect, it } from 'vitest';

import { goProgram } from './go-tests.ts';

it('puts packages, imports and mains together', () => {
  const { before, tests } = goProgram({
    before: `package add_test

import (
    "testing"
    "fmt"
)
import "sort"

func add(a int) int { return a }

func main() { fmt.Println(sort.IntSlice{}); TestAdd(nil); TestOther(nil) }

func TestAdd(t *testing.T) {}
func TestOther(t *testing.T) {}
`,
    tests: 'func TestAdd(t *testing.T) {\n\tx := 1\n}\n',
  });
  expect(before).toBe(`package main

import (
	"testing"
	"fmt"
	"sort"
)





func add(a int) int { return a }

func ownMain() { fmt.Println(sort.IntSlice{}); ownTestAdd(nil); TestOther(nil) }

func ownTestAdd(t *testing.T) {}
func TestOther(t *testing.T) {}
`);
  expect(tests).toBe(`func TestAdd(t *testing.T) {
	x := 1
}

func main() {
	all := func(_, _ string) (bool, error) { return true, nil }
	testing.Main(all, []testing.InternalTest{{Name: "TestAdd", F: TestAdd}}, nil, nil)
}
`);
});
