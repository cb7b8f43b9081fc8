package main

import (
	"bufio"
	"os"
	"strconv"
)

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Split(bufio.ScanWords)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	next := func() int {
		in.Scan()
		value, err := strconv.Atoi(in.Text())
		if err != nil {
			panic(err)
		}
		return value
	}
	for t := next(); t > 0; t-- {
		n := next()
		var s [3][]int
		for j := range s {
			for i := 0; i < n; i++ {
				s[j] = append(s[j], next())
			}
		}
		p := make([]int, n)
		for i := range p {
			for _, row := range s {
				if i == 0 || row[i] != p[i-1] && (i < n-1 || row[i] != p[0]) {
					p[i] = row[i]
					break
				}
			}
			out.WriteString(strconv.Itoa(p[i]) + " ")
		}
		out.WriteByte('\n')
	}
}
