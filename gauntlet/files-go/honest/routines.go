// Honest: Adds in other goroutines, one of which it leaves behind.
// Expected: accepted.
package main

func Add(x, y int) int {
	sums := make(chan int)
	go func() { sums <- x + y }()
	go func() { select {} }()
	return <-sums
}
