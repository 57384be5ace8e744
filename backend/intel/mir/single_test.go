// SPDX-License-Identifier: MIT

package mir_test

import (
	"testing"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mir/validate"
	"jacquard.example/generated/isa"
)

// TestMarkSingle checks that registers written by one instruction, as its destination or flag, are marked with
// it, and that registers written by two or none are not marked.
func TestMarkSingle(t *testing.T) {
	f := mir.New(16, isa.TGL.Registers())
	b := mir.Builder{F: f}
	b.Vector()
	once, twice, never := f.NewReg(1, 4), f.NewReg(1, 4), f.NewReg(1, 4)
	flag := f.NewFlag()
	b.Mov(mir.V(twice, ud), mir.UD(1))
	b.Mov(mir.V(once, ud), mir.V(twice, ud))
	def := f.Blocks[0].Last
	b.Mov(mir.V(twice, ud), mir.UD(2))
	second := f.Blocks[0].Last
	b.Cmp(isa.CModEQ, flag, mir.Null(ud), mir.V(never, ud), mir.UD(3))
	cmp := f.Blocks[0].Last
	f.MarkSingle()
	for r, want := range map[mir.Reg]mir.ID{once: def, twice: 0, never: 0, flag.Reg(): cmp} {
		if got := f.Reg(r).Def; got != want {
			t.Errorf("v%d: %d, want %d", r, got, want)
		}
	}
	if err := validate.Func(f); err != nil {
		t.Error(err)
	}
	// Removing the definition clears the mark.
	f.Remove(second)
	f.MarkSingle()
	if f.Reg(twice).Def == 0 {
		t.Error("one write is left")
	}
	f.Remove(def)
	f.Replace(cmp, mir.Inst{Op: isa.OpCmp, Exec: 16, Dst: mir.Null(ud), Src: f.At(cmp).Src, CMod: isa.CModEQ, Flag: 1})
	if f.Reg(once).Def != 0 || f.Reg(flag.Reg()).Def != 0 {
		t.Error("a removed instruction is a definition")
	}
	if err := validate.Func(f); err != nil {
		t.Error(err)
	}
}
