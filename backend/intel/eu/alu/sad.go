// SPDX-License-Identifier: MIT

package alu

import (
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
)

// execSad executes sad2 and sada2: the even channel of each pair receives the sum of both channels' absolute
// differences, to which sada2 adds the accumulator. The result of the odd channel is undefined (vISA
// specification, SAD2); the model poisons it.
func execSad(t *thread.Thread, o *thread.Op) {
	mask := t.Mask(o)
	if !indirect(t, o, mask) {
		return
	}
	a, b, _ := sourcesI(t, o)
	r := &t.BufI[3]
	distance := func(i int) int64 { return max(a[i]-b[i], b[i]-a[i]) }
	for i := 0; i < int(o.N); i += 2 {
		sum := distance(i) + distance(i+1)
		if o.Op == isa.OpSada2 {
			sum += t.IntAt(thread.AccBase+2*i, o.Dst.Typ)
		}
		r[i], r[i+1] = sum, thread.PoisonByte<<8|thread.PoisonByte
	}
	t.StoreI(o, r, mask)
}

// undocumented contains the operations whose intermediate rounding is not documented and that the model does not
// choose one for.
var undocumented = [isa.NumOps]bool{isa.OpLine: true}
