// SPDX-License-Identifier: MIT

package value

import (
	"math/bits"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/selector"
	"jacquard.example/core/ir"
	"jacquard.example/generated/abi"
	sel "jacquard.example/generated/intel/select"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
)

// RegHeader is the register with the thread's header.
const RegHeader = 0

// Layout is the payload layout of a shader: the layout of the ABI's row, with tables about the buffers of the
// binding table after the push constants.
type Layout struct {
	ABI       *abi.ABI
	Width     int                   // lanes of a thread
	GRF       mir.RegSize           // size of the machine's general registers
	PushBytes uint32                // bytes of the user's push constants
	Entries   [abi.NumTables]uint32 // number of entries of each table; the tables follow the push constants
	Buffers   int                   // number of binding table entries
	Used      uint32                // payload parts of a vertex or fragment shader, a bit for each
	Slots     int                   // number of input slots
	Ranges    []mir.Range           // ranges of uniform buffers; they follow the tables
}

// Regs returns the number of GRFs that the payload fills.
func (l *Layout) Regs() int {
	if len(l.ABI.Parts) > 0 {
		return l.At(abi.NumParts)
	}
	return l.user() + l.GRF.Count(l.Table(abi.NumTables))
}

// At returns the first register of a payload part of a vertex or fragment shader. At(NumParts) is the end of
// all parts.
func (l *Layout) At(p abi.Part) int {
	return l.AtHalf(p, 0)
}

// HalfLanes is the number of lanes that a fragment thread's header and pixel parts cover. A thread of 32 lanes
// has two copies of the header's second register and of the pixel parts that are not there once (TGL PRM vol. 9, "PS Thread
// Payload for Normal Dispatch").
const HalfLanes = 16

// AtHalf returns the first register of a part. If there are two copies of the part, it returns the copy of the given
// half.
func (l *Layout) AtHalf(p abi.Part, half int) int {
	end := 0
	for x, at := range l.Parts {
		if x == p {
			if half == 0 {
				return at
			}
			half--
		}
		end = at + l.PartRegs(x)
	}
	return end
}

// Parts calls yield for every payload part of a vertex or fragment shader and its first register, in payload
// order. It includes unused parts, which have no registers.
func (l *Layout) Parts(yield func(p abi.Part, at int) bool) {
	halves := max(l.Width/HalfLanes, 1)
	at := int(l.ABI.PartReg) + halves - 1
	for h := range halves {
		for _, x := range l.ABI.Parts {
			if h < halves-1 && !ofPixels(x) {
				break // these parts follow both halves
			}
			if h > 0 && l.once(x) {
				continue
			}
			if !yield(x, at) {
				return
			}
			at += l.PartRegs(x)
		}
	}
}

// ofPixels reports whether a payload part of a fragment thread describes pixels, rather than the primitive or
// the draw.
func ofPixels(p abi.Part) bool {
	switch p {
	case abi.PerspPlanes, abi.LinearPlanes, abi.User, abi.Setup:
		return false
	}
	return true
}

// once reports whether a part that describes pixels has no copy for the upper half: SamplePlaces, and SampleOffsets if a
// register holds the offsets of both halves (Mesa 25.0.7's code for lnl).
func (l *Layout) once(p abi.Part) bool {
	return p == abi.SamplePlaces || p == abi.SampleOffsets && l.GRF.Bytes() >= 2*HalfLanes*sampleOffsetBytes
}

// sampleOffsetBytes is the size of a lane's sample offset: x and y in its pixel.
const sampleOffsetBytes = 2

// SampleOffset returns the offset of the sample of the first lane of a half.
func (c *Context) SampleOffset(half int) mir.Operand {
	if c.Layout.once(abi.SampleOffsets) {
		return mir.Fixed(c.Layout.At(abi.SampleOffsets), isa.TypeUB).At(uint32(half * HalfLanes * sampleOffsetBytes))
	}
	return mir.Fixed(c.Layout.AtHalf(abi.SampleOffsets, half), isa.TypeUB)
}

