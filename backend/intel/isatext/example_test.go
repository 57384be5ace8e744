// SPDX-License-Identifier: MIT

package isatext_test

import (
	"fmt"
	"os"

	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
)

func Example() {
	code, err := isatext.Assemble(isa.TGL, `
		add (8|M0) r3.0<1>:f r1.0<8;8,1>:f -r2.0<8;8,1>:f {@1}
		(W) send.ts (8|M0) null r112 null 0x0 0x02000000 {EOT,@1}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	in, err := isa.Decode(isa.TGL, code)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(in.Op, in.ExecSize, "lanes; source 1 negated:", in.Src[1].Neg)
	if err := isatext.Disassemble(isa.TGL, code, os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// add 8 lanes; source 1 negated: true
	//         add (8|M0) r3.0<1>:f r1.0<8;8,1>:f -r2.0<8;8,1>:f {@1}
	//         (W) send.ts (8|M0) null r112 null 0x0 0x02000000 {EOT,@1}
}
