// SPDX-License-Identifier: MIT

package sampler

import (
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/target"
)

// Xe2's sampler messages differ from earlier ones (IGA, MessageDecoderOther.cpp, lookupSamplerMessageInfoXe2; Mesa,
// brw_sampler.c):
//
//   - Bits 8:0 of the level of detail or bias are the layer of an array of cubes, an integer, which has no parameter of its own
//     (Mesa, brw_nir_lower_texture.c, pack_lod_and_array_index). A lower bound of the level follows the coordinates, or is the
//     first parameter of other messages.
//   - Messages with derivatives differentiate two coordinates; their third coordinate is a layer.
//   - The parameters of messages that fetch samples have 16 bits; the element of the control surface takes four of them.
//   - Bit 31 of the descriptor is the high bit of the type, for messages with offsets as parameters. IGA and Mesa disagree
//     on the order of their parameters, and Mesa's code for lnl has none of them.

const packedCube = 511

// rowsOf returns a machine's messages by type.
func rowsOf(machine *target.Target) *[32]thread.SamplerRow {
	switch {
	case machine.Can(target.PackedParams):
		return &rowsXe2
	case machine.Can(target.PlanarDerivatives):
		return &rowsGen125
	}
	return &SamplerRows
}

// rowsGen125 lists the messages of Gen12.5. It shares some with Xe2: derivatives of two coordinates and parameters of 16
// bits (Mesa, brw_sampler.c: SAMPLE_D_REDUCED and LD2DMS_W_GFX125; its code for dg2).
var rowsGen125 = func() [32]thread.SamplerRow {
	rows := SamplerRows
	for _, n := range [...]int{4, 28, 29} {
		rows[n] = rowsXe2[n]
	}
	rows[20].Params = with(par(parRef), flatGrads, par(parCoord2))
	return rows
}()

// flatGrads are two coordinates and their derivatives.
var flatGrads = []thread.Param{parCoord0, parDdx0, parDdy0, parCoord1, parDdx1, parDdy1}

// rowsXe2 lists Xe2's messages by type. It lacks gathers with a level or bias (13 to 15, 21, 23) and the comparison with
// derivatives and a lower bound (17).
var rowsXe2 = [32]thread.SamplerRow{
	0: {Name: "sample", Params: with(slots, par(parMinLOD)), Flags: implied, Run: samplerSample},
	1: {Name: "sample_b", Params: with(par(parBias), uvr, par(parMinLOD)), Flags: implied | thread.SamplerPacked, Run: samplerSample},
	2: {Name: "sample_l", Params: with(par(parLOD), uvr), Flags: samples | thread.SamplerPacked, Run: samplerSample},
	3: {Name: "sample_c", Params: with(par(parRef), slots, par(parMinLOD)), Flags: implied | thread.SamplerCompare, Run: samplerSample},
	4: {Name: "sample_d", Params: with(flatGrads, par(parCoord2, parMinLOD)), Flags: samples | thread.SamplerSingle, Run: samplerGradient},
	5: {Name: "sample_b_c", Params: with(par(parRef, parBias), uvr, par(parMinLOD)),
		Flags: implied | thread.SamplerCompare | thread.SamplerPacked, Run: samplerSample},
	6: {Name: "sample_l_c", Params: with(par(parRef, parLOD), uvr), Flags: samples | thread.SamplerCompare | thread.SamplerPacked,
		Run: samplerSample},
	7:  {Name: "ld", Params: par(parCoord0, parCoord1, parLOD, parCoord2), Flags: thread.SamplerInts, Run: samplerFetch},
	8:  {Name: "gather4", Params: slots, Flags: gathers, Run: samplerGather},
	9:  {Name: "lod", Params: slots, Flags: thread.SamplerState | thread.SamplerQuads | thread.ReturnsFloats, Run: samplerLOD},
	10: {Name: "resinfo", Params: par(parLOD), Flags: many | thread.ReturnsInts, Run: samplerSize},
	11: {Name: "sampleinfo", Flags: many | thread.ReturnsInts | thread.SamplerHeadered, Run: samplerSamples},
	16: {Name: "gather4_c", Params: with(par(parRef), slots), Flags: gathers | thread.SamplerCompare, Run: samplerGather},
	18: {Name: "sample_mlod", Params: with(par(parMinLOD), slots), Flags: implied, Run: samplerSample},
	19: {Name: "sample_c_mlod", Params: with(par(parMinLOD, parRef), slots), Flags: implied | thread.SamplerCompare, Run: samplerSample},
	// IGA and Mesa disagree on the last parameter, a layer or a lower bound too. Mesa does not use it on lnl.
	20: {Name: "sample_d_c", Params: with(par(parRef), flatGrads), Flags: samples | thread.SamplerSingle | thread.SamplerCompare,
		Run: samplerGradient},
	24: {Name: "sample_lz", Params: slots, Flags: samples, Run: samplerSample},
	25: {Name: "sample_c_lz", Params: with(par(parRef), slots), Flags: samples | thread.SamplerCompare, Run: samplerSample},
	26: {Name: "ld_lz", Params: uvr, Flags: thread.SamplerInts, Run: samplerFetch},
	28: {Name: "ld2dms_w", Params: with(par(parSample, parMCS0, parMCS1, parMCS2, parMCS3), uvr), Flags: many | thread.SamplerHalves,
		Run: samplerFetchSample},
	29: {Name: "ld_mcs", Params: uvr, Flags: many | thread.ReturnsInts | thread.SamplerHalves, Run: samplerMCS},
}
