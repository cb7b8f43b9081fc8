// Calls what a program defines: {"args": […]} on stdin, the result as JSON in the last line of stdout. Whatever the program
// prints goes where its errors go. What it forges here it could as well have returned.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
)

func main() {
	out := os.Stdout
	os.Stdout = os.Stderr
	var request struct {
		Args []json.RawMessage `json:"args"`
	}
	if err := json.NewDecoder(bufio.NewReader(os.Stdin)).Decode(&request); err != nil {
		assayRefuse(err)
	}
	entry := reflect.ValueOf(__EXPRESSION__)
	kind := entry.Type()
	if kind.NumIn() != len(request.Args) {
		assayRefuse(fmt.Errorf("another number of arguments"))
	}
	values := make([]reflect.Value, len(request.Args))
	for i, text := range request.Args {
		value := reflect.New(kind.In(i))
		if err := json.Unmarshal(text, value.Interface()); err != nil {
			assayRefuse(err)
		}
		values[i] = value.Elem()
	}
	var result any
	if results := entry.Call(values); len(results) == 1 {
		result = results[0].Interface()
		if results[0].Kind() == reflect.Slice && results[0].IsNil() {
			result = []any{}
		}
	} else if len(results) > 1 {
		list := make([]any, len(results))
		for i, each := range results {
			list[i] = each.Interface()
		}
		result = list
	}
	text, err := json.Marshal(result)
	if err != nil {
		assayRefuse(err)
	}
	fmt.Fprintf(out, "\n%s\n", text)
}

func assayRefuse(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
