// SPDX-License-Identifier: MIT

package thread

import (
	"fmt"
	"strings"

	"jacquard.example/generated/isa"
)

// Class is a class of instructions for counting.
type Class uint8

// The classes.
const (
	ClassMove Class = iota
	ClassInt
	ClassFloat
	ClassCompare
	ClassMath
	ClassFlow
	ClassSend
	ClassSync
	ClassNop
	NumClasses
)

var classNames = [NumClasses]string{"move", "int", "float", "compare", "math", "flow", "send", "sync", "nop"}

func (c Class) String() string { return classNames[c] }

// Stats counts the instructions and accesses that a dispatch executed.
type Stats struct {
	Executed [NumClasses]uint64 // instructions by class
	Lanes    uint64             // sum of execution sizes
	Sends    uint64             // messages with a lane enabled, and all render-target writes
	Threads  uint64
	Memory   MemoryCounts
}

// Instructions returns the number of executed instructions, including nop and sync.nop.
func (s *Stats) Instructions() uint64 {
	var n uint64
	for _, v := range s.Executed {
		n += v
	}
	return n
}

func (s *Stats) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d instructions, %d lanes, %d sends, %d threads", s.Instructions(), s.Lanes, s.Sends, s.Threads)
	for c, n := range s.Executed {
		if n != 0 {
			fmt.Fprintf(&b, ", %s %d", Class(c), n)
		}
	}
	return b.String()
}

// StaticCounts counts the instructions of a program.
type StaticCounts struct {
	Instructions int // excluding nop and sync.nop
	Sends        int
	Loops        int // while instructions
	Bytes        int
}

// Static counts the program's instructions up to its last message with EOT, excluding the padding after it.
func (p *Program) Static() StaticCounts {
	last := -1
	for i := range p.Ops {
		if p.Ops[i].Eot() {
			last = i
		}
	}
	var c StaticCounts
	for i := range p.Ops[:last+1] {
		o, in := &p.Ops[i], &p.Insts[i]
		c.Bytes += int(in.Size)
		switch {
		case in.Op == isa.OpNop, in.Op == isa.OpSync && in.Sync == isa.SyncNop:
			continue
		case o.Kind == KindSend:
			c.Sends++
		case in.Op == isa.OpWhile:
			c.Loops++
		}
		c.Instructions++
	}
	return c
}

// StatOf returns the class in which an instruction is counted.
func StatOf(op isa.Op, k kind) Class {
	switch k {
	case KindMath:
		return ClassMath
	case KindFlow:
		return ClassFlow
	case KindSend:
		return ClassSend
	case KindSync, KindWait:
		return ClassSync
	case KindNop:
		return ClassNop
	}
	switch op {
	case isa.OpMov, isa.OpMovi:
		return ClassMove
	case isa.OpCmp, isa.OpCmpn, isa.OpSel, isa.OpCsel:
		return ClassCompare
	case isa.OpMad, isa.OpFrc, isa.OpRndd, isa.OpRnde, isa.OpRndu, isa.OpRndz:
		return ClassFloat
	}
	return ClassInt
}

// Profile counts, over all threads, how often each instruction of a program executes and jumps. The slices are
// indexed by an instruction's offset in units of eight bytes. See Options.Profile.
type Profile struct {
	Executed []uint64
	Jumped   []uint64 // executions that did not continue with the next instruction
}

// Count records that a thread executes instruction o, and whether the previous instruction jumped to it.
func (p *Profile) Count(t *Thread, o *Op) {
	if p.Executed == nil {
		n := t.Prog.Size/8 + 1
		p.Executed, p.Jumped = make([]uint64, n), make([]uint64, n)
	}
	p.Executed[o.Off/8]++
	if t.Steps > 1 && t.Last+1 != o.Idx {
		p.Jumped[t.Prog.Ops[t.Last].Off/8]++
	}
	t.Last = o.Idx
}

// At returns how often the instruction at an offset was executed.
func (p *Profile) At(offset int) uint64 {
	if p.Executed == nil {
		return 0
	}
	return p.Executed[offset/8]
}

// Back returns how often the branch at an offset was taken.
func (p *Profile) Back(offset int) uint64 {
	if p.Jumped == nil {
		return 0
	}
	return p.Jumped[offset/8]
}
