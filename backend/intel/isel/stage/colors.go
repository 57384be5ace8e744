// SPDX-License-Identifier: MIT

package stage

import (
	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/message"
	"jacquard.example/generated/target"
)

// maxTargets is the number of render targets. Output numbers starting at maxTargets denote the other outputs of a pixel.
const (
	maxTargets    = 8
	secondOutput  = maxTargets // second color of target 0
	depthOutput   = maxTargets + 1
	stencilOutput = maxTargets + 2
	maskOutput    = maxTargets + 3
	allOutputs    = maxTargets + 4
)

// fragmentOutput returns the number of the output that v stores in a fragment shader. It fails and returns false if the
// output is not supported.
func fragmentOutput(c *value.Context, v ir.Value, slot uint32) (uint32, bool) {
	s := c.S
	switch b := kind.IOBuiltin(s.Index(v, intrinsic.IxIOBuiltin)); b {
	case kind.BuiltinNone:
	case kind.BuiltinFragDepth:
		return depthOutput, true
	case kind.BuiltinFragStencilRef:
		return stencilOutput, true
	case kind.BuiltinSampleMask:
		return maskOutput, true
	default:
		c.Fail(v, "the output %v of a fragment shader is not supported yet", b)
		return 0, false
	}
	if kind.IOFlags(s.Index(v, intrinsic.IxIOFlags))&kind.IODualSource != 0 {
		if s.Index(v, intrinsic.IxLocation) != 0 {
			c.Fail(v, "a second color of render target %d; only the first has one", s.Index(v, intrinsic.IxLocation))
		}
		return secondOutput, true
	}
	switch {
	case slot >= maxTargets:
		c.Fail(v, "render target %d; there are %d", slot, maxTargets)
		return 0, false
	}
	return slot, true
}

// noTarget is the bit of a surface operand that marks a message without a render target.
const noTarget = 1 << 16

// pixels are the values that the end of a fragment shader writes.
type pixels struct {
	targets  []value.OutputSlot
	others   [allOutputs]*value.OutputSlot // indexed by number
	mask     mir.Operand                   // sample mask as 16 words, if written
	stencils mir.Operand                   // stencil references as bytes
	live     mir.Flag
}

// EndOfFragment writes the render targets. The last write, of which there is always one, ends the thread.
func EndOfFragment(c *value.Context) {
	CollectOutputs(c)
	if c.Err() != nil {
		return
	}
	p := pixels{targets: c.Outputs}
	for n := len(p.targets); n > 0 && p.targets[n-1].Slot >= maxTargets; n-- {
		o := &p.targets[n-1]
		p.others[o.Slot], p.targets = o, p.targets[:n-1]
	}
	none := len(p.targets) == 0
	if none {
		p.targets = []value.OutputSlot{{}}
	}
	if p.others[secondOutput] != nil && (len(p.targets) > 1 || p.targets[0].Slot != 0) {
		c.Fail(0, "a second color for blending is possible only if render target 0 is the only one")
		return
	}
	if c.Interface.Discards {
		p.live = liveFlag(c)
	}
	c.B.Vector()
	if o := p.others[maskOutput]; o != nil {
		p.mask = packed(c, c.Use(o.Comps[0], isa.TypeUW))
	}
	if o := p.others[stencilOutput]; o != nil {
		p.stencils = packed(c, c.Use(o.Comps[0], isa.TypeUB)).As(isa.TypeUD)
	}
	for i := range p.targets {
		o := &p.targets[i]
		surface := uint32(c.Layout.Buffers) + o.Slot
		switch {
		case !c.Target.Can(target.TargetIndex):
		case none:
			surface |= noTarget
		case c.Target.Can(target.TargetParts):
			surface |= o.Slot << partsTarget
		default:
			surface |= o.Slot << 8
		}
		if c.Target.Can(target.TargetParts) {
			surface |= p.parts()
		}
		writeTarget(c, &p, o, mir.UD(surface), i == len(p.targets)-1)
	}
}

// Bits of a surface for extended descriptors that say which parts the payload has: they are there from bit 12 on, and the
// number of the target from bit 21 on (Mesa, brw_lower_logical_sends.cpp; its code for lnl).
const (
	partsMask    = 1 << 8
	partsDepth   = 1 << 9
	partsStencil = 1 << 10
	partsTarget  = 17
)

// parts returns the bits for the parts of a payload.
func (p *pixels) parts() (bits uint32) {
	if p.mask.File != mir.None {
		bits |= partsMask
	}
	if p.others[depthOutput] != nil {
		bits |= partsDepth
	}
	if p.stencils.File != mir.None {
		bits |= partsStencil
	}
	return bits
}

// packed returns a register that holds the low words or bytes of all lanes side by side.
func packed(c *value.Context, x mir.Operand) mir.Operand {
	size := uint32(x.Type.Size())
	to := mir.V(c.F.AddReg(mir.RegInfo{Bytes: c.F.GRF.Bytes(), Lane: uint8(size), Align: c.F.GRF.Align()}), x.Type)
	c.B.Mov(to, x)
	return to
}

// targetWrites are the messages without and with a mask, and with a header in front of the mask; in each, the last entry
// ends the thread.
var targetWrites = [3][2]message.Name{
	{message.TargetWrite, message.TargetEnd},
	{message.TargetMaskedWrite, message.TargetMaskedEnd},
	{message.TargetHeaderWrite, message.TargetHeaderEnd},
}

// dualWrites are these messages with two colors.
var dualWrites = [3]message.Name{message.TargetDualEnd, message.TargetDualMaskedEnd, message.TargetDualHeaderEnd}

// writeTarget writes the pixels of a render target: the sample mask, one or two colors, the depth and the
// stencil reference, as far as the shader writes them.
func writeTarget(c *value.Context, p *pixels, o *value.OutputSlot, surface mir.Operand, last bool) {
	form, final := 0, 0
	switch {
	case headed(c, p, o):
		form = 2
	case p.mask.File != mir.None:
		form = 1
	}
	if last {
		final = 1
	}
	m := mir.Message{Msg: mir.Msg{Name: targetWrites[form][final], Space: message.Image, Op: uint8(isa.RTModeSimd8)}, Surface: surface}
	if c.Width > 8 {
		m.Op = uint8(isa.RTModeSimd16)
	}
	if p.others[secondOutput] != nil {
		m.Name, m.Op = dualWrites[form], 0
	}
	params := c.Params[:0]
	for k := range 4 {
		params = append(params, outputComponent(c, o, k))
	}
	if x := p.others[secondOutput]; x != nil {
		for k := range 4 {
			params = append(params, outputComponent(c, x, k))
		}
	}
	if x := p.others[depthOutput]; x != nil {
		params = append(params, outputComponent(c, x, 0))
	}
	if p.stencils.File != mir.None {
		params = append(params, p.stencils)
	}
	c.Params = params
	switch form {
	case 2:
		m.Header, m.HeaderLen = targetHeader(c, p, o)
	case 1:
		m.Header = p.mask.As(isa.TypeUD)
	default:
		if m.Address, m.AddressLen = params[0], c.Lanes(); m.Address.IsNull() {
			m.Address = mir.UD(0) // the message needs a register
		}
		params = params[1:]
	}
	m.Data, m.DataLen = c.Payload(params), len(params)*c.Lanes()
	Effect(c, m, p.live)
}
