package isa

import (
	"testing"

	"jacquard.example/backend/intel/legal"
	"jacquard.example/generated/isa"
)

// TestPeersCodeIsLegal: what Intel's own compiler emits breaks no restriction,
// so the restrictions are not stricter than the machine.
func TestPeersCodeIsLegal(t *testing.T) {
	for name, src := range kernels {
		t.Run(name, func(t *testing.T) {
			code := compileOpenCL(t, src)
			for _, v := range legal.Check(isa.TGL, code) {
				in, err := isa.Decode(isa.TGL, code[v.Offset:])
				t.Errorf("%v\n%s (%v)", v, isa.AppendText(nil, isa.TGL, &in, v.Offset), err)
			}
		})
	}
}
