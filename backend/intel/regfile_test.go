// SPDX-License-Identifier: MIT

package intel_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mirtext"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// smaller returns a target with a file of 72 registers, some of which are reserved.
func smaller() *target.Target {
	t := *target.TGL
	t.Registers = &isa.RegFile{Registers: 72, Bytes: target.TGL.Registers.Bytes,
		LastFrom: 66, Pair: 2, Reserved: []isa.RegRun{{First: 30, N: 3}}, TurnPressure: 32,
		TurnEnd: 66}
	return &t
}

// TestRegisterFileOfTarget checks that code uses only the register file in the target's
// row.
func TestRegisterFileOfTarget(t *testing.T) {
	tgt := smaller()
	for _, name := range []string{"matmul", "nbody", "bitonic"} {
		s := lowered(t, "../../tests/shaders/"+name+".comp.spv")
		highest := uint32(0)
		_, err := intel.Compile(s, intel.Options{Target: tgt, SIMD: 16, Buffers: 8, Verify: true,
			Trace: func(pass string, u *mir.Unit, _ time.Duration) {
				if pass != "allocate" {
					return
				}
				f := u.Func
				for b := range f.Blocks {
					for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
						in := f.At(i)
						for k, o := range [...]*mir.Operand{&in.Dst, &in.Src[0], &in.Src[1], &in.Src[2]} {
							n := f.DstBytes(in)
							if k > 0 {
								n = f.SrcBytes(in, k-1)
							}
							if o.File != mir.GRF || n == 0 {
								continue
							}
							first, last := o.Num+f.GRF.Of(o.Off), o.Num+f.GRF.Of(o.Off+n-1)
							highest = max(highest, last)
							if last >= 72 || first < 33 && last >= 30 {
								t.Errorf("%s: %s", name, f.Text(i))
							}
							if in.EOT && k > 0 && first < 66 {
								t.Errorf("%s: %s: the last message comes from r%d", name, f.Text(i), first)
							}
						}
					}
				}
			}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if highest < 66 {
			t.Errorf("%s: the highest register is r%d", name, highest)
		}
	}
}

// TestRegisterBeyondFile checks that machine IR with a register that the target lacks is rejected with the
// position.
func TestRegisterBeyondFile(t *testing.T) {
	tgt := smaller()
	text := func(reg string) string {
		return "mir 1 compute \"main\"\ntarget tgl\nsimd 8\nabi jacquard_cs\nafter select\nworkgroup_size 8 1 1\npayload 2\n" +
			"function \"main\"\nb0:\n" +
			"  (W) mov(8) " + reg + "<1>:ud 0x0:ud\n  (W) msg.end_thread(8) null:ud {EOT}\n"
	}
	check := func(u *mir.Unit) error { return intel.CheckUnit(u, tgt) }
	if _, err := mirtext.Parse([]byte(text("r71")), check); err != nil {
		t.Errorf("r71: %v", err)
	}
	_, err := mirtext.Parse([]byte(text("r72")), check)
	if want := "10:3: the destination reaches past r71"; err == nil || err.Error() != want {
		t.Errorf("r72: %v; want %s", err, want)
	}
	if _, err := mirtext.Parse([]byte(text("r71+16")), check); err == nil {
		t.Error("half of r72 was taken")
	}
}

// TestSwizzleOfTarget checks that machine IR with a swizzle or write mask is rejected with the position if the
// target cannot encode it.
func TestSwizzleOfTarget(t *testing.T) {
	for _, c := range []struct {
		machine        *target.Target
		operands, want string
	}{
		{target.SKL, "r4<1>.xz:f r5<1>.yyyw:f", ""},
		{target.ICL, "r4<1>:f r5:f", ""},
		{target.ICL, "r4<1>.xz:f r5:f", "10:3: has a swizzle or a write mask; icl has none"},
		{target.TGL, "r4<1>:f r5<1>.yyyw:f", "10:3: has a swizzle or a write mask; tgl has none"},
	} {
		text := "mir 1 compute \"main\"\ntarget " + c.machine.Name + "\nsimd 8\nabi " + c.machine.ABI.Name +
			"\nafter select\nworkgroup_size 8 1 1\npayload 2\nfunction \"main\"\nb0:\n" +
			"  mad(8) " + c.operands + " r6:f r7:f\n  (W) msg.end_thread(8) null:ud {EOT}\n"
		_, err := mirtext.Parse([]byte(text), func(u *mir.Unit) error { return intel.CheckUnit(u, c.machine) })
		if got := fmt.Sprint(err); err != nil && got != c.want || err == nil && c.want != "" {
			t.Errorf("%s: %v; want %s", c.operands, err, c.want)
		}
	}
}

// TestOpcodeOfTarget checks that machine IR with an instruction that the target lacks is rejected with the
// position.
func TestOpcodeOfTarget(t *testing.T) {
	text := "mir 1 compute \"main\"\ntarget icl\nsimd 8\nabi jacquard_cs\nafter select\nworkgroup_size 8 1 1\npayload 2\n" +
		"function \"main\"\nb0:\n" +
		"  (W) sync.nop(1) null:ud\n  (W) msg.end_thread(8) null:ud {EOT}\n"
	_, err := mirtext.Parse([]byte(text), func(u *mir.Unit) error { return intel.CheckUnit(u, target.ICL) })
	if want := "10:3: icl has no sync"; err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
}

// TestRangesOfUnit checks that machine IR with ranges of uniform buffers that no launcher provides is rejected,
// at the line that limits them.
func TestRangesOfUnit(t *testing.T) {
	for _, c := range []struct{ stage, abi, ranges, want string }{
		{"fragment", "jacquard_fs", "range 0 start=0 bytes=32\nrange 1 start=64 bytes=32\n", ""},
		{"fragment", "jacquard_fs", "range 2 start=0 bytes=32\n", "8:1: a range is of entry 2 of the binding table; the table has 2 entries"},
		{"compute", "jacquard_cs", "range 0 start=0 bytes=32\n", "4:1: 1 ranges of uniform buffers; jacquard_cs has at most 0"},
	} {
		text := "mir 1 " + c.stage + " \"main\"\ntarget tgl\nsimd 8\nabi " + c.abi +
			"\nafter select\nworkgroup_size 1 1 1\npayload 8\nbuffers 2\n" + c.ranges +
			"function \"main\"\nb0:\n  (W) msg.end_thread(8) null:ud {EOT}\n"
		_, err := mirtext.Parse([]byte(text), func(u *mir.Unit) error { return intel.CheckUnit(u, target.TGL) })
		if got := fmt.Sprint(err); err != nil && got != c.want || err == nil && c.want != "" {
			t.Errorf("%s of a %s shader: %v; want %s", c.ranges, c.stage, err, c.want)
		}
	}
}

// TestScheduleOfFewerRegisters checks that an order for which there are too few registers is replaced by an order with
// less pressure, not by source order: messages are still sent before the results of others are used, and nothing is
// spilled.
func TestScheduleOfFewerRegisters(t *testing.T) {
	tgt := smaller()
	tgt.Registers.SchedulePressure = 76 // more than there are
	const lookups = 12
	var text strings.Builder
	fmt.Fprintf(&text, "mir 1 compute \"main\"\ntarget tgl\nsimd 16\nabi jacquard_cs\nafter indirect\nworkgroup_size 16 1 1\npayload 16\n"+
		"sampler 0 count=1 set=0 binding=0 uniform\nreg v1..v%d bytes=256 lane=4 align=32 single\n"+
		"reg v%d bytes=64 lane=4 align=32\nreg v%d bytes=32 lane=32 align=32 uniform single\n"+
		"function \"main\"\nb0:\n  mov(16) v%d<1>:ud 0x0:ud\n", lookups, lookups+1, lookups+2, lookups+1)
	for k := 1; k <= lookups; k++ {
		fmt.Fprintf(&text, "  send.smpl(16) v%d<1>:ud r2:ud r4:ud msg=sample space=image desc=0x40000 len=2 xlen=2 rlen=8\n", k)
		for off := range 4 {
			fmt.Fprintf(&text, "  add(16) v%d<1>:ud v%d:ud v%d+%d:ud\n", lookups+1, lookups+1, k, 64*off)
		}
	}
	fmt.Fprintf(&text, "  send.dc1(16) null:ud r2:ud v%d:ud msg=untyped_write space=shared comps=1 desc=0x25efe len=2 xlen=2\n"+
		"  (W) mov(8) v%d<1>:ud r0:ud\n  (W) send.ts(8) null:ud v%d:ud null:ud msg=end_thread len=1 {EOT}\n",
		lookups+1, lookups+2, lookups+2)
	u, err := mirtext.Parse([]byte(text.String()), func(u *mir.Unit) error { return intel.CheckUnit(u, tgt) })
	if err != nil {
		t.Fatal(err)
	}
	ahead, most := 0, 0
	c := new(intel.Compiler)
	b, err := c.Resume(u, intel.Options{Target: tgt, Verify: true, Trace: func(pass string, u *mir.Unit, _ time.Duration) {
		if pass != "schedule" {
			return
		}
		for i := u.Func.Blocks[0].First; i != 0; i = u.Func.Next(i) {
			switch in := u.Func.At(i); {
			case in.IsSend() && in.Len[2] > 0:
				ahead += 4
			case in.Op == isa.OpAdd:
				ahead--
			}
			most = max(most, ahead)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if most < 8 || b.Stats.Spills > 0 {
		t.Errorf("%d components are under way at once, and %d registers are spilled", most, b.Stats.Spills)
	}
}
