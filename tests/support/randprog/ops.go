// SPDX-License-Identifier: MIT

package randprog

import "fmt"

// Op is an operation of expressions. In the texts $0, $1 … are the operands, $T and $A the GLSL types of the result
// and of operand 0, $c and $a the C types of their components, $u the unsigned type as wide as $a, $B the number of
// bits of $a minus one, and $X the largest signed number of as many bits. Every operation is defined for all
// operands: the text avoids undefined cases.
type Op struct {
	Name string
	GLSL string // text for scalars, and for vectors unless they have a separate text
	Vec  string
	// Helper is the definition of a GLSL function that the text calls as h$#.
	Helper string
	C      string // text for one component
	// Whole writes the components of a result that are not computed each from
	// the same component of the operands.
	Whole func(w *cWriter, e *Expr, a [][]string) []string
	// Args are the types of the operands, or nil if the result cannot be of that
	// type.
	Args func(g *gen, t *Type) []*Type
	// Float computes the bound of a result from the bounds of the operands.
	Float func(e *Expr, a []bound) bound
	// Limit is the bound that float operands must keep, in addition to the bound implied by the result.
	Limit *bound

	Subgroup bool
	Ext      string                // the extensions of subgroups that GLSL needs
	identity func(s Scalar) uint64 // identity of a reduction
}

// The operations that are not rows.
var (
	OpConst     = &Op{Name: "const"}
	OpVar       = &Op{Name: "variable"}
	OpOwn       = &Op{Name: "own element"}
	OpAccu      = &Op{Name: "accumulator"}
	OpField     = &Op{Name: "field"}
	OpIndex     = &Op{Name: "index"}
	OpSwizzle   = &Op{Name: "swizzle"}
	OpConstruct = &Op{Name: "construct"}
	OpConvert   = &Op{Name: "convert"}
	OpNorm      = &Op{Name: "norm"} // cuts a float to N[0], N[1]
	OpCall      = &Op{Name: "call"}
	OpAtomic    = &Op{Name: "atomic"}
	OpSelect    = &Op{Name: "select", GLSL: "($0 ? $1 : $2)"}
	OpModulo    = &Op{Name: "modulo"} // reduces an unsigned integer modulo N[0]
)

type pred func(t *Type) bool

func flat(t *Type) bool     { return t.Shape <= IsVector }
func anInt(t *Type) bool    { return flat(t) && t.Base.Integer() }
func anUint(t *Type) bool   { return flat(t) && t.Base.Kind == Uint }
func aSigned(t *Type) bool  { return flat(t) && t.Base.Kind == Int }
func aFloat(t *Type) bool   { return flat(t) && t.Base.Kind == Float }
func aNumber(t *Type) bool  { return flat(t) && t.Base.Kind != Bool }
func aBool(t *Type) bool    { return flat(t) && t.Base == Boolean }
func bool1(t *Type) bool    { return t.is(IsScalar, Boolean) }
func word(t *Type) bool     { return anInt(t) && t.Base.Bits == 32 }
func aMatrix(t *Type) bool  { return t.Shape == IsMatrix }
func aSum(t *Type) bool     { return aNumber(t) || aMatrix(t) }
func signed32(t *Type) bool { return flat(t) && t.Base == I32 }

// same returns n operands of the result's type, if ok accepts it.
func same(n int, ok pred) func(*gen, *Type) []*Type {
	return func(_ *gen, t *Type) []*Type {
		if !ok(t) {
			return nil
		}
		out := make([]*Type, n)
		for i := range out {
			out[i] = t
		}
		return out
	}
}

// compared returns two operands of a type that ok accepts, with as many components as the boolean result has.
func compared(ok pred) func(*gen, *Type) []*Type {
	return func(g *gen, t *Type) []*Type {
		if !aBool(t) {
			return nil
		}
		u := t.With(g.scalar())
		if !ok(u) {
			return nil
		}
		return []*Type{u, u}
	}
}

