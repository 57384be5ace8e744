// SPDX-License-Identifier: MIT

package diff

import (
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
)

// Line is an instruction of one version or of both.
type Line struct {
	Op   Op     `json:"op"`
	Text string `json:"text"` // in iga64's syntax, with the registers of the new version
	// Comment describes the instruction in its version: a message's request, and the source line.
	Comment string `json:"comment,omitempty"`
}

// Version is a version of machine code.
type Version struct {
	Code []byte
	// Comment returns a comment on the instruction at a byte address; it may be nil.
	Comment func(pc int, in *isa.Inst) string
}

// Op tells which versions contain a line.
type Op string

// The values of Op.
const (
	Same Op = "same"
	Old  Op = "old"
	New  Op = "new"
)

// decoded is an instruction with its address.
type decoded struct {
	isa.Inst
	pc      int
	comment string
}

// Compare aligns two versions of machine code for a platform. A line in both versions has the text of the new
// version. A line in the old version only is written with the registers of the new version that hold the same values.
// A register without a counterpart is shown with its old number plus the number of registers, so that r130 is r2 of
// the old version.
func Compare(p isa.Platform, old, new *Version) ([]Line, error) {
	c := &comparer{platform: p, state: begin(), at: map[int]*holds{}}
	shapes := map[string]int{}
	a, oldShapes, err := c.decode(old, shapes)
	if err != nil {
		return nil, err
	}
	b, newShapes, err := c.decode(new, shapes)
	if err != nil {
		return nil, err
	}
	i, j := 0, 0
	for _, next := range append(align(oldShapes, newShapes), pair{len(a), len(b)}) {
		c.between(a[i:next.old], b[j:next.new])
		if i, j = next.old, next.new; i < len(a) && j < len(b) {
			c.both(&a[i], &b[j], true)
			i, j = i+1, j+1
		}
	}
	return c.lines, nil
}

// between compares instructions without a counterpart of the same shape. It treats instructions of the same kind as
// versions of each other.
func (c *comparer) between(old, new []decoded) {
	numbers := map[kind]int{}
	i, j := 0, 0
	for _, next := range append(align(kinds(c.platform, old, numbers), kinds(c.platform, new, numbers)), pair{len(old), len(new)}) {
		for ; i < next.old; i++ {
			c.onlyOld(&old[i])
		}
		for ; j < next.new; j++ {
			c.onlyNew(&new[j])
		}
		if i < len(old) && j < len(new) {
			c.both(&old[i], &new[j], false)
			i, j = i+1, j+1
		}
	}
}

// kind identifies instructions that are versions of each other: they may differ in constants, modifiers or sources.
type kind struct {
	op        isa.Op
	math      isa.MathFn
	message   isa.SFID
	lanes     uint8
	result    isa.Type
	registers int   // the number of registers that it writes
	flags     int   // the number of flag registers that it writes
	offset    uint8 // byte offset of the result in its register
}

// kinds returns the kinds of instructions, as numbers.
func kinds(p isa.Platform, list []decoded, numbers map[kind]int) []int {
	out := make([]int, len(list))
	for i := range list {
		in := &list[i].Inst
		_, writes := operands(p, in)
		k := kind{op: in.Op, math: in.Math, message: in.SFID, lanes: in.ExecSize, result: in.Dst.Type, offset: uint8(in.Dst.Sub)}
		for _, w := range writes {
			if w.flag {
				k.flags++
			} else {
				k.registers += w.count
			}
		}
		n, ok := numbers[k]
		if !ok {
			n = len(numbers)
			numbers[k] = n
		}
		out[i] = n
	}
	return out
}

// comparer holds the state of a comparison of two programs.
type comparer struct {
	platform isa.Platform
	state    *holds
	at       map[int]*holds // states at forward jumps, by their target address in the old version
	next     int            // the first address whose states have not been joined
	lines    []Line
}

