// SPDX-License-Identifier: MIT

package ra_test

import (
	"fmt"
	"slices"
	"testing"

	"jacquard.example/backend/intel/allocheck"
	"jacquard.example/backend/intel/lower"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/ra"
	"jacquard.example/generated/message"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/mirgen"
)

// files are register files of fictitious machines.
var files = map[string]mir.RegFile{
	"40 registers":     {Registers: 40, LastFrom: 30, Pair: 2, TurnPressure: 20, TurnEnd: 40},
	"any start":        {Registers: 56, LastFrom: 50, Pair: 1, TurnPressure: 28, TurnEnd: 50},
	"aligned to four":  {Registers: 64, LastFrom: 0, Pair: 4, TurnPressure: 0, TurnEnd: 64},
	"reserved":         {Registers: 72, LastFrom: 60, Pair: 2, Reserved: []mir.RegRun{{First: 20, N: 7}, {First: 71, N: 1}}, TurnPressure: 32, TurnEnd: 60},
	"reserved and odd": {Registers: 97, LastFrom: 96, Pair: 2, Reserved: []mir.RegRun{{First: 33, N: 1}}, TurnPressure: 90, TurnEnd: 97},
}

// counting generates the spill code of Intel's machines, and counts the fills and stores.
type counting struct {
	lower.Scratch
	fills, stores int
}

func (c *counting) Fill(f *mir.Func, i mir.ID, r mir.Reg, front, bytes, slot uint32) int {
	c.fills++
	return c.Scratch.Fill(f, i, r, front, bytes, slot)
}

func (c *counting) Store(f *mir.Func, i mir.ID, r mir.Reg, bytes, slot uint32) int {
	c.stores++
	return c.Scratch.Store(f, i, r, bytes, slot)
}

// TestRegisterFiles checks that on fictitious register files, random functions keep their meaning and stay within
// the file.
func TestRegisterFiles(t *testing.T) {
	for name, file := range files {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code := &counting{Scratch: lower.Scratch{Messages: message.HDC}}
			var a ra.Allocator
			fits, again := 0, 0
			for seed := range uint64(250) {
				f := mirgen.Random(seed)
				old := f.Clone()
				st, err := a.Allocate(f, ra.Machine{File: &file, Spill: code})
				if err != nil {
					continue // too many registers are live at once
				}
				fits++
				again += st.Again
				if st.Registers > file.Registers {
					t.Errorf("%s: %d registers", f.Name, st.Registers)
				}
				if err := allocheck.Check(old, f, allocheck.Options{}); err != nil {
					t.Errorf("%s: %v", f.Name, err)
				}
				if err := keepsTo(&file, old, f); err != nil {
					t.Errorf("%s: %v", f.Name, err)
				}
			}
			t.Logf("%d fit, %d fills, %d stores, %d operations again", fits, code.fills, code.stores, again)
			if fits < 50 || code.fills < 50 || code.stores < 50 || again < 50 {
				t.Error("too few to show anything")
			}
		})
	}
}

// keepsTo returns an error if a register was allocated outside of the register file or in a reserved register,
// or if the payload of a message that ends the thread starts below LastFrom.
func keepsTo(file *mir.RegFile, old, f *mir.Func) error {
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			in := f.At(i)
			for k := range 4 {
				o, n := &in.Dst, f.DstBytes(in)
				if k > 0 {
					o, n = &in.Src[k-1], f.SrcBytes(in, k-1)
				}
				if o.File != mir.GRF || n == 0 || int(o.Num) < old.Payload {
					continue
				}
				first, last := int(o.Num+f.GRF.Of(o.Off)), int(o.Num+f.GRF.Of(o.Off+n-1))
				if last >= file.Registers || in.EOT && k > 0 && first < file.LastFrom {
					return fmt.Errorf("%s: r%d to r%d", f.Text(i), first, last)
				}
				for _, run := range file.Reserved {
					if first < run.First+run.N && last >= run.First {
						return fmt.Errorf("%s: r%d to r%d are reserved", f.Text(i), first, last)
					}
				}
			}
		}
	}
	return nil
}

// narrow is spill code with memory for one register.
type narrow struct{ lower.Scratch }

func (narrow) Reach(*mir.Func) uint32 { return 64 }

// TestScratchFull checks that allocation fails if spilled registers do not fit into memory.
func TestScratchFull(t *testing.T) {
	if _, err := new(ra.Allocator).Allocate(sum(100),
		ra.Machine{File: target.TGL.Registers, Spill: narrow{lower.Scratch{Messages: message.HDC}}}); err == nil {
		t.Error("100 values of 2 registers found room")
	}
}

// near returns the messages of a machine whose scratch descriptors reach only 1 KiB.
func near() *message.Family {
	family := *message.HDC
	for _, name := range []message.Name{message.ScratchRead, message.ScratchWrite} {
		row := &family.Sends[name]
		row.Fields = slices.Clone(row.Fields)
		for k := range row.Fields {
			if d := &row.Fields[k]; d.From == message.ValueOffsetGrfs {
				d.Mask = 1<<10/uint32(target.TGL.Registers.Bytes) - 1
			}
		}
	}
	return &family
}

// TestFarSlots checks that random functions keep their meaning if most spilled registers are beyond the reach of
// scratch descriptors.
func TestFarSlots(t *testing.T) {
	code := lower.Scratch{Messages: near()}
	file := files["40 registers"]
	var a ra.Allocator
	far := 0
	for seed := range uint64(250) {
		f := mirgen.Random(seed)
		old := f.Clone()
		st, err := a.Allocate(f, ra.Machine{File: &file, Spill: code})
		if err != nil {
			continue
		}
		if st.SpillBytes > 1<<10 {
			far++
		}
		if err := allocheck.Check(old, f, allocheck.Options{}); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	if t.Logf("%d spill far", far); far < 20 {
		t.Error("too few to show anything")
	}
}
