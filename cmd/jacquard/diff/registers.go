// SPDX-License-Identifier: MIT

package diff

import (
	"jacquard.example/generated/isa"
)

// unit is a register whose value is tracked: the general registers in order, then the flag registers.
type unit int

const (
	numGRF   = isa.MaxGRFs
	numUnits = numGRF + 4
)

// operand is a source or destination of an instruction: count units starting at first.
type operand struct {
	at    *uint8 // the number of the general register or flag in the instruction
	flag  bool
	count int
}

func (o *operand) unit() unit {
	if o.flag {
		return numGRF + unit(*o.at)
	}
	return unit(*o.at)
}

// rename changes the unit. A unit that does not exist in the new version is numbered after the existing ones.
func (o *operand) rename(to unit, exists bool) {
	limit := numGRF
	if o.flag {
		to, limit = to-numGRF, numUnits-numGRF
	}
	if !exists {
		to += unit(limit)
	}
	*o.at = uint8(to)
}

// operands returns the sources and destinations of an instruction of a platform. Registers at computed indices are left out. The
// registers of a message whose descriptor is computed count as one.
func operands(p isa.Platform, in *isa.Inst) (reads, writes []operand) {
	info := &isa.Ops[in.Op]
	if in.Pred != isa.PredNone {
		reads = append(reads, operand{&in.Flag, true, 1})
	}
	send := info.Format == isa.FormatSend || info.Format == isa.FormatSends
	for i := range in.Src {
		o := &in.Src[i]
		if o.File != isa.FileGRF || o.Indirect {
			continue
		}
		count := 1
		switch {
		case send && i == 0 && !in.DescReg:
			count = max(int(in.Desc>>25&0xF), 1)
		case send && i == 1 && !in.ExDescReg:
			count = max(int(in.ExDesc>>6&0x1F), 1)
		}
		reads = append(reads, operand{&o.Reg, false, count})
	}
	if in.Dst.File == isa.FileGRF && !in.Dst.Indirect {
		writes = append(writes, operand{&in.Dst.Reg, false, written(p, in, send)})
	}
	if in.CMod != isa.CModNone && in.Op != isa.OpSel { // the condition modifier of sel is a comparison and writes no flag
		writes = append(writes, operand{&in.Flag, true, 1})
	}
	return reads, writes
}

// written returns the number of registers that an instruction writes.
func written(p isa.Platform, in *isa.Inst, send bool) int {
	if send {
		if in.DescReg {
			return 1
		}
		return max(int(in.Desc>>20&0x1F), 1)
	}
	size := max(in.Dst.Type.Size(), 1)
	last := int(in.Dst.Sub) + (int(in.ExecSize)-1)*size*max(int(in.Dst.HStride), 1) + size
	grf := p.Registers().Bytes
	count := (last + grf - 1) / grf
	if in.Op == isa.OpMath && in.Math == isa.MathIDiv {
		count *= 2 // the remainder follows the quotient
	}
	return count
}

// set is a set of units.
type set [(numUnits + 63) / 64]uint64

func (s *set) has(u unit) bool { return s[u>>6]>>(u&63)&1 != 0 }
func (s *set) add(u unit)      { s[u>>6] |= 1 << (u & 63) }
func (s *set) remove(u unit)   { s[u>>6] &^= 1 << (u & 63) }

// first returns the first unit of a set, and false if the set is empty.
func (s *set) first() (unit, bool) {
	for u := range unit(numUnits) {
		if s.has(u) {
			return u, true
		}
	}
	return 0, false
}

// holds maps each unit of the old version to the units of the new version that may hold its value.
type holds [numUnits]set

// begin returns the state at the start of a thread, when both versions have the same values in the same registers.
func begin() *holds {
	h := &holds{}
	for u := range unit(numUnits) {
		h[u].add(u)
	}
	return h
}

// join merges the state of another path: a value may be wherever either state has it.
func (h *holds) join(other *holds) {
	if other == nil {
		return
	}
	for u := range h {
		for w := range h[u] {
			h[u][w] |= other[u][w]
		}
	}
}

// forgetOld records that only the old version writes to a unit, forgetNew that only the new version does.
func (h *holds) forgetOld(u unit) { h[u] = set{} }
func (h *holds) forgetNew(u unit) {
	for old := range h {
		h[old].remove(u)
	}
}

// bind records that both versions write the same value.
func (h *holds) bind(old, new unit) {
	h.forgetNew(new)
	h[old] = set{}
	h[old].add(new)
}

// each calls visit with each unit of an operand of the old version and the corresponding unit of the new version.
func each(old, new *operand, visit func(old, new unit)) {
	limit := unit(numGRF)
	if old.flag {
		limit = numUnits
	}
	for k := range unit(min(old.count, new.count)) {
		if o, n := old.unit()+k, new.unit()+k; o < limit && n < limit {
			visit(o, n)
		}
	}
}
