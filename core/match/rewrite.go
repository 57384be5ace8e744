// SPDX-License-Identifier: MIT

package match

import (
	"jacquard.example/core/ir"
	"jacquard.example/core/match/prog"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// mayGiveUp returns the relaxations that a matched float instruction allows, without the relaxations that the shader's
// float controls forbid at the width of a float that the instruction reads or computes, including halves of an integer.
func (p *Pass) mayGiveUp(v ir.Value) uint16 {
	in := p.S.At(v)
	if !p.controlled {
		return in.Float
	}
	info := in.ALUOp().Info()
	m := in.Float
	if info.Out.Base == op.Float {
		m &= p.allowed[sizeIndex(in.Bits)]
	}
	for i, x := range info.Src[:info.NumSrc] {
		if x.Base == op.Float {
			m &= p.allowed[sizeIndex(p.S.At(p.S.Src(v, i).Val).Bits)]
		}
	}
	if info.Has(op.Halves) {
		m &= p.allowed[sizeIndex(16)]
	}
	return m
}

// sizeIndex maps the width of a float, 16, 32 or 64, to 0, 1 or 2.
func sizeIndex(bits uint8) uint8 { return bits >> 5 }

// before starts the replacement of root: new instructions are inserted before it, have its location, and allow the
// relaxations in mask.
func (p *Pass) before(root ir.Value, mask uint16) {
	p.b.Before(root)
	p.mask = mask
}

// after is like before, but inserts new instructions after instruction inner, the operand of root: their operands are
// live there anyway.
func (p *Pass) after(root, inner ir.Value, mask uint16) {
	loc := p.S.At(root).Loc
	p.b.After(inner)
	p.b.Loc = loc
	p.mask = mask
}

// literal creates a constant with one component, which every use broadcasts.
func (p *Pass) literal(bits uint8, c uint64) ir.Src {
	r := p.b.Const(bits, c)
	p.made(r.Val, 1)
	return r
}

// alu creates an instruction with comps components or, if the operands are constant, the constant result. It ignores
// operands in src that the opcode does not have.
func (p *Pass) alu(o op.Op, comps uint8, src [op.MaxSrc]ir.Src) ir.Src {
	info := o.Info()
	if info.Out.Comps != 0 {
		comps = info.Out.Comps
	}
	n := int(info.NumSrc)
	if r, ok := p.fold(o, comps, src[:n]); ok {
		return r
	}
	p.b.Float = 0
	if floatOps[o] {
		p.b.Float = p.mask
	}
	r := p.b.ALUN(o, comps, src[:n]...)
	p.made(r.Val, 0)
	p.group[r.Val] = p.stateOf(r.Val).group()
	p.push(r.Val)
	return r
}

// compute evaluates a componentwise opcode on the numbers on the stack, starting at index at. bits is the size of the
// unsized operands. It evaluates the conditions of rules, which have been checked to be defined.
func (p *Pass) compute(o op.Op, bits, at uint8) uint64 {
	for i := range o.Info().NumSrc {
		p.in[i][0] = p.m.stack[(at+i)%prog.MaxStack]
	}
	if !fold.Eval(o, bits, 1, &p.in, &p.out, p.mode) {
		return 0
	}
	return p.out[0]
}

// fold evaluates an instruction whose operands are all constant.
func (p *Pass) fold(o op.Op, comps uint8, src []ir.Src) (ir.Src, bool) {
	s := p.S
	info := o.Info()
	for i := range src {
		if !s.At(src[i].Val).IsConst() {
			return ir.Src{}, false
		}
	}
	var in [op.MaxSrc][fold.MaxComps]uint64
	var out [fold.MaxComps]uint64
	bits := info.Out.Bits
	exec := bits
	for i := range src {
		z := src[i].Swz
		if src[i].N == 1 {
			z = ir.Broadcast(int(z.Comp(0)))
		}
		n := info.Src[i].Comps
		if n == 0 {
			n = comps
		}
		for c := range int(n) {
			in[i][c] = s.Const(src[i].Val, int(z.Comp(c)))
		}
		if info.Src[i].Bits == 0 {
			exec = s.At(src[i].Val).Bits
		}
	}
	if bits == 0 {
		bits = exec
	}
	if !fold.Eval(o, exec, comps, &in, &out, p.mode) {
		return ir.Src{}, false
	}
	r := p.b.Const(bits, out[:comps]...)
	p.made(r.Val, 1)
	for i := range src {
		p.drop(src[i].Val) // done removes constants that were used only here
	}
	return r, true
}

// made allocates table entries for a new instruction.
func (p *Pass) made(v ir.Value, state uint16) {
	for int(v) >= len(p.group) {
		p.group = append(p.group, 0)
		p.flags = append(p.flags, 0)
		p.lit = append(p.lit, 0)
	}
	p.group[v] = p.tables.group[state]
	p.lit[v] = 0
	if state == 1 {
		p.lit[v] = p.classes(v)
	}
	p.flags[v] = p.flags[v]&queued | visited | dirty
}

// done replaces root with r and removes values that are unused afterwards.
func (p *Pass) done(root ir.Value, r ir.Src) {
	s := p.S
	p.changed = true
	p.ones.Forget()
	p.left--
	p.begun |= dirty // later values may depend on the change
	p.fired[p.nfired%len(p.fired)] = uint16(p.rule)
	p.nfired++
	if p.stats != nil {
		p.counts[p.rule].Fired++
		if p.stats.Trace != nil {
			p.stats.Trace(p.set, p.set.Rule(int(p.rule)), root, r)
		}
	}
	p.pushUsers(root)
	if r.N == 1 {
		r.Swz = ir.Broadcast(int(r.Swz.Comp(0)))
	}
	s.ReplaceUses(root, r)
	p.drop(root)
	p.sweep()
}

// drop records that v may have lost its last use.
func (p *Pass) drop(v ir.Value) { p.dead = append(p.dead, v) }

// sweep removes recorded arithmetic that is unused, and its operands if they become unused.
func (p *Pass) sweep() {
	s := p.S
	for len(p.dead) > 0 {
		v := p.dead[len(p.dead)-1]
		p.dead = p.dead[:len(p.dead)-1]
		if !s.IsLive(v) || s.At(v).Used() {
			continue
		}
		in := s.At(v)
		if in.Kind != kind.ALU && in.Kind != kind.LoadConst && in.Kind != kind.Undef {
			continue
		}
		for i := range int(in.NSrc) {
			p.dead = append(p.dead, s.Src(v, i).Val)
		}
		p.group[v] = 0
		p.lit[v] = 0
		s.Remove(v)
	}
}
