// Hack 91, A2: Never answers.
// Expected: no reward.
package main

func Add(x, y int) int {
	for {
	}
}
