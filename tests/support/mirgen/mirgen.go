// SPDX-License-Identifier: MIT

// Package mirgen generates random machine IR, for tests of the stages after selection: structured control flow with
// jumps; registers of every kind; masked, predicated and unmasked writes of dwords, words and bytes; and messages. A
// seed always yields the same function.
//
// It exports only [Random]. Functions are valid by construction, but compute nothing useful.
package mirgen

import (
	"fmt"
	"math/rand/v2"

	"jacquard.example/backend/intel/lower"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// generator generates random machine IR: anything the allocator may be given, not only what
// selection emits today.
type generator struct {
	*mir.Func
	rng      *rand.Rand
	vec      []mir.Reg // divergent, of one to three components
	scalars  []mir.Reg
	grfs     []mir.Reg // uniform, whole GRFs
	once     []mir.Reg // divergent, written by one operation
	budget   int
	loops    int
	haveHalt bool
}

func (g *generator) n(n int) int { return g.rng.IntN(n) }

func (g *generator) chance(percent int) bool { return g.n(100) < percent }

func pick[T any](g *generator, s []T) T { return s[g.n(len(s))] }

func (g *generator) put(in mir.Inst) mir.ID { return g.Append(len(g.Blocks)-1, in) }

// slot returns one component of a divergent register, as an operand of a random type.
func (g *generator) slot(types ...isa.Type) mir.Operand {
	r := pick(g, g.vec)
	if g.chance(30) { // one of the youngest
		r = pick(g, g.vec[max(0, len(g.vec)-4):])
	}
	t := pick(g, types)
	o := mir.V(r, t).At(g.Pitch(4) * uint32(g.n(int(g.Reg(r).Bytes/g.Pitch(4))))).WithStride(uint8(4 / t.Size()))
	if t.Size() < 4 && g.chance(40) {
		o.Off += uint32(t.Size()) * uint32(g.n(4/t.Size()))
	}
	return o
}

func (g *generator) scalar() mir.Operand {
	r := pick(g, g.scalars)
	return mir.Scalar(r, 4*uint32(g.n(int(g.Reg(r).Bytes/4))), isa.TypeUD)
}

var anySize = []isa.Type{isa.TypeUD, isa.TypeUD, isa.TypeUD, isa.TypeUW, isa.TypeUB}

func (g *generator) source() mir.Operand {
	if len(g.once) > 0 && g.chance(25) {
		return mir.V(pick(g, g.once), isa.TypeUD)
	}
	switch k := g.n(11); {
	case k < 6:
		return g.slot(anySize...)
	case k == 10: // one lane of a slot, broadcast
		o := g.slot(anySize...)
		o.Off += 4 * uint32(g.n(g.Width))
		return o.WithStride(0)
	case k < 8:
		return g.scalar()
	case k < 9:
		return mir.FixedScalar(1+g.n(3), 4*uint32(g.n(8)), isa.TypeUD)
	}
	return mir.UD(uint32(g.n(4)))
}

// vector returns an instruction on all lanes under the mask. A broadcast source in the register of the destination
// becomes a constant.
func (g *generator) vector(op isa.Op, dst mir.Operand, src ...mir.Operand) mir.Inst {
	in := mir.Inst{Op: op, Exec: uint8(g.Width), Dst: dst}
	copy(in.Src[:], src)
	for k := range in.Src {
		if o := &in.Src[k]; o.File == mir.VReg && o.Stride == 0 && o.SameReg(&dst) {
			*o = mir.UD(1) // the second half of the lanes would read it after the first has written
		}
	}
	return in
}

func (g *generator) message(noMask bool) {
	lanes := g.Width / 8
	whole := func() (mir.Operand, int) {
		r := pick(g, g.vec)
		comps := int(g.Reg(r).Bytes / g.Pitch(4))
		first := g.n(comps)
		return mir.V(r, isa.TypeUD).At(g.Pitch(4) * uint32(first)), comps - first
	}
	addr, _ := whole()
	m := mir.Message{Address: addr, AddressLen: lanes, Surface: mir.UD(0)}
	m.Space = message.Buffer
	if g.chance(50) {
		dst, comps := whole()
		n := 1 + g.n(comps)
		m.Name, m.Comps = message.UntypedRead, uint8(n)
		m.Dst, m.DstLen = dst, lanes*n
	} else {
		data, comps := whole()
		if data.Num == addr.Num {
			return
		}
		n := 1 + g.n(comps)
		m.Name, m.Comps = message.UntypedWrite, uint8(n)
		if g.chance(30) { // bytes or words
			n = 1
			m.Name, m.Comps, m.Bytes = message.ByteWrite, 0, 1<<g.n(2)
		}
		m.Data, m.DataLen = data, lanes*n
	}
	in := mir.MakeMessage(&m)
	in.Exec, in.NoMask = uint8(g.Width), noMask
	g.put(in)
}

// compute adds a register that is written once, computed from others.
func (g *generator) compute() {
	from := g.source()
	if g.chance(60) && len(g.once) > 0 {
		from = mir.V(pick(g, g.once), isa.TypeUD)
	}
	g.once = append(g.once, g.NewReg(1, 4))
	in := g.vector(pick(g, []isa.Op{isa.OpAdd, isa.OpAdd, isa.OpShl, isa.OpXor}), mir.V(g.once[len(g.once)-1], isa.TypeUD), from, mir.UD(uint32(g.n(4))))
	in.NoMask = g.chance(20)
	g.put(in)
}

func (g *generator) statement() {
	g.budget--
	if g.chance(20) {
		g.compute()
		return
	}
	all := uint8(g.Width)
	switch k := g.n(20); {
	case k < 6:
		in := g.vector(isa.OpAdd, g.slot(anySize...), g.source(), g.source())
		if g.chance(25) {
			in.Pred, in.PredInv, in.Flag = isa.PredNormal, g.chance(50), mir.Flag(2*g.n(2))
		}
		g.put(in)
	case k < 8:
		g.put(g.vector(isa.OpMov, g.slot(isa.TypeUD), mir.UD(uint32(g.n(9)))))
	case k < 10:
		g.copy()
	case k < 11:
		in := g.vector(isa.OpCmp, mir.Null(isa.TypeUD), g.slot(isa.TypeUD), g.source())
		in.CMod, in.Flag, in.NoMask = isa.CModLT, mir.Flag(2*g.n(2)), g.chance(20)
		g.put(in)
	case k < 13:
		dst := g.scalar()
		dst.Stride = 1
		src := g.scalar()
		if g.chance(30) { // a lane of a divergent register
			src = g.slot(isa.TypeUD)
			src.Off += 4 * uint32(g.n(g.Width))
			src.Stride = 0
		}
		in := mir.Inst{Op: isa.OpAdd, Exec: 1, NoMask: true, Dst: dst, Src: [3]mir.Operand{src, g.scalar()}}
		if g.chance(50) { // a copy
			in.Op, in.Src[1] = isa.OpMov, mir.Operand{}
			if g.chance(50) {
				g.scalars = append(g.scalars, g.NewScalar(4))
				in.Dst.Num, in.Dst.Off = uint32(g.scalars[len(g.scalars)-1]), 0
			}
		}
		g.put(in)
	case k < 14: // across lanes
		t := g.slot(isa.TypeUD)
		in := g.vector(isa.OpMov, t, mir.UD(0))
		in.NoMask = true
		g.put(in)
		if g.chance(70) {
			in = g.vector(isa.OpMov, t, g.slot(isa.TypeUD))
			in.NoMask = g.chance(50)
			if in.NoMask {
				in.Pred, in.Flag = isa.PredNormal, 2
			}
			g.put(in)
		}
		half := all / 2
		g.put(mir.Inst{Op: isa.OpOr, Exec: half, NoMask: true, Dst: t, Src: [3]mir.Operand{t, t.At(4 * uint32(half))}})
	case k < 17:
		g.message(g.chance(10))
	case k < 18:
		r := pick(g, g.grfs)
		n := int(g.Reg(r).Bytes / 32)
		in := mir.MakeMessage(&mir.Message{
			Msg:     mir.Msg{Name: message.UntypedRead, Space: message.Buffer, Comps: uint8(n)},
			Address: mir.V(pick(g, g.grfs), isa.TypeUD), AddressLen: 1, Surface: mir.UD(0), Dst: mir.V(r, isa.TypeUD), DstLen: n,
		})
		in.Exec, in.NoMask = 8, true
		g.put(in)
	case k < 19:
		r := pick(g, g.grfs)
		g.put(mir.Inst{Op: isa.OpMov, Exec: 8, NoMask: true, Dst: mir.V(r, isa.TypeUD), Src: [3]mir.Operand{g.scalar()}})
	default:
		o := mir.V(pick(g, g.vec), isa.TypeUD)
		g.put(mir.Inst{Op: mir.OpUndef, Exec: all, Dst: o})
	}
}

// copy copies a register to another, often a new one with a short live range.
func (g *generator) copy() {
	src := g.slot(isa.TypeUD)
	dst := g.slot(isa.TypeUD)
	if g.chance(50) {
		g.vec = append(g.vec, g.NewReg(1+g.n(2), 4))
		if dst.Num = uint32(g.vec[len(g.vec)-1]); g.chance(30) && int(dst.Num) > 1 {
			dst, src = src, dst // an undefined register
		}
		dst.Off, src.Off = min(dst.Off, g.Reg(mir.Reg(dst.Num)).Bytes-g.Pitch(4)), min(src.Off, g.Reg(mir.Reg(src.Num)).Bytes-g.Pitch(4))
	}
	g.put(g.vector(isa.OpMov, dst, src))
}

func (g *generator) branch(op isa.Op) {
	in := mir.Inst{Op: op, Exec: uint8(g.Width), SideEff: true, Pred: isa.PredNormal, PredInv: g.chance(50), Flag: mir.Flag(2 * g.n(2))}
	if op != isa.OpIf && op != isa.OpWhile && g.chance(20) {
		in.Pred = 0
	}
	g.put(in)
}

func (g *generator) alone(op isa.Op) {
	g.NewBlock()
	if op == isa.OpWhile {
		g.branch(op)
	} else {
		g.put(mir.Inst{Op: op, Exec: uint8(g.Width), SideEff: true})
	}
	g.NewBlock()
}

func (g *generator) list(depth int) {
	for range 2 + g.n(8) {
		if g.budget <= 0 {
			return
		}
		switch k := g.n(12); {
		case k == 0 && depth > 0:
			g.branch(isa.OpIf)
			g.NewBlock()
			g.list(depth - 1)
			if g.chance(50) {
				g.alone(isa.OpElse)
				g.list(depth - 1)
			}
			g.alone(isa.OpEndif)
		case k == 1 && depth > 0:
			g.NewBlock()
			g.put(mir.Inst{Op: mir.OpLoop, Exec: uint8(g.Width), SideEff: true})
			g.loops++
			g.list(depth - 1)
			g.loops--
			g.alone(isa.OpWhile)
		case k == 2 && g.loops > 0:
			g.branch(pick(g, []isa.Op{isa.OpBreak, isa.OpBreak, isa.OpCont}))
			g.NewBlock()
		case k == 3 && g.chance(30):
			g.branch(isa.OpHalt)
			g.haveHalt = true
			g.NewBlock()
		default:
			g.statement()
		}
	}
}

// Random returns the function of a seed.
func Random(seed uint64) *mir.Func {
	g := &generator{rng: rand.New(rand.NewPCG(seed, 9)), budget: 120}
	g.Func = mir.New(8<<g.n(3), isa.TGL.Registers())
	g.Name, g.Payload = fmt.Sprint("seed ", seed), 4
	for range 4 + g.n(40) {
		g.vec = append(g.vec, g.NewReg(1+g.n(3), 4))
	}
	for range 2 + g.n(6) {
		g.scalars = append(g.scalars, g.NewScalar(4<<g.n(3)))
	}
	for range 1 + g.n(4) {
		g.grfs = append(g.grfs, g.NewGRFs(1+g.n(3)))
	}
	for range 3 {
		g.list(4)
	}
	if g.haveHalt {
		g.NewBlock()
		g.put(mir.Inst{Op: mir.OpHaltTarget, Exec: uint8(g.Width), SideEff: true})
	}
	end := mir.MakeMessage(&mir.Message{Msg: mir.Msg{Name: message.EndThread}})
	end.Exec, end.NoMask = 8, true
	g.put(end)
	g.BuildCFG()
	lower.Messages(g.Func, message.HDC, isa.TGL)
	lower.SplitSIMD32(g.Func)
	g.MarkSingle()
	return g.Func
}