// PartRegs returns the number of registers of a part, or of one half's copy if there are two.
func (l *Layout) PartRegs(p abi.Part) int {
	switch {
	case l.Used>>p&1 == 0:
		return 0
	case p == abi.User:
		return l.GRF.Count(l.RangeOffset(len(l.Ranges)))
	}
	if p == abi.Setup {
		return l.setup().registers(l.Slots)
	}
	return p.PartRegs(l.GRF.Count(4*uint32(min(l.Width, HalfLanes))), l.Slots)
}

// Table returns the offset of a table from the start of the push constants. Table(NumTables) is the end of all
// tables.
func (l *Layout) Table(t abi.Table) uint32 {
	at := l.PushBytes
	_, inMemory := l.ABI.HeaderField(abi.PushAddress)
	for _, x := range l.ABI.Tables {
		if l.Entries[x] > 0 {
			at = ir.RoundUp(at, abi.TableBytes[x])
		}
		if inMemory && x == abi.ConstantsAddress && l.Entries[x] > 0 {
			at = l.GRF.Round(at) // a register of its own: a zebin's prologue writes it, and loads of push data must not overwrite it
		}
		if x == t {
			break
		}
		at += l.Entries[x] * abi.TableBytes[x]
	}
	return at
}

// ConstantsReg returns the register with the address of the program's constant data. It is valid only if the program reads
// the address.
func (l *Layout) ConstantsReg() int { return l.user() + int(l.GRF.Of(l.Table(abi.ConstantsAddress))) }

// user returns the first GRF of the user's push constants.
func (l *Layout) user() int {
	if len(l.ABI.Parts) > 0 {
		return l.At(abi.User)
	}
	return l.ABI.Block(l.Width, int(l.GRF.Bytes())) + int(l.ABI.UserReg)
}

// Field returns the doubleword with a header value, and the mask of the value's bits.
func (c *Context) Field(v abi.Value) (mir.Operand, uint32) {
	f, ok := c.Layout.ABI.HeaderField(v)
	if !ok {
		c.Fail(0, "the payload of %s lacks required fields of the thread's header", c.Layout.ABI.Name)
	}
	return mir.FixedScalar(int(f.Reg), uint32(f.Dword)*4, isa.TypeUD), f.Mask
}

// HalfField returns a header field that exists for each half of the lanes.
func (c *Context) HalfField(v abi.Value, half int) mir.Operand {
	o, _ := c.Field(v)
	return o.At(c.F.GRF.Start(uint32(half)))
}

// NewLayout returns the layout of a shader at a width, with a number of buffers in its binding table, for a machine with some
// registers. It contains push constants up to the last one read.
func NewLayout(s *ir.Shader, row *abi.ABI, file *mir.RegFile, width, buffers int) (l Layout, x Interface) {
	l = Layout{ABI: row, Width: width, GRF: mir.SizeOf(file), PushBytes: s.Info.PushConstantSize, Buffers: buffers}
	l.findPushes(s)
	l.PushBytes = (l.PushBytes + 3) &^ 3
	if len(row.Parts) > 0 {
		l.stage(s, &x)
		l.chooseRanges(s)
	}
	return l, x
}

// findPushes determines which push constants and tables a shader reads.
func (l *Layout) findPushes(s *ir.Shader) {
	buffers := uint32(l.Buffers)
	for f := range s.Funcs() {
		for b := s.FirstBlock(f); b != 0; b = s.NextBlock(b) {
			for v := s.First(b); v != 0; {
				in := s.At(v)
				switch in.Intrinsic() {
				case intrinsic.GetSSBOSize:
					l.Entries[abi.BufferSizes] = buffers
				case intrinsic.LoadBufferDescriptor:
					l.Entries[abi.BufferSizes], l.Entries[abi.BufferAddresses] = buffers, buffers
				case intrinsic.LoadConstantAddress:
					l.Entries[abi.ConstantsAddress] = 1
				case intrinsic.LoadPushConstant:
					end := s.Index(v, intrinsic.IxBase)
					if off, ok := ConstSrc(s, v, intrinsic.RoleOffset); ok {
						end += uint32(off) + uint32(in.Comps)*uint32(in.Bits)/8
					} else {
						end += s.Index(v, intrinsic.IxRange)
					}
					l.PushBytes = max(l.PushBytes, end)
				}
				v = in.Next()
			}
		}
	}
}

