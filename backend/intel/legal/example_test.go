// SPDX-License-Identifier: MIT

package legal_test

import (
	"fmt"

	"jacquard.example/backend/intel/isatext"
	"jacquard.example/backend/intel/legal"
	"jacquard.example/generated/isa"
)

func ExampleCheck() {
	code, err := isatext.Assemble(isa.TGL, `
		mul (8|M0) r1.0<1>:d r2.0<8;8,1>:d r3.0<8;8,1>:d
		mov (8|M0) r4.0<1>:ud r5.4<8;8,1>:ud`)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range legal.Check(isa.TGL, code) {
		fmt.Println(v)
	}
	// Output:
	// 0x0: mul_dword_dword: both sources are doublewords
	// 0x10: row_crosses_register: row 0 of source 0 reaches from byte 16 to 47
}