// from returns one operand, whose type f computes from that of the result.
func from(f func(g *gen, t *Type) *Type) func(*gen, *Type) []*Type {
	return func(g *gen, t *Type) []*Type {
		if u := f(g, t); u != nil {
			return []*Type{u}
		}
		return nil
	}
}

// scalarFrom returns the type of one operand, m components of type arg, for a result of exactly n components of type
// result.
func scalarFrom(result Scalar, n int, arg Scalar, m int) func(*gen, *Type) []*Type {
	want := vectorType(result, n)
	return func(_ *gen, t *Type) []*Type {
		if !t.Same(want) {
			return nil
		}
		return []*Type{vectorType(arg, m)}
	}
}

// packs makes the rows that pack n small integers into one of bits bits, and that unpack it, for signed and unsigned
// integers.
func packs(name string, bits, n, small int) []*Op {
	var out []*Op
	for _, k := range []Kind{Int, Uint} {
		whole, part := Scalar{k, bits}, Scalar{k, small}
		out = append(out,
			&Op{Name: "pack", GLSL: fmt.Sprintf("pack%d($0)", bits), Args: scalarFrom(whole, 1, part, n),
				Whole: func(w *cWriter, e *Expr, a [][]string) []string {
					text := ""
					for i, x := range a[0] {
						text += fmt.Sprintf(" | (u64)(u%d)%s << %d", small, x, i*small)
					}
					return []string{fmt.Sprintf("(%s)(%s)", whole.c(), text[3:])}
				}},
			&Op{Name: "unpack", GLSL: fmt.Sprintf("unpack%d($0)", small), Args: scalarFrom(part, n, whole, 1),
				Whole: func(w *cWriter, e *Expr, a [][]string) []string {
					var out []string
					for i := range n {
						out = append(out, fmt.Sprintf("(%s)((u64)(u%d)%s >> %d)", part.c(), bits, a[0][0], i*small))
					}
					return out
				}})
	}
	return out
}

