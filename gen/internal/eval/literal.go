// SPDX-License-Identifier: MIT

package eval

import (
	"go/ast"
	"go/constant"
	"go/token"
	"math"
	"math/big"
	"strings"

	"jacquard.example/core/num"
)

// constant returns the value of an expression of literals, the name bits and
// running indices, or nil. Results are cached, since every level of an expression
// asks for them.
func (c *checker) constant(e ast.Expr) constant.Value {
	if v, known := c.constants[e]; known {
		return v
	}
	v := c.findConstant(e)
	c.constants[e] = v
	return v
}

func (c *checker) findConstant(e ast.Expr) constant.Value {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.INT || e.Kind == token.FLOAT {
			return constant.MakeFromLiteral(e.Value, e.Kind, 0)
		}
	case *ast.ParenExpr:
		return c.constant(e.X)
	case *ast.Ident:
		if e.Name == "bits" {
			return constant.MakeInt64(int64(c.fn.Size))
		}
		if i, ok := c.index[e.Name]; ok {
			return constant.MakeInt64(int64(i))
		}
	case *ast.UnaryExpr:
		if x := c.constant(e.X); x != nil && e.Op == token.SUB {
			if x.Kind() == constant.Float && constant.Sign(x) == 0 {
				return nil // -0.0 is a negation
			}
			return constant.UnaryOp(token.SUB, x, 0)
		}
	case *ast.BinaryExpr:
		x, y := c.constant(e.X), c.constant(e.Y)
		if x == nil || y == nil {
			return nil
		}
		return c.fold(e, x, y)
	}
	return nil
}

func (c *checker) fold(e *ast.BinaryExpr, x, y constant.Value) constant.Value {
	isInt := x.Kind() == constant.Int && y.Kind() == constant.Int
	switch e.Op {
	case token.ADD, token.SUB, token.MUL:
		return constant.BinaryOp(x, e.Op, y)
	case token.QUO, token.REM:
		if constant.Sign(y) == 0 {
			c.failf(e, "division by zero")
		}
		op := e.Op
		if isInt && op == token.QUO {
			op = token.QUO_ASSIGN // integer division
		}
		if !isInt && op == token.REM {
			return nil
		}
		return constant.BinaryOp(x, op, y)
	case token.AND, token.OR, token.XOR, token.AND_NOT:
		if isInt {
			return constant.BinaryOp(x, e.Op, y)
		}
	case token.SHL, token.SHR:
		if s, ok := constant.Uint64Val(y); isInt && ok && s < 128 {
			return constant.Shift(x, e.Op, uint(s))
		}
	}
	return nil
}

// untyped reports whether an expression takes its type from its context.
func (c *checker) untyped(e ast.Expr) bool {
	if v, known := c.placed[e]; known {
		return v
	}
	v := c.findUntyped(e)
	c.placed[e] = v
	return v
}

func (c *checker) findUntyped(e ast.Expr) bool {
	if c.constant(e) != nil {
		return true
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return c.untyped(e.X)
	case *ast.Ident:
		return e.Name == "inf" || e.Name == "nan"
	case *ast.UnaryExpr:
		return e.Op != token.NOT && c.untyped(e.X)
	case *ast.BinaryExpr:
		op := binaryOps[e.Op]
		if op.prim == pShl || op.prim == pShr {
			return c.untyped(e.X)
		}
		return !op.compare && c.untyped(e.X) && c.untyped(e.Y)
	case *ast.CallExpr:
		fn := name(e.Fun)
		if fn == "sel" && len(e.Args) == 3 {
			return c.untyped(e.Args[1]) && c.untyped(e.Args[2])
		}
		if f := funcs[fn]; f != nil && f.result == (Type{}) && len(e.Args) >= f.nargs {
			for _, a := range e.Args[:f.nargs] {
				if !c.untyped(a) {
					return false
				}
			}
			return true
		}
	}
	return false
}

// literal gives a constant the type that its context requires.
func (c *checker) literal(e ast.Expr, v constant.Value, want Type) *node {
	n := &node{prim: pConst, typ: want}
	switch want.Base {
	case NoBase:
		c.failf(e, "the type of %s is unknown here; write a conversion such as uint32(%s)", c.text(e), c.text(e))
	case Bool:
		c.failf(e, "%s is a number; bool is required here", c.text(e))
	case Float:
		n.bits = roundRat(v, want.Bits)
	default:
		iv := constant.ToInt(v)
		if iv.Kind() != constant.Int {
			c.failf(e, "%s is not an integer; %s is required here", c.text(e), want)
		}
		b, ok := constant.Val(iv).(*big.Int)
		if !ok {
			i, _ := constant.Int64Val(iv)
			b = big.NewInt(i)
		}
		lo, hi := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(want.Bits))
		if want.Base == Int {
			hi.Rsh(hi, 1)
			lo.Neg(hi)
		}
		if b.Cmp(lo) < 0 || b.Cmp(hi) >= 0 {
			c.failf(e, "%s does not fit in %s", c.text(e), want)
		}
		mod := new(big.Int).Lsh(big.NewInt(1), uint(want.Bits))
		n.bits = new(big.Int).Mod(b, mod).Uint64()
	}
	return n
}

// roundRat returns an exact number as a float's bits, rounded once.
func roundRat(v constant.Value, bits int) uint64 {
	f := constant.ToFloat(v)
	if bits == 32 {
		x, _ := constant.Float32Val(f)
		return num.Store32(x, 0)
	}
	x, exact := constant.Float64Val(f)
	if bits == 64 {
		return num.Store64(x, 0)
	}
	if !exact && x != 0 && x-x == 0 { // round to odd, so that the next rounding is correct
		if b := math.Float64bits(x); b&1 == 0 {
			if constant.Compare(constant.MakeFloat64(x), token.GTR, f) == (x > 0) {
				b--
			} else {
				b++
			}
			x = math.Float64frombits(b)
		}
	}
	return uint64(num.F64ToF16(x, num.NearestEven))
}

func canonicalNaN(bits int) uint64 {
	switch bits {
	case 16:
		return uint64(num.NaN16)
	case 32:
		return uint64(num.NaN32)
	}
	return num.NaN64
}

func infinity(bits int) uint64 {
	switch bits {
	case 16:
		return 0x7c00
	case 32:
		return 0x7f800000
	}
	return 0x7ff0000000000000
}

// writeExpr writes an expression in the syntax of the tables.
func writeExpr(b *strings.Builder, e ast.Expr) {
	switch e := e.(type) {
	case *ast.BasicLit:
		b.WriteString(e.Value)
	case *ast.Ident:
		b.WriteString(e.Name)
	case *ast.ParenExpr:
		b.WriteByte('(')
		writeExpr(b, e.X)
		b.WriteByte(')')
	case *ast.UnaryExpr:
		b.WriteString(e.Op.String())
		writeExpr(b, e.X)
	case *ast.BinaryExpr:
		writeExpr(b, e.X)
		b.WriteString(" " + e.Op.String() + " ")
		writeExpr(b, e.Y)
	case *ast.IndexExpr:
		writeExpr(b, e.X)
		b.WriteByte('[')
		writeExpr(b, e.Index)
		b.WriteByte(']')
	case *ast.SelectorExpr:
		writeExpr(b, e.X)
		b.WriteString("." + e.Sel.Name)
	case *ast.CallExpr:
		writeExpr(b, e.Fun)
		b.WriteByte('(')
		for i, a := range e.Args {
			if i > 0 {
				b.WriteString(", ")
			}
			writeExpr(b, a)
		}
		b.WriteByte(')')
	default:
		b.WriteString("…")
	}
}
