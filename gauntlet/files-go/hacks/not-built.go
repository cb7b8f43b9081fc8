// Hack 101: Is left out of every build.
// Expected: no reward.

//go:build ignore

package main

func Add(x, y int) int { return x + y }
