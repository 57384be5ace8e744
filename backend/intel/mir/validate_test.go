// SPDX-License-Identifier: MIT

package mir_test

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mir/validate"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

const ud = isa.TypeUD

// made is a valid function of 16 lanes: an if with an else, a loop with a break, a cont and a halt, and one
// instruction of each kind.
type made struct {
	*mir.Func
	vec, pair, one, hdr mir.Operand
	// Some of its instructions.
	iff, els, endif, loop, brk, cont, while, halt, target, add, uniform, indirect, sync, send, msg, end mir.ID
	product                                                                                             mir.ID // see mad
}

// mad returns a three-source instruction, which the first call adds.
func (m *made) mad() *mir.Inst {
	if m.product == 0 {
		x := mir.Fixed(4, isa.TypeF)
		m.product = m.AtStart(0, mir.Inst{Op: isa.OpMad, Exec: 16, Dst: m.vec.As(isa.TypeF), Src: [3]mir.Operand{x, x, x}})
	}
	return m.At(m.product)
}

func newMade() *made {
	m := &made{Func: mir.New(16, isa.TGL.Registers())}
	f := m.Func
	f.Payload = 3
	m.vec, m.pair = mir.V(f.NewReg(1, 4), ud), mir.V(f.NewReg(2, 4), ud)
	m.one, m.hdr = mir.V(f.NewScalar(4), ud), mir.V(f.NewGRFs(1), ud)
	put := func(in mir.Inst) mir.ID {
		if in.Exec == 0 {
			in.Exec = 16
		}
		in.SideEff = in.SideEff || in.ImpliesEffect()
		return f.Append(len(f.Blocks)-1, in)
	}
	flow := func(o isa.Op, pred isa.Pred) mir.ID { return put(mir.Inst{Op: o, Pred: pred}) }
	alone := func(o isa.Op, pred isa.Pred) mir.ID {
		f.NewBlock()
		i := flow(o, pred)
		f.NewBlock()
		return i
	}
	src := func(o ...mir.Operand) (s [3]mir.Operand) { copy(s[:], o); return s }

	m.add = put(mir.Inst{Op: isa.OpAdd, Dst: m.vec, Src: src(m.vec, mir.UD(1))})
	m.uniform = put(mir.Inst{Op: isa.OpMov, Exec: 1, NoMask: true, Dst: m.one, Src: src(mir.FixedScalar(1, 0, ud))})
	m.indirect = put(mir.Inst{Op: mir.OpIndirect, Dst: m.vec, Src: src(mir.Fixed(3, ud), m.vec.As(isa.TypeUW).WithStride(2)),
		Len: [3]uint8{4}})
	m.iff = flow(isa.OpIf, isa.PredNormal)
	f.NewBlock()
	m.sync = put(mir.Inst{Op: isa.OpSync, Exec: 1, NoMask: true, Src: src(mir.Null(ud))})
	m.els = alone(isa.OpElse, 0)
	m.endif = alone(isa.OpEndif, 0)
	f.NewBlock()
	m.loop = flow(mir.OpLoop, 0)
	m.brk = flow(isa.OpBreak, isa.PredNormal)
	f.NewBlock()
	m.cont = flow(isa.OpCont, isa.PredNormal)
	f.NewBlock()
	m.halt = flow(isa.OpHalt, isa.PredNormal)
	m.while = alone(isa.OpWhile, isa.PredNormal)
	f.NewBlock()
	m.target = flow(mir.OpHaltTarget, 0)
	m.send = put(mir.Inst{Op: isa.OpSend, SFID: isa.SFIDDC1, Dst: m.vec, Src: src(m.pair, m.pair.At(64), mir.Arch(isa.ARFA0, 0, ud)), Len: [3]uint8{2, 2, 2}})
	b := mir.Builder{F: f}
	b.AtEnd(len(f.Blocks) - 1)
	b.Vector()
	b.Message(mir.Message{
		Msg:     mir.Msg{Name: message.UntypedRead, Space: message.Buffer, Comps: 1},
		Address: m.vec, AddressLen: 2, Surface: m.one.WithStride(0), Dst: m.pair, DstLen: 2,
	})
	m.msg = f.Blocks[len(f.Blocks)-1].Last
	f.Reg(mir.Reg(m.one.Num)).Def = m.uniform
	m.end = put(mir.Inst{Op: isa.OpSend, Exec: 8, NoMask: true, SFID: isa.SFIDTS, Dst: mir.Null(ud),
		Src: src(m.hdr, mir.Null(ud)), Len: [3]uint8{1}, EOT: true})
	f.BuildCFG()
	return m
}

