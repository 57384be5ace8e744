// SPDX-License-Identifier: MIT

package vec4

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/ir"
	"jacquard.example/core/reuse"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// registers is what selection knows of the IR registers that replace phis. Where it can, a value that is stored is computed
// in the register, and a value that is loaded is read there.
type registers struct {
	at     []int32            // by ir.Value: its position in the text of the shader
	writes map[uint32][]write // by IR register
	shared map[uint32][]int32 // by IR register: the last uses of the values that are read in it
	found  bool
}

// write is a write of an IR register: a store, or the operation that computes the value there.
type write struct {
	store ir.Value
	at    int32
}

// find numbers the instructions and lists the writes of registers.
func (r *registers) find(s *ir.Shader) {
	r.found = true
	r.at = reuse.Zeroed(r.at, s.NumValues())
	r.writes, r.shared = map[uint32][]write{}, map[uint32][]int32{}
	n := int32(0)
	for b := s.FirstBlock(s.Entry()); b != 0; b = s.NextBlock(b) {
		for v := range s.Instrs(b) {
			n++
			r.at[v] = n
			if s.At(v).Intrinsic() == intrinsic.StoreReg {
				reg := s.Index(v, intrinsic.IxReg)
				r.writes[reg] = append(r.writes[reg], write{v, n})
			}
		}
	}
}

// readable reports whether the uses of v, the value that an IR register has at a load, can read the register: whether they
// are in the innermost loop around the load, and nothing writes the register before them.
func (c *Context) readable(v ir.Value, reg uint32) bool {
	r := &c.registers
	if !r.found {
		r.find(c.S)
	}
	last := r.at[v]
	if !c.uses(v, c.S.LoopOf(c.S.At(v).Block()), &last, maxUses) {
		return false
	}
	for _, w := range r.writes[reg] {
		if w.at > r.at[v] && w.at <= last {
			return false
		}
	}
	r.shared[reg] = append(r.shared[reg], last)
	return true
}

// maxUses limits the instructions that are looked at to find the uses of a value.
const maxUses = 64

// uses finds the last position at which v may be read, and reports whether all reads are in a loop and not in one inside
// it. An operation that reads v may be computed where its own result is used, or read through, as rows do with source
// modifiers.
func (c *Context) uses(v ir.Value, loop ir.Node, last *int32, budget int) bool {
	s := c.S
	for u := range s.Uses(v) {
		if budget--; budget < 0 {
			return false
		}
		user := u.User
		if u.If != 0 {
			if user = s.Last(s.PrevNode(u.If)); user == 0 || s.LoopOf(u.If) != loop {
				return false
			}
			*last = max(*last, c.registers.at[user])
			continue
		}
		in := s.At(user)
		if s.LoopOf(in.Block()) != loop || in.Intrinsic() == intrinsic.StoreOutput {
			return false
		}
		*last = max(*last, c.registers.at[user])
		if in.Kind == kind.ALU && c.readsThrough(user) && !c.uses(user, loop, last, budget/2) {
			return false
		}
	}
	return true
}

// readsThrough reports whether instructions that use the result of an operation may read the operation's sources instead.
func (c *Context) readsThrough(v ir.Value) bool {
	in := c.S.At(v)
	return in.Bits == 1 || c.S.UsedOnce(v) || isModifier(in) || !isComputed(c.S, v)
}

// isModifier reports whether instructions can read the result of an operation by a modifier of the operation's source.
func isModifier(in *ir.Instr) bool {
	switch in.ALUOp() {
	case op.FNeg, op.FAbs, op.INeg, op.IAbs, op.INot:
		return true
	}
	return false
}

// computable reports whether v can be computed in the IR register of a store instead of being copied to it by a store: whether it is in
// the same block, and between the two nothing else writes the register, and nothing reads it.
func (c *Context) computable(v, store ir.Value) bool {
	s, r := c.S, &c.registers
	reg := s.Index(store, intrinsic.IxReg)
	if !r.found {
		r.find(s)
	}
	if s.At(v).Block() != s.At(store).Block() || !isComputed(s, v) {
		return false
	}
	for u := s.At(v).Next(); u != store; u = s.At(u).Next() {
		if id := s.At(u).Intrinsic(); (id == intrinsic.StoreReg || id == intrinsic.LoadReg) && s.Index(u, intrinsic.IxReg) == reg {
			return false
		}
	}
	for _, last := range r.shared[reg] {
		if last > r.at[v] {
			return false
		}
	}
	for i := range r.writes[reg] {
		if w := &r.writes[reg][i]; w.store == store {
			w.at = min(w.at, r.at[v])
		}
	}
	return true
}

// LoadReg copies an IR register, unless its value is read where it is.
func (c *Context) LoadReg(v ir.Value) {
	reg := c.register(c.S.Index(v, intrinsic.IxReg))
	if c.place[v].reg == reg {
		return
	}
	o := mir.V(reg, isa.TypeUD)
	o.Swizzle = c.frame.swizzle()
	c.emit(isa.OpMov, c.Dst(v, 0, isa.TypeUD), o)
}

// StoreReg copies a value to an IR register, unless the value is computed there.
func (c *Context) StoreReg(v ir.Value) {
	val := c.Operand(v, intrinsic.RoleValue)
	mask := c.S.Index(v, intrinsic.IxWriteMask)
	if mask == 0 {
		mask = 1<<val.N - 1
	}
	f := empty
	var srcs [channels]ir.Src
	for i := range int(val.N) {
		if mask>>i&1 != 0 {
			f[i], srcs[i] = int8(i), val.Comp(i)
		}
	}
	n := c.S.Index(v, intrinsic.IxReg)
	c.fill(&filling{dst: mir.V(c.register(n), isa.TypeUD), rest: f, taken: whole(channels), zero: empty, store: v}, srcs)
}

// register returns the register of an IR register.
func (c *Context) register(n uint32) mir.Reg {
	if c.IrReg[n] == 0 {
		c.IrReg[n] = c.newReg(1)
	}
	return c.IrReg[n]
}