// inPlace returns a value that can be read in place because it is in the payload or a constant of the width.
func (c *Context) inPlace(v ir.Value, comp int, t isa.Type) (mir.Operand, bool) {
	id := c.S.At(v).Intrinsic()
	if at := &sel.Places[id]; at.Kind == selector.InValue {
		return c.given(at.Value+abi.Value(comp), t)
	}
	if len(c.Layout.ABI.Parts) > 0 {
		if o, ok := c.stageInPlace(v, comp, t); ok {
			return o, true
		}
	}
	if id == intrinsic.LoadSubgroupSize {
		return byteImm(uint32(c.Width), t), true
	}
	return c.InPushData(v, comp, t)
}

// InPushData returns a component of a value that the payload has once for all lanes: a push constant, data of a uniform
// buffer, or an entry of a table.
func (c *Context) InPushData(v ir.Value, comp int, t isa.Type) (mir.Operand, bool) {
	switch c.S.At(v).Intrinsic() {
	case intrinsic.LoadPushConstant:
		off, ok := ConstSrc(c.S, v, intrinsic.RoleOffset)
		if !ok {
			return mir.Operand{}, false
		}
		bytes := uint32(c.S.At(v).Bits / 8)
		return c.user(uint32(off)+c.S.Index(v, intrinsic.IxBase)+bytes*uint32(comp), t), true
	case intrinsic.LoadUBO:
		return c.pushed(v, comp, t)
	case intrinsic.LoadViewIndex:
		return c.entry(abi.ViewIndex, 0, 0, t), true
	case intrinsic.LoadConstantAddress:
		return c.entry(abi.ConstantsAddress, 0, uint32(comp), t), true
	case intrinsic.GetSSBOSize:
		if b, ok := ConstSrc(c.S, v, intrinsic.RoleSurface); ok {
			return c.entry(abi.BufferSizes, b, 0, t), true
		}
	case intrinsic.LoadBufferDescriptor:
		if b, ok := ConstSrc(c.S, v, intrinsic.RoleSurface); ok {
			return c.descriptor(b, comp, t), true
		}
	}
	return mir.Operand{}, false
}

// entry returns a doubleword of a table entry at its place in the payload, or 0 if the index is out of range.
func (c *Context) entry(table abi.Table, i uint64, dword uint32, t isa.Type) mir.Operand {
	if i >= uint64(c.Layout.Entries[table]) {
		return byteImm(0, t)
	}
	return c.user(c.Layout.Table(table)+uint32(i)*abi.TableBytes[table]+4*dword, t)
}

// descriptor returns component comp of a buffer's descriptor: the halves of the address, then the size.
func (c *Context) descriptor(i uint64, comp int, t isa.Type) mir.Operand {
	switch comp {
	case 0, 1:
		return c.entry(abi.BufferAddresses, i, uint32(comp), t)
	case 2:
		return c.entry(abi.BufferSizes, i, 0, t)
	}
	return byteImm(0, t)
}

// user returns the value at an offset in the user's part of the payload.
func (c *Context) user(off uint32, t isa.Type) mir.Operand {
	if p := &c.Layout.ABI.Inline; off+uint32(t.Size()) <= uint32(p.Bytes) {
		return mir.FixedScalar(int(p.Reg), off, t)
	}
	return mir.FixedScalar(c.Layout.user()+int(c.F.GRF.Of(off)), c.F.GRF.In(off), t)
}

