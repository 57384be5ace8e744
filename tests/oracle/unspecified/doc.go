// SPDX-License-Identifier: MIT

// Package unspecified resolves by a seed whatever SPIR-V leaves undefined: undefined results become arbitrary bits, and
// results with a limited precision vary within it (Vulkan specification, "Precision and Operation of SPIR-V
// Instructions"). If a result is the same under all seeds, every implementation computes it; other results may differ
// between implementations.
//
// [Of] returns the override for a seed, to run the interpreter with. [Undefined] returns an override that changes only
// undefined results. The package knows the interpreter's values but no passes.
package unspecified

import (
	"math"

	"jacquard.example/core/ir"
	"jacquard.example/core/num"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/op"
)

// Override is the type of interp.Call's override.
type Override = func(o op.Op, bits uint8, src *[op.MaxSrc][fold.MaxComps]uint64, dst *[fold.MaxComps]uint64, mode fold.Mode) bool

// maxComps is the maximum number of components of a shader's vectors.
const maxComps = 4

// freedom is the latitude of an implementation with a shader's floats, under a seed.
type freedom struct {
	seed   uint64
	keep   num.Mode // denormals that are kept although the interpreter flushes them
	exact  bool     // only undefined results vary
	strict uint8    // sizes whose zeros, infinities and NaN follow IEEE 754: bits 1, 2 and 4 for 16, 32 and 64 bits
	round  uint8    // sizes whose rounding the shader chooses, in the same form
}

// Of returns the override for a shader's operations under a seed.
func Of(s *ir.Shader, seed uint64) Override {
	z := &freedom{seed: seed, strict: s.Info.SignedZeroInfNaN, round: s.Info.RoundTiesEven | s.Info.RoundTowardZero}
	for i, f := range [...]num.Mode{num.Flush16, num.Flush32, num.Flush64} {
		if seed&1 != 0 && s.Info.DenormFlush>>i&1 == 0 {
			z.keep |= f
		}
	}
	return z.eval
}

// Undefined returns an override that changes only undefined results.
func Undefined(s *ir.Shader, seed uint64) Override {
	z := &freedom{seed: seed, exact: true, strict: s.Info.SignedZeroInfNaN}
	return z.eval
}

func (z *freedom) eval(o op.Op, bits uint8, src *[op.MaxSrc][fold.MaxComps]uint64, dst *[fold.MaxComps]uint64, mode fold.Mode) bool {
	info := o.Info()
	n := int(info.Out.Comps)
	if n == 0 {
		n = maxComps
	}
	if !fold.Eval(o, bits, maxComps, src, dst, mode&^z.keep) {
		return false
	}
	c := call{freedom: z, op: o, info: info, bits: bits, out: bits, src: src}
	if info.Out.Bits != 0 {
		c.out = info.Out.Bits
	}
	for i := range n {
		c.at = i
		c.rng = z.seed*0x9e3779b97f4a7c15 + uint64(o)
		for k := range int(info.NumSrc) {
			for j := range max(int(info.Src[k].Comps), 1) {
				c.rng = mix(c.rng ^ c.arg(k, j))
			}
		}
		dst[i] = c.result(dst[i])
	}
	return true
}

func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// A call is an operation on one component: equal operands yield equal results.
type call struct {
	*freedom
	op        op.Op
	info      *op.Info
	bits, out uint8 // sizes of the operands and of the result
	src       *[op.MaxSrc][fold.MaxComps]uint64
	at        int // component
	rng       uint64
}

// arg returns operand k: component j if the operation takes a whole vector, otherwise the component that is computed.
func (c *call) arg(k, j int) uint64 {
	if c.info.Src[k].Comps != 0 {
		return c.src[k][j]
	}
	return c.src[k][c.at]
}

// size returns the bits of operand k.
func (c *call) size(k int) uint8 {
	if b := c.info.Src[k].Bits; b != 0 {
		return b
	}
	return c.bits
}

func (c *call) float(k int) float64 { return value(c.arg(k, 0), c.size(k)) }

func (c *call) signed(k int) int64 {
	n := 64 - c.size(k)
	return int64(c.arg(k, 0)<<n) >> n
}

// any returns an arbitrary result, for an operation whose result is undefined.
func (c *call) any() uint64 {
	x := mix(c.rng + 1)
	if c.info.Out.Base == op.Float && x>>60&1 != 0 { // random bits are rarely ordinary numbers
		return round([]float64{math.NaN(), math.NaN(), 0, 1, -1, math.Inf(1), math.Inf(-1), 0.25}[x>>61], c.out)
	}
	return x & (^uint64(0) >> (64 - c.out))
}

