// SPDX-License-Identifier: MIT

package sampler

import (
	"slices"

	"jacquard.example/backend/intel/eu/thread"
)

const (
	parCoord0 thread.Param = iota // u
	parCoord1                     // v; the layer of a 1D array
	parCoord2                     // r; the layer of a 2D array
	parCoord3                     // the cube of an array of cubes
	parLOD
	parBias
	parRef
	parMinLOD // lower bound of the level of detail
	parDdx0
	parDdx1
	parDdx2
	parDdy0
	parDdy1
	parDdy2
	parOffset0
	parOffset1
	parSample
	parMCS0
	parMCS1
	parMCS2 // these have 16 bits of the element each
	parMCS3
	numParams
)

// Parameter lists shared by several messages.
var (
	uvr   = []thread.Param{parCoord0, parCoord1, parCoord2}
	slots = []thread.Param{parCoord0, parCoord1, parCoord2, parCoord3}
	grads = []thread.Param{parCoord0, parDdx0, parDdy0, parCoord1, parDdx1, parDdy1, parCoord2, parDdx2, parDdy2, parCoord3, parMinLOD}
	each  = with(slots, par(parDdx0, parDdy0, parDdx1, parDdy1, parDdx2, parDdy2))
	moved = []thread.Param{parCoord0, parCoord1, parOffset0, parOffset1, parCoord2}
)

// with concatenates parameter lists.
func with(lists ...[]thread.Param) []thread.Param { return slices.Concat(lists...) }

func par(p ...thread.Param) []thread.Param { return p }

// Properties shared by several messages.
const (
	samples = thread.SamplerState | thread.SamplerOffsets
	implied = samples | thread.SamplerQuads
	gathers = samples | thread.SamplerFlat
	many    = thread.SamplerInts | thread.SamplerMany
)

// SamplerRows has the messages by type, bits 16:12 of the descriptor (IMAGES.md 2.1; SKL and TGL PRM vol. 9,
// "Parameter Types"; Haswell PRM vol. 7, "SIMD4x2 Payload").
var SamplerRows = [32]thread.SamplerRow{
	0: {Name: "sample", Params: with(slots, par(parMinLOD)), Vectors: slots, Flags: implied, Run: samplerSample},
	1: {Name: "sample_b", Params: with(par(parBias), slots, par(parMinLOD)), Flags: implied, Run: samplerSample},
	2: {Name: "sample_l", Params: with(par(parLOD), slots), Vectors: with(slots, par(parLOD)), Flags: samples, Run: samplerSample},
	3: {Name: "sample_c", Params: with(par(parRef), slots, par(parMinLOD)), Vectors: with(slots, par(parRef)),
		Flags: implied | thread.SamplerCompare, Run: samplerSample},
	4: {Name: "sample_d", Params: grads, Vectors: each, Flags: samples | thread.SamplerSingle, Run: samplerGradient},
	5: {Name: "sample_b_c", Params: with(par(parRef, parBias), slots), Flags: implied | thread.SamplerCompare, Run: samplerSample},
	6: {Name: "sample_l_c", Params: with(par(parRef, parLOD), slots), Vectors: with(slots, par(parRef, parLOD)),
		Flags: samples | thread.SamplerCompare, Run: samplerSample},
	7: {Name: "ld", Params: par(parCoord0, parCoord1, parLOD, parCoord2), Vectors: par(parCoord0, parCoord1, parCoord2, parLOD),
		Flags: thread.SamplerInts, Run: samplerFetch},
	8:  {Name: "gather4", Params: slots, Vectors: slots, Flags: gathers, Run: samplerGather},
	9:  {Name: "lod", Params: slots, Flags: thread.SamplerState | thread.SamplerQuads | thread.ReturnsFloats, Run: samplerLOD},
	10: {Name: "resinfo", Params: par(parLOD), Vectors: par(parLOD), Flags: many | thread.ReturnsInts, Run: samplerSize},
	11: {Name: "sampleinfo", Params: nil, Vectors: []thread.Param{},
		Flags: many | thread.ReturnsInts | thread.SamplerHeadered, Run: samplerSamples},
	16: {Name: "gather4_c", Params: with(par(parRef), slots), Vectors: with(slots, par(parRef)),
		Flags: gathers | thread.SamplerCompare, Run: samplerGather},
	17: {Name: "gather4_po", Params: moved, Vectors: with(slots, par(parOffset0, parOffset1)),
		Flags: thread.SamplerState | thread.SamplerFlat, Run: samplerGather},
	18: {Name: "gather4_po_c", Params: with(par(parRef), moved), Vectors: with(uvr, par(parRef, parOffset0, parOffset1)),
		Flags: thread.SamplerState | thread.SamplerFlat | thread.SamplerCompare, Run: samplerGather},
	20: {Name: "sample_d_c", Params: with(par(parRef), grads), Vectors: with(each, par(parRef)),
		Flags: samples | thread.SamplerSingle | thread.SamplerCompare, Run: samplerGradient},
	24: {Name: "sample_lz", Params: slots, Flags: samples, Run: samplerSample},
	25: {Name: "sample_c_lz", Params: with(par(parRef), slots), Flags: samples | thread.SamplerCompare, Run: samplerSample},
	26: {Name: "ld_lz", Params: uvr, Flags: thread.SamplerInts, Run: samplerFetch},
	28: {Name: "ld2dms_w", Params: with(par(parSample, parMCS0, parMCS1), uvr), Flags: many, Run: samplerFetchSample},
	29: {Name: "ld_mcs", Params: uvr, Vectors: uvr, Flags: many | thread.ReturnsInts, Run: samplerMCS},
	30: {Name: "ld2dms", Params: with(par(parSample, parMCS0), uvr), Vectors: with(slots, par(parSample, parMCS0)),
		Flags: many, Run: samplerFetchSample},
	31: {Name: "ld2dss", Params: with(par(parSample), uvr), Flags: many, Run: samplerFetchSample},
}
