// SPDX-License-Identifier: MIT

package value

import (
	"fmt"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/generated/abi"
	sel "jacquard.example/generated/intel/select"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/generated/target"
)

// Options are the options of a selection.
type Options struct {
	Target     *target.Target
	Width      int                  // lanes: 8, 16 or 32
	Divergence *analysis.Divergence // divergence within subgroups
	Together   func(ir.Node) bool   // whether fused threads execute the block together, with all live lanes; nil if unknown
	Layout     Layout
	Interface  Interface // for a vertex or fragment shader
	Origins    bool      // collect Result.Origins
}

// Context is the state of a selection.
type Context struct {
	S *ir.Shader
	F *mir.Func
	B mir.Builder
	Options

	Sel       *sel.Selector
	Needed    []bool    // by ir.Value: read by code already emitted
	Registers []mir.Reg // by ir.Value
	IrReg     []mir.Reg // by IR register
	Block     []int32   // by ir.Node: block of the machine IR
	Branch    []mir.ID  // by ir.Node: branch of an if
	Arms      []bool    // by ir.Node: the branch takes the inverse of the condition
	Ends      []mir.ID  // by ir.Node: instruction before which the node's code goes; 0 means end of the block

	LaneIDs    mir.Reg // computed in the prologue if used
	RowSteps   mir.Reg // likewise
	BarrierMsg mir.Reg
	Scratch    mir.Reg
	SubgroupID mir.Reg // if it is not in the payload
	Halts      bool
	flagMode   flagMode
	RowFlags   [mir.NumFlags]mir.Flag // virtual flags for the flag numbers in the row being selected
	err        error

	Outputs  []OutputSlot          // outputs of a vertex or fragment shader, by slot
	Places   [abi.NumParts]mir.Reg // copies of the payload parts about pixels that are not used in place
	Live     mir.Reg               // mask of lanes that are not helpers, if the shader discards
	Killed   mir.Reg               // mask of lanes that continue although they were killed
	Dispatch mir.Reg               // mask of lanes that were not helpers at the start, if the thread has two halves

	LanesAt LaneAddresses // of the shuffle selected last

	Params  []mir.Operand // parameters of the texture operation being selected
	Origins []mir.Origin  // indexed by Loc of instructions; nil if not collected

	UsedBarrier bool
	UsedScratch uint32
}

// LaneAddresses are the byte offsets of the lanes that a shuffle reads. The shuffles before it in a block share them if
// they read the same lanes.
type LaneAddresses struct {
	Lane   ir.Src      // the operand with the numbers of the lanes
	Block  int         // of the machine IR
	Inside mir.Operand // the numbers modulo the width
	At     mir.Operand
	Code   [2]mir.ID // computes Inside and At
}

type flagMode struct {
	on      bool
	flag    mir.Flag
	pred    bool
	predInv bool
	neg     bool // compute the inverse
}

// Err returns the first error.
func (c *Context) Err() error { return c.err }

// Fail records an error at v; only the first one is kept.
func (c *Context) Fail(v ir.Value, format string, args ...any) {
	if c.err == nil {
		c.err = ir.Located(c.S, fmt.Errorf(format, args...), c.S.At(v).Loc)
	}
}

// IsUniform reports whether a value is the same in all lanes that compute or read it together, and is computed in one lane.
func (c *Context) IsUniform(v ir.Value) bool {
	switch c.S.At(v).Kind {
	case kind.LoadConst, kind.Undef:
		return true
	}
	return !c.Divergence.Value(v) && !c.spread(v)
}

// Resolve follows a one-component source through moves and vectors to the instruction that computes it.
func (c *Context) Resolve(r ir.Src) (ir.Value, int) {
	v, comp := r.Val, int(r.Swz.Comp(0))
	for {
		in := c.S.At(v)
		if in.Kind != kind.ALU {
			return v, comp
		}
		switch in.ALUOp() {
		case op.Mov:
			r := c.S.Src(v, 0)
			v, comp = r.Val, int(r.Swz.Comp(comp))
		case op.Vec2, op.Vec3, op.Vec4, op.Vec8, op.Vec16:
			r := c.S.Src(v, comp)
			v, comp = r.Val, int(r.Swz.Comp(0))
		default:
			return v, comp
		}
	}
}

// TypeOf returns the machine type for an operand of a base type and size. Booleans are 0 or ~0 in 32 bits.
func TypeOf(base op.Base, bits uint8) isa.Type {
	switch {
	case base == op.Bool || bits == 1:
		return isa.TypeD
	case base == op.Float && bits == 16:
		return isa.TypeHF
	case base == op.Float:
		return isa.TypeF
	case base == op.Int && bits == 8:
		return isa.TypeB
	case base == op.Int && bits == 16:
		return isa.TypeW
	case base == op.Int:
		return isa.TypeD
	case bits == 8:
		return isa.TypeUB
	case bits == 16:
		return isa.TypeUW
	}
	return isa.TypeUD
}

