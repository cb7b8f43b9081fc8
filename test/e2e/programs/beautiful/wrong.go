// Writes to a map that was never made.
package main

func main() {
	var seen map[int]bool
	seen[1] = true
}
