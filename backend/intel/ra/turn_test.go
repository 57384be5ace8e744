// SPDX-License-Identifier: MIT

package ra_test

import (
	"testing"

	"jacquard.example/backend/intel/allocheck"
	"jacquard.example/backend/intel/lower"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/ra"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
	"jacquard.example/generated/target"
)

// onTGL is the allocator's view of TGL.
var onTGL = ra.Machine{File: target.TGL.Registers, Spill: lower.Scratch{Messages: message.HDC}}

// scalars appends copies of r1 to n scalars that are live at once, and returns the scalars.
func scalars(f *mir.Func, b *mir.Builder, n int) (all []mir.Operand) {
	b.ScalarMode()
	for range n {
		x := mir.V(f.NewScalar(4), ud)
		b.Mov(x, mir.FixedScalar(1, 0, ud))
		all = append(all, x)
	}
	return all
}

// TestScalarsInTurn checks that scalars are in separate registers as long as there are enough: an instruction waits for
// all writes to the registers that it reads.
func TestScalarsInTurn(t *testing.T) {
	f := mir.New(8, isa.TGL.Registers())
	b := mir.Builder{F: f}
	b.Vector()
	for _, x := range scalars(f, &b, 12) {
		b.Emit(isa.OpCmp, mir.Null(ud), x, mir.UD(3)).SideEff = true
	}
	f.BuildCFG()
	var a ra.Allocator
	if _, err := a.Allocate(f, onTGL); err != nil {
		t.Fatal(err)
	}
	taken := map[uint32]bool{}
	for i := f.Blocks[0].First; i != 0; i = f.Next(i) {
		if d := &f.At(i).Dst; d.File == mir.GRF {
			if taken[d.Num] {
				t.Errorf("two scalars are in r%d\n%s", d.Num, f)
			}
			taken[d.Num] = true
		}
	}
}

// TestScalarsMakeRoom checks that scalars share registers if the message that ends the thread would have no
// room for its payload otherwise.
func TestScalarsMakeRoom(t *testing.T) {
	f := mir.New(8, isa.TGL.Registers())
	b := mir.Builder{F: f}
	all := scalars(f, &b, 16)
	b.Vector()
	end := mir.V(f.NewReg(2, 4), ud)
	b.Mov(end, mir.UD(0))
	b.Mov(end.At(f.GRF.Bytes()), mir.UD(0))
	for _, x := range all {
		b.Emit(isa.OpCmp, mir.Null(ud), x, mir.UD(3)).SideEff = true
	}
	in := mir.Inst{Op: isa.OpSend, Exec: 8, EOT: true, SideEff: true, Dst: mir.Null(ud), Len: [3]uint8{2, 0, 0}}
	in.Src[0] = end
	b.Insert(in)
	f.BuildCFG()
	var a ra.Allocator
	if !a.Fits(f, onTGL) {
		t.Error("no room for 16 scalars and the end of the thread")
	}
}

// TestScalarsLeaveTheLastMessage checks that scalars avoid the last 16 registers if the message that ends the
// thread, whose 14 registers must be among them, would have no room otherwise.
func TestScalarsLeaveTheLastMessage(t *testing.T) {
	f := mir.New(8, isa.TGL.Registers())
	b := mir.Builder{F: f}
	all := scalars(f, &b, 32)
	b.Vector()
	var parts [2]mir.Operand
	for i, n := range [2]int{8, 6} {
		parts[i] = mir.V(f.NewReg(n, 4), ud)
		for k := range n {
			b.Mov(parts[i].At(f.GRF.Start(uint32(k))), mir.UD(0))
		}
	}
	b.ScalarMode()
	for _, x := range all {
		b.Emit(isa.OpCmp, mir.Null(ud), x, mir.UD(3)).SideEff = true
	}
	in := mir.Inst{Op: isa.OpSend, Exec: 8, EOT: true, SideEff: true, Dst: mir.Null(ud), Len: [3]uint8{8, 6, 0}}
	copy(in.Src[:], parts[:])
	b.Insert(in)
	f.BuildCFG()
	old := f.Clone()
	var a ra.Allocator
	if _, err := a.Allocate(f, onTGL); err != nil {
		t.Fatal(err)
	}
	if err := allocheck.Check(old, f, allocheck.Options{}); err != nil {
		t.Error(err)
	}
}

// TestLastMessageOvertakes checks that the payload of the last message, which need not start at an even register, is not
// placed one register after the source of an instruction that writes it in two steps, nor a destination one register
// after such payload.
func TestLastMessageOvertakes(t *testing.T) {
	var a ra.Allocator
	for vectors := 1; vectors <= 6; vectors++ {
		for steps := range 24 {
			for wide := 1; wide <= 8; wide++ {
				f := overtaking(vectors, steps, wide)
				old := f.Clone()
				if _, err := a.Allocate(f, onTGL); err != nil {
					t.Fatal(err)
				}
				if err := allocheck.Check(old, f, allocheck.Options{}); err != nil {
					t.Errorf("%d vectors, %d steps of %d vectors: %v", vectors, steps, wide, err)
				}
			}
		}
	}
}

// overtaking returns a function whose last message sends the first vectors of a register that has one more. The first
// vector becomes a copy of the result of a chain of steps, and then of the vector that is not sent. Each step writes the
// last vector of a register with the given number of vectors, wide.
func overtaking(vectors, steps, wide int) *mir.Func {
	f := mir.New(16, isa.TGL.Registers())
	size := 2 * f.GRF.Bytes()
	b := mir.Builder{F: f}
	b.Vector()
	vector := func() mir.Operand { return mir.V(f.NewReg(wide, 4), ud).At(uint32(wide-1) * size) }
	x := vector()
	b.Mov(x, mir.UD(0))
	for range steps { // each takes the next registers in turn
		next := vector()
		b.Emit(isa.OpAdd, next, x, mir.UD(1))
		x = next
	}
	end := mir.V(f.NewReg(vectors+1, 4), ud)
	b.Mov(end, x)
	for k := range vectors {
		b.Mov(end.At(uint32(k+1)*size), mir.UD(0))
	}
	x = mir.V(f.NewReg(1, 4), ud)
	b.Mov(x, end.At(uint32(vectors)*size))
	b.Mov(end, x)
	in := mir.Inst{Op: isa.OpSend, Exec: 16, EOT: true, SideEff: true, Dst: mir.Null(ud), Len: [3]uint8{uint8(2 * vectors)}}
	in.Src[0] = end
	b.Insert(in)
	f.BuildCFG()
	return f
}
