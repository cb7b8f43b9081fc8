// Honest: Is a module of two packages.
// Expected: accepted.
package main

import "example.com/adding/sums"

func Add(x, y int) int { return sums.Of(x, y) }
