// Spins. Expected: time_limit (cpu).
package main

func main() {
	for {
	}
}