// given returns the operand of a launcher's value: a doubleword of the payload, or a value computed from the payload. ok is
// false if the ABI does not provide it.
func (c *Context) given(v abi.Value, t isa.Type) (mir.Operand, bool) {
	row, grf := c.Layout.ABI, int(c.F.GRF.Bytes())
	if reg, dword, ok := row.PushDword(v, grf); ok {
		return mir.FixedScalar(row.Block(c.Width, grf)+int(reg), uint32(dword)*4, t), true
	}
	f, ok := row.HeaderField(v)
	switch {
	case ok && f.Mask == 1<<32-1:
		return mir.FixedScalar(int(f.Reg), uint32(f.Dword)*4, t), true
	case v == abi.SubgroupID && (ok || row.LocalIDs != 0):
		return c.subgroupID(t), true
	case v == abi.NumSubgroups && row.Stage == "":
		n := c.S.Info.WorkgroupSize
		return mir.ImmOp((n[0]*n[1]*n[2]+uint32(c.Width)-1)/uint32(c.Width), t), true
	}
	return mir.Operand{}, false
}

// subgroupID returns the number of the thread in its workgroup, which EmitSubgroupID computes.
func (c *Context) subgroupID(t isa.Type) mir.Operand {
	if c.SubgroupID == 0 {
		c.SubgroupID = c.F.NewScalar(4)
	}
	return mir.V(c.SubgroupID, t).WithStride(0)
}

// EmitSubgroupID computes the number of the thread in its workgroup from its bits in the thread's header, or from the local ids
// of its first lane.
func (c *Context) EmitSubgroupID() {
	c.B.ScalarMode()
	if f, ok := c.Layout.ABI.HeaderField(abi.SubgroupID); ok {
		c.B.Emit(isa.OpAnd, mir.V(c.SubgroupID, isa.TypeUD), mir.FixedScalar(int(f.Reg), uint32(f.Dword)*4, isa.TypeUD), mir.UD(f.Mask))
		return
	}
	size, abi := c.S.Info.WorkgroupSize, c.Layout.ABI
	index := mir.Operand{}
	for i := int(abi.LocalIDs) - 1; i >= 0; i-- {
		if size[i] == 1 {
			continue
		}
		id := mir.FixedScalar(int(abi.LocalIDReg)+i*abi.IDRegs(c.Width, int(c.F.GRF.Bytes())), 0, isa.TypeUW)
		if index.File == mir.None {
			index = id
			continue
		}
		part, sum := mir.V(c.F.NewScalar(4), isa.TypeUD), mir.V(c.F.NewScalar(4), isa.TypeUD)
		c.MulConst(part, index, size[i])
		c.B.Emit(isa.OpAdd, sum, c.Source(part), id)
		index = c.Source(sum)
	}
	dst := mir.V(c.SubgroupID, isa.TypeUD)
	if index.File == mir.None {
		c.B.Mov(dst, mir.UD(0))
		return
	}
	c.B.Emit(isa.OpShr, dst, index, mir.UD(uint32(bits.TrailingZeros32(uint32(c.Width)))))
}

// LaneID returns the register with the number of each lane, as packed words.
func (c *Context) LaneID() mir.Reg {
	if c.LaneIDs == 0 {
		c.LaneIDs = c.F.AddReg(mir.RegInfo{Bytes: c.F.GRF.Round(uint32(c.Width) * 2), Lane: 2, Align: c.F.GRF.Align()})
	}
	return c.LaneIDs
}

// EmitLaneIDs computes the lane numbers at the start of the function: a packed immediate for the first eight
// lanes, sums for the others.
func (c *Context) EmitLaneIDs() {
	ids := mir.V(c.LaneIDs, isa.TypeUW)
	c.B.Exec, c.B.NoMask, c.B.Chan = 8, true, 0
	c.B.Mov(ids, mir.ImmOp(0x76543210, isa.TypeV))
	if c.Width >= 16 {
		c.B.Emit(isa.OpAdd, ids.At(16), ids, mir.UW(8))
	}
	if c.Width == 32 {
		c.B.Exec = 16
		c.B.Emit(isa.OpAdd, ids.At(2*16), ids, mir.UW(16))
	}
}
