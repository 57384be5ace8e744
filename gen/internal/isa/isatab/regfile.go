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
	Bytes            int     `toml:"bytes" doc:"Bytes of a register, a power of two: at least 32, since operands of eight lanes and headers of messages are in one register, and at most 64, since liveness has a bit for each byte." required:"true"`
	Count            int     `toml:"count" doc:"Registers of a thread." minimum:"1" required:"true"`
	LastFrom         int     `toml:"last_from" doc:"The first register allowed for the payload of the message that ends a thread." minimum:"0" required:"true"`
	Pair             int     `toml:"pair" doc:"The alignment of the first register of a per-lane value that spans several." minimum:"1" required:"true"`
	Reserved         [][]int `toml:"reserved" doc:"Runs of registers that the allocator does not use: the first of each, and the number of registers."`
	TurnPressure     int     `toml:"turn_pressure" doc:"Up to this many live registers, allocation takes registers in turn." minimum:"0" required:"true"`
	TurnEnd          int     `toml:"turn_end" doc:"One past the last register that is taken in turn." minimum:"1" required:"true"`
	Words            bool    `toml:"words" doc:"Writing a byte also writes the other one of its word."`
	SchedulePressure int     `toml:"schedule_pressure" doc:"The number of live registers up to which the scheduler goes by latency." minimum:"0" required:"true"`
}

// CheckRegFiles checks the files and the platforms' references to them.
func (t *Tables) CheckRegFiles(errs *diag.List) {
	known := map[string]bool{}
	for _, r := range t.regFiles {
		v := &r.Val
		known[r.Name] = true
		if v.Bytes != 32 && v.Bytes != 64 {
			errs.Addf(r.At("bytes"), r.Full, "bytes must be 32 or 64, not %d", v.Bytes)
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
	most, bytes := 0, 0
	for _, r := range t.regFiles {
		most, bytes = max(most, r.Val.Count), max(bytes, r.Val.Count*r.Val.Bytes)
	}
	f := emit.NewFile("isa", "")
	f.Consts("Limits of register files, for arrays.", []emit.Name{
		{Name: "MaxGRFs", Is: fmt.Sprintf("= %d", most), Doc: "at least as many as any platform has"},
		{Name: "MaxFileBytes", Is: fmt.Sprintf("= %d", bytes), Doc: "of all registers; at least as many as on any platform"},
	})
	f.Struct("RegFile describes the general registers of a thread.", "RegFile", `
		Registers int // number of registers
		Bytes int // size of a register, a power of two
		LastFrom int // the payload of the message that ends a thread is in this register or higher
		Words bool // an instruction that writes a byte also writes the other one of its word
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
		rows.F("%s: {Registers: %d, Bytes: %d, LastFrom: %d, Pair: %d, ", p.Val.Go, v.Count, v.Bytes, v.LastFrom, v.Pair)
		if len(v.Reserved) > 0 {
			rows.F("Reserved: []RegRun{")
			for _, run := range v.Reserved {
				rows.F("{%d, %d}, ", run[0], run[1])
			}
			rows.F("}, ")
		}
		if v.Words {
			rows.F("Words: true, ")
		}
		rows.F("TurnPressure: %d, TurnEnd: %d, SchedulePressure: %d},\n", v.TurnPressure, v.TurnEnd, v.SchedulePressure)
	}
	f.Table("regFiles holds the register files by platform.", "regFiles", "[...]RegFile", &rows)
	f.Returns("Registers returns the general registers of a thread.", "(p Platform) Registers() *RegFile", "&regFiles[p]")
	return f
}
