// SPDX-License-Identifier: MIT

package allocheck

import (
	"fmt"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// solve propagates the facts to a fixed point. Reads are checked in every iteration: facts are only removed, so
// a check that fails once also fails at the fixed point.
func (c *checker) solve() error {
	n := len(c.old.Blocks)
	c.in = make([]state, n)
	for b := range c.in {
		c.in[b] = state{thread: make([]*row, len(c.need.thread[b])), lanes: make([]*row, len(c.need.lanes[b]))}
	}
	header := make([]set, fileBytes)
	for k := range min(c.old.GRF.Start(uint32(c.old.Payload)), fileBytes) {
		header[k] = c.sets.one(0)
	}
	payload := c.row(int32(c.payload), header)
	for i, r := range c.need.thread[0] {
		if r == payload.reg {
			c.in[0].thread[i] = payload
		}
	}
	c.thread, c.lanes, c.waiting = newFacts(c, allBytes), newFacts(c, runningLanes), newFacts(c, waitingLanes)
	due := make([]bool, n)
	for b := range due {
		due[b] = true
	}
	for again := true; again; {
		again = false
		for b := range n {
			if !due[b] {
				continue
			}
			due[b] = false
			c.thread.load(c.need.thread[b], c.in[b].thread)
			c.lanes.load(c.need.lanes[b], c.in[b].lanes)
			for i := range c.steps[b] {
				c.new.Work.Spend(stepSteps)
				if err := c.step(&c.steps[b][i]); err != nil {
					return fmt.Errorf("block %d: %w", b, err)
				}
			}
			reach := func(to int, changed bool) {
				if changed {
					due[to] = true
					again = again || to <= b
				}
			}
			for i := range c.lanesTo[b] {
				e := &c.lanesTo[b][i]
				from := func(_ int, r int32) *row { return c.lanes.row(r) }
				if e.waits {
					end := c.arrive(e)
					from = func(i int, _ int32) *row { return end[i] }
				}
				reach(e.to, c.join(c.in[e.to].lanes, c.need.lanes[e.to], from))
			}
			for _, to := range c.threadTo[b] {
				reach(to, c.join(c.in[to].thread, c.need.thread[to], func(_ int, r int32) *row {
					return c.stop(c.thread.row(r), c.lanes.row(r))
				}))
			}
		}
	}
	return nil
}

// step checks the reads of an instruction and applies its writes.
func (c *checker) step(s *step) error {
	switch s.kind {
	case same:
		if err := c.reads(s); err != nil {
			return err
		}
	case load, save:
		if err := c.scratch(s); err != nil {
			return err
		}
	case rebase:
		if err := c.rebase(s); err != nil {
			return err
		}
	case redone:
		if err := c.redoes(s); err != nil {
			return err
		}
	case helper:
		_ = c.redoes(s) // or it only overwrites registers
		if err := c.writesWell(s.new); err != nil {
			return err
		}
	case stateMade:
		if err := c.fromHeader(s); err != nil {
			return err
		}
	}
	c.forget(c.thread, s)
	c.forget(c.lanes, s)
	if s.kind == copied {
		x := c.takeCopy(c.old.At(s.old))
		at := make([]set, len(x.bytes))
		for i, y := range x.bytes {
			own := !x.noMask && y.lane != noLane && y.lane == c.owner[x.src][y.from]
			at[i] = c.sets.shift(c.value(x.src, y.from, own), place(y.from)-place(y.to))
			if again, ok := c.redoPlace(s); ok && at[i] != anything {
				at[i] = c.sets.add(at[i], again)
			}
		}
		c.thread.put(x, at)
		c.lanes.put(x, at)
		return nil
	}
	c.effect(c.thread, s)
	c.effect(c.lanes, s)
	return nil
}

// waitStep applies an instruction that the thread executes while a lane waits.
func (c *checker) waitStep(s *step) {
	c.forget(c.waiting, s)
	if s.kind != copied {
		c.effect(c.waiting, s)
		return
	}
	x := c.takeCopy(c.old.At(s.old))
	if !x.noMask {
		return
	}
	at := make([]set, len(x.bytes))
	for i, y := range x.bytes {
		at[i] = nowhere // for the waiting lane
		if o := c.owner[x.src][y.from]; o != noLane && o == c.owner[x.dst][y.to] {
			at[i] = c.sets.shift(c.waiting.get(x.src, y.from), place(y.from)-place(y.to))
		}
	}
	c.waiting.put(x, at)
}

// written returns the area that a step writes, or nil if there is none. d is its distance from a register of
// the first program; shift is the distance from the area to the source of a copy.
func (c *checker) written(s *step) (a *area, d, shift place) {
	switch s.kind {
	case same:
		old, new := c.old.At(s.old), c.new.At(s.new)
		c.dsts = destination(c.new.GRF, c.dsts[:0], old)
		if !old.Dst.IsReg() || new.Dst.File == mir.ARF || len(c.dsts) == 0 {
			return nil, 0, 0
		}
		_, off := c.reg(&old.Dst)
		d = c.place(&new.Dst) + place(new.Dst.Off) - place(off+old.Dst.Off)
		return c.areaOf(c.dsts, place(off)+d, old.NoMask), d, 0
	case load, save, reload, move:
		a, shift = c.moved(s)
	case redone, helper:
		in := c.new.At(s.new)
		a = c.areaOf(destination(c.new.GRF, nil, in), c.place(&in.Dst), in.NoMask)
	case flagSave, rebase:
		in := c.new.At(s.new)
		a = c.areaOf([]run{{in.Dst.Off, dwordBytes, noLane}}, c.place(&in.Dst), true)
	}
	return a, 0, shift
}

// effect applies the writes of an instruction.
func (c *checker) effect(f *facts, s *step) {
	a, d, shift := c.written(s)
	switch s.kind {
	case same:
		if a == nil {
			return
		}
		old := c.old.At(s.old)
		r, off := c.reg(&old.Dst)
		f.kill(a, r, d)
		at := c.sets.one(d)
		if k, err := missing(old); err == nil && k == dropped {
			at = c.sets.add(at, c.constPlace(old)-place(off+old.Dst.Off))
		}
		if again, ok := c.redoPlace(s); ok {
			at = c.sets.add(at, again)
		}
		f.assignAll(r, off, c.dsts, at, old)
	case load, save, reload, move:
		f.copy(a, shift)
	case redone, helper:
		if f == c.waiting { // a waiting lane's operands are not checked
			f.kill(a, noReg, 0)
			return
		}
		f.copy(a, c.redo.shifts...)
	case flagSave, rebase:
		f.kill(a, noReg, 0)
	case undef, dropped, undone:
		in := c.old.At(s.old)
		r, off := c.reg(&in.Dst)
		at := anything
		switch s.kind {
		case dropped:
			at = c.sets.one(c.constPlace(in) - place(off+in.Dst.Off))
		case undone:
			at = nowhere
		}
		if d, ok := c.redoPlace(s); ok {
			at = c.sets.add(at, d)
		}
		c.dsts = destination(c.new.GRF, c.dsts[:0], in)
		f.assignAll(r, off, c.dsts, at, in)
	}
}

// value returns the places of a byte for a reader. own reports whether the reader is the owning lane, under its
// mask.
func (c *checker) value(r int, k uint32, own bool) set {
	t := c.thread.get(r, k)
	if c.owner[r][k] == noLane {
		return t
	}
	l := c.lanes.get(r, k)
	if own {
		return l
	}
	return c.sets.meet(l, t)
}

// reads checks the reads of an instruction that both programs have.
func (c *checker) reads(s *step) error {
	if err := c.operands(s); err != nil {
		return err
	}
	return c.writesWell(s.new)
}

// operands checks that the operands of an instruction of the second program hold the operands of the
// corresponding one of the first.
func (c *checker) operands(s *step) error {
	old, new := c.old.At(s.old), c.new.At(s.new)
	for k := range old.Src {
		o, n := &old.Src[k], &new.Src[k]
		if !o.IsReg() || !n.IsReg() { // for flags and similar registers, see checkFlags
			continue
		}
		r, off := c.reg(o)
		d := c.place(n) + place(n.Off) - place(off+o.Off)
		c.srcs = sources(c.old.GRF, c.srcs[:0], old, k)
		for _, x := range c.srcs {
			own := !old.NoMask && x.lane != noLane
			for b := off + x.off; b < off+x.off+x.n; b++ {
				v := c.value(r, b, own && x.lane == c.owner[r][b])
				if !c.sets.has(v, d) {
					return fmt.Errorf("%s: source %d should be byte %d of %s (%s), which is %s, not at %s",
						c.new.Text(s.new), k, b-off, c.name(r, o), c.old.Text(s.old), c.where(v, b), c.placeName(place(b)+d))
				}
			}
		}
	}
	return nil
}

// writesWell checks the destination of an instruction.
func (c *checker) writesWell(id mir.ID) error {
	in := c.new.At(id)
	if in.Dst.File == mir.GRF && c.new.GRF.Place(&in.Dst)+c.new.DstBytes(in) > fileBytes {
		return fmt.Errorf("%s: writes past r%d", c.new.Text(id), c.new.GRF.Of(fileBytes)-1)
	}
	if err := c.twoSteps(in); err != nil {
		return fmt.Errorf("%s: %w", c.new.Text(id), err)
	}
	return nil
}

// areaOf returns the area of runs of bytes, relative to place base.
func (c *checker) areaOf(runs []run, base place, noMask bool) *area {
	lo, hi := runs[0].off, uint32(0)
	for _, x := range runs {
		lo, hi = min(lo, x.off), max(hi, x.off+x.n)
	}
	a := &c.area
	a.start, a.lane = base+place(lo), zeroed(a.lane, int(hi-lo))
	for i := range a.lane {
		a.lane[i] = noLane
	}
	for _, x := range runs {
		lane := x.lane
		if noMask || lane == noLane {
			lane = allLanes
		}
		a.set(base+place(x.off), x.n, lane)
	}
	return a
}

// moved returns the area that a fill, spill, constant or move writes, and the distance from it to the source.
func (c *checker) moved(s *step) (*area, place) {
	in := c.new.At(s.new)
	switch s.kind {
	case load:
		to := c.place(&in.Dst) + place(in.Dst.Off)
		return c.areaOf([]run{{0, c.new.GRF.Start(s.slot.grfs), noLane}}, to, true), s.slot.at - to
	case save:
		to := s.slot.at
		src := c.blockData(in)
		from := c.place(&src) + place(src.Off)
		src.Off = 0
		return c.areaOf(masked(payload(c.new.GRF, nil, in, &src, s.slot.grfs, 0), in), to, in.NoMask), from - to
	}
	to := c.place(&in.Dst)
	from := c.constPlace
	if s.kind == move {
		from = func(in *mir.Inst) place { return c.place(&in.Src[0]) + place(in.Src[0].Off) }
	}
	return c.areaOf(destination(c.new.GRF, nil, in), to, true), from(in) - (to + place(in.Dst.Off))
}

// byteCopy is one byte of a copy: byte to of one register receives byte from of another, read by a lane (or by several,
// for noLane).
type byteCopy struct {
	to, from uint32
	lane     int8
}

// regCopy is a copy that only the first program has: both registers share a place.
type regCopy struct {
	dst, src           int
	bytes              []byteCopy
	noMask, predicated bool
}

// takeCopy splits a copy into bytes.
func (c *checker) takeCopy(in *mir.Inst) *regCopy {
	x := &regCopy{noMask: in.NoMask, predicated: predicated(in)}
	var off, start uint32
	x.dst, off = c.reg(&in.Dst)
	x.src, start = c.reg(&in.Src[0])
	dst, src := destination(c.new.GRF, nil, in), elements(nil, &in.Src[0], in.Exec, in.Chan)
	for i, d := range dst {
		s := src[min(i, len(src)-1)]
		for n := range d.n {
			x.bytes = append(x.bytes, byteCopy{off + d.off + n, start + s.off + n, s.lane})
		}
	}
	return x
}

// name returns the name of a register of the first program.
func (c *checker) name(r int, o *mir.Operand) string {
	if r == c.payload {
		return fmt.Sprintf("r%d", o.Num)
	}
	return fmt.Sprintf("v%d", r)
}

// where describes the places of a byte.
func (c *checker) where(s set, k uint32) string {
	m := c.sets.members[s]
	if len(m) == 0 {
		return "nowhere on some path"
	}
	text := "at "
	for i, d := range m {
		if i > 0 {
			text += " and "
		}
		text += c.placeName(place(k) + d)
	}
	return text
}

func (c *checker) placeName(x place) string {
	switch {
	case x < 0:
		return "no register"
	case x < fileBytes:
		return fmt.Sprintf("r%d+%d", c.new.GRF.Of(uint32(x)), c.new.GRF.In(uint32(x)))
	case x < vregStart:
		return fmt.Sprintf("byte %d of scratch", x-scratchStart)
	case x < constStart:
		return "another virtual register"
	case x < redoStart:
		return "a constant"
	}
	return "the result of an operation"
}

// twoSteps rejects an instruction whose destination overlaps a source that is read later. The machine executes
// an instruction that spans two registers in two halves, and the second half reads after the first has written
// (TGL PRM vol. 2a, "Register Region Restrictions"); math executes in smaller steps.
func (c *checker) twoSteps(in *mir.Inst) error {
	if isSend(in) || !in.Dst.IsReg() || in.Exec == 1 {
		return nil
	}
	wide := in.Op == isa.OpMath
	operands := [...]*mir.Operand{&in.Dst, &in.Src[0], &in.Src[1], &in.Src[2]}
	for _, o := range operands {
		if !o.IsReg() {
			continue
		}
		if o.Rows == 0 && uint32(in.Exec)*uint32(o.Stride)*uint32(o.Type.Size()) > c.new.GRF.Bytes() {
			wide = true
		}
		for _, x := range rowElements(o, in.Exec, 0) {
			wide = wide || x.off+x.n > o.Off+c.new.GRF.Bytes()
		}
	}
	if !wide {
		return nil
	}
	step := uint32(in.Exec) / 2
	if in.Op == isa.OpMath {
		step = 1
	}
	written := map[place]bool{}
	dst := destination(c.new.GRF, nil, in)
	per := uint32(len(dst)) / uint32(in.Exec) // result bytes per lane
	for lane := uint32(0); lane < uint32(in.Exec); lane++ {
		if lane%step == 0 && lane > 0 {
			for k := range in.Src {
				o := &in.Src[k]
				if !o.IsReg() {
					continue
				}
				src := sources(c.new.GRF, nil, in, k)
				if len(src) == int(in.Exec) {
					src = src[lane : lane+step]
				}
				for _, x := range src {
					for n := range x.n {
						if written[c.place(o)+place(x.off+n)] {
							return fmt.Errorf("source %d reads byte %d after the instruction has written it", k, x.off+n-o.Off)
						}
					}
				}
			}
		}
		for p := range per {
			x := dst[lane+p*uint32(in.Exec)]
			for n := range x.n {
				written[c.place(&in.Dst)+place(x.off+n)] = true
			}
		}
	}
	return nil
}
