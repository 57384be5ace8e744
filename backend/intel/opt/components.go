// SPDX-License-Identifier: MIT

package opt

import (
	"jacquard.example/backend/intel/bytemask"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

const (
	components    = 4
	allComponents = 1<<components - 1
	vectorBytes   = 4 * components // of a vertex
)

// hasVectors reports whether the lanes of a function are components of vertices.
func hasVectors(f *mir.Func) bool {
	for b := range f.Blocks {
		for i, in := f.FirstOf(b); i != 0; i, in = f.NextOf(in) {
			if in.Align16 {
				return true
			}
		}
	}
	return false
}

// vector looks at an instruction on vectors. Units that unmasked instructions write are not merged. It reports whether the
// instruction copies components of a unit to the same components of another.
func (c *coalescer) vector(in *mir.Inst) (copies bool) {
	f, d, s := c.f, &in.Dst, &in.Src[0]
	if d.File != mir.VReg {
		return false
	}
	if info := f.Reg(mir.Reg(d.Num)); info.Uniform || info.Class != mir.General {
		c.fixed[d.Num] = true
		return false
	}
	if in.NoMask {
		first, last := c.span(d, f.DstBytes(in))
		for unit := first; unit <= last; unit++ {
			c.held[unit] = true
		}
		return false
	}
	switch {
	case in.Op != isa.OpMov, !in.Align16, !c.isVector(s), !c.isVector(d), s.Num == d.Num:
		return false
	case in.Pred != 0, in.CMod != 0, in.Sat, s.HasMods(), s.Type.IsFloat() != d.Type.IsFloat():
		return false
	}
	for k := range components {
		if d.Mask.Writes(k) && s.Swizzle.Lane(k) != k {
			return false
		}
	}
	return true
}

// isVector reports whether an operand is a unit of a register with a vector for each vertex.
func (c *coalescer) isVector(o *mir.Operand) bool {
	if o.File != mir.VReg {
		return false
	}
	info := c.f.Reg(mir.Reg(o.Num))
	return !info.Uniform && info.Class == mir.General && o.Type.Size() == 4 && o.Rows == 0 && o.Stride == 1 && o.Off%c.f.GRF.Bytes() == 0
}

// read returns the bytes of each dword that source k of an instruction reads, or the components.
func (c *coalescer) read(in *mir.Inst, k int) uint8 {
	if !c.vectors {
		return dwordBytes(c.f, in, k)
	}
	o := &in.Src[k]
	switch {
	case in.IsSend():
		return allComponents
	case in.Align16 && o.Rows == 0 && o.Stride == 1 && !in.ReadsGroup():
		m := uint8(0)
		for lane := range components {
			if in.Dst.Mask.Writes(lane) {
				m |= 1 << o.Swizzle.Lane(lane)
			}
		}
		return m
	}
	m := bytemask.SrcReadPattern(c.f, in, k, 0)
	m |= m >> vectorBytes
	parts := uint8(0)
	for at := range components {
		if m>>(4*at)&0xF != 0 {
			parts |= 1 << at
		}
	}
	return parts
}

// written returns the components that an instruction may write.
func written(in *mir.Inst) uint8 {
	if in.IsSend() || !in.Align16 {
		return allComponents
	}
	return uint8(in.Dst.Mask.Lanes() & allComponents)
}

// liveComponents returns the components of a unit that are live after instruction i.
func (c *coalescer) liveComponents(i mir.ID, unit uint32) (live uint8) {
	f, n := c.f, &c.needs
	b, has := f.BlockOf(i), uint8(0)
	touches := n.units[unit].touches
	for at := n.sets.next(touches, n.pos[i]+1); at != 0 && n.sets.nodes[at].lo < n.first[b+1]; {
		f.Work.Spend(lookSteps)
		p := n.sets.nodes[at].lo
		x := f.At(n.order[p])
		for k := range x.Src {
			if c.covers(x, k, unit) {
				live |= c.read(x, k) &^ has
			}
		}
		if x.Dst.File == mir.VReg {
			bytes := f.DstBytes(x)
			if first, last := c.span(&x.Dst, bytes); unit >= first && unit <= last {
				has |= c.defined(x, bytes, unit-first)
			}
		}
		if c.bytes[unit]&^(live|has) == 0 {
			return live
		}
		at = n.sets.next(touches, p+1)
	}
	if n.sets.has(n.units[unit].outs, int32(b)) {
		live |= c.bytes[unit] &^ has
	}
	return live
}

// liveAt reports whether a unit, or a component of it that the instruction may write, is live after instruction i.
func (c *coalescer) liveAt(i mir.ID, unit uint32, in *mir.Inst) bool {
	if !c.vectors {
		return c.liveAfter(i, unit)
	}
	return c.liveComponents(i, unit)&written(in) != 0
}
