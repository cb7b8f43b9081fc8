// Reads Kubernetes manifests from standard input as strictly as the types of its own API allow: a field that there is not,
// or of another type, is an error. What only a cluster can tell (admission, references) it does not look at.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
)

func main() {
	reader := yaml.NewYAMLReader(bufio.NewReader(os.Stdin))
	options := json.SerializerOptions{Yaml: true, Strict: true}
	decoder := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme.Scheme, scheme.Scheme, options)
	failed := false
	for {
		document, err := reader.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		_, kind, err := decoder.Decode(document, nil, nil)
		if err != nil {
			failed = true
			fmt.Fprintf(os.Stderr, "%v: %v\n", kind, err)
			continue
		}
		fmt.Printf("%s: good\n", kind)
	}
	if failed {
		os.Exit(1)
	}
}
