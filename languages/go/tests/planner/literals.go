package main

import (
	"go/ast"
	"go/token"
)

var kinds = map[token.Token]string{token.INT: "integer", token.FLOAT: "float", token.STRING: "string", token.CHAR: "char"}

// Types whose conversion of a literal equals nothing else that the same conversion of another equals.
var converting = map[string]bool{
	"int": true, "int8": true, "int16": true, "int32": true, "int64": true, "uint": true, "uint8": true, "uint16": true,
	"uint32": true, "uint64": true, "float32": true, "float64": true, "byte": true, "rune": true, "string": true, "bool": true,
}

func isLiteral(expr ast.Expr) bool {
	switch expr := expr.(type) {
	case *ast.BasicLit:
		return kinds[expr.Kind] != ""
	case *ast.Ident:
		return expr.Name == "true" || expr.Name == "false" || expr.Name == "nil"
	case *ast.ParenExpr:
		return isLiteral(expr.X)
	case *ast.UnaryExpr:
		return (expr.Op == token.SUB || expr.Op == token.AND) && isLiteral(expr.X)
	case *ast.CompositeLit:
		for _, each := range expr.Elts {
			if pair, ok := each.(*ast.KeyValueExpr); ok {
				each = pair.Value
			}
			if !isLiteral(each) {
				return false
			}
		}
		return true
	case *ast.CallExpr:
		if len(expr.Args) != 1 || !isLiteral(expr.Args[0]) {
			return false
		}
		if name, ok := expr.Fun.(*ast.Ident); ok {
			return converting[name.Name]
		}
		_, ok := expr.Fun.(*ast.ArrayType)
		return ok
	}
	return false
}

// leavesOf gives the parts of a literal that can be altered.
func leavesOf(expr ast.Expr, give func(leaf ast.Expr, kind string)) {
	switch expr := expr.(type) {
	case *ast.BasicLit:
		give(expr, kinds[expr.Kind])
	case *ast.Ident:
		if expr.Name != "nil" {
			give(expr, "bool")
		}
	case *ast.ParenExpr:
		leavesOf(expr.X, give)
	case *ast.UnaryExpr:
		leavesOf(expr.X, give)
	case *ast.CompositeLit:
		for _, each := range expr.Elts {
			if pair, ok := each.(*ast.KeyValueExpr); ok {
				each = pair.Value
			}
			leavesOf(each, give)
		}
	case *ast.CallExpr:
		leavesOf(expr.Args[0], give)
	}
}

// leaves: whether a statement may leave what it is in, or the test.
func leaves(statement ast.Node) bool { return exits(statement) }

// leavesFor: the same of a loop, whose own continue and break stay in it; but then not all rows reach its end.
func leavesFor(loop *ast.RangeStmt) bool { return exits(loop.Body) }

func exits(node ast.Node) bool {
	found := false
	ast.Inspect(node, func(each ast.Node) bool {
		switch each := each.(type) {
		case *ast.FuncLit:
			return false
		case *ast.IfStmt:
			// What an assertion does when it fails comes too late to matter.
			if isFailing(each) {
				if each.Else != nil {
					found = found || exits(each.Else)
				}
				return false
			}
		case *ast.ReturnStmt, *ast.BranchStmt:
			found = true
		case *ast.CallExpr:
			name, selector := called(each)
			found = found || selector != nil && (name == "Skip" || name == "Skipf" || name == "SkipNow" || softer[name] != "")
		}
		return true
	})
	return found
}
