package main

import (
	"go/ast"
	"go/token"
	"strconv"
)

const sitesMax = 400

// A table whose rows a loop goes through: literals by row, and by field where rows are structs.
type table struct {
	value  string
	loads  map[string]int
	rows   []ast.Expr
	fields []string
}

// What a function does with names: the value that each got last, how often they are set, and read outside of messages.
type scope struct {
	values map[string]ast.Expr
	stores map[string]int
	loads  map[string]int
}

// A finder collects what of one test is sure to be reached, and the literals that this compares with.
type finder struct {
	all  *tests
	file *file
	unit unit
	// Of the test and the subtests around what is looked at, the innermost last.
	scopes []scope
	loop   *table
	// Calls of helpers, each of which is a cell of the helper's assertion.
	calls int
	seen  map[int]bool
	// Comparisons with nil: taken only where there is nothing else.
	rest []site
}

func (all *tests) unit(each *file, function *ast.FuncDecl) unit {
	f := &finder{all: all, file: each, seen: map[int]bool{}}
	f.unit = unit{ID: function.Name.Name, Piece: each.piece, Rows: new(int), Sure: []int{}, Sites: []site{}}
	*f.unit.Rows = 1
	f.within(function.Body)
	if len(f.unit.Sites) == 0 {
		f.unit.Sites = append(f.unit.Sites, f.rest...)
	}
	if len(f.unit.Sites) > sitesMax {
		f.unit.Sites = f.unit.Sites[:sitesMax]
	}
	for _, each := range f.unit.Sites {
		all.softened[each.At] = true
	}
	return f.unit
}

// within goes through the body of a test or a subtest.
func (f *finder) within(body *ast.BlockStmt) bool {
	f.scopes = append(f.scopes, f.all.uses(body))
	isSure := f.walk(body.List)
	f.scopes = f.scopes[:len(f.scopes)-1]
	return isSure
}

// known gives what a variable got once and for all, nil where it did not, and how often that is read.
func (f *finder) known(name string) (ast.Expr, int) {
	for at := len(f.scopes) - 1; at >= 0; at-- {
		if each := f.scopes[at]; each.stores[name] == 1 {
			return each.values[name], each.loads[name]
		} else if each.stores[name] > 1 {
			return nil, 0
		}
	}
	return f.all.globals[name], f.all.reads[name]
}

// once gives what a name stands for where it is read here alone: what is altered must be seen nowhere else.
func (f *finder) once(expr ast.Expr) ast.Expr {
	if name, ok := expr.(*ast.Ident); ok {
		if value, loads := f.known(name.Name); value != nil && loads == 1 {
			return value
		}
	}
	return expr
}

// through gives what a name stands for, and all else as it is.
func (f *finder) through(expr ast.Expr) ast.Expr {
	if name, ok := expr.(*ast.Ident); ok {
		if value, _ := f.known(name.Name); value != nil {
			return value
		}
	}
	return expr
}

func (all *tests) uses(body *ast.BlockStmt) scope {
	known, stores, loads := map[string]ast.Expr{}, map[string]int{}, map[string]int{}
	set := func(target, value ast.Expr) {
		if name, ok := target.(*ast.Ident); ok {
			if same, ok := value.(*ast.Ident); ok && same.Name == name.Name {
				return
			}
			stores[name.Name]++
			known[name.Name] = value
			loads[name.Name]--
		}
	}
	var count func(node ast.Node) bool
	count = func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt:
			if _, ok := all.numbers[node]; ok {
				if node.Init != nil {
					ast.Inspect(node.Init, count)
				}
				ast.Inspect(node.Cond, count)
				if node.Else != nil {
					ast.Inspect(node.Else, count)
				}
				return false
			}
		case *ast.AssignStmt:
			for at, target := range node.Lhs {
				var value ast.Expr
				if len(node.Lhs) == len(node.Rhs) {
					value = node.Rhs[at]
				}
				set(target, value)
			}
		case *ast.TypeSpec:
			all.types[node.Name.Name] = node.Type
		case *ast.ValueSpec:
			for at, name := range node.Names {
				var value ast.Expr
				if len(node.Names) == len(node.Values) {
					value = node.Values[at]
				}
				set(name, value)
			}
		case *ast.IncDecStmt:
			set(node.X, nil)
		case *ast.UnaryExpr:
			if node.Op == token.AND {
				set(node.X, nil)
			}
		case *ast.SelectorExpr:
			if owner, ok := node.X.(*ast.Ident); ok {
				loads[owner.Name+"."+node.Sel.Name]++
				loads[owner.Name]++
				return false
			}
		case *ast.KeyValueExpr:
			ast.Inspect(node.Value, count)
			return false
		case *ast.Ident:
			loads[node.Name]++
		}
		return true
	}
	ast.Inspect(body, count)
	return scope{known, stores, loads}
}

