// SPDX-License-Identifier: MIT

package allocheck_test

import (
	"fmt"

	"jacquard.example/backend/intel/allocheck"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// Two values that are live at once have been assigned one register.
func Example() {
	f := mir.New(8, isa.TGL.Registers())
	f.Name, f.Payload = "main", 2
	b := mir.Builder{F: f}
	b.Vector()
	x, y := mir.V(f.NewReg(1, 4), isa.TypeUD), mir.V(f.NewReg(1, 4), isa.TypeUD)
	b.Mov(x, mir.FixedScalar(1, 0, isa.TypeUD))
	b.Mov(y, mir.FixedScalar(1, 4, isa.TypeUD))
	b.Emit(isa.OpAdd, y, x, y)

	after := f.Clone()
	for i := after.Blocks[0].First; i != 0; i = after.Next(i) {
		in := after.At(i)
		for _, o := range []*mir.Operand{&in.Dst, &in.Src[0], &in.Src[1]} {
			if o.File == mir.VReg {
				o.File, o.Num = mir.GRF, 10
			}
		}
	}
	fmt.Println(allocheck.Check(f, after, allocheck.Options{}))
	// Output:
	// block 0: add(8) r10<1>:ud r10:ud r10:ud: source 0 should be byte 0 of v1 (add(8) v2<1>:ud v1:ud v2:ud), which is nowhere on some path, not at r10+0
}
