package routes

import (
	"go/ast"
	"go/types"
)

// row is what variables are in one round of a range statement, a line of a table of routes, or in one call of a helper.
type row struct {
	cells map[types.Object]ast.Expr
	place ast.Expr
}

// rounds are those of the range statement around a call, where it goes over a list or map that is written down; none
// where the call stands in no such statement.
func (in *inspection) rounds(call *ast.CallExpr) []row {
	var over *ast.RangeStmt
	for _, s := range in.ranges {
		if s.Body.Pos() <= call.Pos() && call.End() <= s.Body.End() && (over == nil || over.Body.Pos() < s.Body.Pos()) && in.uses(call, s) {
			over = s
		}
	}
	if over == nil {
		return nil
	}
	table := in.literal(over.X)
	if table == nil {
		return nil
	}
	var out []row
	for _, e := range table.Elts {
		r := row{map[types.Object]ast.Expr{}, e}
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if over.Key != nil {
				r.cells[in.object(over.Key)] = kv.Key
			}
			e = kv.Value
		}
		if over.Value != nil {
			r.cells[in.object(over.Value)] = e
		}
		out = append(out, r)
	}
	return out
}

// uses says whether a call has a variable of a range statement in it.
func (in *inspection) uses(call *ast.CallExpr, s *ast.RangeStmt) bool {
	variables := map[types.Object]bool{}
	for _, e := range []ast.Expr{s.Key, s.Value} {
		if e != nil && in.object(e) != nil {
			variables[in.object(e)] = true
		}
	}
	return in.mentions(call, variables, nil)
}

// literal is the composite literal that an expression is: itself, through a variable, or what a function returns.
func (in *inspection) literal(e ast.Expr) *ast.CompositeLit {
	for range deepest {
		switch x := ast.Unparen(e).(type) {
		case *ast.CompositeLit:
			return x
		case *ast.UnaryExpr:
			e = x.X
			continue
		case *ast.CallExpr:
			results := in.returns[in.decls[in.callee(x)]]
			if len(results) != 1 {
				return nil
			}
			e = results[0]
			continue
		}
		values := in.values[in.object(e)]
		if len(values) != 1 {
			return nil
		}
		e = values[0]
	}
	return nil
}

// cell is what an expression is in the row that is looked at: a variable of it, or a field of one. Nil: it is none of
// its.
func (in *inspection) cell(e ast.Expr) ast.Expr {
	var out ast.Expr
	for range deepest { // a helper's parameter may be a variable of the loop around its call
		if e = in.step(e); e == nil {
			break
		}
		out = e
	}
	return out
}

func (in *inspection) step(e ast.Expr) ast.Expr {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return in.row.cells[in.object(e)]
	case *ast.SelectorExpr:
		id, ok := ast.Unparen(e.X).(*ast.Ident)
		if !ok || in.row.cells[in.object(id)] == nil {
			return nil
		}
		lit := in.literal(in.cell(id))
		if lit == nil {
			return nil
		}
		return fieldOf(in.info.TypeOf(lit), lit, e.Sel.Name)
	}
	return nil
}

// fieldOf is the value of a field in the literal of a struct.
func fieldOf(t types.Type, lit *ast.CompositeLit, name string) ast.Expr {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	for i, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && id.Name == name {
				return kv.Value
			}
		} else if i < s.NumFields() && s.Field(i).Name() == name {
			return e
		}
	}
	return nil
}