// walk goes through what is reached when nothing before it fails; false: what comes behind is not sure to be.
func (f *finder) walk(statements []ast.Stmt) bool {
	for _, statement := range statements {
		switch statement := statement.(type) {
		case *ast.IfStmt:
			if number, ok := f.all.numbers[statement]; ok {
				f.reached(number, f.targets(statement.Cond), nil)
				f.condition(number, statement.Cond)
			} else if leaves(statement) {
				return false
			}
		case *ast.BlockStmt:
			if !f.walk(statement.List) {
				return false
			}
		case *ast.ExprStmt:
			if !f.call(statement.X) {
				return false
			}
		case *ast.RangeStmt:
			f.rows(statement)
			if leavesFor(statement) {
				return false
			}
		case *ast.ReturnStmt, *ast.BranchStmt:
			return false
		case *ast.AssignStmt, *ast.DeclStmt, *ast.DeferStmt, *ast.IncDecStmt, *ast.EmptyStmt, *ast.GoStmt, *ast.SendStmt:
		default:
			if leaves(statement) {
				return false
			}
		}
	}
	return true
}

func (f *finder) call(expression ast.Expr) bool {
	call, ok := expression.(*ast.CallExpr)
	if !ok {
		return true
	}
	name, selector := called(call)
	switch {
	case selector != nil && name == "Run" && len(call.Args) == 2:
		if body, ok := call.Args[1].(*ast.FuncLit); ok && isOfT(body.Type) {
			f.within(body.Body)
		}
	case selector != nil && (name == "Skip" || name == "Skipf" || name == "SkipNow" || softer[name] != ""):
		return false
	case selector == nil && f.all.functions[name] != nil:
		f.helper(f.all.functions[name], call.Args)
	}
	if body, ok := call.Fun.(*ast.FuncLit); ok {
		return f.within(body.Body)
	}
	return true
}

// helper looks for the one comparison of two parameters that a function of the tests makes.
func (f *finder) helper(function *ast.FuncDecl, arguments []ast.Expr) {
	given := map[string]ast.Expr{}
	names := []string{}
	for _, field := range function.Type.Params.List {
		for _, name := range field.Names {
			names = append(names, name.Name)
		}
		if _, ok := field.Type.(*ast.Ellipsis); ok {
			return
		}
	}
	if len(names) != len(arguments) {
		return
	}
	for at, name := range names {
		given[name] = arguments[at]
	}
	f.calls++
	for _, statement := range function.Body.List {
		check, ok := statement.(*ast.IfStmt)
		if !ok {
			if leaves(statement) {
				return
			}
			continue
		}
		number, ok := f.all.numbers[check]
		if !ok {
			return
		}
		found := []target{}
		for _, each := range f.targets(check.Cond) {
			if name, ok := each.expr.(*ast.Ident); ok && given[name.Name] != nil {
				found = append(found, target{given[name.Name], each.near})
			}
		}
		cell := f.calls << 20
		f.reached(number, found, &cell)
		return
	}
}

