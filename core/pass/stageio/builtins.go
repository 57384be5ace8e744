// SPDX-License-Identifier: MIT

package stageio

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// BuiltinInputs lowers builtins of fragment shaders that fixed-function hardware supplies as inputs: the primitive ID, the
// viewport index and the coordinates within a point become loads of inputs. If the shader runs for each sample, inputs
// without a decoration or with Centroid are interpolated at the sample, and the mask of covered samples has only that
// sample (Vulkan specification, "Sample Shading"). In vertex shaders it removes stores to the shading rate: see
// dropRates.
func BuiltinInputs(pc *pass.Context) bool {
	c := context{pc}
	s := c.S
	switch s.Info.Stage {
	case kind.StageVertex:
		return c.dropRates()
	case kind.StageFragment:
	default:
		return false
	}
	each, changed := PerSample(s), false
	for f := range s.Funcs() {
		for b := range s.Blocks(f) {
			for v := range s.Instrs(b) {
				if s.At(v).Kind != kind.Intrinsic {
					continue
				}
				if x, ok := c.builtinInput(v, each); ok {
					s.ReplaceUses(v, x)
					s.Remove(v)
					changed = true
				}
			}
		}
	}
	return changed
}

// PerSample reports whether a fragment shader requires sample shading: by its mode, or because it reads the sample's ID
// or position, or an input at the sample.
func PerSample(s *ir.Shader) bool {
	if s.Info.Modes&kind.StageModeSampleShading != 0 {
		return true
	}
	for f := range s.Funcs() {
		for b := range s.Blocks(f) {
			for v := range s.Instrs(b) {
				if s.At(v).Intrinsic().Is(intrinsic.TraitPerSample) {
					return true
				}
			}
		}
	}
	return false
}

// covered returns the mask of covered samples; each is set if the shader runs for each sample.
func (c context) covered(each bool) ir.Src {
	b := c.B
	mask := b.LoadSampleMaskIn(32)
	if each {
		return b.IAnd(mask, b.IShl(b.Imm(1), b.LoadSampleID(32)))
	}
	return mask
}

// builtinInput emits and returns the replacement for an instruction that reads a builtin; each is set if the shader
// runs for each sample. It returns false if the instruction stays.
func (c context) builtinInput(v ir.Value, each bool) (ir.Src, bool) {
	s, b := c.S, c.B
	b.Before(v)
	flat := func(x kind.IOBuiltin) (ir.Src, bool) {
		return b.LoadInput(1, 32, b.Imm(0), Slot(x, 0, 0), 1, 0, kind.BaseUint, 0, x, 0), true
	}
	switch s.At(v).Intrinsic() {
	case intrinsic.LoadPrimitiveID:
		return flat(kind.BuiltinPrimitiveID)
	case intrinsic.LoadViewportIndex:
		return flat(kind.BuiltinViewportIndex)
	case intrinsic.LoadFragShadingRate:
		return b.Imm(pixelRate), true
	case intrinsic.LoadPointCoord:
		at := b.LoadBarycentricPixel(32, kind.InterpSmooth)
		if each {
			at = b.LoadBarycentricSample(32, kind.InterpSmooth)
		}
		const x = kind.BuiltinPointCoord
		return b.LoadInterpolatedInput(2, 32, at, b.Imm(0), Slot(x, 0, 0), 1, 0, kind.BaseFloat, 0, x, 0), true
	case intrinsic.LoadBarycentricPixel, intrinsic.LoadBarycentricCentroid:
		if each {
			return b.LoadBarycentricSample(32, kind.InterpMode(s.Index(v, intrinsic.IxInterpMode))), true
		}
	case intrinsic.LoadInput: // an array of words for 32 samples each; there is one word
		if builtin(s, v) == kind.BuiltinSampleMask {
			return c.covered(each), true
		}
	case intrinsic.LoadSampleMaskIn:
		if each {
			return c.covered(each), true
		}
	}
	return ir.Src{}, false
}
