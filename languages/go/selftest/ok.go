// Reads two integers and prints their sum. Expected: accepted; a program that prints nothing is not.
package main

import "fmt"

func main() {
	var a, b int
	fmt.Scan(&a, &b)
	fmt.Println(a + b)
}