// ops are the operations that expressions may have in any profile.
var ops = append([]*Op{
	{Name: "add", GLSL: "($0 + $1)", C: "($c)($0 + $1)", Args: same(2, aSum), Float: bSum},
	{Name: "sub", GLSL: "($0 - $1)", C: "($c)($0 - $1)", Args: same(2, aSum), Float: bSum},
	{Name: "mul", GLSL: "($0 * $1)", C: "($c)($0 * $1)", Args: same(2, aNumber), Float: bProduct},
	{Name: "neg", GLSL: "(-$0)", C: "($c)(-$0)", Args: same(1, func(t *Type) bool { return aSigned(t) || aFloat(t) || aMatrix(t) }), Float: bSame},
	{Name: "and", GLSL: "($0 & $1)", C: "($c)($0 & $1)", Args: same(2, anInt)},
	{Name: "or", GLSL: "($0 | $1)", C: "($c)($0 | $1)", Args: same(2, anInt)},
	{Name: "xor", GLSL: "($0 ^ $1)", C: "($c)($0 ^ $1)", Args: same(2, anInt)},
	{Name: "not", GLSL: "(~$0)", C: "($c)(~$0)", Args: same(1, anInt)},
	{Name: "shl", GLSL: "($0 << ($1 & $A($B)))", C: "($c)(($u)$0 << ($1 & $B))", Args: same(2, anInt)},
	{Name: "shr", GLSL: "($0 >> ($1 & $A($B)))", C: "($c)($0 >> ($1 & $B))", Args: same(2, anInt)},
	{Name: "udiv_even", GLSL: "($0 / max($1, $A(2)))", C: "($c)($0 / ($1 > 2 ? $1 : 2))", Args: same(2, anUint)},
	{Name: "umod_even", GLSL: "($0 % max($1, $A(2)))", C: "($c)($0 % ($1 > 2 ? $1 : 2))", Args: same(2, anUint)},
	{Name: "sdiv_even", GLSL: "($0 / max($1, $A(2)))", C: "($c)($0 / ($1 > 2 ? $1 : 2))", Args: same(2, aSigned)},
	{Name: "sdiv_even_negative", GLSL: "($0 / min($1, $A(-2)))", C: "($c)($0 / ($1 < -2 ? $1 : -2))", Args: same(2, aSigned)},
	{Name: "smod_even", GLSL: "(($0 & $A($X)) % max($1, $A(2)))", C: "($c)(($0 & $X) % ($1 > 2 ? $1 : 2))", Args: same(2, aSigned)},
	{Name: "udiv", GLSL: "($0 / ($1 | $A(1)))", C: "($c)($0 / ($c)($1 | 1))", Args: same(2, anUint)},
	{Name: "umod", GLSL: "($0 % ($1 | $A(1)))", C: "($c)($0 % ($c)($1 | 1))", Args: same(2, anUint)},
	{Name: "sdiv", GLSL: "($0 / (($1 & $A($X)) | $A(1)))", C: "($c)($0 / ($c)(($1 & $X) | 1))", Args: same(2, aSigned)},
	{Name: "sdiv_negative", GLSL: "($0 / -(($1 & $A($X)) | $A(3)))", C: "($c)($0 / ($c)-(($1 & $X) | 3))", Args: same(2, aSigned)},
	{Name: "smod", GLSL: "(($0 & $A($X)) % (($1 & $A($X)) | $A(1)))", C: "($c)(($0 & $X) % ($c)(($1 & $X) | 1))", Args: same(2, aSigned)},
	{Name: "min", GLSL: "min($0, $1)", C: "($0 < $1 ? $0 : $1)", Args: same(2, aNumber), Float: bMost},
	{Name: "max", GLSL: "max($0, $1)", C: "($0 > $1 ? $0 : $1)", Args: same(2, aNumber), Float: bMost},
	{Name: "clamp", GLSL: "clamp($0, min($1, $2), max($1, $2))", C: "($c)clamp_($0, $1, $2)", Args: same(3, aNumber), Float: bMost},
	{Name: "abs", GLSL: "abs($0)", C: "($c)($0 < 0 ? -$0 : $0)", Args: same(1, func(t *Type) bool { return aSigned(t) || aFloat(t) }), Float: bSame},
	{Name: "sign", GLSL: "sign($0)", C: "($c)(($0 > 0) - ($0 < 0))", Args: same(1, func(t *Type) bool { return aSigned(t) || aFloat(t) }), Float: bUnit},

	{Name: "lt", GLSL: "($0 < $1)", Vec: "lessThan($0, $1)", C: "($0 < $1)", Args: compared(aNumber)},
	{Name: "le", GLSL: "($0 <= $1)", Vec: "lessThanEqual($0, $1)", C: "($0 <= $1)", Args: compared(aNumber)},
	{Name: "gt", GLSL: "($0 > $1)", Vec: "greaterThan($0, $1)", C: "($0 > $1)", Args: compared(aNumber)},
	{Name: "ge", GLSL: "($0 >= $1)", Vec: "greaterThanEqual($0, $1)", C: "($0 >= $1)", Args: compared(aNumber)},
	{Name: "eq", GLSL: "($0 == $1)", Vec: "equal($0, $1)", C: "($0 == $1)", Args: compared(flat)},
	{Name: "ne", GLSL: "($0 != $1)", Vec: "notEqual($0, $1)", C: "($0 != $1)", Args: compared(flat)},
	{Name: "logical_and", GLSL: "($0 && $1)", C: "($0 & $1)", Args: same(2, bool1)},
	{Name: "logical_or", GLSL: "($0 || $1)", C: "($0 | $1)", Args: same(2, bool1)},
	{Name: "logical_xor", GLSL: "($0 ^^ $1)", C: "($0 ^ $1)", Args: same(2, bool1)},
	{Name: "logical_not", GLSL: "(!$0)", Vec: "not($0)", C: "(!$0)", Args: same(1, aBool)},
	{Name: "any", GLSL: "any($0)", Args: from(bvec), Whole: fold("|")},
	{Name: "all", GLSL: "all($0)", Args: from(bvec), Whole: fold("&")},
	{Name: "equal", GLSL: "($0 == $1)", Args: whole, Whole: func(w *cWriter, e *Expr, a [][]string) []string { return []string{w.equal(a[0], a[1])} }},
	{Name: "unequal", GLSL: "($0 != $1)", Args: whole, Whole: func(w *cWriter, e *Expr, a [][]string) []string { return []string{"!" + w.equal(a[0], a[1])} }},
	{Name: "mix_bool", GLSL: "mix($0, $1, $2)", C: "($2 ? $1 : $0)", Args: func(g *gen, t *Type) []*Type {
		if t.Shape != IsVector || t.Base == Boolean {
			return nil
		}
		return []*Type{t, t, t.With(Boolean)}
	}, Float: bMost},

	{Name: "bit_count", GLSL: "bitCount($0)", C: "($c)__builtin_popcount($0)", Args: ints32},
	{Name: "find_lsb", GLSL: "findLSB($0)", C: "($0 ? ($c)__builtin_ctz($0) : -1)", Args: ints32},
	{Name: "find_msb", GLSL: "findMSB($0)", C: "findmsb_$a($0)", Args: ints32},
	{Name: "bit_reverse", GLSL: "bitfieldReverse($0)", C: "($c)reverse_($0)", Args: same(1, word)},
	{Name: "bit_extract", GLSL: "bitfieldExtract($0, $1 & 31, min($2 & 63, 32 - ($1 & 31)))", C: "($c)extract_$a($0, $1 & 31, least_($2 & 63, 32 - ($1 & 31)))", Args: func(_ *gen, t *Type) []*Type {
		if !word(t) {
			return nil
		}
		return []*Type{t, scalarType(I32), scalarType(I32)}
	}},
	{Name: "bit_insert", GLSL: "bitfieldInsert($0, $1, $2 & 31, min($3 & 63, 32 - ($2 & 31)))", C: "($c)insert_($0, $1, $2 & 31, least_($3 & 63, 32 - ($2 & 31)))", Args: func(_ *gen, t *Type) []*Type {
		if !word(t) {
			return nil
		}
		return []*Type{t, t, scalarType(I32), scalarType(I32)}
	}},
	{Name: "mul_high", GLSL: "h$#($0, $1)", Helper: "$T h$#($T x, $T y) { $T a, b; $Extended(x, y, a, b); return a; }",
		C: "($c)(((i64)$0 * ($p)$1) >> 32)", Args: same(2, word)},
	{Name: "carry", GLSL: "h$#($0, $1)", Helper: "$T h$#($T x, $T y) { $T c; uaddCarry(x, y, c); return c; }",
		C: "($c)(((u64)$0 + $1) >> 32)", Args: same(2, func(t *Type) bool { return flat(t) && t.Base == U32 })},
	{Name: "borrow", GLSL: "h$#($0, $1)", Helper: "$T h$#($T x, $T y) { $T c; usubBorrow(x, y, c); return c; }",
		C: "($c)($0 < $1)", Args: same(2, func(t *Type) bool { return flat(t) && t.Base == U32 })},

	{Name: "floor", GLSL: "floor($0)", C: "($c)floor($0)", Args: same(1, aFloat), Float: bWhole},
	{Name: "ceil", GLSL: "ceil($0)", C: "($c)ceil($0)", Args: same(1, aFloat), Float: bWhole},
	{Name: "trunc", GLSL: "trunc($0)", C: "($c)trunc($0)", Args: same(1, aFloat), Float: bWhole},
	{Name: "round_even", GLSL: "roundEven($0)", C: "($c)rint($0)", Args: same(1, aFloat), Float: bWhole},
	{Name: "fract", GLSL: "fract($0)", C: "($c)($0 - ($c)floor($0))", Args: same(1, aFloat), Float: func(_ *Expr, a []bound) bound { return bound{0, a[0].k} }},
	{Name: "step", GLSL: "step($0, $1)", C: "($c)($1 < $0 ? 0 : 1)", Args: same(2, aFloat), Float: bUnit},
	{Name: "fma", GLSL: "fma($0, $1, $2)", C: "($c)($0 * $1 + $2)", Args: same(3, aFloat), Float: bFMA},
	{Name: "mul_add", GLSL: "($0 * $1 + $2)", C: "($c)($0 * $1 + $2)", Args: same(3, aFloat), Float: bFMA},
	{Name: "mix", GLSL: "mix($0, $1, $2)", C: "($c)($0 * (1 - $2) + $1 * $2)", Args: same(3, aFloat), Float: func(_ *Expr, a []bound) bound {
		m := max(a[0].m, a[1].m) + max(a[2].m, 0) + 2
		return bound{m, max(a[0].k, a[1].k) + a[2].k}
	}},
	{Name: "modf", GLSL: "h$#($0)", Helper: "$T h$#($T x) { $T w; $T f = modf(x, w); return w - f; }",
		C: "($c)(2 * trunc($0) - $0)", Args: same(1, aFloat), Float: func(_ *Expr, a []bound) bound { return bound{a[0].m + 1, a[0].k} }},
	{Name: "ldexp", GLSL: "ldexp($0, ($1 & 3) - 1)", C: "($c)ldexp($0, ($1 & 3) - 1)", Args: func(_ *gen, t *Type) []*Type {
		if !aFloat(t) || t.Base != f32 {
			return nil
		}
		return []*Type{t, t.With(I32)}
	}, Float: func(_ *Expr, a []bound) bound { return bound{a[0].m + 2, a[0].k + 1} }},
	{Name: "dot", GLSL: "dot($0, $1)", Args: func(g *gen, t *Type) []*Type {
		if t.Shape != IsScalar || t.Base.Kind != Float {
			return nil
		}
		v := vectorType(t.Base, 2+g.r.IntN(3))
		return []*Type{v, v}
	}, Whole: func(w *cWriter, e *Expr, a [][]string) []string { return []string{dotText(e, a[0], a[1])} }, Float: bDot},
	{Name: "cross", GLSL: "cross($0, $1)", Args: same(2, func(t *Type) bool { return aFloat(t) && t.Rows == 3 }), Whole: func(w *cWriter, e *Expr, a [][]string) []string {
		var out []string
		for i := range 3 {
			j, k := (i+1)%3, (i+2)%3
			out = append(out, fmt.Sprintf("(%s)(%s * %s - %s * %s)", e.T.Base.c(), a[0][j], a[1][k], a[0][k], a[1][j]))
		}
		return out
	}, Float: bDot},
	{Name: "scale", GLSL: "($0 * $1)", C: "($c)($0 * $1)", Args: func(_ *gen, t *Type) []*Type {
		if t.Base.Kind == Bool || t.Shape != IsVector && t.Shape != IsMatrix {
			return nil
		}
		return []*Type{t, scalarType(t.Base)}
	}, Float: bProduct},
	{Name: "matrix_vector", GLSL: "($0 * $1)", Args: func(g *gen, t *Type) []*Type {
		if !aFloat(t) || t.Shape != IsVector {
			return nil
		}
		n := 2 + g.r.IntN(3)
		return []*Type{matrixType(t.Base, n, t.Rows), vectorType(t.Base, n)}
	}, Whole: matmul, Float: bDot},
	{Name: "vector_matrix", GLSL: "($0 * $1)", Args: func(g *gen, t *Type) []*Type {
		if !aFloat(t) || t.Shape != IsVector {
			return nil
		}
		n := 2 + g.r.IntN(3)
		return []*Type{vectorType(t.Base, n), matrixType(t.Base, t.Rows, n)}
	}, Whole: func(w *cWriter, e *Expr, a [][]string) []string {
		var out []string
		n := len(a[0])
		for c := range e.T.Rows {
			out = append(out, dotText(e, a[0], a[1][c*n:(c+1)*n]))
		}
		return out
	}, Float: bDot},
	{Name: "matrix_matrix", GLSL: "($0 * $1)", Args: func(g *gen, t *Type) []*Type {
		if t.Shape != IsMatrix {
			return nil
		}
		n := 2 + g.r.IntN(3)
		return []*Type{matrixType(t.Base, n, t.Rows), matrixType(t.Base, t.Cols, n)}
	}, Whole: matmul, Float: bDot},
	{Name: "transpose", GLSL: "transpose($0)", Args: from(func(_ *gen, t *Type) *Type {
		if t.Shape != IsMatrix {
			return nil
		}
		return matrixType(t.Base, t.Rows, t.Cols)
	}), Whole: func(w *cWriter, e *Expr, a [][]string) []string {
		var out []string
		for c := range e.T.Cols {
			for r := range e.T.Rows {
				out = append(out, a[0][r*e.T.Cols+c])
			}
		}
		return out
	}, Float: bSame},
	{Name: "outer_product", GLSL: "outerProduct($0, $1)", Args: func(_ *gen, t *Type) []*Type {
		if t.Shape != IsMatrix {
			return nil
		}
		return []*Type{vectorType(t.Base, t.Rows), vectorType(t.Base, t.Cols)}
	}, Whole: func(w *cWriter, e *Expr, a [][]string) []string {
		var out []string
		for c := range e.T.Cols {
			for r := range e.T.Rows {
				out = append(out, fmt.Sprintf("(%s)(%s * %s)", e.T.Base.c(), a[0][r], a[1][c]))
			}
		}
		return out
	}, Float: bProduct},
	{Name: "matrix_comp_mult", GLSL: "matrixCompMult($0, $1)", C: "($c)($0 * $1)", Args: same(2, aMatrix), Float: bProduct},

	// A float's bits lack the sign, since the sign of a zero is undefined.
	{Name: "float_bits", GLSL: "($F($0) & $T($X))", C: "($c)(bits_$a($0) & $X)", Args: from(func(_ *gen, t *Type) *Type {
		if !anInt(t) || t.Base.Bits == 8 || t.Base.Bits == 64 {
			return nil
		}
		return t.With(Scalar{Float, t.Base.Bits})
	})},
	{Name: "bits_float", GLSL: "$G(($0 & $A($Y)) | $A($Z))", C: "float_$c(($0 & $Y) | $Z)", Args: from(func(g *gen, t *Type) *Type {
		if !aFloat(t) || t.Base.Bits == 64 {
			return nil
		}
		return t.With(Scalar{Int + Kind(g.r.IntN(2)), t.Base.Bits})
	}), Float: func(e *Expr, _ []bound) bound { return bound{1, bitsOfMantissa[e.T.Base.Bits/16]} }},
	{Name: "pack_half", GLSL: "(packHalf2x16($0) & 0x7fff7fffu)", Args: scalarFrom(U32, 1, f32, 2), Limit: &bound{5, 4}, Whole: packHalf},
	{Name: "pack_float16", GLSL: "(packFloat2x16($0) & 0x7fff7fffu)", Args: scalarFrom(U32, 1, f16, 2), Whole: packHalf},
	{Name: "unpack_half", GLSL: "unpackHalf2x16(($0 & 0x03e003e0u) | 0x3c003c00u)", Args: scalarFrom(f32, 2, U32, 1), Whole: unpackHalf, Float: func(*Expr, []bound) bound { return bound{1, 5} }},
	{Name: "unpack_float16", GLSL: "unpackFloat2x16(($0 & 0x03e003e0u) | 0x3c003c00u)", Args: scalarFrom(f16, 2, U32, 1), Whole: unpackHalf, Float: func(*Expr, []bound) bound { return bound{1, 5} }},
}, rows(
	packs("", 16, 2, 8), packs("", 32, 4, 8), packs("", 32, 2, 16), packs("", 64, 4, 16), packs("", 64, 2, 32),
)...)

