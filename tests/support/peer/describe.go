// SPDX-License-Identifier: MIT

package peer

import (
	"regexp"
	"strconv"
	"strings"

	"jacquard.example/backend/intel/eu/graphics"
	"jacquard.example/core/pass/stageio"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// The rows of the final IR that describe inputs, outputs and barycentric coordinates.
var (
	attribRow = regexp.MustCompile(`@load_input \([^)]*\)\) \(base=(\d+), .*?component=(\d+),.*location=(?:VERT_ATTRIB_(POS|GENERIC(\d+))|UNKNOWN) `)
	storeRow  = regexp.MustCompile(`@store_output \(.* \(0x([0-9a-f]+)\)\) \(base=.*?wrmask=([xyzw]+), component=(\d+),.*location=VARYING_SLOT_(\w+) slots`)
	inputRow  = regexp.MustCompile(`(?m)^decl_var shader_in .*\(VARYING_SLOT_(\w+?)(?:\.\w+)?, (\d+), \d+\)`)
	baryRow   = regexp.MustCompile(`@load_barycentric_(pixel|centroid|sample|at_offset) (?:\(.*\) )?\(interp_mode=INTERP_MODE_(SMOOTH|NOPERSPECTIVE)\)`)
	colorRow  = regexp.MustCompile(`@store_output \(.*, %\d+ \(0x(\d)\)\) \(.* location=FRAG_RESULT_DATA(\d)`)
)

// describeVertex records the locations of a vertex program's inputs and outputs.
func describeVertex(g *graphics.Program, ir string) {
	g.Uses |= graphics.PartsOf(abi.URBHandles, abi.Attributes, abi.AttributeVectors) // as far as the ABI has them
	read := numbersOf(ir, "inputs_read: ")
	for _, m := range attribRow.FindAllStringSubmatch(ir, -1) {
		at := number(m[1])
		for len(g.Inputs) <= at {
			g.Inputs = append(g.Inputs, graphics.Input{Slot: -1})
		}
		switch {
		case m[3] == "POS": // the driver's name for a slot of builtins
			g.Inputs[at].Values = [4]intrinsic.ID{intrinsic.LoadBaseVertex, intrinsic.LoadBaseInstance, intrinsic.LoadVertexIDZeroBase, intrinsic.LoadInstanceIDZeroBase}
		case m[4] != "":
			g.Inputs[at].Slot = number(m[4])
		case at < len(read): // a location beyond those that have names
			g.Inputs[at].Slot = read[at] - firstAttribute
		}
	}
	slot := func(b kind.IOBuiltin) int { return int(stageio.Slot(b, 0, 0)) }
	for _, m := range storeRow.FindAllStringSubmatch(ir, -1) {
		at, to, name := 0, 0, m[4]
		switch {
		case name == "POS":
			at, to = 1, slot(kind.BuiltinPosition)
		case name == "CLIP_DIST0" || name == "CLIP_DIST1":
			at = 2 + number(name[9:])
			to = slot(kind.BuiltinClipDistance) + number(name[9:])
		case name == "PSIZ":
			g.Outputs = append(g.Outputs, graphics.Output{At: 3, Slot: slot(kind.BuiltinPointSize)})
			continue
		case strings.HasPrefix(name, "VAR"):
			to = number(name[3:])
			at = 4 + to
		default:
			continue // the rest of the header
		}
		offset, _ := strconv.ParseUint(m[1], 16, 8)
		at, to = at+int(offset), to+int(offset)
		for _, x := range m[2] {
			k := number(m[3]) + strings.IndexRune("xyzw", x)
			g.Outputs = append(g.Outputs, graphics.Output{At: 4*at + k, Slot: to, Component: k})
		}
		g.Slots = max(g.Slots, at+1)
	}
	g.Slots += g.Slots % 2 // messages write pairs of slots
}

// places are the parts of the payload from which barycentric coordinates of the final IR are computed.
var places = map[string]graphics.Parts{
	"pixelSMOOTH": graphics.PartsOf(abi.PerspPixel), "pixelNOPERSPECTIVE": graphics.PartsOf(abi.LinearPixel),
	"centroidSMOOTH": graphics.PartsOf(abi.PerspCentroid), "centroidNOPERSPECTIVE": graphics.PartsOf(abi.LinearCentroid),
	"sampleSMOOTH": graphics.PartsOf(abi.PerspSample), "sampleNOPERSPECTIVE": graphics.PartsOf(abi.LinearSample),
	"at_offsetSMOOTH": graphics.PartsOf(abi.PerspPlanes), "at_offsetNOPERSPECTIVE": graphics.PartsOf(abi.LinearPlanes),
}

// asPixel are the parts that a driver passes for coordinates at an offset, besides those in places, until version 26.
var asPixel = map[string]graphics.Parts{"at_offsetSMOOTH": places["pixelSMOOTH"], "at_offsetNOPERSPECTIVE": places["pixelNOPERSPECTIVE"]}

// describeFragment records the locations of a fragment program's inputs and outputs.
func describeFragment(g *graphics.Program, b *Binary) {
	ir := b.IR
	for _, m := range baryRow.FindAllStringSubmatch(ir, -1) {
		g.Uses |= places[m[1]+m[2]] // as far as the ABI has them
		if strings.HasPrefix(b.Driver, "Mesa 25.") {
			g.Uses |= asPixel[m[1]+m[2]]
		}
	}
	if strings.Contains(ir, "@load_frag_coord") {
		g.Uses |= graphics.PartsOf(abi.Depth, abi.W)
	}
	if strings.Contains(ir, "@load_sample_mask_in") {
		g.Uses |= graphics.PartsOf(abi.Coverage)
	}
	for _, slot := range fragmentInputs(ir) {
		g.Inputs = append(g.Inputs, graphics.Input{Slot: slot})
	}
	if len(g.Inputs) > 0 {
		g.Uses |= graphics.PartsOf(abi.Setup)
	}
	for _, m := range colorRow.FindAllStringSubmatch(ir, -1) {
		g.Targets = max(g.Targets, number(m[1])+number(m[2])+1)
	}
	g.NullTarget = g.Targets == 0 // anv_pipeline.c: a null surface is bound if there are no color attachments
	g.WritesDepth = strings.Contains(ir, "FRAG_RESULT_DEPTH")
	g.WritesMask = strings.Contains(ir, "FRAG_RESULT_SAMPLE_MASK")
	g.WritesStencil = strings.Contains(ir, "FRAG_RESULT_STENCIL")
	g.SecondSlot = int(stageio.Slot(kind.BuiltinNone, 0, kind.IODualSource))
	g.StencilSlot = int(stageio.Slot(kind.BuiltinFragStencilRef, 0, 0))
	g.DepthSlot, g.MaskSlot = int(stageio.Slot(kind.BuiltinFragDepth, 0, 0)), int(stageio.Slot(kind.BuiltinSampleMask, 0, 0))
}

// The driver's numbers for location 0: of a vertex program's inputs, and of a fragment program's.
const (
	firstAttribute = 15
	firstVarying   = 32
)

// fragmentInputs returns the slots of the attributes that a fragment program is given, in their order.
func fragmentInputs(ir string) (slots []int) {
	named := map[int]string{}
	for _, m := range inputRow.FindAllStringSubmatch(ir, -1) {
		named[number(m[2])] = m[1]
	}
	for _, at := range numbersOf(ir, "inputs_read: ") {
		switch {
		case at >= firstVarying:
			slots = append(slots, at-firstVarying)
		case named[at] == "PRIMITIVE_ID":
			slots = append(slots, int(stageio.Slot(kind.BuiltinPrimitiveID, 0, 0)))
		case named[at] != "":
			slots = append(slots, 0)
		}
	}
	return slots
}

// numbersOf returns the numbers of a line like "inputs_read: 33,36-37", or none if there is no such line.
func numbersOf(ir, label string) (out []int) {
	_, line, _ := strings.Cut(ir, "\n"+label)
	line, _, _ = strings.Cut(line, "\n")
	for _, part := range strings.FieldsFunc(line, func(r rune) bool { return r == ',' || r == ' ' }) {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		for n := number(from); n <= number(to); n++ {
			out = append(out, n)
		}
	}
	return out
}
