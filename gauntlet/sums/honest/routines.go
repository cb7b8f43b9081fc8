// Honest: Computes in goroutines.
// Expected: accepted.
package main

import (
	"bufio"
	"fmt"
	"os"
	"sync"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	var t int
	fmt.Fscan(in, &t)
	sums := make([]int64, t)
	var group sync.WaitGroup
	for i := range sums {
		var a, b int64
		fmt.Fscan(in, &a, &b)
		group.Add(1)
		go func(i int) {
			defer group.Done()
			sums[i] = a + b
		}(i)
	}
	group.Wait()
	for _, sum := range sums {
		fmt.Println(sum)
	}
}