// wildOps are additional operations for the profiles that use them.
var wildOps = []*Op{
	{Name: "frexp", GLSL: "h$#($0)", Helper: "$T h$#($T x) { $E e; return frexp(x, e); }", C: "({ int e; ($c)frexp($0, &e); })",
		Args: same(1, func(t *Type) bool { return aFloat(t) && t.Base == f32 }), Limit: &bound{8, 4}, Float: func(_ *Expr, a []bound) bound { return bound{0, 12} }},
	{Name: "frexp_exponent", GLSL: "h$#($0)", Helper: "$T h$#($A x) { $T e; frexp(x, e); return e; }", C: "({ int e; frexp($0, &e); e; })",
		Args: func(_ *gen, t *Type) []*Type {
			if !signed32(t) {
				return nil
			}
			return []*Type{t.With(f32)}
		}},
}

func rows(lists ...[]*Op) (out []*Op) {
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

// bitsOfMantissa is the number of mantissa bits that bits_float fills, by half words.
var bitsOfMantissa = [3]int{1: 5, 2: 11}

func bvec(g *gen, t *Type) *Type {
	if !bool1(t) {
		return nil
	}
	return vectorType(Boolean, 2+g.r.IntN(3))
}

func whole(g *gen, t *Type) []*Type {
	if !bool1(t) {
		return nil
	}
	u := g.compound()
	return []*Type{u, u}
}

func ints32(g *gen, t *Type) []*Type {
	if !signed32(t) {
		return nil
	}
	return []*Type{t.With([]Scalar{I32, U32}[g.r.IntN(2)])}
}

func fold(op string) func(w *cWriter, e *Expr, a [][]string) []string {
	return func(_ *cWriter, _ *Expr, a [][]string) []string {
		text := a[0][0]
		for _, x := range a[0][1:] {
			text += " " + op + " " + x
		}
		return []string{"(" + text + ")"}
	}
}

func dotText(e *Expr, a, b []string) string {
	text := ""
	for i := range a {
		text += fmt.Sprintf(" + %s * %s", a[i], b[i])
	}
	return fmt.Sprintf("(%s)(%s)", e.T.Base.c(), text[3:])
}

// matmul returns the components of a matrix times a vector or a matrix.
func matmul(_ *cWriter, e *Expr, a [][]string) []string {
	left, right := e.Args[0].T, e.Args[1].T
	var out []string
	for c := range right.Cols {
		for r := range left.Rows {
			var row []string
			for k := range left.Cols {
				row = append(row, a[0][k*left.Rows+r])
			}
			out = append(out, dotText(e, row, a[1][c*right.Rows:(c+1)*right.Rows]))
		}
	}
	return out
}

func packHalf(_ *cWriter, _ *Expr, a [][]string) []string {
	return []string{fmt.Sprintf("((u32)(bits_f16((f16)%s) | (u32)bits_f16((f16)%s) << 16) & 0x7fff7fffu)", a[0][0], a[0][1])}
}

func unpackHalf(_ *cWriter, e *Expr, a [][]string) []string {
	var out []string
	for i := range 2 {
		out = append(out, fmt.Sprintf("(%s)float_f16((u16)((%s >> %d & 0x03e0) | 0x3c00))", e.T.Base.c(), a[0][0], i*16))
	}
	return out
}
