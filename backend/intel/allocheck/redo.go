// SPDX-License-Identifier: MIT

package allocheck

import (
	"fmt"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/work"
	"jacquard.example/generated/isa"
)

// An operation of the first program that the second has elsewhere, or additionally, is rematerialized. After the
// operation, its result has a separate place, as if in memory, until the first program writes one of its sources or the
// float mode. The place contains the value that the operation would compute. Where the second program executes the
// operation, its operands must equal the first program's at that point; the operation then acts as a copy from that
// place.

// redo is an operation of the first program that may be rematerialized.
type redo struct {
	old   mir.ID
	place place
	bytes uint32 // size of its result
}

// redos holds the operations of a function that may be rematerialized.
type redos struct {
	byShape map[mir.Inst][]*redo
	byInst  map[mir.ID]*redo
	readers map[int][]*redo // by register: operations that read it
	all     []*redo
	shifts  []place
}

// isOperation reports whether an instruction only computes the value of a register from general registers,
// constants and the float mode.
func isOperation(in *mir.Inst) bool {
	if int(in.Op) >= isa.NumOps || !in.Dst.IsReg() || in.Pred != isa.PredNone || in.SideEff || in.EOT || in.AccWrEn ||
		in.Switch || in.Dst.Mask != 0 {
		return false
	}
	info := &isa.Ops[in.Op]
	if info.Format != isa.FormatBasic && info.Format != isa.FormatTernary || info.ReadsAcc || info.WritesAcc {
		return false
	}
	if in.CMod != 0 && in.Op != isa.OpSel && in.Op != isa.OpCsel {
		return false // it writes a flag
	}
	for k := range in.Src {
		if in.Src[k].File == mir.ARF {
			return false
		}
	}
	return true
}

// shape returns an instruction without its registers.
func shape(in *mir.Inst) mir.Inst {
	x := in.Detached()
	for _, o := range [...]*mir.Operand{&x.Dst, &x.Src[0], &x.Src[1], &x.Src[2]} {
		if o.IsReg() {
			o.File, o.Num, o.Off = mir.GRF, 0, 0
		}
	}
	return x
}

// findRedos finds the operations that may be rematerialized: operations of the first program that equal an
// additional one of the second.
func (c *checker) findRedos() error {
	x := &c.redo
	for _, steps := range c.steps {
		for i := range steps {
			if s := &steps[i]; s.mayRedo() {
				if x.byShape == nil {
					x.byShape, x.byInst, x.readers = map[mir.Inst][]*redo{}, map[mir.ID]*redo{}, map[int][]*redo{}
				}
				x.byShape[shape(c.new.At(s.new))] = nil
			}
		}
	}
	if x.byShape == nil {
		return nil
	}
	for _, steps := range c.steps {
		for i := range steps {
			if s := &steps[i]; s.old != 0 && isOperation(c.old.At(s.old)) {
				c.addRedo(s.old)
			}
		}
	}
	for b, steps := range c.steps {
		for i := range steps {
			s := &steps[i]
			switch none := s.mayRedo() && x.byShape[shape(c.new.At(s.new))] == nil; {
			case s.kind == redone && none:
				return fmt.Errorf("block %d: %s: %w", b, c.new.Text(s.new), errNew)
			case s.kind == rebase && s.mayRedo() && !none:
				s.kind = redone
			}
		}
	}
	return nil
}

// mayRedo reports whether a step may rematerialize an operation. An addition to a base that no header uses may
// be one too, and so may the computation of a constant.
func (s *step) mayRedo() bool {
	return s.kind == redone || s.kind == helper || s.kind == rebase && s.base == 0
}

// addRedo adds an operation of the first program if the second program has an additional equal one.
func (c *checker) addRedo(i mir.ID) {
	x, in := &c.redo, c.old.At(i)
	key := shape(in)
	l, ok := x.byShape[key]
	if !ok || in.Dst.File != mir.VReg {
		return
	}
	if len(x.all) == maxRedos {
		work.Exceeded("checking register allocation with more than %d operations that are computed again", maxRedos)
	}
	r := &redo{old: i, place: redoStart + place(len(x.all))*constBytes, bytes: c.old.Regs[in.Dst.Num].Bytes}
	x.byShape[key], x.byInst[i], x.all = append(l, r), r, append(x.all, r)
	for k := range in.Src {
		if o := &in.Src[k]; o.IsReg() {
			u, _ := c.reg(o)
			x.readers[u] = append(x.readers[u], r)
		}
	}
}

// stale returns the operations whose result a step changes.
func (c *checker) stale(s *step) []*redo {
	if len(c.redo.all) == 0 || s.old == 0 {
		return nil
	}
	switch o := &c.old.At(s.old).Dst; {
	case o.File == mir.ARF && o.Num&0xF0 == isa.ARFCR0:
		return c.redo.all
	case o.IsReg():
		r, _ := c.reg(o)
		return c.redo.readers[r]
	}
	return nil
}

// forget removes the facts about results that a step makes stale.
func (c *checker) forget(f *facts, s *step) {
	for _, r := range c.stale(s) {
		a := &c.area
		a.start, a.lane = r.place, zeroed(a.lane, int(r.bytes))
		for i := range a.lane {
			a.lane[i] = allLanes
		}
		f.kill(a, noReg, 0)
	}
}

// redoPlace returns the place of an operation's result, relative to its register in the first program. It
// returns false if the operation is not rematerialized.
func (c *checker) redoPlace(s *step) (place, bool) {
	r := c.redo.byInst[s.old]
	if r == nil {
		return 0, false
	}
	in := c.old.At(s.old)
	_, off := c.reg(&in.Dst)
	return r.place - place(off+in.Dst.Off), true
}

// redoes finds the operations with equal operands, which a step rematerializes. It leaves the distances of the
// step's destination from their places in c.redo.shifts.
func (c *checker) redoes(s *step) error {
	x, in := &c.redo, c.new.At(s.new)
	x.shifts = x.shifts[:0]
	to := c.place(&in.Dst) + place(in.Dst.Off)
	err := fmt.Errorf("%s: is new, and rematerializes nothing", c.new.Text(s.new))
	for _, r := range x.byShape[shape(in)] {
		c.new.Work.Spend(stepSteps)
		if e := c.operands(&step{old: r.old, new: s.new}); e != nil {
			err = e
			continue
		}
		x.shifts = append(x.shifts, r.place-to)
	}
	if len(x.shifts) == 0 {
		return err
	}
	return c.writesWell(s.new)
}
