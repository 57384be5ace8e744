// SPDX-License-Identifier: MIT

package match

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/match/pat"
	"jacquard.example/core/match/prog"
	"jacquard.example/generated/op"
)

// machine is the state of the interpreter of rule programs.
type machine struct {
	reg   [prog.MaxRegs]ir.Src
	again [prog.MaxPairs]uint32 // pairs whose second order has not been tried: position of the code after Order
	may   [prog.MaxMayBe]uint64
	stack [prog.MaxStack]uint64
}

// run executes the program at pc on instruction v, which register 0 refers to. It reports whether the rule matched and
// replaced v.
func (p *Pass) run(v ir.Value, pc uint32) bool {
	s, m, text := p.S, &p.m, p.set.Programs
	mask := uint16(0) // relaxations that all matched instructions allow
	swap := uint8(0)  // 1 if the operands of the latest commutative pair are swapped
	pairs := uint8(0)
	for {
		w := prog.At(text, pc)
		pc++
		a := &m.reg[w.A()]
		switch w.Code() {
		case prog.Order:
			m.again[pairs%prog.MaxPairs] = pc
			pairs++
			swap = 0
			continue
		case prog.Load:
			*a = p.operand(w, swap)
			continue
		case prog.Op:
			*a = p.operand(w, swap)
			if pat.Def(s, *a, op.Op(w.X())) != 0 {
				continue
			}
		case prog.Int:
			*a = p.operand(w, swap)
			if pat.IsInt(s, *a, w.Number()) {
				continue
			}
		case prog.IntWide:
			*a = p.operand(w, swap)
			if pat.IsInt(s, *a, p.wide(w.X())) {
				continue
			}
		case prog.Float:
			*a = p.operand(w, swap)
			h, f, d := p.wideFloat(w.X())
			if pat.IsFloat(s, *a, h, f, d) {
				continue
			}
		case prog.Const:
			*a = p.operand(w, swap)
			if pat.IsConst(s, *a) {
				continue
			}
		case prog.Again:
			*a = p.operand(w, swap)
			if pat.Same(m.reg[uint8(w.X())], *a) {
				continue
			}
		case prog.Same:
			if pat.Same(m.reg[w.B()], *a) {
				continue
			}
		case prog.Size:
			if pat.SizeIn(pat.Bits(s, *a), op.Sizes(w.X())) {
				continue
			}
		case prog.Reads:
			if pat.Reads(*a, ir.Swizzle(w.X())) {
				continue
			}
		case prog.Whole:
			*a = pat.Whole(s, m.reg[w.B()])
			continue
		case prog.Is:
			if p.set.Is[w.X()](s, *a) {
				continue
			}
		case prog.Allows:
			may := p.mayGiveUp(a.Val)
			if w.B() != 0 {
				may &= mask
			}
			mask = may
			continue
		case prog.GivesUp:
			if uint16(w.X())&^mask == 0 {
				continue
			}
		case prog.Where:
			var holds bool
			if pc, holds = p.where(w, pc); holds {
				continue
			}
		default:
			p.replace(v, pc-1, mask)
			return true
		}
		// The check failed. Retry with the latest pair in its other order.
		if pairs == 0 {
			return false
		}
		pairs--
		pc, swap = m.again[pairs%prog.MaxPairs], 1
	}
}

// operand returns the operand that the word selects. Operands of the root are read directly; below the root, an operand
// is seen through the swizzle of its user.
func (p *Pass) operand(w prog.Word, swap uint8) ir.Src {
	c := w.C()
	i := int(c&3 ^ c>>7&swap)
	x := &p.m.reg[w.B()]
	r := p.S.Src(x.Val, i)
	switch {
	case c&prog.Fixed != 0:
		return r
	case w.B() == 0:
		r.N = x.N
		return r
	case x.N == 1:
		return ir.Src{Val: r.Val, Swz: ir.Broadcast(int(r.Swz.Comp(int(x.Swz & 15)))), N: 1}
	}
	return ir.Src{Val: r.Val, Swz: x.Swz.Compose(r.Swz), N: x.N}
}

