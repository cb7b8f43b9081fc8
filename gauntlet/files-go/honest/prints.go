// Honest: Prints before and while it is tested, what results look like too.
// Expected: accepted.
package main

import (
	"fmt"
	"os"
)

var started = fmt.Sprint("started")

func init() { fmt.Println(started, "--- FAIL: TestAdd") }

func Add(x, y int) int {
	fmt.Println("--- FAIL: TestTable")
	fmt.Fprintln(os.Stderr, "FAIL")
	return x + y
}

func main() { os.Exit(3) }
