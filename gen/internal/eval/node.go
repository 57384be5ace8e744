// SPDX-License-Identifier: MIT

package eval

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// prim is the operation of a node of a checked expression.
type prim uint8

const (
	pConst prim = iota
	pSrc        // a source's component
	pLet        // a named part

	pAdd
	pSub
	pMul
	pDiv
	pRem
	pFloorMod
	pAnd
	pOr
	pXor
	pAndNot
	pNot
	pNeg
	pShl
	pShr

	pLt
	pLe
	pGt
	pGe
	pEq
	pNe
	pSel

	pMin
	pMax
	pMulHigh
	pAddSat
	pSubSat
	pPopCount
	pCLZ
	pCTZ
	pReverse

	pAbs
	pSqrt
	pFma
	pFloor
	pCeil
	pTrunc
	pRint
	pExp2
	pLog2
	pSin
	pCos
	pPow
	pLdexp
	pFrexpSig
	pFrexpExp
	pIsNaN
	pIsNormal

	pConv     // between numeric types, by value
	pConvRTNE // to a float, to nearest even regardless of the mode
	pConvRTZ  // to a float, toward zero
	pConvRTP  // to a float, upward
	pConvRTN  // to a float, downward
	pCast     // the same bits as another type
)

// node is an expression with concrete types.
type node struct {
	prim prim
	typ  Type
	args []*node
	bits uint64 // pConst
	src  int    // pSrc: source; pLet: number of the part
	comp int    // pSrc: component, or -1 for the current one
}

// function is a built-in whose arguments all have one type T.
type function struct {
	prim   prim
	bases  []Base // the types that T may be
	nargs  int
	extra  Type // type of an additional argument, if any
	result Type // zero: T
	doc    string
}

var (
	ints    = []Base{Int, Uint}
	numbers = []Base{Int, Uint, Float}
	floats  = []Base{Float}
	uints   = []Base{Uint}
)

// funcs are the built-in functions of regular form.
var funcs map[string]*function

func init() {
	int32Type := Type{Int, 32}
	funcs = map[string]*function{
		"floormod":  {prim: pFloorMod, bases: []Base{Int}, nargs: 2, doc: "remainder with the sign of the divisor"},
		"mulhigh":   {prim: pMulHigh, bases: ints, nargs: 2, doc: "high half of the double-width product"},
		"addsat":    {prim: pAddSat, bases: ints, nargs: 2, doc: "sum, clamped to the type's range"},
		"subsat":    {prim: pSubSat, bases: ints, nargs: 2, doc: "difference, clamped to the type's range"},
		"popcount":  {prim: pPopCount, bases: uints, nargs: 1, doc: "number of set bits"},
		"clz":       {prim: pCLZ, bases: uints, nargs: 1, doc: "zero bits above the highest set bit; the width for 0"},
		"ctz":       {prim: pCTZ, bases: uints, nargs: 1, doc: "zero bits below the lowest set bit; the width for 0"},
		"reverse":   {prim: pReverse, bases: uints, nargs: 1, doc: "the bits in the opposite order"},
		"min":       {prim: pMin, bases: numbers, nargs: 2, doc: "the smaller; for floats, the other one if one is NaN, and -0 is less than +0"},
		"max":       {prim: pMax, bases: numbers, nargs: 2, doc: "the larger; for floats, the other one if one is NaN, and +0 is greater than -0"},
		"abs":       {prim: pAbs, bases: floats, nargs: 1, doc: "without the sign"},
		"sqrt":      {prim: pSqrt, bases: floats, nargs: 1, doc: "square root"},
		"fma":       {prim: pFma, bases: floats, nargs: 3, doc: "a*b + c, rounded once"},
		"floor":     {prim: pFloor, bases: floats, nargs: 1, doc: "rounded down to an integer"},
		"ceil":      {prim: pCeil, bases: floats, nargs: 1, doc: "rounded up to an integer"},
		"trunc":     {prim: pTrunc, bases: floats, nargs: 1, doc: "rounded toward zero to an integer"},
		"rint":      {prim: pRint, bases: floats, nargs: 1, doc: "rounded to the nearest integer, ties to even"},
		"exp2":      {prim: pExp2, bases: floats, nargs: 1, doc: "2 to the power a"},
		"log2":      {prim: pLog2, bases: floats, nargs: 1, doc: "logarithm to base 2"},
		"sin":       {prim: pSin, bases: floats, nargs: 1, doc: "sine"},
		"cos":       {prim: pCos, bases: floats, nargs: 1, doc: "cosine"},
		"pow":       {prim: pPow, bases: floats, nargs: 2, doc: "a to the power b; NaN for a < 0"},
		"ldexp":     {prim: pLdexp, bases: floats, nargs: 1, extra: int32Type, doc: "a times 2 to the power n, rounded once"},
		"frexp_sig": {prim: pFrexpSig, bases: floats, nargs: 1, doc: "significand in [0.5, 1)"},
		"frexp_exp": {prim: pFrexpExp, bases: floats, nargs: 1, result: int32Type, doc: "the exponent that goes with frexp_sig"},
		"isnan":     {prim: pIsNaN, bases: floats, nargs: 1, result: boolType, doc: "is NaN"},
		"isnormal":  {prim: pIsNormal, bases: floats, nargs: 1, result: boolType, doc: "is finite, not zero and not denormal"},
	}
}

