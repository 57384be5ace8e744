package stageio

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// BuiltinInputs lowers builtins of fragments to what fixed functions provide: the numbers of the
// primitive and of its viewport and the coordinates within a point are inputs. If the shader runs
// for each sample, inputs without a decoration, or with Centroid, are interpolated at the sample, which is
// the only one in the mask of covered samples (Vulkan specification, "Sample Shading"). Shading rates
// are those of pixels: a vertex shader's has no effect.
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

// PerSample reports whether a fragment shader runs for each sample of its own accord: its mode says so, or it reads the
// sample's number or place, or an input at it.
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

// covered returns the mask of covered samples.
func (c context) covered(each bool) ir.Src {
	b := c.B
	mask := b.LoadSampleMaskIn(32)
	if each {
		return b.IAnd(mask, b.IShl(b.Imm(1), b.LoadSampleID(32)))
	}
	return mask
}

// builtinInput returns what an instruction is replaced by.
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
	case intrinsic.LoadInput: // an array of words of 32 samples, of which there is one
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
