package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

const noteImport = `;import assaynote "assay.local/note"`

type file struct {
	piece string
	text  string
	tree  *ast.File
	base  int
}

// tests are all files with tests of one folder.
type tests struct {
	files   []*file
	numbers map[*ast.IfStmt]int
	// Functions of the test files by name, and tables and literals that they all see.
	functions map[string]*ast.FuncDecl
	globals   map[string]ast.Expr
	types     map[string]ast.Expr
	// How often names are read in all files.
	reads   map[string]int
	splices []splice
	// Assertions that must go on when they fail, for what is behind them.
	softened map[int]bool
	set      *token.FileSet
}

func newTests(paths []string, texts map[string]string) *tests {
	all := &tests{
		set: token.NewFileSet(), numbers: map[*ast.IfStmt]int{}, functions: map[string]*ast.FuncDecl{},
		globals: map[string]ast.Expr{}, types: map[string]ast.Expr{}, softened: map[int]bool{}, reads: map[string]int{},
	}
	for _, name := range paths {
		tree, err := parser.ParseFile(all.set, name, texts[name], parser.SkipObjectResolution)
		if err != nil {
			panic(broken(err.Error()))
		}
		each := &file{"files/" + name, texts[name], tree, all.set.File(tree.Pos()).Base()}
		all.files = append(all.files, each)
		all.checkImports(each, name)
		ast.Inspect(tree, func(node ast.Node) bool {
			if found, ok := node.(*ast.IfStmt); ok && isFailing(found) {
				all.numbers[found] = len(all.numbers)
			}
			return true
		})
		all.declare(tree)
		ast.Inspect(tree, func(node ast.Node) bool {
			if name, ok := node.(*ast.Ident); ok {
				all.reads[name.Name]++
			}
			return true
		})
	}
	return all
}

func (all *tests) declare(tree *ast.File) {
	for _, decl := range tree.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil && decl.Body != nil {
				all.functions[decl.Name.Name] = decl
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					all.types[spec.Name.Name] = spec.Type
				case *ast.ValueSpec:
					if len(spec.Names) == 1 && len(spec.Values) == 1 {
						all.globals[spec.Names[0].Name] = spec.Values[0]
						all.reads[spec.Names[0].Name]--
					}
				}
			}
		}
	}
}

// checkImports refuses what no program could bring: the standard library has it or nobody.
func (all *tests) checkImports(each *file, name string) {
	used := map[string]bool{}
	ast.Inspect(each.tree, func(node ast.Node) bool {
		if selector, ok := node.(*ast.SelectorExpr); ok {
			if owner, ok := selector.X.(*ast.Ident); ok {
				used[owner.Name] = true
			}
		}
		return true
	})
	for _, spec := range each.tree.Imports {
		imported := strings.Trim(spec.Path.Value, "\"`")
		first := strings.SplitN(imported, "/", 2)[0]
		if strings.Contains(first, ".") && strings.Count(imported, "/") >= 2 && isHosted(first) {
			panic(broken(fmt.Sprintf("%s imports %s, which is not here", name, imported)))
		}
		if standard[first] && spec.Name == nil && !used[path.Base(imported)] && !isVersion(path.Base(imported)) {
			panic(broken(fmt.Sprintf("%s imports %s and does not use it", name, imported)))
		}
	}
}

// Parts of the standard library that tests use; there the last word of a path is the package's name.
var standard = map[string]bool{
	"bytes": true, "cmp": true, "container": true, "context": true, "encoding": true, "errors": true, "fmt": true,
	"io": true, "maps": true, "math": true, "os": true, "reflect": true, "regexp": true, "slices": true, "sort": true,
	"strconv": true, "strings": true, "sync": true, "testing": true, "time": true, "unicode": true,
}

// isHosted: libraries that tests bring from outside; a module of the program may well be called so, but is then theirs.
func isHosted(host string) bool {
	return host == "gopkg.in" || host == "golang.org" || host == "gotest.tools"
}

func isVersion(name string) bool {
	return len(name) > 1 && name[0] == 'v' && name[1] >= '0' && name[1] <= '9'
}

func (all *tests) plan() plan {
	made := plan{Args: []string{}}
	seen := map[string]bool{}
	cases := []*ast.FuncDecl{}
	owners := []*file{}
	for _, each := range all.files {
		for _, decl := range each.tree.Decls {
			function, ok := decl.(*ast.FuncDecl)
			if !ok || !isTest(function) {
				continue
			}
			if seen[function.Name.Name] {
				panic(problem("two tests are called " + function.Name.Name))
			}
			seen[function.Name.Name] = true
			cases, owners = append(cases, function), append(owners, each)
		}
	}
	for at, function := range cases {
		made.Units = append(made.Units, all.unit(owners[at], function))
		call := fmt.Sprintf("assaynote.Test(%%s, %q, %d)", function.Name.Name, len(cases))
		all.begin(owners[at], function.Type, function.Body, call)
	}
	for _, each := range all.files {
		all.instrument(each)
	}
	// In order, and of the same place the one that was there first in front.
	sort.SliceStable(all.splices, func(i, j int) bool {
		a, b := all.splices[i], all.splices[j]
		return a.Piece < b.Piece || a.Piece == b.Piece && a.Start < b.Start
	})
	made.Splices = all.splices
	return made
}

