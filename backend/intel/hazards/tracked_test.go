// SPDX-License-Identifier: MIT

package hazards_test

import "testing"

const (
	lessF   = "cmp (8|M0) (lt)f0.0 null<1>:f r3.0<8;8,1>:f r4.0<8;8,1>:f\n"
	lessI   = "cmp (8|M0) (lt)f0.0 null<1>:d r3.0<8;8,1>:d r4.0<8;8,1>:d"
	selectI = "(f0.0) sel (8|M0) r8.0<1>:d r9.0<8;8,1>:d 1:w"
	selectF = "(f0.0) sel (8|M0) r8.0<1>:f r9.0<8;8,1>:f 1.0:f"
	accI    = "mul (8|M0) acc0.0<1>:d r3.0<8;8,1>:d r4.0<16;8,2>:uw\n"
	a00     = "(W) mov (1|M0) a0.0<1>:ud 0x02100500:ud\n"
	a02     = "(W) mov (1|M0) a0.2<1>:ud 0x40:ud\n"
)

// TestTracked pairs programs with flags, accumulators, addresses and control registers.
func TestTracked(t *testing.T) {
	for _, c := range []struct{ name, p, want string }{
		{"flag of another pipe", lessF + selectI, "reads f0.0 before it is written by"},
		{"flag of another pipe, waited", lessF + selectI + " {F@1}", ""},
		{"flag of the own pipe", lessF + selectF, ""},
		{"another flag", lessF + "(f0.1) sel (8|M0) r8.0<1>:d r9.0<8;8,1>:d 1:w", ""},
		{"another flag register", lessF + "(f1.0) sel (8|M0) r8.0<1>:d r9.0<8;8,1>:d 1:w", ""},
		{"flags of the upper lanes", "cmp (16|M16) (lt)f0.0 null<1>:f r3.0<8;8,1>:f r4.0<8;8,1>:f\n(f0.1) sel (8|M0) r8.0<1>:d r9.0<8;8,1>:d 1:w", "reads f0.1"},
		{"flags of the lower lanes", "cmp (16|M16) (lt)f0.0 null<1>:f r3.0<8;8,1>:f r4.0<8;8,1>:f\n" + selectI, ""},
		{"predicate of both flag registers", "cmp (8|M0) (lt)f1.0 null<1>:f r3.0<8;8,1>:f r4.0<8;8,1>:f\n(f0.0.anyv) sel (8|M0) r8.0<1>:d r9.0<8;8,1>:d 1:w", "reads f1.0"},
		{"predicate of all lanes", "cmp (8|M0) (lt)f0.1 null<1>:f r3.0<8;8,1>:f r4.0<8;8,1>:f\n(W&f0.0.any32h) sel (8|M0) r8.0<1>:d r9.0<8;8,1>:d 1:w", "reads f0.1"},
		{"flag written in another pipe", lessF + lessI, "writes f0.0 before it is written by"},
		{"flag written in another pipe, waited", lessF + lessI + " {F@1}", ""},
		{"flag read in another pipe", selectF + "\n" + lessI, "writes f0.0 before it is read by"},
		{"flag read in another pipe, waited", selectF + "\n" + lessI + " {F@1}", ""},
		{"condition of sel", "sel (8|M0) (lt)f0.0 r2.0<1>:f r3.0<8;8,1>:f r4.0<8;8,1>:f\n" + selectI, ""},
		{"move to a flag", "(W) mov (1|M0) f0.0<1>:uw 0x1:uw\n" + selectF, "reads f0.0"},
		{"move to another half", "(W) mov (1|M0) f0.1<1>:uw 0x1:uw\n" + selectF, ""},
		{"move from a flag", lessF + "(W) mov (1|M0) r8.0<1>:ud f0.0<0;1,0>:ud", "reads f0.0"},
		{"flag of a branch", lessF + "(f0.0) if (8|M0) E E\nE:\nendif (8|M0) N\nN:", "reads f0.0"},
		{"flag of a branch, waited", lessF + "(f0.0) if (8|M0) E E {F@1}\nE:\nendif (8|M0) N\nN:", ""},
		{"integer flag of a branch", lessI + "\n(f0.0) if (8|M0) E E\nE:\nendif (8|M0) N\nN:", ""},
		{"flag over that of a branch", "(f0.0) if (8|M0) E E\n" + lessF + "E:\nendif (8|M0) N\nN:", ""},
		{"flag of a message", lessI + "\n(f0.0) send.ugm (8|M0) r20 r21 null:0 0x0 0x02100500 {$0}", "needs I@1"},
		{"flag of a message, waited", lessI + "\n(f0.0) send.ugm (8|M0) r20 r21 null:0 0x0 0x02100500 {A@1,$0}", ""},
		{"flag of math", lessF + "(f0.0) math.inv (8|M0) r8.0<1>:f r9.0<8;8,1>:f {$0}", "needs F@1"},
		{"flag of math, waited", lessF + "(f0.0) math.inv (8|M0) r8.0<1>:f r9.0<8;8,1>:f {@1,$0}", ""},

		{"accumulator of another pipe", accI + "mov (8|M0) r8.0<1>:f acc0.0<8;8,1>:d", "reads acc0 before it is written by"},
		{"accumulator of another pipe, waited", accI + "mov (8|M0) r8.0<1>:f acc0.0<8;8,1>:d {I@1}", ""},
		{"accumulator of the own pipe", accI + "mov (8|M0) r8.0<1>:d acc0.0<8;8,1>:d", ""},
		{"another accumulator", accI + "mov (8|M0) r8.0<1>:f acc1.0<8;8,1>:f", ""},
		{"accumulator written in another pipe", accI + "mov (8|M0) acc0.0<1>:f r9.0<8;8,1>:f", "writes acc0"},
		{"accumulator read in another pipe", "mov (8|M0) r8.0<1>:f acc2.0<8;8,1>:f\nmov (8|M0) acc2.0<1>:d r9.0<8;8,1>:d", "writes acc2 before it is read by"},
		{"high accumulator of the own pipe", "mov (8|M0) acc2.0<1>:f r9.0<8;8,1>:f\nmov (8|M0) r8.0<1>:f acc2.0<8;8,1>:f", ""},
		{"mul and mach", accI + "mach (8|M0) r8.0<1>:d r3.0<8;8,1>:d r4.0<8;8,1>:d", ""},
		{"implicit write", "add (8|M0) r2.0<1>:f r3.0<8;8,1>:f r4.0<8;8,1>:f {AccWrEn}\nmov (8|M0) r8.0<1>:d acc0.0<8;8,1>:d", "needs F@1"},
		{"implicit read", "mov (8|M0) acc0.0<1>:f r9.0<8;8,1>:f\nmach (8|M0) r8.0<1>:d r3.0<8;8,1>:d r4.0<8;8,1>:d", "needs F@1"},

		{"descriptor", a00 + "send.ugm (8|M0) r10 r2 null:0 0x0 a0.0 {$0}", "reads a0.0"},
		{"descriptor, waited", a00 + "send.ugm (8|M0) r10 r2 null:0 0x0 a0.0 {A@1,$0}", ""},
		{"extended descriptor", a02 + "send.ugm (8|M0) null r2 r4 a0.2 0x42000504 {$0}", "reads a0.2"},
		{"extended descriptor, waited", a02 + "send.ugm (8|M0) null r2 r4 a0.2 0x42000504 {A@1,$0}", ""},
		{"length in the extended descriptor", a02 + "send.ugm (8|M0) null r2 r4 a0.2 0x42000504 {A@1,$0}\nmov (8|M0) r4.0<1>:d 0:d", "needs $0.src"},
		{"length in the word", a02 + "send.ugm (8|M0) null r2 r4:2 a0.2 0x42000504 {ExBSO,A@1,$0}\nmov (8|M0) r5.0<1>:d 0:d", "needs $0.src"},
		{"unknown length", "(W) mov (1|M0) a0.2<1>:ud r9.0<0;1,0>:ud\nsend.ugm (8|M0) null r2 r4 a0.2 0x42000504 {A@1,$0}", "lengths of the message are unknown"},
		{"unknown extended descriptor", "(W) mov (1|M0) a0.2<1>:ud r9.0<0;1,0>:ud\nsend.ugm (8|M0) null r2 r4:1 a0.2 0x42000504 {ExBSO,A@1,$0}", ""},
		{"length cleared by a mask", "(W) and (1|M0) a0.2<1>:ud r9.0<0;1,0>:ud 0xFFFFF800:ud\nsend.ugm (8|M0) r10 r2 null a0.2 0x42100500 {A@1,$0}", ""},
		{"length not cleared by a mask", "(W) and (1|M0) a0.2<1>:ud r9.0<0;1,0>:ud 0xFFFFFC00:ud\nsend.ugm (8|M0) r10 r2 null a0.2 0x42100500 {A@1,$0}", "lengths of the message are unknown"},
		{"length cleared by a shift", "(W) shl (1|M0) a0.2<1>:ud r9.0<0;1,0>:ud 0x18:ud\nsend.ugm (8|M0) r10 r2 null a0.2 0x62100500 {A@1,$0}", ""},
		{"length not cleared by a shift", "(W) shl (1|M0) a0.2<1>:ud r9.0<0;1,0>:ud 0xA:ud\nsend.ugm (8|M0) r10 r2 null a0.2 0x62100500 {A@1,$0}", "lengths of the message are unknown"},
		{"another doubleword", a00 + "(W) sync.nop null {I@1}\n" + a02 + "send.ugm (8|M0) r10 r2 null:0 0x0 a0.0 {$0}", ""},
		{"another doubleword, extended", a02 + "(W) sync.nop null {I@1}\n" + a00 + "send.ugm (8|M0) null r2 r4 a0.2 0x42000504 {$0}", ""},
		{"address", "mov (1|M0) a0.2<1>:uw 0:uw\nmov (8|M0) r20.0<1>:ud r[a0.2]<1,0>:ud", "reads a0.1"},
		{"address in another doubleword", "mov (1|M0) a0.4<1>:uw 0:uw\nmov (8|M0) r20.0<1>:ud r[a0.2]<1,0>:ud", "reads a0.2"},
		{"address of one row in another doubleword", "mov (1|M0) a0.4<1>:uw 0:uw\nmov (8|M0) r20.0<1>:ud r[a0.2]<0;1,0>:ud", ""},
		{"address read in another pipe", "mov (8|M0) r20.0<1>:f r[a0.2]<1,0>:f\n(W) mov (1|M0) a0.1<1>:ud 0:ud", "writes a0.1 before it is read by"},
		{"address read in another pipe, waited", "mov (8|M0) r20.0<1>:f r[a0.2]<1,0>:f\n(W) mov (1|M0) a0.1<1>:ud 0:ud {F@1}", ""},

		{"control register", "(W) and (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0xFFFFFFCF:ud\n" + selectF, "needs A@1"},
		{"control register, its pipe waited", "(W) and (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0xFFFFFFCF:ud\n" + selectI + " {I@1}", "needs A@1"},
		{"control register, all waited", "(W) and (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud 0xFFFFFFCF:ud\n(W) sync.nop null {A@1}\n" + selectF, ""},
	} {
		t.Run(c.name, func(t *testing.T) { piped(t, c.p, c.want) })
	}
}
