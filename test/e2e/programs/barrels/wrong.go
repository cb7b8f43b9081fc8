// Waits for a message that nobody sends: the runtime says deadlock.
package main

import "fmt"

func main() {
	messages := make(chan int)
	fmt.Println(<-messages)
}
