// SPDX-License-Identifier: MIT

package allocheck

import (
	"errors"
	"fmt"
	"sort"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// step is a pair of corresponding instructions of the two programs. old is 0 if only the second program has
// one, new is 0 if only the first has one.
type step struct {
	kind     stepKind
	old, new mir.ID
	base     uint32 // load and save: number that the header adds to the place; rebase: that number, once a message uses it
	slot     slot   // load and save: scratch that is accessed
	surface  bool   // load and save: scratch is a surface, and the header is not in the payload
}

type stepKind uint8

const (
	same      stepKind = iota // an instruction of both programs
	load                      // only in the second: scratch to registers
	save                      // only in the second: registers to scratch
	reload                    // only in the second: a constant to a register
	move                      // only in the second: one element, or a whole register, from a register to another
	rebase                    // only in the second: adds a number to the base in a header
	redone                    // only in the second: an operation of the first whose result is used next
	helper                    // only in the second: computes a constant from constants; it may also be an operation of the first
	stateMade                 // only in the second: computes a0.7, the extended descriptor of a fill or spill
	flagSave                  // only in the second: a flag register to a general one
	flagLoad                  // only in the second: a general register to a flag one
	undef                     // only in the first: marks a register as undefined
	copied                    // only in the first: a copy
	dropped                   // only in the first: a constant to a register
	undone                    // only in the first: an operation whose result is computed elsewhere
)

// pair aligns the instructions of a block. An instruction that both programs have has the same handle in both. Only
// handles of operations are never reused, so other instructions with the same handle must also be equal.
//
// Instructions that only the first program has are placed as early as possible: after a removed copy, the value
// is found wherever its source moves.
func (c *checker) pair(b int) ([]step, error) {
	var old []mir.ID
	at := map[mir.ID]int{}
	for i := c.old.Blocks[b].First; i != 0; i = c.old.Next(i) {
		at[i] = len(old)
		old = append(old, i)
	}
	kept := c.keptOf(b, old, at)
	var steps []step
	var headers moved
	known := follow(c.new, b, c.opts.LengthInMessage)
	next := 0
	for j := c.new.Blocks[b].First; ; j = c.new.Next(j) {
		for ; next < len(old) && !kept[next]; next++ {
			k, err := missing(c.old.At(old[next]))
			if err != nil {
				return nil, fmt.Errorf("block %d: %s: %w", b, c.old.Text(old[next]), err)
			}
			steps = append(steps, step{kind: k, old: old[next]})
		}
		if j == 0 {
			return steps, nil
		}
		in := c.new.At(j)
		if next < len(old) && j == old[next] {
			steps = append(steps, step{kind: same, old: j, new: j})
			headers.written(c.new.GRF, in)
			known.run(in)
			next++
			continue
		}
		s, err := c.added(j, known)
		if err != nil {
			return nil, fmt.Errorf("block %d: %s: %w", b, c.new.Text(j), err)
		}
		if (s.kind == load || s.kind == save) && !s.surface {
			s.base = headers.base(&in.Src[0], steps)
			s.slot = slot{c.blockPlace(in.Desc, s.base), blockGRFs(in.Desc)}
		}
		headers.written(c.new.GRF, in)
		known.run(in)
		if s.kind == rebase {
			headers.add(in, len(steps))
		}
		steps = append(steps, s)
	}
}

// keptOf finds the instructions of a block that both programs have: all required ones and, between these, as
// many as possible in the same order.
func (c *checker) keptOf(b int, old []mir.ID, at map[mir.ID]int) []bool {
	where := make([]int, len(old)) // position in the second program + 1; 0 if absent
	n := 0
	for j := c.new.Blocks[b].First; j != 0; j = c.new.Next(j) {
		n++
		if p, ok := at[j]; ok && c.sameInst(c.old.At(j), c.new.At(j)) {
			where[p] = n
		}
	}
	kept := make([]bool, len(old))
	first, after := 0, 0 // range since the last required instruction
	for p, i := range old {
		if _, err := missing(c.old.At(i)); err != nil && where[p] > after {
			increasing(where[first:p], after, where[p], kept[first:p])
			kept[p], first, after = true, p+1, where[p]
		}
	}
	increasing(where[first:], after, n+1, kept[first:])
	return kept
}

// increasing marks a longest increasing subsequence of the numbers between low and high.
func increasing(numbers []int, low, high int, marks []bool) {
	var ends []int // by length - 1: index of the lowest number that ends a sequence
	before := make([]int, len(numbers))
	for p, x := range numbers {
		if x <= low || x >= high {
			continue
		}
		n := sort.Search(len(ends), func(k int) bool { return numbers[ends[k]] >= x })
		if before[p] = -1; n > 0 {
			before[p] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, p)
		} else {
			ends[n] = p
		}
	}
	if len(ends) > 0 {
		for p := ends[len(ends)-1]; p >= 0; p = before[p] {
			marks[p] = true
		}
	}
}

// sameInst reports whether two instructions differ only in the places of virtual registers.
func (c *checker) sameInst(old, new *mir.Inst) bool {
	x, y := old.Detached(), new.Detached()
	if x.Flag.Reg() != 0 {
		y.Flag = x.Flag
	}
	if r, _ := c.old.Accumulator(&x); r != 0 && y.Src[2].File == mir.None {
		x.Src[2] = mir.Operand{} // see flagStep
	}
	for k, o := range [...]*mir.Operand{&x.Dst, &x.Src[0], &x.Src[1], &x.Src[2]} {
		n := [...]*mir.Operand{&y.Dst, &y.Src[0], &y.Src[1], &y.Src[2]}[k]
		if o.File == mir.VReg && (n.File == mir.GRF || n.File == mir.VReg || n.File == mir.ARF && c.old.IsArch(o) && c.new.IsArch(n)) {
			n.File, n.Num, n.Off = o.File, o.Num, o.Off
		}
	}
	return x == y
}

