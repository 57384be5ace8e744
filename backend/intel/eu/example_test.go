// SPDX-License-Identifier: MIT

package eu_test

import (
	"context"
	"encoding/binary"
	"fmt"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// A program in the assembler's syntax doubles the elements of a buffer: each of
// its 8 lanes reads, adds and writes the dword at 4·lane.
func Example() {
	code, err := isatext.Assemble(isa.TGL, `
(W)     mov (8|M0)        r10.0<1>:uw  0x76543210:v
        shl (8|M0)        r12.0<1>:ud  r10.0<8;8,1>:uw  2:w         {@1}
        send.dc1 (8|M0)   r14  r12  null  0x0  0x02106E00           {@1,$0}
        add (8|M0)        r16.0<1>:d  r14.0<8;8,1>:d  r14.0<8;8,1>:d {$0.dst}
        send.dc1 (8|M0)   null  r12  r16  0x40  0x02026E00          {@1,$1}
(W)     mov (8|M0)        r127.0<1>:ud  r0.0<8;8,1>:ud
(W)     send.ts (8|M0)    null  r127  null  0x0  0x02000000         {EOT,@1}
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	data := make([]byte, 32)
	for i := range 8 {
		binary.LittleEndian.PutUint32(data[4*i:], uint32(i*i))
	}
	stats, err := eu.Run(context.Background(), &eu.Dispatch{
		Program:   eu.Load(target.TGL, code),
		SIMD:      8,
		Groups:    [3]uint32{1, 1, 1},
		LocalSize: [3]uint32{8, 1, 1},
		Surfaces:  []*eu.Surface{{Data: data}},
		Payload:   eu.ComputePayload(abi.JacquardCS, nil),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 8 {
		fmt.Print(binary.LittleEndian.Uint32(data[4*i:]), " ")
	}
	fmt.Println("in", stats.Instructions(), "instructions")
	// Output: 0 2 8 18 32 50 72 98 in 7 instructions
}