// rows goes through the body of a loop over a table of literals; of a loop in a loop nothing is told.
func (f *finder) rows(loop *ast.RangeStmt) {
	if f.loop != nil || leavesFor(loop) {
		return
	}
	found := f.table(loop.X)
	if found == nil {
		return
	}
	if name, ok := loop.Value.(*ast.Ident); ok {
		found.value = name.Name
	}
	found.loads = f.all.uses(loop.Body).loads
	f.loop = found
	f.walk(loop.Body.List)
	f.loop = nil
}

func (f *finder) table(expression ast.Expr) *table {
	literal, ok := f.once(expression).(*ast.CompositeLit)
	if !ok || len(literal.Elts) == 0 {
		return nil
	}
	var element ast.Expr
	switch kind := literal.Type.(type) {
	case *ast.ArrayType:
		element = kind.Elt
	case *ast.MapType:
		element = kind.Value
	default:
		return nil
	}
	found := &table{}
	for _, row := range literal.Elts {
		if pair, ok := row.(*ast.KeyValueExpr); ok {
			row = pair.Value
		}
		if pointer, ok := row.(*ast.UnaryExpr); ok && pointer.Op == token.AND {
			row = pointer.X
		}
		found.rows = append(found.rows, row)
	}
	if pointer, ok := element.(*ast.StarExpr); ok {
		element = pointer.X
	}
	if name, ok := element.(*ast.Ident); ok {
		if kind := f.all.types[name.Name]; kind != nil {
			element = kind
		}
	}
	if kind, ok := element.(*ast.StructType); ok {
		for _, field := range kind.Fields.List {
			for _, name := range field.Names {
				found.fields = append(found.fields, name.Name)
			}
		}
	}
	return found
}

// column gives the literals of a field by row; nil for rows that have none.
func (each *table) column(name string) []ast.Expr {
	cells := make([]ast.Expr, len(each.rows))
	for at, row := range each.rows {
		literal, ok := row.(*ast.CompositeLit)
		if !ok {
			continue
		}
		for place, value := range literal.Elts {
			if pair, ok := value.(*ast.KeyValueExpr); ok {
				if key, ok := pair.Key.(*ast.Ident); ok && key.Name == name {
					cells[at] = pair.Value
				}
			} else if place < len(each.fields) && each.fields[place] == name {
				cells[at] = value
			}
		}
	}
	return cells
}

// A target is compared with what the program answers; within a tolerance, where near is not nil.
type target struct {
	expr ast.Expr
	near *near
}

var comparing = map[string]bool{"DeepEqual": true, "Equal": true, "EqualFold": true, "Diff": true}

// targets of a condition under which a test fails.
func (f *finder) targets(condition ast.Expr) []target {
	switch condition := condition.(type) {
	case *ast.ParenExpr:
		return f.targets(condition.X)
	case *ast.Ident:
		if value := f.once(condition); value != condition {
			return f.targets(value)
		}
	case *ast.UnaryExpr:
		inner := f.once(condition.X)
		if call, ok := inner.(*ast.CallExpr); ok && condition.Op == token.NOT {
			if name, _ := called(call); comparing[name] && len(call.Args) == 2 {
				return []target{{call.Args[0], nil}, {call.Args[1], nil}}
			}
		}
		if equal, ok := inner.(*ast.ParenExpr); ok && condition.Op == token.NOT {
			if pair, ok := equal.X.(*ast.BinaryExpr); ok && pair.Op == token.EQL {
				return []target{{pair.X, nil}, {pair.Y, nil}}
			}
		}
	case *ast.BinaryExpr:
		switch condition.Op {
		case token.LOR:
			return append(f.targets(condition.X), f.targets(condition.Y)...)
		case token.NEQ:
			return []target{{condition.X, nil}, {condition.Y, nil}}
		case token.GTR, token.GEQ:
			return f.distance(condition.X, condition.Y)
		}
	}
	return nil
}

