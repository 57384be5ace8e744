package eu

import "slices"

// param is a parameter of a sampler message.
type param uint8

const (
	parCoord0 param = iota // u
	parCoord1              // v; the layer of a 1D array
	parCoord2              // r; the layer of a 2D array
	parCoord3              // the cube of an array of cubes
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
	numParams
)

// samplerFlags are properties of a sampler message.
type samplerFlags uint16

const (
	samplerState    samplerFlags = 1 << iota // uses a sampler state
	samplerQuads                             // derivatives across quads determine the level of detail
	samplerCompare                           // texels are compared with the reference
	samplerSIMD8                             // has at most eight lanes
	samplerInts                              // parameters are integers
	samplerOffsets                           // takes offsets from the header
	samplerHeadered                          // must have a header
	samplerMany                              // surfaces may have several samples
	samplerFlat                              // surfaces are two-dimensional or cubes
	returnsInts                              // integers for every format
	returnsFloats                            // floats for every format
)

// samplerRow is a message of the sampler with its parameters in order. Trailing parameters may be omitted,
// except for the first coordinate; they are then 0.
type samplerRow struct {
	name   string
	params []param
	flags  samplerFlags
	run    samplerFn
}

// Parameter lists shared by several messages.
var (
	uvr   = []param{parCoord0, parCoord1, parCoord2}
	slots = []param{parCoord0, parCoord1, parCoord2, parCoord3}
	grads = []param{parCoord0, parDdx0, parDdy0, parCoord1, parDdx1, parDdy1, parCoord2, parDdx2, parDdy2, parCoord3, parMinLOD}
	moved = []param{parCoord0, parCoord1, parOffset0, parOffset1, parCoord2}
)

// with concatenates parameter lists.
func with(lists ...[]param) []param { return slices.Concat(lists...) }

func par(p ...param) []param { return p }

// Properties shared by several messages.
const (
	samples = samplerState | samplerOffsets
	implied = samples | samplerQuads
	gathers = samples | samplerFlat
	many    = samplerInts | samplerMany
)

// samplerRows has the messages by type, bits 16:12 of the descriptor (IMAGES.md 2.1; SKL and TGL PRM vol. 9,
// "Parameter Types").
var samplerRows = [32]samplerRow{
	0:  {"sample", with(slots, par(parMinLOD)), implied, samplerSample},
	1:  {"sample_b", with(par(parBias), slots, par(parMinLOD)), implied, samplerSample},
	2:  {"sample_l", with(par(parLOD), slots), samples, samplerSample},
	3:  {"sample_c", with(par(parRef), slots, par(parMinLOD)), implied | samplerCompare, samplerSample},
	4:  {"sample_d", grads, samples | samplerSIMD8, samplerGradient},
	5:  {"sample_b_c", with(par(parRef, parBias), slots), implied | samplerCompare, samplerSample},
	6:  {"sample_l_c", with(par(parRef, parLOD), slots), samples | samplerCompare, samplerSample},
	7:  {"ld", par(parCoord0, parCoord1, parLOD, parCoord2), samplerInts, samplerFetch},
	8:  {"gather4", slots, gathers, samplerGather},
	9:  {"lod", slots, samplerState | samplerQuads | returnsFloats, samplerLOD},
	10: {"resinfo", par(parLOD), many | returnsInts, samplerSize},
	11: {"sampleinfo", nil, many | returnsInts | samplerHeadered, samplerSamples},
	16: {"gather4_c", with(par(parRef), slots), gathers | samplerCompare, samplerGather},
	17: {"gather4_po", moved, samplerState | samplerFlat, samplerGather},
	18: {"gather4_po_c", with(par(parRef), moved), samplerState | samplerFlat | samplerCompare, samplerGather},
	20: {"sample_d_c", with(par(parRef), grads), samples | samplerSIMD8 | samplerCompare, samplerGradient},
	24: {"sample_lz", slots, samples, samplerSample},
	25: {"sample_c_lz", with(par(parRef), slots), samples | samplerCompare, samplerSample},
	26: {"ld_lz", uvr, samplerInts, samplerFetch},
	28: {"ld2dms_w", with(par(parSample, parMCS0, parMCS1), uvr), many, samplerFetchSample},
	29: {"ld_mcs", uvr, many | returnsInts, samplerMCS},
	30: {"ld2dms", with(par(parSample, parMCS0), uvr), many, samplerFetchSample},
	31: {"ld2dss", with(par(parSample), uvr), many, samplerFetchSample},
}

// needs returns the number of required parameters: the first, if there is one (Haswell PRM vol. 7, "Parameter
// Types"). Omitted parameters after it are 0.
func (r *samplerRow) needs() int { return min(1, len(r.params)) }
