// SPDX-License-Identifier: MIT

package operators

import (
	"fmt"
	"strings"
)

// op is an operation that is tested on all its types, on scalars and vectors. In its text $V is the type at the current
// width, $T the scalar, $I, $U and $B the vectors (or scalars) of int, uint and bool as wide, $N the width, and x, y, z
// are the operands. LT, LE, EQ and so on compare scalars and vectors.
type op struct {
	name   string
	types  string // i, u, f for the kinds; after a colon the sizes, if not all
	args   []Domain
	expr   string
	result string // "" means as the operands; "u": uint, "i": int
	helper string // functions before main, for each width
	scalar bool   // the result is a scalar at every width
	from   int    // smallest width, 1 when it is 0
	to     int    // largest width, 4 when it is 0
	tol    Tolerance
}

var (
	exact = Tolerance{}
	oneUp = Tolerance{ULP: 1}
)

func ulp(n float64) Tolerance { return Tolerance{ULP: n} }

// ops are the operations. Their precision follows the Vulkan specification, "Precision of Individual Operations"; if the
// precision is inherited from a formula, it is an upper bound of the sum of its parts.
var ops = []op{
	{name: "add", types: "iuf", args: []Domain{Any, Any}, expr: "x + y", tol: oneUp},
	{name: "sub", types: "iuf", args: []Domain{Any, Any}, expr: "x - y", tol: oneUp},
	{name: "mul", types: "iuf", args: []Domain{Any, Any}, expr: "x * y", tol: oneUp},
	{name: "div", types: "iuf", args: []Domain{Any, NonZero}, expr: "x / y", tol: ulp(2.5)},
	{name: "umod", types: "u", args: []Domain{Any, NonZero}, expr: "x % y"},
	{name: "smod", types: "i", args: []Domain{Positive, AtLeast1}, expr: "x % y"},
	{name: "neg", types: "if", args: []Domain{Any}, expr: "-x"},
	{name: "and", types: "iu", args: []Domain{Any, Any}, expr: "x & y"},
	{name: "or", types: "iu", args: []Domain{Any, Any}, expr: "x | y"},
	{name: "xor", types: "iu", args: []Domain{Any, Any}, expr: "x ^ y"},
	{name: "not", types: "iu", args: []Domain{Any}, expr: "~x"},
	{name: "shl", types: "iu", args: []Domain{Any, Amount}, expr: "x << y"},
	{name: "shr", types: "iu", args: []Domain{Any, Amount}, expr: "x >> y"},
	{name: "compare", types: "iuf", args: []Domain{Any, Any}, result: "u",
		expr: "$U(LT(x, y)) | $U(LE(x, y)) << 1 | $U(GT(x, y)) << 2 | $U(GE(x, y)) << 3 | $U(EQ(x, y)) << 4 | $U(NE(x, y)) << 5 | $U(EQ(x, x)) << 6"},
	{name: "choose", types: "iuf", args: []Domain{Any, Any}, expr: "$PART(0) < $PARTY(0) ? x : y"},
	{name: "abs", types: "if", args: []Domain{Any}, expr: "abs(x)"},
	{name: "sign", types: "if", args: []Domain{Any}, expr: "sign(x)"},
	{name: "min", types: "iuf", args: []Domain{Any, Any}, expr: "min(x, y)"},
	{name: "max", types: "iuf", args: []Domain{Any, Any}, expr: "max(x, y)"},
	{name: "clamp", types: "iuf", args: []Domain{Any, Any, Any}, expr: "clamp(x, min(y, z), max(y, z))"},
	{name: "component", types: "iuf", args: []Domain{Any}, from: 2, scalar: true, expr: "x[i % $N]"},
	{name: "insert", types: "iuf", args: []Domain{Any, Any}, from: 2, expr: "insert(x, y, i % $N)",
		helper: "$V insert($V x, $V y, uint k) { x[k] = y[k]; return x; }"},
	{name: "swizzle", types: "iuf", args: []Domain{Any, Any}, from: 4, expr: "$V(x.wy, y.zx).yxwz"},

	{name: "bit_count", types: "iu:32", args: []Domain{Any}, result: "i", expr: "bitCount(x)"},
	{name: "find_lsb", types: "iu:32", args: []Domain{Any}, result: "i", expr: "findLSB(x)"},
	{name: "find_msb", types: "iu:32", args: []Domain{Any}, result: "i", expr: "findMSB(x)"},
	{name: "bit_reverse", types: "iu:32", args: []Domain{Any}, expr: "bitfieldReverse(x)"},
	{name: "bit_extract", types: "iu:32", args: []Domain{Any}, expr: "bitfieldExtract(x, int(i % 13u), int(i % 20u))"},
	{name: "bit_insert", types: "iu:32", args: []Domain{Any, Any}, expr: "bitfieldInsert(x, y, int(i % 13u), int(i % 20u))"},
	{name: "add_carry", types: "u:32", args: []Domain{Any, Any}, expr: "h(x, y)", helper: "$V h($V x, $V y) { $V c, s = uaddCarry(x, y, c); return s ^ c * 99u; }"},
	{name: "sub_borrow", types: "u:32", args: []Domain{Any, Any}, expr: "h(x, y)", helper: "$V h($V x, $V y) { $V c, s = usubBorrow(x, y, c); return s ^ c * 99u; }"},
	{name: "umul_extended", types: "u:32", args: []Domain{Any, Any}, expr: "h(x, y)", helper: "$V h($V x, $V y) { $V a, b; umulExtended(x, y, a, b); return a ^ b * 3u; }"},
	{name: "imul_extended", types: "i:32", args: []Domain{Any, Any}, expr: "h(x, y)", helper: "$V h($V x, $V y) { $V a, b; imulExtended(x, y, a, b); return a ^ b * 3; }"},

	{name: "floor", types: "f", args: []Domain{Any}, expr: "floor(x)"},
	{name: "ceil", types: "f", args: []Domain{Any}, expr: "ceil(x)"},
	{name: "trunc", types: "f", args: []Domain{Any}, expr: "trunc(x)"},
	{name: "round", types: "f", args: []Domain{Halfway}, expr: "round(x)"},
	{name: "round_even", types: "f", args: []Domain{Any}, expr: "roundEven(x)"},
	{name: "fract", types: "f", args: []Domain{Any}, expr: "fract(x)", tol: oneUp},
	{name: "mod", types: "f", args: []Domain{Positive, Positive}, expr: "h(x, y)", tol: exact, result: "u",
		// The remainder is discontinuous where the quotient is an integer, so it is judged separately.
		helper: "$U h($V x, $V y) { $V m = mod(x, y); return $U(LE($V(0), m)) | $U(LE(m, y * $T(1.01))) << 1; }"},
	{name: "step", types: "f", args: []Domain{Any, Any}, expr: "step(x, y)"},
	{name: "smoothstep", types: "f", args: []Domain{Any}, expr: "smoothstep($V(-2), $V(3), x)", tol: Tolerance{ULP: 16, Abs: 0x1p-9}},
	{name: "mix", types: "f", args: []Domain{Unit, Unit, Unit}, expr: "mix(x, y, z)", tol: Tolerance{ULP: 4, Eps: 4}},
	{name: "fma", types: "f", args: []Domain{Small, Small, Small}, expr: "fma(x, y, z)", tol: Tolerance{ULP: 4, Eps: 24}},
	{name: "sqrt", types: "f", args: []Domain{Positive}, expr: "sqrt(x)", tol: ulp(4)},
	{name: "inversesqrt", types: "f", args: []Domain{Positive}, expr: "inversesqrt(x)", tol: ulp(3)},
	{name: "is", types: "f", args: []Domain{Any, Any}, result: "u", expr: "$U(isnan(x)) | $U(isinf(x)) << 1 | $U(isnan(x * y)) << 2"},
	{name: "frexp", types: "f", args: []Domain{NonZero}, expr: "h(x)", helper: "$V h($V x) { $I e; $V m = frexp(x, e); return m + $V(e); }", tol: oneUp},
	{name: "ldexp", types: "f", args: []Domain{Unit, Exponent}, expr: "ldexp(x, $I(y))", tol: oneUp},
	{name: "modf", types: "f", args: []Domain{Any}, expr: "h(x)", helper: "$V h($V x) { $V w; $V m = modf(x, w); return m + w * $T(0.5); }", tol: ulp(2)},

	{name: "exp", types: "f:32", args: []Domain{Small}, expr: "exp(x)", tol: ulp(3 + 8)},
	{name: "exp2", types: "f:32", args: []Domain{Small}, expr: "exp2(x)", tol: ulp(3 + 8)},
	{name: "log", types: "f:32", args: []Domain{Positive}, expr: "log(x)", tol: Tolerance{ULP: 3, Abs: 0x1p-21}},
	{name: "log2", types: "f:32", args: []Domain{Positive}, expr: "log2(x)", tol: Tolerance{ULP: 3, Abs: 0x1p-21}},
	{name: "pow", types: "f:32", args: []Domain{AtLeast1, Unit}, expr: "pow(x, y)", tol: ulp(3 + 2*7 + 16)},
	{name: "sin", types: "f:32", args: []Domain{Small}, expr: "sin(x * $T(0.75))", tol: Tolerance{Abs: 0x1p-11}},
	{name: "cos", types: "f:32", args: []Domain{Small}, expr: "cos(x * $T(0.75))", tol: Tolerance{Abs: 0x1p-11}},
	{name: "tan", types: "f:32", args: []Domain{Unit}, expr: "tan(x)", tol: Tolerance{ULP: 4, Abs: 0x1p-9}},
	{name: "asin", types: "f:32", args: []Domain{Unit}, expr: "asin(x)", tol: Tolerance{ULP: 4096, Abs: 0x1p-11}},
	{name: "acos", types: "f:32", args: []Domain{Unit}, expr: "acos(x)", tol: Tolerance{ULP: 4096, Abs: 0x1p-11}},
	{name: "atan", types: "f:32", args: []Domain{Any}, expr: "atan(x)", tol: ulp(4096)},
	{name: "atan2", types: "f:32", args: []Domain{NonZero, NonZero}, expr: "atan(x, y)", tol: ulp(4096)},
	{name: "sinh", types: "f:32", args: []Domain{Small}, expr: "sinh(x)", tol: Tolerance{ULP: 24, Abs: 0x1p-9}},
	{name: "cosh", types: "f:32", args: []Domain{Small}, expr: "cosh(x)", tol: ulp(24)},
	{name: "tanh", types: "f:32", args: []Domain{Small}, expr: "tanh(x)", tol: Tolerance{ULP: 48, Abs: 0x1p-9}},
	{name: "asinh", types: "f:32", args: []Domain{Positive}, expr: "asinh(x)", tol: Tolerance{ULP: 24, Abs: 0x1p-9}},
	{name: "acosh", types: "f:32", args: []Domain{AtLeast1}, expr: "acosh(x + $T(0.5))", tol: Tolerance{ULP: 24, Abs: 0x1p-9}},
	{name: "atanh", types: "f:32", args: []Domain{Unit}, expr: "atanh(x * $T(0.75))", tol: Tolerance{ULP: 24, Abs: 0x1p-9}},
	{name: "radians", types: "f:16,32", args: []Domain{Any}, expr: "radians(x)", tol: ulp(2)},
	{name: "degrees", types: "f:16,32", args: []Domain{Any}, expr: "degrees(x)", tol: ulp(2)},

	{name: "dot", types: "f", args: []Domain{Positive, Positive}, scalar: true, expr: "dot(x, y)", tol: ulp(8)},
	{name: "length", types: "f", args: []Domain{NonZero}, scalar: true, expr: "length(x)", tol: ulp(16)},
	{name: "distance", types: "f", args: []Domain{Positive, NonZero}, scalar: true, expr: "distance(x, -abs(y))", tol: ulp(16)},
	{name: "normalize", types: "f", args: []Domain{NonZero}, expr: "normalize(x)", tol: ulp(16)},
	{name: "cross", types: "f", args: []Domain{Small, Small}, from: 3, to: 3, expr: "cross(x, y)", tol: Tolerance{ULP: 4, Eps: 64}},
	{name: "faceforward", types: "f", args: []Domain{Any, Positive, Positive}, expr: "faceforward(x, y, z)"},
	{name: "reflect", types: "f", args: []Domain{Small, Unit}, expr: "reflect(x, y)", tol: Tolerance{ULP: 8, Eps: 256}},
	{name: "refract", types: "f:32", args: []Domain{Unit, Unit}, expr: "refract(normalize(x + $T(2)), normalize(y + $T(2)), $T(0.5))", tol: Tolerance{ULP: 64, Eps: 64}},

	{name: "bits16", types: "f:16", args: []Domain{Any}, expr: "int16BitsToFloat16(float16BitsToInt16(x) ^ $X16(3))"},
	{name: "bits32", types: "f:32", args: []Domain{Any}, expr: "uintBitsToFloat(floatBitsToUint(x) ^ 3u)"},
	{name: "bits64", types: "f:64", args: []Domain{Any}, to: 1, expr: "packDouble2x32(unpackDouble2x32(x) ^ uvec2(3u, 0u))"},
	{name: "pack_half", types: "f:32", args: []Domain{Any, Any}, to: 1, result: "u", expr: "packHalf2x16(vec2(x, y))"},
	{name: "unpack_half", types: "f:16", args: []Domain{Any}, to: 1, expr: "float16_t(unpackHalf2x16(packFloat2x16(f16vec2(x))).y)"},
	{name: "pack_unorm", types: "f:32", args: []Domain{Small}, from: 4, scalar: true, result: "u", expr: "packUnorm4x8(floor(x * 255.) / 255.)"},
	{name: "pack_snorm", types: "f:32", args: []Domain{Small}, from: 4, scalar: true, result: "u", expr: "packSnorm4x8(floor(x * 127.) / 127.)"},
	{name: "pack_unorm16", types: "f:32", args: []Domain{Small}, from: 2, to: 2, scalar: true, result: "u", expr: "packUnorm2x16(floor(x * 255.) / 255.)"},
	{name: "pack_snorm16", types: "f:32", args: []Domain{Small}, from: 2, to: 2, scalar: true, result: "u", expr: "packSnorm2x16(floor(x * 127.) / 127.)"},
	{name: "unpack_unorm", types: "u:32", args: []Domain{Any}, from: 4, to: 4, scalar: true, result: "u",
		expr: "uint(dot(floor(unpackUnorm4x8(x.x) * 255. + .5), vec4(1, 3, 5, 7))) + uint(dot(floor(unpackUnorm2x16(x.y) * 65535. + .5), vec2(1, 3)))"},
	{name: "unpack_snorm", types: "u:32", args: []Domain{Any}, from: 4, to: 4, scalar: true, result: "i",
		expr: "int(dot(floor(unpackSnorm4x8(x.x) * 127. + .5), vec4(1, 3, 5, 7))) + int(dot(floor(unpackSnorm2x16(x.y) * 32767. + .5), vec2(1, 3)))"},
}

// on reports whether the operation is tested on a type.
func (o *op) on(t Type) bool {
	kinds, sizes, _ := strings.Cut(o.types, ":")
	if !strings.ContainsRune(kinds, rune("iuf"[t.Kind])) {
		return false
	}
	return sizes == "" || strings.Contains(","+sizes+",", fmt.Sprintf(",%d,", t.Bits))
}
