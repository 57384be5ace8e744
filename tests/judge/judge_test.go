// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/peer"
)

// TestSamples judges the samples: both compilers' programs run and leave the same results as the interpreter.
func TestSamples(t *testing.T) {
	p := findOpponent(target.TGL, 16)
	if p == nil {
		t.Skipf("%s is not set: there is no peer to judge", peer.Variable)
	}
	set, err := sampleSet(t.Context(), "../..")
	if err != nil {
		t.Fatal(err)
	}
	list, _, err := judge(t.Context(), p, set, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range list {
		if v.why != "" || v.exact == 0 {
			t.Errorf("%s: %q, %d doublewords", v.name, v.why, v.exact)
		}
		for i := range dispatchTables {
			ours, theirs := v.ours[i].Alone.Cycles(), v.theirs[i].Alone.Cycles()
			if ours == 0 || theirs == 0 || v.ours[i].Messages() == 0 || v.theirs[i].Messages() == 0 {
				t.Errorf("%s: %d and %d cycles %s", v.name, ours, theirs, tables[i].name)
			}
		}
		if half, whole, twice := v.theirs[1].Alone.Cycles(), v.theirs[0].Alone.Cycles(),
			v.theirs[2].Alone.Cycles(); half >= whole || whole >= twice {
			t.Errorf("%s: %d, %d and %d cycles as memory gets slower", v.name, half, whole, twice)
		}
	}
}

// frozenTable is the hash of the latencies of all targets. A change of latencies requires a new report, under both
// tables, and the new hash here.
const frozenTable = "1b9b5561aaec6876"

// TestFrozenLatencies: figures of different commits can be compared.
func TestFrozenLatencies(t *testing.T) {
	var b bytes.Buffer
	for _, machine := range target.All {
		fmt.Fprintln(&b, machine.Name, machine.Limits.ThreadsPerEU, *machine.Costs)
	}
	hash := sha256.Sum256(b.Bytes())
	if got := hex.EncodeToString(hash[:8]); got != frozenTable {
		t.Errorf("the latencies have changed (%s, were %s): give the figures of the report under both tables", got, frozenTable)
	}
}

// TestScaledMemoryLatency: halving and doubling changes the time of memory, and nothing else.
func TestScaledMemoryLatency(t *testing.T) {
	for i, want := range []int{100, 50, 200} {
		costs := costsUnder(target.TGL, i)
		for class := range costs {
			a, b := costs[class], target.TGL.Costs[class]
			for _, c := range memory {
				if int(c) == class {
					a.Result = b.Result
				}
			}
			if a != b {
				t.Errorf("class %d: %+v, was %+v", class, a, b)
			}
		}
		if got := costs[memory[0]].Result; got != want {
			t.Errorf("%q: a load takes %d cycles, want %d", tables[i].name, got, want)
		}
	}
}

// finalIR is an excerpt of the driver's dump: the lines that the judge parses.
const finalIR = `uniforms: 24
    con 32  %1 = load_const (0x00000003)
    con 32  %2 = load_const (0x00000000 = 0.000000)
    con 32  %3 = load_const (0x00000002)
    div 32  %4 = iadd %9, %3 (0x2)
    div 32  %5 = @load_subgroup_id
    con 32  %6 = @resource_intel (%7 (0xdeaddead), %1 (0x3), %3 (0x2), %2 (0.000000)) (desc_set=0, binding=4, resource_intel=0, resource_block_intel=-1)
    con 32  %8 = @resource_intel (%7 (0xdeaddead), %4, %9, %2 (0x0)) (desc_set=1, binding=0, resource_intel=0, resource_block_intel=-1)
`

const assembly = "Push constant ranges:\n    RANGE0 (32B): Vulkan push constants and API params\n\n"

// TestLayout reads where a program finds its data.
func TestLayout(t *testing.T) {
	l, err := readLayout(finalIR, assembly)
	if err != nil {
		t.Fatal(err)
	}
	if l.push != oldPush.base {
		t.Errorf("%+v", l)
	}
	whole, err := readLayout("uniforms: 472\ndecl_var push_const\n@load_subgroup_id\n", strings.ReplaceAll(assembly, "32B", "480B"))
	if err != nil || whole.push != 0 {
		t.Errorf("a whole block: %+v, %v", whole, err)
	}
	const based = "uniforms: 24\ndecl_var push_const\n con 32x3 %8 = @load_workgroup_id\n" +
		" con 32x2 %9 = @load_push_constant (%7 (0x0 = 0.0)) (base=4, range=8, align_mul=4)\n con 32 %1 = iadd %9.y, %8.z\n"
	for ir, want := range map[string]int{
		based: oldPush.base, strings.Replace(based, "base=4", "base=36", 1): oldPush.base - 32, // with constants of the program
		strings.Replace(based, "(base=4", "(base=0", 1): oldPush.base + 4, strings.Replace(based, "%8.z", "%7.z", 1): 0,
		strings.Replace(strings.Replace(based, "%9.y", "%9", 1), "%8.z", "%8.y", 1): oldPush.base,
	} {
		if got, _ := firstPush(ir, 32); got != want {
			t.Errorf("%s: the block begins at %d, want %d", ir, got, want)
		}
	}
	newer := strings.NewReplacer("uniforms: 24\n", "", "@load_subgroup_id", "@load_push_data_intel (%2 (0x0)) (base=36, range=4)")
	own, err := readLayout(newer.Replace(finalIR), strings.ReplaceAll(assembly, "32B", "64B"))
	if err != nil || own.push != 576 || own.own != &newPush {
		t.Errorf("the newer driver's values: %+v, %v", own, err)
	}
	user, err := readLayout(newer.Replace(strings.ReplaceAll(finalIR, "(desc_set=0, binding=4", "(desc_set=0, binding=-1")),
		strings.ReplaceAll(assembly, "32B", "32B"))
	if err != nil || user.push != 0 {
		t.Errorf("the program's constants alone: %+v, %v", user, err)
	}
	for _, c := range []struct{ ir, assembly, want string }{
		{finalIR + "@load_shader_record", assembly, "whose data is unknown"},
		{finalIR, assembly + "    RANGE1 (32B): UBO\n", "ranges of buffers"},
	} {
		if _, err := readLayout(c.ir, c.assembly); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// TestPayload: the driver's values are at their places in the registers, after the part of the program's constants that is
// passed on.
func TestPayload(t *testing.T) {
	push := make([]byte, 256)
	for i := range push {
		push[i] = byte(i)
	}
	for _, l := range []layout{{push: 192, own: &oldPush}, {push: 192, own: &newPush}, {push: 448, own: &oldPush}, {push: 576, own: &newPush}} {
		var grf eu.GRFs
		grf.Reset(int(target.TGL.Registers.Bytes), 0)
		l.payload(gen11, push)(&eu.Launch{Groups: [3]uint32{5, 6, 7}, LocalSize: [3]uint32{64, 1, 1}, Thread: 3, Threads: 4, SIMD: 16}, &grf)
		at := func(b int) uint32 { return grf.Dword(1+(b-l.push)/grfBytes, (b-l.push)%grfBytes/4) }
		if at(l.own.base) != 0 || at(l.own.counts+4) != 6 || at(l.own.subgroup) != 3 || l.push < 256 && at(196) != 0xc7c6c5c4 {
			t.Errorf("%+v: %#x, %d, %d", l, at(l.own.base), at(l.own.counts+4), at(l.own.subgroup))
		}
	}
}

// TestPayloadInMemory: on Gen12.5 the push block is in memory, and the hardware writes the local ids of sizes above 1,
// if the program loads them, and then the number of workgroups to registers.
func TestPayloadInMemory(t *testing.T) {
	launch := &eu.Launch{Groups: [3]uint32{5, 6, 7}, LocalSize: [3]uint32{8, 1, 16}, Thread: 3, Threads: 8, SIMD: 16}
	for _, ids := range []bool{false, true} {
		var grf eu.GRFs
		grf.Reset(int(target.DG2.Registers.Bytes), 0)
		l := layout{push: 192, own: &oldPush, ids: ids, inline: []inlineValue{{8, 12, groupCounts}}}
		l.payload(conventionOf(target.DG2), make([]byte, 256))(launch, &grf)
		after := 1
		if ids {
			after = 3
			x, z := grf.Dword(1, 4)&0xFFFF, grf.Dword(2, 7)>>16 // of lanes 8 and 15 of thread 3, invocations 56 and 63
			if x != 0 || z != 7 {
				t.Errorf("local ids %d and %d", x, z)
			}
		}
		if grf.Dword(after, 2) != 5 || grf.Dword(after, 4) != 7 {
			t.Errorf("ids %v: %d and %d workgroups", ids, grf.Dword(after, 2), grf.Dword(after, 4))
		}
		if n := len(launch.Pushed); n != oldPush.end-192 || binary.LittleEndian.Uint32(launch.Pushed[oldPush.counts-192+4:]) != 6 {
			t.Errorf("%d bytes of push data: %x", n, launch.Pushed)
		}
	}
	call := &runner.Call{Bindings: []runner.Binding{{Binding: 0, Data: make([]byte, 8)}, {Binding: 1, Data: make([]byte, 12)}}}
	d := gen125.descriptors(call, 0) // surface states: address in dwords 8 and 9, size in dword 11
	if len(d) != 128 || binary.LittleEndian.Uint64(d[64+32:]) != address(1) || binary.LittleEndian.Uint32(d[64+44:]) != 12 {
		t.Errorf("descriptors %x", d)
	}
}

// TestInlineData: the meaning of inline data follows from its uses in the final IR.
func TestInlineData(t *testing.T) {
	const row = "con %s %%%d = @load_inline_data_intel (%%1 (0x0)) (base=%d, range=%d)\n"
	head := "decl_var push_const\n con 32x3 %9 = @load_workgroup_id\n"
	ir := head + fmt.Sprintf(row+row+row, "32x3", 2, 8, 12, "32", 3, 4, 4, "32x3", 4, 20, 12) +
		"con 32 %5 = iadd %9.x, %2.x\n con 1 %6 = ieq %4.x, %7 (0xffffffff)\n"
	got, err := readInline(ir)
	want := []inlineValue{{8, 12, groupBase}, {4, 4, pushConstants}, {20, 12, groupCounts}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	if got, err := readInline(fmt.Sprintf(row, "64", 2, 0, 0)); err != nil || !slices.Equal(got, []inlineValue{{0, 8, pushAddress}}) {
		t.Errorf("an address: %v, %v", got, err)
	}
	got, err = readInline("con 32x3 %2 = @load_inline_data_intel (base=8)\n")
	if err != nil || !slices.Equal(got, []inlineValue{{8, 12, groupCounts}}) {
		t.Errorf("the older driver: %v, %v", got, err)
	}
	for _, ir := range []string{fmt.Sprintf(row, "32", 3, 0, 4), head + fmt.Sprintf(row, "32", 3, 32, 4)} {
		if got, err := readInline(ir); err == nil {
			t.Errorf("%s: %v", ir, got)
		}
	}
}

// TestSurfaces: the elements of an array are adjacent, and the driver's own buffers hold the sizes and addresses of a
// set's descriptors.
func TestSurfaces(t *testing.T) {
	const row = "%%5 = @resource_intel (%%7 (0xdeaddead), %%1 (0x%d), %%3 (0x0), %%2 (0x0)) (desc_set=0, binding=%d, resource_intel=0, " +
		"resource_block_intel=-1)\n"
	b := &peer.Binary{IR: fmt.Sprintf(row+row+row, 1, 4, 2, 4, 3, 1)}
	b.IR = strings.Replace(b.IR, "%1 (0x2), %3 (0x0)", "%1 (0x2), %3 (0x1)", 1)
	bytesOf := func(n int) []byte { return make([]byte, n) }
	call := &runner.Call{Bindings: []runner.Binding{
		{Binding: 4, Data: bytesOf(40)}, {Binding: 4, Element: 1, Data: bytesOf(41)}, {Binding: 1, Data: bytesOf(10)}, {Binding: 9, Data: bytesOf(90)},
	}}
	tables, err := b.Tables(call.Bindings)
	if err != nil {
		t.Fatal(err)
	}
	s, space := withSets(tables, gen11, call), mappings(call)
	if len(s) != 4 || len(s[1].Data) != 40 || len(s[2].Data) != 41 || len(s[3].Data) != 10 {
		t.Fatalf("%d surfaces", len(s))
	}
	for i, want := range []uint32{10, 40, 41, 90} {
		if got := binary.LittleEndian.Uint32(s[0].Data[16*i+8:]); got != want {
			t.Errorf("descriptor %d has %d bytes, want %d", i, got, want)
		}
		at := binary.LittleEndian.Uint64(s[0].Data[16*i:])
		k := slices.IndexFunc(space, func(m eu.Mapping) bool { return m.Addr == at })
		if k < 0 || len(space[k].Data) != int(want) {
			t.Errorf("descriptor %d has address %#x, which is mapping %d; want one of %d bytes", i, at, k, want)
		}
	}
}

// TestEqualWithin: floats may differ a little, integers may not.
func TestEqualWithin(t *testing.T) {
	c := &contest{entry: &entry{scale: 1}}
	f := math.Float32bits
	for _, x := range []struct {
		a, b uint32
		want bool
	}{
		{f(1), f(1.0005), true}, {f(1), f(1.01), false}, {f(1e-9), f(2e-9), true}, {f(1e-5), f(2e-5), false},
		{1, 2, false}, {0, 1, false}, {0, f(1e-7), true}, {f(float32(math.NaN())), 0xFFC00000, true}, {f(1), f(-1), false},
	} {
		if got := c.near(x.a, x.b); got != x.want {
			t.Errorf("%#x and %#x: %v", x.a, x.b, got)
		}
	}
}

// TestCompare: a doubleword on which runs of the interpreter differ is not compared.
func TestCompare(t *testing.T) {
	c := &contest{entry: &entry{scale: 1}}
	words := func(list ...uint32) (out []byte) {
		for _, w := range list {
			out = binary.LittleEndian.AppendUint32(out, w)
		}
		return out
	}
	want := [][]byte{words(1, 2, 3, 0), words(1, 9, 3, 0)}
	if err := c.compare(nil, words(0, 0, 0, 0), want, words(1, 5, 3, 0)); err != nil || c.result.exact != 2 {
		t.Errorf("%v, %d doublewords", err, c.result.exact)
	}
	if err := c.compare(nil, words(0, 0, 0, 0), want, words(1, 2, 4, 0)); err == nil || !strings.Contains(err.Error(), "byte 8") {
		t.Errorf("a wrong doubleword: %v", err)
	}
}

// TestNoPeer: without a peer the command fails with a one-line error.
func TestNoPeer(t *testing.T) {
	t.Setenv(peer.Variable, "")
	if err := run(t.Context(), nil, os.Stdout); err == nil || !strings.Contains(err.Error(), peer.Variable+" is not set") {
		t.Error(err)
	}
	for want, args := range map[string][]string{"unknown target": {"-target", "nope"}, "default target only": {"-ablation", "-target", "dg2"}} {
		if err := run(t.Context(), args, os.Stdout); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: got %v, want %q", args, err, want)
		}
	}
}
