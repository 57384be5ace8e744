// SPDX-License-Identifier: MIT

// Package operators generates compute shaders that cover the arithmetic, conversions
// and memory accesses of SPIR-V at every type and width, and tests that the
// interpreter and lavapipe compute the same: integers bit for bit, floats within
// the precision that Vulkan requires (Vulkan specification, "Precision and
// Operation of SPIR-V Instructions"), on inputs for which SPIR-V defines the
// result.
//
// [Cases] returns the shaders, [Compare] compares two results of a shader within its
// tolerance. Shaders of other shapes are tested in package random.
package operators

// Case is a shader with its inputs. Its buffers are bound to set 0: the inputs starting at binding 0, then the output.
type Case struct {
	Name   string
	Source string // GLSL
	Inputs [][]byte
	Output Type // type of the output's elements
	Len    int  // elements of the output
	Tol    Tolerance
}

// Lanes is the number of invocations of every shader.
const Lanes = 32

// Cases returns all cases, always the same.
func Cases() []Case {
	var out []Case
	for _, o := range ops {
		for _, t := range Types {
			if o.on(t) {
				out = append(out, o.shader(t))
			}
		}
	}
	for _, from := range Types {
		for _, to := range Types {
			if from != to {
				out = append(out, conversion(from, to))
			}
		}
	}
	for _, t := range Types {
		for _, m := range memories {
			out = append(out, m.shader(t))
		}
	}
	for _, t := range Types {
		if t.Kind == Float {
			for n := 2; n <= 4; n++ {
				out = append(out, matrices(t, n))
			}
		}
	}
	return append(out, atomics()...)
}