// distance: math.Abs(a - b) > tolerance.
func (f *finder) distance(of, than ast.Expr) []target {
	of, than = f.once(of), f.through(than)
	if name, _ := called(of); name != "Abs" {
		return nil
	}
	call := of.(*ast.CallExpr)
	if len(call.Args) != 1 {
		return nil
	}
	difference, ok := call.Args[0].(*ast.BinaryExpr)
	number, isNumber := than.(*ast.BasicLit)
	if !ok || !isNumber || difference.Op != token.SUB {
		return nil
	}
	value, err := strconv.ParseFloat(number.Value, 64)
	if err != nil {
		return nil
	}
	return []target{{difference.X, &near{value}}, {difference.Y, &near{value}}}
}

// reached notes an assertion that is sure to be, with the literals that it compares with.
func (f *finder) reached(number int, targets []target, cell *int) {
	if !f.seen[number] {
		f.seen[number] = true
		f.unit.Sure = append(f.unit.Sure, number)
	}
	for _, each := range targets {
		f.resolve(number, each, cell)
	}
}

func (f *finder) resolve(number int, each target, cell *int) {
	if isLiteral(each.expr) {
		// Within a loop it is the same for all rows, and so for none of them alone.
		if f.loop == nil {
			f.literal(number, each.expr, each.near, cell)
		}
		return
	}
	switch expr := each.expr.(type) {
	case *ast.Ident:
		if f.loop != nil {
			if expr.Name == f.loop.value && f.loop.loads[expr.Name] == 1 {
				f.cells(number, f.loop.rows, each.near, cell)
			}
		} else if value, loads := f.known(expr.Name); value != nil && loads == 1 && isLiteral(value) {
			f.literal(number, value, each.near, cell)
		}
	case *ast.SelectorExpr:
		owner, ok := expr.X.(*ast.Ident)
		if ok && f.loop != nil && owner.Name == f.loop.value && f.loop.loads[owner.Name+"."+expr.Sel.Name] == 1 {
			f.cells(number, f.loop.column(expr.Sel.Name), each.near, cell)
		}
	}
}

func (f *finder) cells(number int, literals []ast.Expr, near *near, base *int) {
	for row, literal := range literals {
		cell := row
		if base != nil {
			cell += *base
		}
		if literal != nil && isLiteral(literal) {
			f.literal(number, literal, near, &cell)
		}
	}
}

const leavesMax = 6

func (f *finder) literal(number int, literal ast.Expr, near *near, cell *int) {
	count := 0
	leavesOf(literal, func(leaf ast.Expr, kind string) {
		if count++; count > leavesMax || near != nil && kind != "integer" && kind != "float" {
			return
		}
		f.add(site{At: number, Kind: "value", Start: f.file.at(leaf.Pos()), End: f.file.at(leaf.End()), Literal: kind, Near: near, Cell: cell})
	})
}

func (f *finder) add(each site) {
	each.Texts = append([]string{}, each.Texts...)
	// A table that all tests see may be another file's.
	if each.Start >= 0 && each.End <= len(f.file.text) {
		f.unit.Sites = append(f.unit.Sites, each)
	}
}

// condition: what is true or false, or nil or not, can be turned round; a loop's would be turned round for all rows.
func (f *finder) condition(number int, condition ast.Expr) {
	if f.loop != nil {
		return
	}
	turn := site{At: number, Kind: "value", Start: f.file.at(condition.Pos()), End: f.file.at(condition.End())}
	turned := []string{"!(" + f.file.source(condition) + ")"}
	inner := condition
	if not, ok := inner.(*ast.UnaryExpr); ok && not.Op == token.NOT {
		inner = not.X
	}
	switch inner := inner.(type) {
	case *ast.CallExpr:
		name, _ := called(inner)
		if comparing[name] {
			return
		}
		turn.Texts = turned
		f.add(turn)
	case *ast.Ident:
		if value, _ := f.known(inner.Name); value == nil {
			turn.Texts = turned
			f.add(turn)
		}
	case *ast.BinaryExpr:
		if isNil(inner.X) || isNil(inner.Y) {
			turn.Texts = turned
			f.rest = append(f.rest, turn)
		}
	}
}

func isNil(expr ast.Expr) bool {
	name, ok := expr.(*ast.Ident)
	return ok && name.Name == "nil"
}