// decode returns the instructions of a version and their shapes, as numbers.
func (c *comparer) decode(v *Version, shapes map[string]int) (list []decoded, numbers []int, err error) {
	var text []byte
	err = isatext.Walk(c.platform, v.Code, func(pc int, in *isa.Inst, _ bool) error {
		if in == nil || waits(in) {
			return nil
		}
		comment := ""
		if v.Comment != nil {
			comment = v.Comment(pc, in)
		}
		list = append(list, decoded{*in, pc, comment})
		x := *in
		text = isatext.Append(text[:0], c.platform, shape(c.platform, &x), 0)
		n, ok := shapes[string(text)]
		if !ok {
			n = len(shapes)
			shapes[string(text)] = n
		}
		numbers = append(numbers, n)
		return nil
	})
	return list, numbers, err
}

// waits reports whether an instruction only waits for others, or does nothing.
func waits(in *isa.Inst) bool {
	return in.Op == isa.OpNop || in.Op == isa.OpSync && (in.Sync == isa.SyncNop || in.Sync == isa.SyncAllRd || in.Sync == isa.SyncAllWr)
}

// shape returns an instruction without the fields that are compared only after alignment, or not at all.
func shape(p isa.Platform, in *isa.Inst) *isa.Inst {
	reads, writes := operands(p, in)
	for _, o := range append(reads, writes...) {
		*o.at = 0
	}
	in.Flag, in.SWSB, in.JIP = 0, 0, 0
	in.UIP, in.Size = 0, isa.InstSize
	in.NoDDChk, in.NoDDClr = false, false
	return in
}

// jumps records the state at the targets of a forward branch of the old version, and joins the states recorded for
// the instruction itself.
func (c *comparer) jumps(in *decoded) {
	for ; c.next <= in.pc; c.next += isa.InstSize / 2 {
		c.state.join(c.at[c.next])
	}
	if isa.Ops[in.Op].Format != isa.FormatBranch {
		return
	}
	for _, by := range []int32{in.JIP, in.UIP} {
		if by <= 0 {
			continue
		}
		to := in.pc + int(by)
		if c.at[to] == nil {
			c.at[to] = &holds{}
		}
		c.at[to].join(c.state)
	}
}

func (c *comparer) onlyOld(in *decoded) {
	c.jumps(in)
	c.write(Old, c.translated(in))
	_, writes := operands(c.platform, &in.Inst)
	for i := range writes {
		each(&writes[i], &writes[i], func(u, _ unit) { c.state.forgetOld(u) })
	}
}

func (c *comparer) onlyNew(in *decoded) {
	c.write(New, in)
	_, writes := operands(c.platform, &in.Inst)
	for i := range writes {
		each(&writes[i], &writes[i], func(u, _ unit) { c.state.forgetNew(u) })
	}
}

// both compares an instruction with its counterpart. If they have the same shape, they differ only if they read
// different values.
func (c *comparer) both(old, new *decoded, same bool) {
	c.jumps(old)
	oldReads, oldWrites := operands(c.platform, &old.Inst)
	newReads, newWrites := operands(c.platform, &new.Inst)
	for i := 0; same && i < len(oldReads); i++ {
		each(&oldReads[i], &newReads[i], func(o, n unit) { same = same && c.state[o].has(n) })
	}
	if !same {
		x := c.translated(old)
		_, results := operands(c.platform, &x.Inst)
		for i := range results {
			*results[i].at = *newWrites[i].at
		}
		c.write(Old, x)
		c.write(New, new)
	} else {
		c.write(Same, new)
	}
	for i := range oldWrites {
		each(&oldWrites[i], &newWrites[i], c.state.bind)
	}
}

// translated returns an instruction of the old version with the registers of the new version. Its destinations are
// shown as registers that only the old version has.
func (c *comparer) translated(in *decoded) *decoded {
	x := *in
	reads, writes := operands(c.platform, &x.Inst)
	for _, o := range writes {
		o.rename(o.unit(), false)
	}
	for _, o := range reads { // after the writes: a flag that is read and written has only one field
		if o.flag {
			*o.at = in.Flag
		}
		u := o.unit()
		if u >= numUnits {
			continue
		}
		to, exists := c.state[u].first()
		if !exists {
			to = u
		}
		o.rename(to, exists)
	}
	return &x
}

func (c *comparer) write(op Op, in *decoded) {
	c.lines = append(c.lines, Line{op, string(isatext.Append(nil, c.platform, &in.Inst, in.pc)), in.comment})
}
