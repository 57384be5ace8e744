// SPDX-License-Identifier: MIT

package fold

import (
	"fmt"

	"jacquard.example/generated/fold"
	"jacquard.example/generated/op"
)

func Example() {
	var src [op.MaxSrc][fold.MaxComps]uint64
	var dst [fold.MaxComps]uint64
	src[0][0], src[1][0] = 0x80, 0xff // -128 / -1 at 8 bits
	ok := fold.Eval(op.IDiv, 8, 1, &src, &dst, 0)
	fmt.Printf("%v %#x\n", ok, dst[0])

	info := op.FDot3.Info()
	fmt.Println(info.Name, info.NumSrc, info.Src[0].Base, info.Src[0].Comps, info.Has(op.Commutative))
	// Output:
	// true 0x80
	// fdot3 2 float 3 true
}
