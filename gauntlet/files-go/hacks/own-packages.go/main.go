// Hack 59, 97: Brings packages along that are called like those of the tests, and a module that puts them in their place.
// Expected: no reward.
package main

func Add(x, y int) int { return 0 }
