// SPDX-License-Identifier: MIT

package eu

import (
	"context"
	"math"
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// stageBench returns a thread of a stage. No end of thread is added to insts.
func stageBench(t testing.TB, simd int, s *thread.Stage, insts ...isa.Inst) *bench {
	t.Helper()
	return stageBenchOn(t, target.TGL, simd, s, insts...)
}

// stageBenchOn is like stageBench, for a machine.
func stageBenchOn(t testing.TB, machine *target.Target, simd int, s *thread.Stage, insts ...isa.Inst) *bench {
	t.Helper()
	var stats thread.Stats
	d := &thread.Dispatch{Program: FromInsts(machine, insts), SIMD: simd, Groups: [3]uint32{1, 1, 1}, LocalSize: [3]uint32{uint32(simd), 1, 1}, Stage: s,
		Options: thread.Options{StepLimit: 1000}}
	r, err := newRunner(context.Background(), d, &stats)
	if err != nil {
		t.Fatal(err)
	}
	th := r.g.Threads[0]
	r.reset(th, [3]uint32{})
	return &bench{th}
}

// fault runs a thread to its end and checks its fault. It expects none if want is empty.
func (b *bench) fault(t testing.TB, want string) {
	t.Helper()
	run(b.Thread, math.MaxUint64)
	switch {
	case b.Err == nil && want != "":
		t.Errorf("no fault, want %q", want)
	case b.Err != nil && (want == "" || !strings.Contains(b.Err.Error(), want)):
		t.Errorf("%v, want %q", b.Err, want)
	}
}

// last makes a message the thread's last one, with payloads in r112 and r120.
func last(in isa.Inst) isa.Inst {
	in.EOT, in.SWSB = true, 0
	in.Src[0].Reg = 112
	if in.Src[1].File == isa.FileGRF {
		in.Src[1].Reg = 120
	}
	return in
}

// TestVectorMask checks that a thread runs with all lanes of each quad that has a live lane, and that both
// masks are in sr0.
func TestVectorMask(t *testing.T) {
	s := &thread.Stage{Kind: thread.FragmentStage, VectorMask: true, Live: func(int) uint32 { return 0x0012 }}
	b := stageBench(t, 16, s,
		one(isa.OpMov, dst(1, isa.TypeUD), arfScalar(isa.ARFSR0, 8, isa.TypeUD)),
		one(isa.OpMov, dst(2, isa.TypeUD), arfScalar(isa.ARFSR0, 12, isa.TypeUD)),
		arith(isa.OpMov, 16, dst(10, isa.TypeUD), imm(isa.TypeUD, 7)))
	b.fault(t, "ran past the end")
	if b.u(1, 0) != 0x12 || b.u(2, 0) != 0xFF {
		t.Errorf("masks %#x and %#x, want 0x12 and 0xff", b.u(1, 0), b.u(2, 0))
	}
	for i := range 16 {
		if got, want := b.u(10, i) == 7, i < 8; got != want {
			t.Errorf("lane %d runs: %v", i, got)
		}
	}
}

// TestDispatchMask checks that without the vector mask only live lanes run.
func TestDispatchMask(t *testing.T) {
	s := &thread.Stage{Kind: thread.VertexStage, Live: func(int) uint32 { return 0x12 }}
	b := stageBench(t, 8, s, arith(isa.OpMov, 8, dst(10, isa.TypeUD), imm(isa.TypeUD, 7)))
	b.fault(t, "ran past the end")
	for i := range 8 {
		if got, want := b.u(10, i) == 7, i == 1 || i == 4; got != want {
			t.Errorf("lane %d runs: %v", i, got)
		}
	}
}

// TestStageEnds checks which messages may end a thread of each stage.
func TestStageEnds(t *testing.T) {
	urb := last(send(isa.SFIDURB, 8, 0x02080007, 0x40))
	read := send(isa.SFIDURB, 8, 0x02180008, 0)
	read.EOT, read.SWSB = true, 0
	rt := last(send(isa.SFIDRC, 8, 0x08031400, 0))
	rt.Op = isa.OpSendc
	more := rt
	more.Desc &^= 1 << 12
	half := last(send(isa.SFIDRC, 16, 0x10031000, 0))
	half.Op = isa.OpSendc
	for _, c := range []struct {
		name string
		kind thread.StageKind
		simd int
		in   isa.Inst
		want string
	}{
		{"vertex, URB write", thread.VertexStage, 8, urb, ""},
		{"vertex, URB read", thread.VertexStage, 8, read, "payload of the last message"},
		{"vertex, thread spawner", thread.VertexStage, 8, endThread(), "not a URB write"},
		{"vertex, render target", thread.VertexStage, 8, rt, "no render targets"},
		{"fragment, last target", thread.FragmentStage, 8, rt, ""},
		{"fragment, another target", thread.FragmentStage, 8, more, "not a write of the last render target"},
		{"fragment, thread spawner", thread.FragmentStage, 8, endThread(), "not a write of the last render target"},
		{"fragment, half of the lanes", thread.FragmentStage, 32, half, "for lanes 0xffff0000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &thread.Stage{Kind: c.kind, URB: thread.NewURB(8, 4), Targets: 1}
			b := stageBench(t, c.simd, s, c.in)
			for i := range 8 {
				b.setU(112, i, s.URB.Handle(i))
			}
			b.fault(t, c.want)
		})
	}
}

// TestInterpolator checks that coordinates come in pairs of registers for every eight lanes, and that modes and
// offsets come from the descriptor or from each lane.
func TestInterpolator(t *testing.T) {
	var asked []thread.Place
	s := &thread.Stage{Kind: thread.FragmentStage, Interpolate: func(_, lane int, p *thread.Place) [2]float32 {
		asked = append(asked, *p)
		return [2]float32{float32(lane), float32(100 + lane)}
	}}
	for _, c := range []struct {
		name string
		n    uint8
		desc uint32
		ex   uint32
		want thread.Place // place of lane 1
	}{
		{"shared offset", 8, 0x022000F3, 0, thread.Place{X: 3, Y: -1}},
		{"sample", 8, 0x02201050, 0, thread.Place{At: thread.PlaceSample, Sample: 5}},
		{"centroid, linear", 8, 0x02206000, 0, thread.Place{At: thread.PlaceCentroid, Linear: true}},
		{"an offset for each lane", 8, 0x02203000, 0x40, thread.Place{X: -8, Y: 7}},
		{"an offset for each lane, 16 lanes", 16, 0x08413000, 0, thread.Place{X: -8, Y: 7}},
		{"centroid, 16 lanes", 16, 0x02412000, 0, thread.Place{At: thread.PlaceCentroid}},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked = nil
			b := stageBench(t, int(c.n), s, send(isa.SFIDPixInterp, c.n, c.desc, c.ex), syncAll(isa.SyncAllWr, 0))
			b.setU(20, 1, 0xFFFFFFF8)
			b.setU(60, 1, 7)
			b.setU(22, 1, 7) // where y is at SIMD16
			b.fault(t, "ran past the end")
			if len(asked) != int(c.n) || asked[1] != c.want {
				t.Fatalf("%d places, %+v, want %+v", len(asked), asked, c.want)
			}
			for i := range int(c.n) {
				if x, y := b.f(100+i/8*2, i%8), b.f(101+i/8*2, i%8); x != float32(i) || y != float32(100+i) {
					t.Errorf("lane %d: %g, %g", i, x, y)
				}
			}
		})
	}
}