// missing classifies an instruction that only the first program has.
func missing(in *mir.Inst) (stepKind, error) {
	s := &in.Src[0]
	switch {
	case in.Op == mir.OpUndef:
		return undef, nil
	case in.Op != isa.OpMov || in.CMod != 0 || in.Sat || in.SideEff || in.AccWrEn || in.Dst.File != mir.VReg:
	case s.File == mir.Imm && in.Pred == 0:
		return dropped, nil
	case s.HasMods() || s.File != mir.VReg && s.File != mir.GRF:
	case s.Type.Size() == in.Dst.Type.Size() && (s.Type == in.Dst.Type || !s.Type.IsFloat() && !in.Dst.Type.IsFloat()):
		return copied, nil
	}
	if isOperation(in) {
		return undone, nil
	}
	return 0, fmt.Errorf("is missing")
}

// Fields of a scratch block message (TGL PRM vol. 9, "Scratch Block Read/Write"): bit 19 header, 18 scratch, 17
// write, 16 select dwords by active lanes, 13:12 log2 of the number of GRFs, 11:0 offset in GRFs.
const (
	blockHeader = 1 << 19
	blockType   = 1 << 18
	blockWrite  = 1 << 17
	blockByLane = 1 << 16
)

func blockGRFs(desc uint32) uint32 { return 1 << (desc >> 12 & 3) }

func (c *checker) blockPlace(desc, base uint32) place {
	return scratchStart + place(base) + place(c.new.GRF.Start(desc&0xFFF))
}

// blockData returns the data of a spill: the second payload, or what follows the header in the only one.
func (c *checker) blockData(in *mir.Inst) mir.Operand {
	if in.Len[1] == 0 {
		return in.Src[0].At(c.new.GRF.Bytes())
	}
	return in.Src[1]
}

// extra classifies an instruction that only the second program has.
func extra(in *mir.Inst) (stepKind, error) {
	if in.Pred == 0 && in.CMod == 0 && !in.EOT && !in.Sat && !in.AccWrEn {
		switch {
		case in.Op == isa.OpMov && in.NoMask && in.Src[0].File == mir.Imm && (in.Dst.File == mir.GRF || in.Dst.File == mir.VReg):
			return reload, nil
		case in.Op == isa.OpMov && in.NoMask && (in.Exec == 1 || isWholeCopy(in)) && in.Src[0].IsReg() && !in.Src[0].HasMods() &&
			in.Dst.IsReg() &&
			in.Src[0].Type == in.Dst.Type && !in.Dst.Type.IsFloat():
			return move, nil
		case isRebase(in):
			return rebase, nil
		case isFlagMove(in, &in.Src[0], &in.Dst):
			return flagSave, nil
		case isFlagMove(in, &in.Dst, &in.Src[0]):
			return flagLoad, nil
		case in.Op == isa.OpSend && in.SFID == isa.SFIDDC0 && in.Desc&(blockHeader|blockType) == blockHeader|blockType &&
			in.Desc&^(1<<20-1) == 0 && in.ExDesc == 0 && in.Src[2].File == mir.None && in.Src[0].File == mir.GRF:
			n := uint8(blockGRFs(in.Desc))
			switch {
			case in.Desc&blockWrite == 0 && in.NoMask && in.Dst.Mask == 0 && in.Len == [3]uint8{1, 0, n} && in.Dst.File != mir.ARF:
				return load, nil
			case in.Desc&blockWrite != 0 && in.Desc&blockByLane != 0 && in.Dst.IsNull() && in.Exec >= 8 &&
				(in.Len == [3]uint8{1, n, 0} || in.Len == [3]uint8{1 + n, 0, 0}):
				return save, nil
			}
		}
	}
	if isOperation(in) {
		return redone, nil
	}
	return 0, errNew
}

var errNew = errors.New("is new, but not a fill, spill, constant or move")

// isWholeCopy reports whether an instruction copies one whole register to another.
func isWholeCopy(in *mir.Inst) bool {
	whole := func(o *mir.Operand) bool { return o.Off == 0 && o.HasStride(1) && o.Type == isa.TypeUD }
	return in.Exec == 8 && whole(&in.Dst) && whole(&in.Src[0])
}

// isFlagMove reports whether an instruction copies all bits between a flag register and a doubleword of a
// general register.
func isFlagMove(in *mir.Inst, flag, reg *mir.Operand) bool {
	return in.Op == isa.OpMov && in.NoMask && in.Exec == 1 && flag.File == mir.ARF && flag.Num&0xF0 == isa.ARFF0 &&
		flag.Type == isa.TypeUD &&
		reg.File == mir.GRF && reg.Type == isa.TypeUD && !in.Src[0].HasMods()
}

// constant is the value that a mov of an immediate writes, in any instruction and to any place.
type constant struct {
	src    mir.Operand
	typ    isa.Type
	stride uint8
}

// constPlace returns the place of a mov's constant, as if it were in memory.
func (c *checker) constPlace(in *mir.Inst) place {
	key := constant{in.Src[0], in.Dst.Type, in.Dst.Stride}
	id, ok := c.consts[key]
	if !ok {
		id = place(len(c.consts))
		c.consts[key] = id
	}
	return constStart + id*constBytes
}
