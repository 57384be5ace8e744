// SPDX-License-Identifier: MIT

package texture

import (
	"math"

	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
	"jacquard.example/generated/target"
)

// mostLayers is the last layer that the low bits of a level of detail or bias can hold, and their mask.
const mostLayers = 1<<9 - 1

// layerParam returns the parameter of an operation, a level of detail or a bias, that also holds the layer of an array of
// cubes; ok is false if the layer has a parameter of its own.
func layerParam(c *value.Context, op isa.SamplerOp) (p message.Param, ok bool) {
	for _, p := range message.Operations[op].Params {
		if p == message.ParamLOD || p == message.ParamBias {
			return p, c.Target.Can(target.PackedParams)
		}
	}
	return 0, false
}

// packLayer moves the layer of an array of cubes into the low bits of the parameter that holds it, if there is one.
func packLayer(c *value.Context, t *sampling) {
	layer := t.given[message.ParamCoord3]
	if p, ok := layerParam(c, t.Op); ok && layer.File != mir.None {
		t.given[p] = joinLayer(c, t.given[p], layerNumber(c, layer))
	}
}

// layerNumber rounds a layer to the nearest integer, as the sampler does. Conversion makes it at least 0.
func layerNumber(c *value.Context, layer mir.Operand) mir.Operand {
	if layer.File == mir.Imm {
		x := math.RoundToEven(float64(math.Float32frombits(layer.Num)))
		if !(x > 0) {
			x = 0
		}
		return mir.UD(uint32(min(x, mostLayers)))
	}
	rounded, index, least := mir.V(c.ParamReg(1), isa.TypeF), mir.V(c.ParamReg(1), isa.TypeUD), mir.V(c.ParamReg(1), isa.TypeUD)
	c.B.Emit(isa.OpRnde, rounded, layer.As(isa.TypeF))
	c.B.Mov(index, rounded.WithStride(1))
	c.B.MinMax(isa.CModLT, least, index.WithStride(1), mir.UD(mostLayers))
	return least.WithStride(1)
}

// joinLayer puts a layer into the low bits of a level of detail or bias.
func joinLayer(c *value.Context, level, layer mir.Operand) mir.Operand {
	switch {
	case level.File == mir.Imm && layer.File == mir.Imm:
		return mir.UD(level.Num&^mostLayers | layer.Num)
	case level.File == mir.Imm:
		level = mir.UD(level.Num &^ mostLayers)
	default:
		high := mir.V(c.ParamReg(1), isa.TypeUD)
		c.B.Emit(isa.OpAnd, high, level, mir.UD(^uint32(mostLayers)))
		level = high.WithStride(1)
	}
	if level.File == mir.Imm { // an immediate is the second source
		level, layer = layer, level
	}
	d := mir.V(c.ParamReg(1), isa.TypeUD)
	c.B.Emit(isa.OpOr, d, level, layer)
	return d.WithStride(1)
}