// special are the built-ins of irregular form.
var special = map[string]bool{
	"sel": true, "vec": true, "sum": true, "all": true, "any": true,
	"asuint": true, "asint": true, "asfloat": true,
}

// directed are the conversions that specify their rounding.
var directed = map[string]struct {
	prim prim
	bits int
}{}

// directions are the suffixes after a type's name in the names of directed conversions.
var directions = []struct {
	suffix string
	prim   prim
	smt    string // rounding mode of SMT-LIB
	num    string // constant of package num
}{
	{"rtne", pConvRTNE, "RNE", "num.NearestEven"},
	{"rtz", pConvRTZ, "RTZ", "num.TowardZero"},
	{"rtp", pConvRTP, "RTP", "num.Upward"},
	{"rtn", pConvRTN, "RTN", "num.Downward"},
}

func init() {
	for _, bits := range []int{16, 32, 64} {
		for _, d := range directions {
			name := fmt.Sprintf("float%d_%s", bits, d.suffix)
			directed[name] = struct {
				prim prim
				bits int
			}{d.prim, bits}
			special[name] = true
		}
	}
}

// Func is a meaning at one execution size.
type Func struct {
	Size    int // the value of the name bits
	Params  []Param
	Out     Param
	lets    []let
	results []*node // one for each component of the result; a single one when per component
}

type let struct {
	name string
	val  *node
}

// Function describes a built-in function for documentation.
type Function struct{ Usage, Doc string }

// Functions lists the built-in functions by name.
func Functions() []Function {
	out := []Function{
		{"int8(x) … uint64(x)", "conversion by value: extends by x's sign or truncates; from a float toward zero, saturating, NaN to 0"},
		{"int(x), uint(x)", "the same bits at the same width, signed or unsigned"},
		{"float16(x), float32(x), float64(x)", "conversion by value, rounded once"},
		{"float16_rtne(x) … float64_rtn(x)", "conversion rounded to nearest even (rtne), toward zero (rtz), up (rtp) or down (rtn) whatever the float mode"},
		{"asuint(x), asint(x), asfloat(x)", "the same bits as another type"},
		{"vec(x, y, …)", "the components of the result"},
	}
	for _, name := range slices.Sorted(maps.Keys(funcs)) {
		f := funcs[name]
		args := []string{"a", "b", "c"}[:f.nargs]
		if f.extra != (Type{}) {
			args = append(args[:f.nargs:f.nargs], "n")
		}
		out = append(out, Function{name + "(" + strings.Join(args, ", ") + ")", f.doc})
	}
	return out
}
