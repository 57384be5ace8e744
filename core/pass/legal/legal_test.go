// SPDX-License-Identifier: MIT

package legal_test

import (
	"errors"
	"testing"

	"jacquard.example/core/pass/legal"
	"jacquard.example/core/pass/passtest"
	stages "jacquard.example/generated/legal"
	"jacquard.example/generated/target"
)

const head = "shader compute \"main\"\nworkgroup_size 8 1 1\nfn 1 \"main\"() entry {\n  b0:\n"

// TestCheck: an instruction that must be gone is found at the first stage at which it must be gone, with the reason, and
// not before. If a target supports the instruction, it may remain.
func TestCheck(t *testing.T) {
	able := *target.TGL
	able.Name, able.Has = "able", target.Float64|target.Images|target.Samplers
	for _, c := range []struct {
		name, body string
		from       stages.Stage
		want       string
		target     *target.Target
	}{
		{"float64", "%0 = load_const.64 value=(0x1, 0x0)\n%1 = fadd.64 %0, %0\n", stages.Optimized, "fadd at 64 bits: tgl has no arithmetic on 64-bit floats", target.TGL},
		{"to float64", "%0 = load_const.32 value=(0x1)\n%1 = i2f64.64 %0\n", stages.Optimized, "i2f64 at 64 bits from 32 bits: tgl has no arithmetic on 64-bit floats", target.TGL},
		{"from float64", "%0 = load_const.64 value=(0x1, 0x0)\n%1 = f2i32.32 %0\n", stages.Optimized, "f2i32 at 32 bits from 64 bits: tgl has no arithmetic on 64-bit floats", target.TGL},
		{"float64, where supported", "%0 = load_const.64 value=(0x1, 0x0)\n%1 = fadd.64 %0, %0\n", stages.Selectable, "fadd at 64 bits: able has no instruction for it", &able},
		{"int64", "%0 = load_const.64 value=(0x1, 0x0)\n%1 = iadd.64 %0, %0\n", stages.Selectable, "iadd at 64 bits: tgl has no instruction for it", target.TGL},
		{"vector", "%0 = load_const.32x2 value=(0x1, 0x2)\n%1 = fadd.32x2 %0, %0\n", stages.Selectable, "fadd of 2 components at 32 bits: tgl has no arithmetic on vectors", target.TGL},
		{"no row", "%0 = load_const.32 value=(0x1)\n%1 = fmod.32 %0, %0\n", stages.Selectable, "fmod at 32 bits: tgl has no instruction for it", target.TGL},
		{"intrinsic", "%0 = load_local_invocation_index.32\n", stages.Selectable, "load_local_invocation_index at 32 bits: tgl has no instruction for it", target.TGL},
		{"size", "%0 = load_const.32 value=(0x0)\n%1 = load_shared.64 %0\n", stages.Selectable, "load_shared at 64 bits: tgl has no messages for accesses of these sizes", target.TGL},
		{"stored size", "%0 = load_const.32 value=(0x0)\n%1 = load_const.64 value=(0x0, 0x0)\nstore_shared.x1 %1, %0 write_mask=1\n", stages.Selectable, "store_shared at 64 bits: tgl has no messages for accesses of these sizes", target.TGL},
		{"atomic", "%0 = load_const.32 value=(0x0)\n%1 = shared_atomic.32 %0, %0 atomic_op=iadd\n", stages.NumStages, "", target.TGL},
		{"sum of float64 over lanes", "%0 = load_const.64 value=(0x1, 0x0)\n%1 = reduce.64 %0 reduction_op=fadd\n", stages.Optimized, "reduce at 64 bits (fadd): tgl has no arithmetic on 64-bit floats", target.TGL},
		{"sum of int64 over lanes", "%0 = load_const.64 value=(0x1, 0x0)\n%1 = reduce.64 %0 reduction_op=iadd\n", stages.Selectable, "reduce at 64 bits (iadd): tgl has no instruction for it", target.TGL},
		{"equal float64", "%0 = load_const.64 value=(0x1, 0x0)\n%1 = vote_feq.1 %0\n", stages.Optimized, "vote_feq at 64 bits: tgl has no arithmetic on 64-bit floats", target.TGL},
		{"equal float32", "%0 = load_const.32 value=(0x1)\n%1 = vote_feq.1 %0\n", stages.Selectable, "vote_feq at 32 bits: tgl has no instruction for it", target.TGL},
		{"address", "%0 = load_const.32 value=(0x1)\n%1 = pack_64_2x32_split.64 %0, %0\n%2 = load_global.32 %1\n", stages.Selectable, "load_global at 32 bits: able has no messages for physical addresses", &able},
		{"address, where supported", "%0 = load_const.32 value=(0x1)\n%1 = pack_64_2x32_split.64 %0, %0\n%2 = load_global.32 %1\n", stages.NumStages, "", target.TGL},
		{"wide access at an address", "%0 = load_const.32 value=(0x1)\n%1 = pack_64_2x32_split.64 %0, %0\n%2 = load_global.64 %1\n", stages.Selectable, "load_global at 64 bits: tgl has no messages for accesses of these sizes", target.TGL},
		{"rotation", "%0 = load_const.32 value=(0x1)\n%1 = urol.32 %0, %0\n", stages.Selectable, "urol at 32 bits: able has no instruction for it", &able},
		{"rotation, where supported", "%0 = load_const.32 value=(0x1)\n%1 = urol.32 %0, %0\n", stages.NumStages, "", target.ICL},
		{"dot product of bytes", "%0 = load_const.32 value=(0x1)\n%1 = udot_4x8_uadd.32 %0, %0, %0\n", stages.Selectable, "udot_4x8_uadd at 32 bits: icl has no instruction for it", target.ICL},
		{"dot product of bytes, where supported", "%0 = load_const.32 value=(0x1)\n%1 = udot_4x8_uadd.32 %0, %0, %0\n", stages.NumStages, "", target.TGL},
		{"sum", "%0 = load_const.32 value=(0x0)\n%1 = fadd.32 %0, %0\n", stages.NumStages, "", target.TGL},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := passtest.Parse(t, head+c.body+"}\n")
			for st := range stages.NumStages {
				err := legal.Check(s, c.target, st)
				var lack *legal.Error
				switch {
				case st < c.from && err != nil:
					t.Errorf("%v: %v", st, err)
				case st >= c.from && (!errors.As(err, &lack) || err.Error() != c.want):
					t.Errorf("%v: %v, want %s", st, err, c.want)
				}
			}
		})
	}
}
