// Reads tests that are to share a process with the program, and says which they are, where notes go into their text, and
// which literals of it can be altered so that a right program must fail. No candidate is here.
package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"
)

type near struct {
	Abs float64 `json:"abs"`
}

// A site is a literal, by its bytes; altered, assertion At fails, once for each Cell.
type site struct {
	At      int      `json:"at"`
	Kind    string   `json:"kind"`
	Start   int      `json:"start"`
	End     int      `json:"end"`
	Literal string   `json:"literal"`
	Texts   []string `json:"texts"`
	Row     *int     `json:"row"`
	Cell    *int     `json:"cell"`
	Near    *near    `json:"near"`
}

type unit struct {
	ID      string `json:"id"`
	Piece   string `json:"piece"`
	HasRows bool   `json:"has_rows"`
	Rows    *int   `json:"rows"`
	Shown   bool   `json:"shown"`
	Sure    []int  `json:"sure"`
	Sites   []site `json:"sites"`
}

// A splice puts text in the place of bytes of a piece.
type splice struct {
	Piece string `json:"piece"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text"`
}

type plan struct {
	Units   []unit   `json:"units"`
	Splices []splice `json:"splices"`
	Args    []string `json:"args"`
}

// problem says why tests cannot be judged so; broken why they are none.
type problem string
type broken string

func main() {
	answer, err := json.Marshal(planned(read()))
	if err != nil {
		panic(err)
	}
	head := make([]byte, 4)
	binary.BigEndian.PutUint32(head, uint32(len(answer)))
	os.Stdout.Write(append(head, answer...))
}

func read() map[string]string {
	input, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	var tests struct {
		Files map[string]string `json:"files"`
	}
	if err := json.Unmarshal(input[4:], &tests); err != nil {
		panic(err)
	}
	return tests.Files
}

func planned(files map[string]string) (answer any) {
	defer func() {
		switch said := recover().(type) {
		case nil:
		case problem:
			answer = map[string]string{"problem": string(said)}
		case broken:
			answer = map[string]string{"broken": string(said)}
		default:
			panic(said)
		}
	}()
	paths := []string{}
	folders := map[string]bool{}
	for path := range files {
		if strings.HasSuffix(path, "_test.go") {
			paths = append(paths, path)
			folders[path[:strings.LastIndex(path, "/")+1]] = true
		}
	}
	sort.Strings(paths)
	if len(folders) > 1 {
		panic(problem("the tests are in more than one folder"))
	}
	made := newTests(paths, files).plan()
	if len(made.Units) == 0 {
		panic(problem("there are no tests in them"))
	}
	bare := []string{}
	for _, each := range made.Units {
		if len(each.Sites) == 0 {
			bare = append(bare, each.ID)
		}
	}
	if len(bare) > 0 {
		panic(problem(fmt.Sprintf("%d tests (%s …) have no expected literal that could be altered", len(bare), bare[0])))
	}
	return made
}