func isTest(function *ast.FuncDecl) bool {
	name := strings.TrimPrefix(function.Name.Name, "Test")
	first, _ := utf8.DecodeRuneInString(name)
	isName := name != function.Name.Name && (name == "" || !unicode.IsLower(first))
	return isName && function.Recv == nil && function.Body != nil && isOfT(function.Type)
}

// isOfT: a function whose one parameter is a *testing.T.
func isOfT(kind *ast.FuncType) bool {
	if kind.Params.NumFields() != 1 || kind.Results.NumFields() > 0 {
		return false
	}
	pointer, ok := kind.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	selector, ok := pointer.X.(*ast.SelectorExpr)
	return ok && selector.Sel.Name == "T"
}

func (each *file) at(pos token.Pos) int { return int(pos) - each.base }

func (each *file) source(node ast.Node) string {
	return each.text[each.at(node.Pos()):each.at(node.End())]
}

func (all *tests) put(each *file, start, end token.Pos, text string) {
	all.splices = append(all.splices, splice{each.piece, each.at(start), each.at(end), text})
}

// begin puts a deferred call, which names the test, at the front of a body.
func (all *tests) begin(each *file, kind *ast.FuncType, body *ast.BlockStmt, call string) {
	field := kind.Params.List[0]
	name := "assayT"
	switch {
	case len(field.Names) == 0:
		all.put(each, field.Type.Pos(), field.Type.Pos(), name+" ")
	case field.Names[0].Name == "_":
		all.put(each, field.Names[0].Pos(), field.Names[0].End(), name)
	default:
		name = field.Names[0].Name
	}
	all.put(each, body.Lbrace+1, body.Lbrace+1, " defer "+fmt.Sprintf(call, name)+"();")
}

// instrument has every assertion note how it went, and all tests run one after the other.
func (all *tests) instrument(each *file) {
	all.put(each, each.tree.Name.End(), each.tree.Name.End(), noteImport)
	inChain := map[*ast.IfStmt]bool{}
	ast.Inspect(each.tree, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.FuncLit:
			if isOfT(node.Type) {
				all.begin(each, node.Type, node.Body, "assaynote.Sub(%s)")
			}
		case *ast.ExprStmt:
			if name, _ := called(node.X); name == "Parallel" {
				all.put(each, node.Pos(), node.End(), "{}")
			}
		case *ast.IfStmt:
			if !inChain[node] {
				all.noteChain(each, node, inChain)
			}
			if number, ok := all.numbers[node]; ok && all.softened[number] {
				all.soften(each, node.Body)
			}
		}
		return true
	})
	if len(all.numbers) == 0 {
		panic(problem("there is no assertion in the tests: if … { t.Error(…) }"))
	}
	// What is imported must be used, in a file of helpers too.
	all.put(each, each.tree.End(), each.tree.End(), "\nvar _ = assaynote.Pass\n")
}

func (all *tests) noteChain(each *file, head *ast.IfStmt, inChain map[*ast.IfStmt]bool) {
	passed := ""
	for current := head; ; {
		if number, ok := all.numbers[current]; ok {
			all.put(each, current.Body.Lbrace+1, current.Body.Lbrace+1, fmt.Sprintf(" assaynote.Fail(%d);", number))
			passed += fmt.Sprintf(" assaynote.Pass(%d);", number)
		}
		switch next := current.Else.(type) {
		case *ast.IfStmt:
			inChain[next] = true
			current = next
			continue
		case *ast.BlockStmt:
			all.put(each, next.Lbrace+1, next.Lbrace+1, passed)
		default:
			if passed != "" {
				all.put(each, current.Body.End(), current.Body.End(), " else {"+passed+" }")
			}
		}
		return
	}
}

var softer = map[string]string{"Fatal": "Error", "Fatalf": "Errorf", "FailNow": "Fail"}

func (all *tests) soften(each *file, body *ast.BlockStmt) {
	for _, statement := range body.List {
		switch statement := statement.(type) {
		case *ast.ExprStmt:
			if name, selector := called(statement.X); softer[name] != "" {
				all.put(each, selector.Sel.Pos(), selector.Sel.End(), softer[name])
			}
		case *ast.ReturnStmt:
			if len(statement.Results) == 0 {
				all.put(each, statement.Pos(), statement.End(), "{}")
			}
		case *ast.BranchStmt:
			if statement.Label == nil && statement.Tok != token.FALLTHROUGH {
				all.put(each, statement.Pos(), statement.End(), "{}")
			}
		}
	}
}

var failing = map[string]bool{"Error": true, "Errorf": true, "Fatal": true, "Fatalf": true, "Fail": true, "FailNow": true}

// isFailing: an if whose body fails the test.
func isFailing(statement *ast.IfStmt) bool {
	for _, each := range statement.Body.List {
		if expression, ok := each.(*ast.ExprStmt); ok {
			if name, selector := called(expression.X); selector != nil && failing[name] {
				if _, ok := selector.X.(*ast.Ident); ok {
					return true
				}
			}
		}
	}
	return false
}

// called gives the last name of what is called, and its selector if it has one.
func called(expression ast.Expr) (string, *ast.SelectorExpr) {
	call, ok := expression.(*ast.CallExpr)
	if !ok {
		return "", nil
	}
	switch function := call.Fun.(type) {
	case *ast.SelectorExpr:
		return function.Sel.Name, function
	case *ast.Ident:
		return function.Name, nil
	}
	return "", nil
}
