package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	var t, n int
	for fmt.Fscan(in, &t); t > 0; t-- {
		fmt.Fscan(in, &n)
		position := make([]int, n+1)
		for i := 0; i < n; i++ {
			var value int
			fmt.Fscan(in, &value)
			position[value] = i
		}
		left, right := n, -1
		var answer strings.Builder
		for m := 1; m <= n; m++ {
			left, right = min(left, position[m]), max(right, position[m])
			if right-left+1 == m {
				answer.WriteByte('1')
			} else {
				answer.WriteByte('0')
			}
		}
		fmt.Println(answer.String())
	}
}
