// SPDX-License-Identifier: MIT

package isa

import (
	"fmt"

	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
)

func ExampleInst_Message() {
	code, err := isatext.Assemble(isa.TGL, "send.dc1 (16|M0) r14 r12 null 0x0 0x04205E01 {@1,$0}")
	if err != nil {
		fmt.Println(err)
		return
	}
	in, err := isa.Decode(isa.TGL, code)
	if err != nil {
		fmt.Println(err)
		return
	}
	m, ok := in.Message(isa.TGL)
	fmt.Println(ok, m.Kind, m.Lanes, "lanes of surface", m.BTI, "into", m.Rlen, "registers")
	// Output: true untyped_read 16 lanes of surface 1 into 2 registers
}
