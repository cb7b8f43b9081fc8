// Prints without end. Expected: output_limit.
package main

import "fmt"

func main() {
	for {
		fmt.Println("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx")
	}
}
