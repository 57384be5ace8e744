// SPDX-License-Identifier: MIT

package precision

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// local is the size of a workgroup.
const local = 64

// source returns the GLSL of all functions on a format: specialization constant 0 chooses
// one. Bindings 0 to 2 are the arguments, 3 and 4 the results.
func (f *format) source() string {
	var b strings.Builder
	b.WriteString("#version 450\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n" +
		"#extension GL_EXT_shader_16bit_storage : require\n")
	if f.keep { // SPV_KHR_float_controls: capability and mode DenormPreserve
		fmt.Fprintf(&b, "#extension GL_EXT_spirv_intrinsics : require\n"+
			"spirv_execution_mode(extensions = [\"SPV_KHR_float_controls\"], capabilities = [4464], 4459, %d);\n", f.bits)
	}
	vec := map[int]string{16: "f16vec2", 32: "vec2"}[f.bits]
	fmt.Fprintf(&b, "#define T %s\n#define vec %s\nlayout(local_size_x = %d) in;\nlayout(constant_id = 0) const int which = 0;\n", f.name,
		vec, local)
	for i, v := range []string{"X", "Y", "Z"} {
		fmt.Fprintf(&b, "layout(set = 0, binding = %d) readonly buffer Buffer%s { T %s[]; };\n", i, v, v)
	}
	for i, v := range []string{"R", "S"} {
		fmt.Fprintf(&b, "layout(set = 0, binding = %d) writeonly buffer Buffer%s { T %s[]; };\n", 3+i, v, v)
	}
	b.WriteString("void main() {\n  uint i = gl_GlobalInvocationID.x;\n  T x = X[i], y = Y[i], z = Z[i], r = T(0), s = T(0);\n" +
		"  switch (which) {\n")
	for i := range functions {
		fmt.Fprintf(&b, "  case %d: { %s break; }\n", i, functions[i].body)
	}
	b.WriteString("  }\n  R[i] = r;\n  S[i] = s;\n}\n")
	return b.String()
}

// value returns the number that bits of the format encode (IEEE 754-2008, 3.4).
func (f *format) value(bits uint32) float64 {
	mantissa := f.digits - 1
	fraction := float64(bits & (1<<mantissa - 1))
	e := int(bits>>mantissa) & (1<<(f.bits-1-mantissa) - 1)
	x := 0.0
	switch {
	case e == f.most-f.least+2 && fraction != 0:
		return math.NaN()
	case e == f.most-f.least+2:
		x = math.Inf(1)
	case e == 0:
		x = math.Ldexp(fraction, f.least-mantissa)
	default:
		x = math.Ldexp(fraction+math.Ldexp(1, mantissa), e-1+f.least-mantissa)
	}
	if bits>>(f.bits-1) != 0 {
		x = -x
	}
	return x
}

// corners returns bits of numbers with exponents from all over the range, around
// which functions change, and of infinity.
func (f *format) corners() []uint32 {
	var out []uint32
	mantissa := f.digits - 1
	add := func(bits uint32) { out = append(out, bits, bits|1<<(f.bits-1)) }
	last := f.most - f.least + 2
	for e := 0; e <= last; e += max(last/32, 1) {
		for _, fraction := range []uint32{0, 1, 1 << (mantissa - 1), 1<<mantissa - 1} {
			if e < last || fraction == 0 {
				add(uint32(e)<<mantissa | fraction)
			}
		}
	}
	for _, u := range []uint32{0x3c00, 0x3e00, 0x4000, 0x4200, 0x2e66, 0x4900, 0x4980, 0x4a00, 0x5640, 0x4248, 0x3e48, 0x3bec} { // 1 1.5 2 3 0.1 10 11 12 100 π π/2 0.99
		if f.bits == 32 {
			u = math.Float32bits(float32(half.value(u)))
		}
		add(u)
	}
	return out
}

// arguments returns the inputs of a function: lists of its first, second and third arguments, including arguments that
// it does not take.
func (fn *function) arguments(f *format, n int) [3][]uint32 {
	var out [3][]uint32
	r := rand.New(rand.NewPCG(uint64(f.bits), uint64(fn.args)))
	corners := f.corners()
	for i := range n {
		for k := range out {
			x := r.Uint32() >> (32 - f.bits)
			switch {
			case fn.args == 1 && f.bits == 16:
				x = uint32(i)
			case fn.args == 1 && i%4 == 0: // where exponentials overflow
				x = math.Float32bits(float32(r.Float64()*256 - 128))
			case fn.args == 1: // every exponent
				x = uint32(i*(1<<16/n))<<16 | x>>16
			case r.IntN(8) > 0:
				x = corners[r.IntN(len(corners))]
			}
			out[k] = append(out[k], x)
		}
	}
	return out
}