// Use returns component 0 of a source as type t, without modifiers.
func (c *Context) Use(r ir.Src, t isa.Type) mir.Operand {
	v, comp := c.Resolve(r)
	return c.value(v, comp, t)
}

// value returns component comp of an instruction's result as type t.
func (c *Context) value(v ir.Value, comp int, t isa.Type) mir.Operand {
	in := c.S.At(v)
	switch in.Kind {
	case kind.LoadConst:
		x := uint32(c.S.Const(v, comp))
		if in.Bits == 1 {
			x = -x
		}
		return byteImm(x, t)
	case kind.Undef:
		return byteImm(0, t)
	case kind.Intrinsic:
		if o, ok := c.inPlace(v, comp, t); ok {
			return o
		}
	}
	c.Needed[v] = true
	o := mir.Operand{File: mir.VReg, Type: t, Num: uint32(c.RegOf(v))}
	reg := c.F.Reg(mir.Reg(o.Num))
	size := t.Size()
	switch {
	case reg.Uniform:
		o.Off = uint32(comp) * uint32(reg.Lane)
	default:
		o.Off = uint32(comp) * c.F.Pitch(4)
		o.Stride = uint8(4 / size)
	}
	return o
}

// byteImm returns an immediate of type t, or of the word type if t is a byte type: there are no byte immediates (TGL PRM
// vol. 2a, immediate types).
func byteImm(x uint32, t isa.Type) mir.Operand {
	switch t {
	case isa.TypeUB:
		return mir.ImmOp(x&0xFF, isa.TypeUW)
	case isa.TypeB:
		return mir.ImmOp(uint32(int32(int8(x)))&0xFFFF, isa.TypeW)
	}
	return mir.ImmOp(x, t)
}

// RegOf returns the register of a value's result.
func (c *Context) RegOf(v ir.Value) mir.Reg {
	if r := c.Registers[v]; r != 0 {
		return r
	}
	comps := c.ResultComps(v)
	var r mir.Reg
	switch {
	case !c.IsUniform(v):
		r = c.F.NewReg(comps, 4)
	case c.inRow(v):
		r = c.F.NewScalar(4 * c.RowWidth(comps))
	case c.isMessage(v):
		r = c.F.NewGRFs(comps)
	default:
		r = c.F.NewScalar(4 * comps)
	}
	c.Registers[v] = r
	return r
}

// Result returns the destination of v as type t.
func (c *Context) Result(v ir.Value, t isa.Type) mir.Operand {
	return mir.V(c.RegOf(v), t).WithStride(uint8(4 / t.Size()))
}

// NewTemp returns a new register for one value of type t. It is uniform if the value being selected is.
func (c *Context) NewTemp(t isa.Type) mir.Operand {
	r := mir.Reg(0)
	if c.B.NoMask {
		r = c.F.NewScalar(4)
	} else {
		r = c.F.NewReg(1, 4)
	}
	return mir.V(r, t).WithStride(uint8(4 / t.Size()))
}

// Source returns a destination operand as a source.
func (c *Context) Source(o mir.Operand) mir.Operand {
	if o.File == mir.VReg && c.F.Reg(mir.Reg(o.Num)).Uniform {
		o.Stride = 0
	}
	return o
}

// IrRegister returns the register of an IR register (load_reg, store_reg).
func (c *Context) IrRegister(n uint32) mir.Reg {
	if c.IrReg[n] == 0 {
		info := c.S.Regs.At(n)
		if !c.Divergence.Reg(n) {
			c.IrReg[n] = c.F.NewScalar(4 * int(info.Comps))
		} else {
			c.IrReg[n] = c.F.NewReg(int(info.Comps), 4)
		}
	}
	return c.IrReg[n]
}

// RegComp returns component i of an IR register.
func (c *Context) RegComp(n uint32, i int, t isa.Type) mir.Operand {
	r := c.IrRegister(n)
	if c.F.Reg(r).Uniform {
		return mir.Scalar(r, uint32(i)*4, t)
	}
	return mir.V(r, t).At(uint32(i) * c.F.Pitch(4)).WithStride(uint8(4 / t.Size()))
}

// isMessage reports whether a value is the result of a message, which writes whole GRFs.
func (c *Context) isMessage(v ir.Value) bool {
	m := c.Sel.Message(v)
	return m != nil && !m.BySize
}

// OutputSlot is a slot that the shader writes at its end.
type OutputSlot struct {
	Slot  uint32
	Comps [4]ir.Src // without a value if not written
}

// IsVertex reports whether the shader is a vertex shader.
func (c *Context) IsVertex() bool { return c.S.Info.Stage == kind.StageVertex }

// IsFragment reports whether the shader is a fragment shader.
func (c *Context) IsFragment() bool { return c.S.Info.Stage == kind.StageFragment }

// ScalarTemp returns a new register for a doubleword that all lanes share.
func (c *Context) ScalarTemp() mir.Operand { return mir.V(c.F.NewScalar(4), isa.TypeUD) }