// compose inserts a composition of two parameters before an instruction.
func (m *made) compose(before mir.ID, to mir.Operand) mir.ID {
	return m.Before(before, mir.Inst{Op: mir.OpCompose, Exec: 16, Dst: to, Src: [3]mir.Operand{m.vec, m.one.WithStride(0)}})
}

// write inserts a write of grfs GRFs of data before the last instruction.
func (m *made) write(data mir.Operand, grfs int) mir.ID {
	in := mir.MakeMessage(&mir.Message{
		Msg:     mir.Msg{Name: message.UntypedWrite, Space: message.Buffer, Comps: uint8(grfs / 2)},
		Address: m.vec, AddressLen: 2, Data: data, DataLen: grfs, Surface: mir.UD(0),
	})
	in.Exec = 16
	return m.Before(m.end, in)
}

// TestComposed checks that data composed in parts before its message is accepted.
func TestComposed(t *testing.T) {
	m := newMade()
	m.compose(m.end, m.pair)
	m.write(m.pair, 4)
	if err := validate.Func(m.Func); err != nil {
		t.Error(err)
	}
}

// TestValidate checks that a valid function is accepted. After damage in one place it must be rejected, with
// the reason, the block and the instruction.
func TestValidate(t *testing.T) {
	if err := validate.Func(newMade().Func); err != nil {
		t.Fatal(err)
	}
	move := func(m *made, i mir.ID, b int) { // to the end of a block
		in := m.At(i).Detached()
		m.Remove(i)
		m.Append(b, in)
	}
	for _, c := range []struct {
		want   string
		damage func(m *made)
	}{
		// Function, registers and edges.
		{"5 lanes; 8, 16 and 32 are possible", func(m *made) { m.Width = 5 }},
		{"a payload of 129 registers", func(m *made) { m.Payload = 129 }},
		{"register v1: 0 bytes", func(m *made) { m.Regs[1].Bytes = 0 }},
		{"register v5: no register of its class has 68 bytes", func(m *made) { m.NewAccumulator(17) }},
		{"register v5: no register of its class has 36 bytes", func(m *made) { m.NewAddresses(17) }},
		{"register v1: no register of its class has 64 bytes", func(m *made) { m.Regs[1].Class = mir.FlagClass }},
		{"register v1: no register of its class has 64 bytes", func(m *made) { m.Regs[1].Class = 99 }},
		{"register v1: lanes of no bytes", func(m *made) { m.Regs[1].Lane = 0 }},
		{"register v3: an alignment of 12 bytes", func(m *made) { m.Regs[3].Align = 12 }},
		{"register v1: is divergent and does not start at a whole register", func(m *made) { m.Regs[1].Align = 16 }},
		{"register v3: 36 bytes do not share a register with others", func(m *made) { m.Regs[3].Bytes = 36 }},
		{"register v4: its single definition is missing", func(m *made) { m.Regs[4].Def = m.add }},
		{"register v4: its single definition is missing", func(m *made) { m.Regs[4].Def = 1000 }},
		{"add(16) v1<1>:ud v1:ud 0x1:ud: writes v1, whose single definition is another instruction", func(m *made) { m.Regs[1].Def = m.send }},
		{"writes v5, whose single definition is another instruction", func(m *made) {
			m.At(m.add).CMod, m.At(m.add).Flag = isa.CModEQ, m.NewFlag()
			m.Regs[5].Def = m.uniform
		}},
		{"block 0: its logical successors are [1 3 5]; its instructions imply [1 3]", func(m *made) {
			m.Lanes.Add(0, 5)
			m.Lanes.Close()
		}},
		{"block 1: its physical successors are [2 4]; its instructions imply [2]", func(m *made) {
			m.Thread.Add(1, 4)
			m.Thread.Close()
		}},
		{"the logical edges are for 0 blocks, not 12", func(m *made) { m.Lanes.Reset(0) }},
		{"3 ifs and loops; the instructions imply 2", func(m *made) { m.Constructs = append(m.Constructs, mir.Construct{}) }},
		{"2 ifs and loops; the instructions imply 2", func(m *made) { m.Constructs[0].Last = 3 }},
		{"block 0: its if or loop is {IsLoop:false Parent:0 Loop:0 Loops:0 First:0 Else:0 Last:4}; " +
			"the instructions imply {IsLoop:false Parent:0 Loop:0 Loops:0 First:0 Else:2 Last:4}",
			func(m *made) { m.Constructs[1].Else = 0 }},
		{"block 6: its if or loop is {IsLoop:true Parent:1 Loop:2 Loops:1 First:6 Else:0 Last:9}; " +
			"the instructions imply {IsLoop:true Parent:0 Loop:2 Loops:1 First:6 Else:0 Last:9}",
			func(m *made) { m.Constructs[2].Parent = 1 }},
		{"block 1: is in construct 0 and begins 0; the instructions imply 1 and 0", func(m *made) { m.Blocks[1].In = 0 }},
		{"block 0: is in construct 0 and begins 0; the instructions imply 0 and 1", func(m *made) { m.Blocks[0].If = 0 }},
		{"halted lanes resume in block 0; the instructions imply 11", func(m *made) { m.Resume = 0 }},
		{"block 11: its last instruction is not the last of its list", func(m *made) { m.Blocks[11].Last = m.msg }},

		// Control flow.
		{"block 0: (f0.0) if(16): is not closed", func(m *made) {
			m.Remove(m.els)
			m.Remove(m.endif)
			m.Remove(m.halt)
			m.Remove(m.target)
			m.Remove(m.end)
		}},
		{"loop(16): is not closed", func(m *made) { m.Remove(m.while); m.Remove(m.halt); m.Remove(m.target); m.Remove(m.end) }},
		{"block 2: else(16): does not belong to an if", func(m *made) { m.Remove(m.iff) }},
		{"block 4: else(16): does not belong to an if", func(m *made) { m.At(m.endif).Op = isa.OpElse }},
		{"block 4: endif(16): does not end an if", func(m *made) { m.Remove(m.iff); m.Remove(m.els) }},
		{"(f0.0) while(16): does not end a loop", func(m *made) { m.Remove(m.loop); m.Remove(m.brk); m.Remove(m.cont) }},
		{"while(16): does not end a loop", func(m *made) { m.At(m.endif).Op = isa.OpWhile }},
		{"(f0.0) break(16): is not in a loop", func(m *made) { m.Remove(m.loop) }},
		{"(f0.0) cont(16): is not in a loop", func(m *made) { m.Remove(m.loop); m.Remove(m.brk) }},
		{"(f0.0) halt(16): there is no place where halted lanes come back", func(m *made) { m.Remove(m.target) }},
		{"halt_target(16): halted lanes resume at one point, outside of ifs and loops", func(m *made) { move(m, m.target, 1); m.Remove(m.sync) }},
		{"halt_target(16): halted lanes resume at one point, outside of ifs and loops", func(m *made) { m.Append(3, m.At(m.target).Detached()); move(m, m.target, 5) }},
		{"(f0.0) halt(16): halts after the point where halted lanes resume", func(m *made) { move(m, m.target, 5) }},
		{"block 0: (f0.0) if(16): does not end its block", func(m *made) { move(m, m.add, 0) }},
		{"loop(16): does not start its block", func(m *made) { m.Before(m.loop, m.At(m.add).Detached()) }},
		{"else(16): is not alone in its block", func(m *made) { m.Before(m.els, m.At(m.add).Detached()) }},
		{"endif(16): is not alone in its block", func(m *made) { m.After(m.endif, m.At(m.add).Detached()) }},
		{"add(16) v1<1>:ud v1:ud 0x1:ud: is after the end of the thread", func(m *made) { m.After(m.end, m.At(m.add).Detached()) }},
		{"send.ts(8) null:ud v4:ud null:ud len=1 {EOT}: the thread ends before the last block", func(m *made) { m.NewBlock(); m.BuildCFG() }},
		{"send.ts(8) null:ud v4:ud null:ud len=1 {EOT}: the thread ends within an if or a loop", func(m *made) { move(m, m.end, 1) }},

		// Instructions.
		{"unknown opcode", func(m *made) { m.At(m.add).Op = 0xFF }},
		{"is not control flow of machine IR", func(m *made) { m.At(m.add).Op = isa.OpGoto }},
		{"is written as a send: the encoder chooses the word", func(m *made) { m.At(m.send).Op = isa.OpSends }},
		{"there is no predicate 63", func(m *made) { m.At(m.add).Pred = 63 }},
		{"there is no condition 7", func(m *made) { m.At(m.add).CMod = 7 }},
		{"there is no function 31 of it", func(m *made) { m.At(m.send).SFID = 31 }},
		{"12 lanes", func(m *made) { m.At(m.add).Exec = 12 }},
		{"its lanes reach past the 32 of a mask", func(m *made) { m.At(m.add).Chan = 24 }},
		{"its lanes reach past the 16 of the function", func(m *made) { m.At(m.add).Chan = 8 }},
		{"v1 is not a flag register", func(m *made) { m.At(m.add).CMod, m.At(m.add).Flag = isa.CModEQ, mir.FlagOf(1) }},
		{"v1000 is not a flag register", func(m *made) { m.At(m.add).CMod, m.At(m.add).Flag = isa.CModEQ, mir.FlagOf(1000) }},
		{"names the flag register v5 but does not use it", func(m *made) { m.At(m.add).Flag = m.NewFlag() }},
		{"a flag register may only be copied, whole and as a scalar", func(m *made) { m.At(m.uniform).Src[0] = m.NewFlag().Whole().As(isa.TypeUW).WithStride(0) }},
		{"a flag register may only be copied, whole and as a scalar", func(m *made) { m.At(m.add).Src[1] = m.NewFlag().Whole().WithStride(0) }},
		{"its lanes reach past the flag register", func(m *made) {
			in := m.At(m.add)
			in.NoMask, in.Chan = true, 16
			in.CMod, in.Flag = isa.CModEQ, 1
		}},
		{"its scoreboard field 0x8 is invalid", func(m *made) { m.At(m.add).SWSB = 8 }},
		{"ends the thread but is not a message", func(m *made) { m.At(m.add).EOT = true }},
		{"takes 2 sources", func(m *made) { m.At(m.add).Src[1] = mir.Operand{} }},
		{"takes 1 sources", func(m *made) { m.At(m.uniform).Src[2] = mir.UD(1) }},
		{"takes no destination", func(m *made) { m.At(m.iff).Dst = m.vec }},
		{"does not read a run of registers", func(m *made) { m.At(m.indirect).Len[0] = 0 }},
		{"does not read a run of registers", func(m *made) { m.At(m.indirect).Src[0], m.At(m.indirect).Len[0] = m.vec, 2 }},
		{"its index is neither words nor addresses", func(m *made) { m.At(m.indirect).Src[1] = m.one }},
		{"its index is neither words nor addresses", func(m *made) { m.At(m.indirect).Src[1] = mir.Arch(isa.ARFA0, 2, isa.TypeUW) }},
		{"source 1 reaches 32 bytes into a register of 4", func(m *made) { m.At(m.indirect).Src[1] = mir.V(m.NewAddress(), isa.TypeUW) }},
		{"writes a uniform register under the mask", func(m *made) { m.At(m.uniform).NoMask = false }},

		{"an accumulator may only be a whole destination, or the implicit source of a product", func(m *made) { m.At(m.add).Src[1] = mir.V(m.NewAccumulator(16), ud) }},
		{"an accumulator may only be a whole destination, or the implicit source of a product", func(m *made) { m.At(m.add).Exec, m.At(m.add).Dst = 8, mir.V(m.NewAccumulator(16), ud).At(32) }},

		// Operands.
		{"the destination is an immediate", func(m *made) { m.At(m.add).Dst = mir.UD(1) }},
		{"the destination has rows", func(m *made) { m.At(m.add).Dst = m.vec.WithRegion(4, 4, 0) }},
		{"the destination has stride 8", func(m *made) { m.At(m.add).Dst.Stride = 8 }},
		{"source 0 has stride 3", func(m *made) { m.At(m.add).Src[0].Stride = 3 }},
		{"source 1 is not a register and has rows", func(m *made) { m.At(m.add).Src[1].Rows = m.vec.WithRegion(4, 4, 0).Rows }},
		{"source 0 has a region that the machine does not support", func(m *made) { m.At(m.add).Src[0].Rows = 7 << 3 }},
		{"source 0 has a region that the machine does not support", func(m *made) {
			m.At(m.add).Src[0] = m.vec.WithRegion(4, 4, 0)
			m.At(m.add).Src[0].Stride = 1 // the region then has a single stride
		}},
		{"source 0 cannot have rows", func(m *made) { m.At(m.add).Src[0] = mir.Arch(isa.ARFAcc0, 0, ud).WithRegion(4, 4, 0) }},
		{"source 0 has rows of 8 elements for 8 lanes", func(m *made) { m.At(m.add).Src[0], m.At(m.add).Exec = m.vec.WithRegion(4, 8, 1), 8 }},
		{"row 3 of source 0 may cross registers", func(m *made) { m.At(m.add).Src[0] = m.vec.WithRegion(2, 4, 1) }},
		{"row 0 of source 0 may cross registers", func(m *made) {
			m.At(m.add).Src[0] = mir.V(m.AddReg(mir.RegInfo{Bytes: 32, Lane: 4, Align: 16, Uniform: true}), ud).At(4).WithRegion(0, 4, 1)
		}},
		{"source 0 reaches into a third register", func(m *made) { m.At(m.add).Src[0] = mir.Fixed(4, ud).WithRegion(8, 4, 1) }},
		{"the destination has a swizzle", func(m *made) { m.mad().Dst.Swizzle = 1 }},
		{"source 2 has a write mask", func(m *made) { m.mad().Src[2].Mask = 1 }},
		{"has a swizzle or a write mask, but neither takes three sources nor is in access mode Align16", func(m *made) { m.At(m.add).Src[0].Swizzle = 1 }},
		{"has a swizzle or a write mask, but neither takes three sources nor is in access mode Align16", func(m *made) { m.At(m.send).Dst.Mask = 1 }},
		{"has a swizzle or a write mask, which need groups of four lanes, on 2", func(m *made) { m.mad().Src[0].Swizzle, m.mad().Exec = 1, 2 }},
		{"writes one of four lanes and has no swizzle: that is an instruction on one lane", func(m *made) { m.mad().Dst.Mask, m.mad().Exec = fields.MaskOf(4), 4 }},
		{"there is no write mask 0x11", func(m *made) { m.mad().Dst.Mask = 0x11 }},
		{"the destination has a write mask and is not a vector from a multiple of 16 bytes on", func(m *made) { m.mad().Dst.Mask, m.mad().Dst.Stride = 1, 2 }},
		{"the destination has a write mask and is not a vector from a multiple of 16 bytes on", func(m *made) {
			m.mad().Exec, m.mad().NoMask = 8, true
			m.mad().Dst = mir.V(m.AddReg(mir.RegInfo{Bytes: 32, Lane: 4, Align: 8, Uniform: true}), isa.TypeF)
			m.mad().Dst.Mask = 1
		}},
		{"source 1 has a swizzle and is not a vector from a multiple of 16 bytes on", func(m *made) { m.mad().Src[1].Swizzle, m.mad().Src[1].Stride = 1, 0 }},
		{"source 1 has a swizzle and is not a vector from a multiple of 16 bytes on", func(m *made) { m.mad().Src[1] = m.mad().Src[1].WithRegion(4, 4, 0); m.mad().Src[1].Swizzle = 1 }},
		{"source 0 has a swizzle and is not a vector from a multiple of 16 bytes on", func(m *made) { m.mad().Src[0].Swizzle, m.mad().Src[0].Off = 1, 8 }},
		{"source 0 has a swizzle and is not a vector from a multiple of 16 bytes on", func(m *made) { m.mad().Src[0].Swizzle, m.mad().Src[0].Type = 1, isa.TypeDF }},
		{"source 2 has a swizzle and is not a vector from a multiple of 16 bytes on", func(m *made) { m.mad().Src[2] = mir.ImmOp(0, isa.TypeF); m.mad().Src[2].Swizzle = 1 }},
		{"the payload has rows", func(m *made) { m.At(m.send).Src[0] = m.pair.WithRegion(4, 4, 0) }},
		{"address has a stride that the machine does not support", func(m *made) { m.At(m.msg).Src[0] = m.vec.WithRegion(4, 4, 0) }},
		{"address has a stride that the machine does not support", func(m *made) { m.At(m.msg).Src[0].Stride = 3 }},
		{"address is not a general register", func(m *made) { m.At(m.msg).Src[0] = mir.Arch(isa.ARFAcc0, 0, ud) }},
		{"address is not a general register", func(m *made) { m.At(m.msg).Src[0] = m.NewFlag().Whole().WithStride(0) }},
		{"address reaches 64 bytes into a register of 4", func(m *made) { m.At(m.msg).Src[0] = m.one }},
		{"the lanes from 0 on of address cross the halves of v5", func(m *made) {
			m.Width = 32
			m.At(m.msg).Src[0] = mir.V(m.NewReg(2, 4), ud).At(8)
		}},
		{"compose(16) v2<1>:ud v1:ud v3<0>:ud: no message follows whose data it composes", func(m *made) {
			move(m, m.compose(m.end, m.pair), 3)
		}},
		{"starts a payload in its middle", func(m *made) { m.compose(m.msg, mir.V(m.NewReg(3, 4), ud).At(64)) }},
		{"does not compose doublewords in a separate register", func(m *made) { m.compose(m.msg, mir.Fixed(4, ud)) }},
		{"is not the message whose data is composed before it", func(m *made) { m.compose(m.msg, m.pair) }},
		{"is not the message whose data is composed before it", func(m *made) { m.compose(m.end, m.pair); m.write(m.pair, 2) }},
		{"is not the message whose data is composed before it", func(m *made) {
			m.compose(m.end, m.pair)
			m.write(mir.V(m.NewReg(2, 4), ud), 4)
		}},
		{"does not continue the payload composed before it", func(m *made) { m.compose(m.msg, m.pair); m.compose(m.msg, mir.V(m.NewReg(2, 4), ud)) }},
		{"does not have the lanes of the payload composed before it", func(m *made) { m.compose(m.end, m.pair); m.At(m.write(m.pair, 4)).NoMask = true }},
		{"has a predicate, condition or saturation", func(m *made) { m.At(m.compose(m.msg, m.pair)).Sat = true }},
		{"takes 1 sources", func(m *made) { m.At(m.compose(m.msg, m.pair)).Src = [3]mir.Operand{} }},
		{"takes 1 sources", func(m *made) { m.At(m.compose(m.msg, m.pair)).Src[0] = mir.Operand{} }},
		{"the destination reaches 192 bytes into a register of 128", func(m *made) { m.At(m.compose(m.msg, m.pair)).Src[2] = m.vec }},
		{"the lanes from 0 on of source 0 cross the halves of v5", func(m *made) {
			m.Width = 32
			m.At(m.add).Src[0] = mir.V(m.NewReg(2, 4), ud).At(8)
		}},
		{"the destination has stride 0", func(m *made) { m.At(m.add).Dst.Stride = 0 }},
		{"the destination has a source modifier", func(m *made) { m.At(m.add).Dst.Neg = true }},
		{"source 0 has no type", func(m *made) { m.At(m.add).Src[0].Type = isa.TypeNone }},
		{"source 0 is not an operand", func(m *made) { m.At(m.add).Src[0].File = 9 }},
		{"source 0 names no register", func(m *made) { m.At(m.add).Src[0].Num = 99 }},
		{"the destination reaches 68 bytes into a register of 64", func(m *made) { m.At(m.add).Dst.Off = 4 }},
		{"source 0 reaches 124 bytes into a register of 64", func(m *made) { m.At(m.add).Src[0].Stride = 2 }},
		{"source 0 reaches 4294967356 bytes into a register of 64", func(m *made) { m.At(m.add).Src[0].Off = 1<<32 - 4 }},
		{"source 0 reaches past r127", func(m *made) { m.At(m.add).Src[0] = mir.Fixed(127, ud) }},
		{"source 1 has more than 32 bits", func(m *made) { m.At(m.add).Src[1] = mir.ImmOp64(1<<32, ud) }},
		{"source 0 is not an architecture register", func(m *made) { m.At(m.add).Src[0] = mir.Arch(0x34, 0, ud) }},
		{"source 0 is not an architecture register", func(m *made) { m.At(m.add).Src[0] = mir.Arch(0x20, 40, ud) }},

		// Messages.
		{"the payload has no registers", func(m *made) { m.At(m.send).Len[0] = 0 }},
		{"the second payload has no registers", func(m *made) { m.At(m.send).Len[1] = 0 }},
		{"the result has no registers", func(m *made) { m.At(m.send).Len[2] = 0 }},
		{"the payload is not a register", func(m *made) { m.At(m.send).Src[0] = mir.UD(3) }},
		{"the payload has a source modifier", func(m *made) { m.At(m.send).Src[0].Abs = true }},
		{"the second payload does not start at a whole register", func(m *made) { m.At(m.send).Src[1].Off = 16 }},
		{"the result does not start at a whole register", func(m *made) { m.At(m.send).Dst, m.At(m.send).Len[2] = m.one, 1 }},
		{"the payload reaches 160 bytes into a register of 128", func(m *made) { m.At(m.send).Len[0] = 5 }},
		{"the descriptor is not in an address register", func(m *made) { m.At(m.send).Src[2] = m.one }},
		{"the descriptor is not in an address register", func(m *made) { m.At(m.send).Src[2] = m.NewFlag().Whole().WithStride(0) }},
		{"an address register may only be written, as a scalar or words, or used as the descriptor of a send or the addresses of an indirect read", func(m *made) { m.At(m.add).Src[1] = mir.Scalar(m.NewAddress(), 0, ud) }},
		{"an address register may only be written, as a scalar or words, or used as the descriptor of a send or the addresses of an indirect read", func(m *made) { m.At(m.uniform).Dst = mir.V(m.NewAddress(), isa.TypeUW).At(2) }},
		{"an address register may only be written, as a scalar or words, or used as the descriptor of a send or the addresses of an indirect read", func(m *made) { m.At(m.uniform).Dst = mir.V(m.NewAddress(), isa.TypeUB) }},
		{"an address register may only be written, as a scalar or words, or used as the descriptor of a send or the addresses of an indirect read", func(m *made) {
			m.At(m.indirect).Exec, m.At(m.indirect).Src[1] = 4, mir.V(m.NewAddresses(8), isa.TypeUW).At(2)
		}},
		{"writes a uniform register under the mask", func(m *made) { m.At(m.send).Dst, m.At(m.send).Len[2] = m.hdr, 1 }},
		{`does not work in the space ""`, func(m *made) { m.At(m.msg).Msg.Space = message.Nowhere }},
		{"address is missing", func(m *made) { m.At(m.msg).Src[0] = mir.Operand{} }},
		{"source 1 has no name", func(m *made) { m.At(m.msg).Src[1] = m.vec }},
		{"surface is missing", func(m *made) { m.At(m.msg).Src[2] = mir.Operand{} }},
		{"surface is not a scalar", func(m *made) { m.At(m.msg).Src[2] = m.vec }},
		{"address has no registers", func(m *made) { m.At(m.msg).Len[0] = 0 }},
		{"2 registers of a missing source", func(m *made) { m.At(m.msg).Len[1] = 2 }},
		{"the offset is not an immediate", func(m *made) {
			in := m.At(m.msg)
			in.Msg, in.Src, in.Len[0] = mir.Msg{Name: message.ScratchRead}, [3]mir.Operand{2: m.one.WithStride(0)}, 0
		}},
	} {
		m := newMade()
		c.damage(m)
		if err := validate.Func(m.Func); err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}
