// SPDX-License-Identifier: MIT

package intel_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"testing"
	"time"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mirtext"
	"jacquard.example/core/ir"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// choices returns a shader that computes a hash of n conditions three times: in all invocations, in the
// invocations of an if, and again in all of them.
func choices(n int) *ir.Shader {
	s, b := newShader(64)
	first := s.FirstBlock(s.Entry())
	addr := b.IShl(globalID(b, 64), b.Imm(2))
	x := b.LoadSSBO(1, 32, b.Imm(0), addr, 0, 4, 0)
	hash := func(at ir.Src, seed uint32) {
		h := b.Imm(seed)
		for i := range uint32(n) {
			h = b.IAdd(b.IMul(h, b.Imm(3)), b.BCsel(b.ULt(x, b.Imm(7*i)), b.Imm(i+1), at))
		}
		b.StoreSSBO(h, b.Imm(1), at, 1, 0, 4, 0)
	}
	hash(addr, 1)
	odd := s.InsertIf(first, b.INe(b.IAnd(x, b.Imm(1)), b.Imm(0)))
	b.AtEnd(s.Then(odd))
	hash(b.IAdd(addr, b.Imm(256)), 2)
	b.AtEnd(s.NextNode(odd))
	hash(b.IAdd(addr, b.Imm(512)), 3)
	return s
}

// rounds returns a shader that computes a hash of n conditions in three nested loops. A lane repeats a loop depending on
// its own condition, but at most three times.
func rounds(n int) *ir.Shader {
	s, b := newShader(64)
	addr := b.IShl(globalID(b, 64), b.Imm(2))
	x := b.LoadSSBO(1, 32, b.Imm(0), addr, 0, 4, 0)
	hash := func() {
		h := b.LoadSSBO(1, 32, b.Imm(1), addr, 0, 4, 0)
		for i := range uint32(n) {
			h = b.IAdd(b.IMul(h, b.Imm(3)), b.BCsel(b.ULt(x, b.Imm(7*i)), b.Imm(i+1), addr))
		}
		b.StoreSSBO(h, b.Imm(1), addr, 1, 0, 4, 0)
	}
	leave := func(after ir.Node, cond ir.Src) ir.Node {
		branch := s.InsertIf(after, cond)
		b.AtEnd(s.Then(branch))
		b.Jump(kind.JumpBreak)
		b.AtEnd(s.NextNode(branch))
		return s.NextNode(branch)
	}
	var around func(depth uint32, block ir.Node)
	around = func(depth uint32, block ir.Node) {
		if hash(); depth == 3 {
			return
		}
		count := b.IAdd(addr, b.Imm(256*(depth+1)))
		b.StoreSSBO(b.Imm(0), b.Imm(1), count, 1, 0, 4, 0)
		loop := s.InsertLoop(block)
		b.AtEnd(s.Body(loop))
		trip := b.IAdd(b.LoadSSBO(1, 32, b.Imm(1), count, 0, 4, 0), b.Imm(1))
		b.StoreSSBO(trip, b.Imm(1), count, 1, 0, 4, 0)
		around(depth+1, leave(s.Body(loop), b.ULt(b.Imm(2), trip)))
		leave(s.BodyEnd(loop), b.UGe(x, b.Imm(30*depth+20)))
		b.AtEnd(s.NextNode(loop))
	}
	around(0, s.FirstBlock(s.Entry()))
	hash()
	return s
}

// compareFirst moves all comparisons of one register with constants to the first of them, and returns how many it moved.
func compareFirst(f *mir.Func) (n int) {
	at, x := mir.ID(0), uint32(0)
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; {
			next := f.Next(i)
			if in := *f.At(i); in.Op == isa.OpCmp && in.Src[1].File == mir.Imm && in.Flag.Reg() != 0 && (at == 0 || in.Src[0].Num == x) {
				n++
				x = in.Src[0].Num
				if at != 0 {
					f.Remove(i)
					i = f.After(at, in)
				}
				at = i
			}
			i = next
		}
	}
	return n
}

// TestManyFlags makes far more flags live at once than there are registers, in straight-line code, in an if and
// across loops that they control. The results must be the same as if each flag were read at once.
func TestManyFlags(t *testing.T) {
	for _, machine := range target.All {
		for _, simd := range machine.Widths {
			t.Run(fmt.Sprintf("%s/%d", machine.Name, simd), func(t *testing.T) { manyFlags(t, machine, simd, choices(20), 60) })
			t.Run(fmt.Sprintf("loops/%s/%d", machine.Name, simd), func(t *testing.T) { manyFlags(t, machine, simd, rounds(20), 83) })
		}
	}
}

// manyFlags compiles a shader as it is, and with its comparisons (at least the given number) moved to the first
// one. The results of both must be the same.
func manyFlags(t *testing.T, machine *target.Target, simd int, shader *ir.Shader, comparisons int) {
	var selected []byte
	o := intel.Options{Target: machine, SIMD: simd, Buffers: 2, Verify: true, Trace: func(pass string, u *mir.Unit, _ time.Duration) {
		if pass == "select" {
			selected = mirtext.Print(u)
		}
	}}
	want, err := intel.Compile(shader, o)
	if err != nil {
		t.Fatal(err)
	}
	u, err := mirtext.Parse(selected, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := compareFirst(u.Func); n < comparisons {
		t.Errorf("%d comparisons are moved", n)
	}
	u.Func.BuildCFG()
	got, err := new(intel.Compiler).Resume(u, o)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(outcome(t, machine, got), outcome(t, machine, want)) {
		t.Error("it computes something else")
	}
	if got.Stats.Spills != 0 {
		t.Errorf("%d spills to memory", got.Stats.Spills)
	}
}

// outcome returns the contents of a buffer after running a binary.
func outcome(t *testing.T, machine *target.Target, bin *intel.Binary) []byte {
	t.Helper()
	in, out := make([]byte, 4*64), make([]byte, 4*4*64)
	for i := range uint32(64) {
		binary.LittleEndian.PutUint32(in[4*i:], i*37%141)
	}
	_, err := eu.Run(context.Background(), &eu.Dispatch{
		Program: eu.Load(machine, bin.Code), SIMD: bin.SIMD, Groups: [3]uint32{1, 1, 1}, LocalSize: bin.ABI.WorkgroupSize,
		Surfaces: []*eu.Surface{{Data: in}, {Data: out}}, ScratchPerThread: int(bin.ABI.ScratchBytes),
		Payload: eu.ComputePayload(machine.ABI, nil), Options: eu.Options{Addresses: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
