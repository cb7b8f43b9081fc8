// Prints the right answer and then indexes past the end. Expected: runtime_error (a panic, exit code 2).
package main

import "fmt"

func main() {
	var a, b int
	fmt.Scan(&a, &b)
	fmt.Println(a + b)
	fmt.Println([]int{a}[b])
}
