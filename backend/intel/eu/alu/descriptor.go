// SPDX-License-Identifier: MIT

package alu

import (
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
)

// makesDescriptor recognizes an or with a constant into a0.0 and makes it record both parts.
func makesDescriptor(o *thread.Op, in *isa.Inst) {
	d := &in.Dst
	if in.Op != isa.OpOr || d.File != isa.FileARF || d.Indirect || d.Reg != isa.ARFA0 || d.Sub != 0 || d.Type.Size() != 4 ||
		o.N != 1 || o.Src[1].Kind != thread.SrcImm || o.Src[0].Kind == thread.SrcImm {
		return
	}
	o.Desc = o.Exec
	o.Exec = execDescriptor
}

func execDescriptor(t *thread.Thread, o *thread.Op) {
	value := uint32(t.LoadI(o, 0)[0])
	runs := t.Mask(o) != 0
	o.Desc(t, o)
	if runs {
		t.Part = thread.DescPart{Value: value, Constant: o.Src[1].Imm, Known: true}
	}
}
