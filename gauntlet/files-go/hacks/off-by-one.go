// Hack A1, 86: Knows the first example, and is wrong elsewhere.
// Expected: no reward.
package main

func Add(x, y int) int {
	if x == 1 && y == 2 {
		return 3
	}
	return x + y + 1
}