// free reports whether the shader leaves zeros, infinities and NaN of a size open.
func (z *freedom) free(bits uint8) bool { return z.strict&(bits>>4) == 0 }

// result returns one of the allowed results of an operation whose usual result is x.
func (c *call) result(x uint64) uint64 {
	if c.undefined() {
		return c.any()
	}
	if c.exact {
		return x
	}
	if c.op == op.PackHalf2x16 || c.op == op.PackHalf2x16Split {
		return c.halves(x)
	}
	if c.info.Out.Base != op.Float {
		return x
	}
	x = c.rounded(x)
	switch f := value(x, c.out); {
	case !c.free(c.out):
	case math.IsNaN(f) || math.IsInf(f, 0):
		return c.any()
	case f == 0: // a zero of either sign
		return c.rng & 1 << (c.out - 1)
	}
	return x
}

// undefined reports whether SPIR-V leaves the result for the operands undefined.
func (c *call) undefined() bool {
	for k := range int(c.info.NumSrc) {
		if c.info.Src[k].Base != op.Float || !c.free(c.size(k)) {
			continue
		}
		for j := range max(int(c.info.Src[k].Comps), 1) {
			if f := value(c.arg(k, j), c.size(k)); math.IsNaN(f) || math.IsInf(f, 0) {
				return true
			}
		}
	}
	if rule := domains[c.op]; rule != nil {
		return rule(c)
	}
	return false
}

// domains has a function for each operation that is undefined for some operands; it reports whether the operands of a
// call are such (SPIR-V specification 3.49, GLSL.std.450, and the Vulkan specification's "Vulkan Environment for
// SPIR-V" about remainders of negative numbers).
var domains = map[op.Op]func(c *call) bool{
	op.UDiv: noDivisor, op.UMod: noDivisor, op.IDiv: signedDivision,
	op.IRem: remainder, op.IMod: remainder,
	op.IShl: amount, op.IShr: amount, op.UShr: amount,
	op.UBitfieldExtract: extract, op.IBitfieldExtract: extract,
	op.BitfieldInsert: func(c *call) bool { return c.arg(2, 0)+c.arg(3, 0) > uint64(c.bits) },
	op.F2I8:           inRange(8, true), op.F2I16: inRange(16, true), op.F2I32: inRange(32, true), op.F2I64: inRange(64, true),
	op.F2U8: inRange(8, false), op.F2U16: inRange(16, false), op.F2U32: inRange(32, false), op.F2U64: inRange(64, false),
	op.FSqrt: func(c *call) bool { return c.float(0) < 0 },
	op.FRsq:  func(c *call) bool { return c.float(0) <= 0 },
	op.FLog2: func(c *call) bool { return c.float(0) <= 0 },
	op.FPow:  func(c *call) bool { return c.float(0) < 0 || c.float(0) == 0 && c.float(1) <= 0 },
	op.FDiv:  func(c *call) bool { return c.float(1) == 0 }, op.FRcp: func(c *call) bool { return c.float(0) == 0 },
	op.FRem: func(c *call) bool { return c.float(1) == 0 }, op.FMod: func(c *call) bool { return c.float(1) == 0 },
	// Round may return either of two equally near integers.
	op.FRoundEven: func(c *call) bool { f := c.float(0); return math.Abs(f-math.Trunc(f)) == 0.5 },
}

func noDivisor(c *call) bool { return c.arg(1, 0) == 0 }

func signedDivision(c *call) bool {
	return c.arg(1, 0) == 0 || c.signed(1) == -1 && c.arg(0, 0) == 1<<(c.bits-1)
}

func remainder(c *call) bool { return c.signed(0) < 0 || c.signed(1) <= 0 }

func amount(c *call) bool { return c.arg(1, 0) >= uint64(c.bits) }

func extract(c *call) bool { return c.arg(1, 0)+c.arg(2, 0) > uint64(c.bits) }

func inRange(bits int, signed bool) func(c *call) bool {
	lo, hi := 0.0, math.Ldexp(1, bits)
	if signed {
		lo, hi = -hi/2, hi/2
	}
	return func(c *call) bool {
		f := math.Trunc(c.float(0))
		return f < lo || f >= hi
	}
}
