// SPDX-License-Identifier: MIT

package isatab

import (
	"fmt"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/table"
)

// regFileRow is a file of general registers.
type regFileRow struct {
	Doc              string  `toml:"doc" doc:"The registers." required:"true"`
	Bytes            int     `toml:"bytes" doc:"Bytes of a register, a power of two." required:"true"`
	Count            int     `toml:"count" doc:"Registers of a thread." minimum:"1" required:"true"`
	LastFrom         int     `toml:"last_from" doc:"The first register allowed for the payload of the message that ends a thread." minimum:"0" required:"true"`
	Pair             int     `toml:"pair" doc:"The alignment of the first register of a per-lane value that spans several." minimum:"1" required:"true"`
	Reserved         [][]int `toml:"reserved" doc:"Runs of registers that the allocator does not use: the first of each, and the number of registers."`
	TurnPressure     int     `toml:"turn_pressure" doc:"Up to this many live registers, allocation takes registers in turn." minimum:"0" required:"true"`
	TurnEnd          int     `toml:"turn_end" doc:"One past the last register that is taken in turn." minimum:"1" required:"true"`
	SchedulePressure int     `toml:"schedule_pressure" doc:"The number of live registers up to which the scheduler goes by latency." minimum:"0" required:"true"`
}

// CheckRegFiles checks the files and the platforms' references to them. The compiler is built
// for registers of a single size.
func (t *Tables) CheckRegFiles(errs *diag.List) {
	known := map[string]bool{}
	for i, r := range t.regFiles {
		v := &r.Val
		known[r.Name] = true
		switch first := t.regFiles[0]; {
		case v.Bytes < 8 || v.Bytes&(v.Bytes-1) != 0:
			errs.Addf(r.At("bytes"), r.Full, "bytes must be a power of two and at least 8, not %d", v.Bytes)
		case i > 0 && v.Bytes != first.Val.Bytes:
			errs.Addf(r.At("bytes"), r.Full, "%d bytes; the compiler supports one register size only, and registers of [%s] have %d",
				v.Bytes, first.Full, first.Val.Bytes)
		}
		if v.Count < 1 || v.Count > 256 {
			errs.Addf(r.At("count"), r.Full, "count must be from 1 to 256, not %d", v.Count)
		}
		if v.Pair < 1 || v.Pair > v.Count {
			errs.Addf(r.At("pair"), r.Full, "%d is not a valid alignment of register numbers", v.Pair)
		}
		for _, n := range []struct {
			key   string
			n     int
			least int
		}{
			{"last_from", v.LastFrom, 0}, {"turn_pressure", v.TurnPressure, 0}, {"turn_end", v.TurnEnd, 1},
			{"schedule_pressure", v.SchedulePressure, 0},
		} {
			if n.n < n.least || n.n > v.Count || n.key == "last_from" && n.n == v.Count {
				errs.Addf(r.At(n.key), r.Full, "%s %d is not within %d registers", n.key, n.n, v.Count)
			}
		}
		for _, run := range v.Reserved {
			if len(run) != 2 || run[0] < 0 || run[1] < 1 || run[0]+run[1] > v.Count {
				errs.Addf(r.At("reserved"), r.Full, "%v is not a pair of a first register and a count", run)
			}
		}
	}
	for _, p := range t.Platforms {
		if !known[p.Val.Registers] {
			errs.Unknown(p.At("registers"), p.Full, "register file", p.Val.Registers, table.Names(t.regFiles))
		}
	}
}

// regFileOf returns the file of registers of a platform.
func (t *Tables) regFileOf(p *table.Row[Platform]) *table.Row[regFileRow] {
	for _, r := range t.regFiles {
		if r.Name == p.Val.Registers {
			return r
		}
	}
	return nil
}

// RegisterFiles returns the Go file of registers.
func (t *Tables) RegisterFiles() *emit.File {
	most := 0
	for _, r := range t.regFiles {
		most = max(most, r.Val.Count)
	}
	f := emit.NewFile("isa", "")
	f.Consts("The size of a general register is the same on all platforms, so that code can be generated\n"+
		"for it; the number of registers is not.", []emit.Name{
		{Name: "GRFBytes", Is: fmt.Sprintf("= %d", t.regFiles[0].Val.Bytes), Doc: "of a general register"},
		{Name: "MaxGRFs", Is: fmt.Sprintf("= %d", most), Doc: "at least as many as any platform has"},
	})
	f.Struct("RegFile describes the general registers of a thread.", "RegFile", `
		Registers int // number of registers; each has GRFBytes bytes
		LastFrom int // the payload of the message that ends a thread is in this register or higher
		// Pair is the alignment of per-lane values of several registers: two of them
		// then are either the same or disjoint.
		Pair int
		Reserved []RegRun // registers excluded from allocation
		// Up to a pressure of TurnPressure registers, registers below TurnEnd are allocated round-robin, so that none
		// is rewritten soon after it was read.
		TurnPressure, TurnEnd int
		// Up to a pressure of SchedulePressure registers, latency alone orders instructions; of fewer if the order
		// then spills.
		SchedulePressure int`)
	f.Type("RegRun is N registers starting at First.", "RegRun", "struct{ First, N int }")
	var rows emit.Rows
	for _, p := range t.Platforms {
		v := &t.regFileOf(p).Val
		rows.F("%s: {Registers: %d, LastFrom: %d, Pair: %d, ", p.Val.Go, v.Count, v.LastFrom, v.Pair)
		if len(v.Reserved) > 0 {
			rows.F("Reserved: []RegRun{")
			for _, run := range v.Reserved {
				rows.F("{%d, %d}, ", run[0], run[1])
			}
			rows.F("}, ")
		}
		rows.F("TurnPressure: %d, TurnEnd: %d, SchedulePressure: %d},\n", v.TurnPressure, v.TurnEnd, v.SchedulePressure)
	}
	f.Table("regFiles holds the register files by platform.", "regFiles", "[...]RegFile", &rows)
	f.Returns("Registers returns the general registers of a thread.", "(p Platform) Registers() *RegFile", "&regFiles[p]")
	return f
}
