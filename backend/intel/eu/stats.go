package eu

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
	Sends    uint64             // messages with at least one lane enabled
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
	for i := range p.ops {
		if p.ops[i].eot() {
			last = i
		}
	}
	var c StaticCounts
	for i := range p.ops[:last+1] {
		o, in := &p.ops[i], &p.insts[i]
		c.Bytes += int(in.Size)
		switch {
		case in.Op == isa.OpNop, in.Op == isa.OpSync && in.Sync == isa.SyncNop:
			continue
		case o.kind == kindSend:
			c.Sends++
		case in.Op == isa.OpWhile:
			c.Loops++
		}
		c.Instructions++
	}
	return c
}

func statOf(op isa.Op, k kind) Class {
	switch k {
	case kindMath:
		return ClassMath
	case kindFlow:
		return ClassFlow
	case kindSend:
		return ClassSend
	case kindSync, kindWait:
		return ClassSync
	case kindNop:
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