// size returns the size of a sized word.
func (p *Pass) size(w prog.Word) uint8 {
	if n := w.C(); n != prog.BySource {
		return n
	}
	return p.S.At(p.m.reg[w.B()].Val).Bits
}

// wide returns wide number i of the set.
func (p *Pass) wide(i uint32) uint64 { return uint64(prog.At(p.set.Wide, i)) }

// wideFloat returns the float at wide number i, at 16, 32 and 64 bits.
func (p *Pass) wideFloat(i uint32) (h uint16, f uint32, d uint64) {
	less := p.wide(i + 1)
	return uint16(less >> 32), uint32(less), p.wide(i)
}

// where evaluates a condition, whose code starts at pc, for each component. It returns the position after the
// condition if it holds.
func (p *Pass) where(w prog.Word, pc uint32) (next uint32, holds bool) {
	m, text := &p.m, p.set.Programs
	for range w.X() {
		w := prog.At(text, pc)
		pc++
		m.may[w.A()%prog.MaxMayBe] = p.ones.MayBe(p.S, m.reg[w.B()])
	}
	count := uint8(1)
	if w.C() != 0 {
		count = m.reg[w.B()].N
	}
	for k := range int(count) {
		if next, holds = p.condition(pc, k); !holds {
			return 0, false
		}
	}
	return next, true
}

// condition evaluates a condition for component k.
func (p *Pass) condition(pc uint32, k int) (next uint32, holds bool) {
	m, text := &p.m, p.set.Programs
	for n := uint8(0); ; n++ { // n is the stack depth
		w := prog.At(text, pc)
		pc++
		top := &m.stack[n%prog.MaxStack]
		switch w.Code() {
		case prog.Push:
			*top = p.sized(w, w.Number())
		case prog.PushWide:
			*top = p.sized(w, p.wide(w.X()))
		case prog.PushComp:
			*top = pat.Comp(p.S, m.reg[w.B()], k)
		case prog.PushMayBe:
			*top = m.may[w.A()%prog.MaxMayBe]
		case prog.Compute:
			o := op.Op(w.X())
			n -= o.Info().NumSrc
			m.stack[n%prog.MaxStack] = p.compute(o, p.size(w), n)
		default: // Holds
			return pc, m.stack[(n-1)%prog.MaxStack] != 0
		}
	}
}

// sized truncates a number to the size of a register, if the word names one.
func (p *Pass) sized(w prog.Word, x uint64) uint64 {
	if w.C() == prog.BySource {
		x &= pat.Ones(p.size(w))
	}
	return x
}

// replace runs the part of a program that builds the replacement of v.
func (p *Pass) replace(v ir.Value, pc uint32, mask uint16) {
	m, text := &p.m, p.set.Programs
	for ; ; pc++ {
		w := prog.At(text, pc)
		a := &m.reg[w.A()]
		switch w.Code() {
		case prog.Begin:
			p.before(v, mask)
		case prog.BeginAt:
			p.after(v, a.Val, mask)
		case prog.Lit:
			*a = p.literal(p.size(w), w.Number())
		case prog.LitWide:
			*a = p.literal(p.size(w), p.wide(w.X()))
		case prog.LitFloat:
			h, f, d := p.wideFloat(w.X())
			n := p.size(w)
			*a = p.literal(n, pat.FloatBits(n, h, f, d))
		case prog.Swizzle:
			*a = pat.Swz(m.reg[w.B()], ir.Swizzle(w.X()), w.C())
		case prog.ALU:
			o, comps := w.ALU()
			if comps == prog.SameComps {
				comps = m.reg[0].N
			}
			var src [op.MaxSrc]ir.Src
			for i := range src {
				src[i] = m.reg[uint8(w.X()>>(8*i))]
			}
			*a = p.alu(op.Op(o), comps, src)
		default: // Done
			p.done(v, *a)
			return
		}
	}
}
