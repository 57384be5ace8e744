// SPDX-License-Identifier: MIT

package hazards_test

import (
	"fmt"

	"jacquard.example/backend/intel/hazards"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
)

func Example() {
	code, err := isatext.Assemble(isa.TGL, `
send.dc1 (8|M0) r10 r2 null 0x0 0x02106EFE {$0}
add (8|M0) r11.0<1>:d r10.0<8;8,1>:d 1:w
(W) mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud
(W) send.ts (8|M0) null r127 null 0x0 0x02000000 {EOT,@1}
`)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println(hazards.Check(isa.TGL, code, hazards.Options{}))
	// Output:
	// 0x0010: add (8|M0) r11.0<1>:d r10.0<8;8,1>:d 1:w: reads r10 before it is written by 0x0000: send.dc1 (8|M0) r10 r2 null 0x0 0x02106EFE {$0} (needs $0.dst)
}
