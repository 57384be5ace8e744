// SPDX-License-Identifier: MIT

package eu

import (
	"context"
	"testing"

	"jacquard.example/backend/intel/eu/message"
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/core/texture"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// loopDispatch returns a dispatch that counts r6 up to n in 16 lanes and runs body in every iteration.
func loopDispatch(n uint64, rules thread.HazardRules, body ...isa.Inst) *thread.Dispatch {
	cmp := arith(isa.OpCmp, 16, arf(isa.ARFNull, isa.TypeD), packed(6, isa.TypeD), imm(isa.TypeD, n))
	cmp.CMod = isa.CModLT
	p := []isa.Inst{arith(isa.OpMov, 16, dst(6, isa.TypeD), imm(isa.TypeD, 0))}
	p = append(p, body...)
	p = append(p, arith(isa.OpAdd, 16, dst(6, isa.TypeD), packed(6, isa.TypeD), imm(isa.TypeW, 1)), cmp)
	p = append(p, isa.Inst{Op: isa.OpWhile, ExecSize: 16, Pred: isa.PredNormal, JIP: -int32(len(p)-1) * 16}, endThread())
	return &thread.Dispatch{Program: FromInsts(target.TGL, p), SIMD: 16, Groups: [3]uint32{1, 1, 1}, LocalSize: [3]uint32{16, 1, 1}, SLMSize: 1024,
		Options: thread.Options{Hazards: rules}}
}

func benchLoop(b *testing.B, rules thread.HazardRules, body ...isa.Inst) {
	d := loopDispatch(100000, rules, body...)
	b.ReportAllocs()
	b.ResetTimer()
	var lanes uint64
	for i := 0; i < b.N; i++ {
		s, err := Run(context.Background(), d)
		if err != nil {
			b.Fatal(err)
		}
		lanes += s.Lanes
	}
	b.ReportMetric(float64(lanes)/b.Elapsed().Seconds()/1e6, "Mlanes/s")
}

func floatBody() []isa.Inst {
	return []isa.Inst{
		arith(isa.OpMad, 16, dst(10, isa.TypeF), tern(12, isa.TypeF), tern(14, isa.TypeF), tern(16, isa.TypeF)),
		arith(isa.OpMul, 16, dst(18, isa.TypeF), packed(12, isa.TypeF), packed(14, isa.TypeF)),
		arith(isa.OpAdd, 16, dst(20, isa.TypeF), packed(12, isa.TypeF), scalar(14, 0, isa.TypeF)),
		arith(isa.OpMov, 16, dst(22, isa.TypeF), packed(12, isa.TypeF)),
	}
}

func intBody() []isa.Inst {
	return []isa.Inst{
		arith(isa.OpAdd, 16, dst(10, isa.TypeD), packed(12, isa.TypeD), packed(14, isa.TypeD)),
		arith(isa.OpShl, 16, dst(18, isa.TypeD), packed(12, isa.TypeD), imm(isa.TypeW, 2)),
		arith(isa.OpAnd, 16, dst(20, isa.TypeUD), packed(12, isa.TypeUD), imm(isa.TypeUD, 0xFF)),
		arith(isa.OpMov, 16, dst(22, isa.TypeD), packed(12, isa.TypeD)),
	}
}

func BenchmarkFloat(b *testing.B)           { benchLoop(b, thread.HazardsOff, floatBody()...) }
func BenchmarkFloatScoreboard(b *testing.B) { benchLoop(b, thread.HazardsStrict, floatBody()...) }
func BenchmarkInt(b *testing.B)             { benchLoop(b, thread.HazardsOff, intBody()...) }
func BenchmarkIntScoreboard(b *testing.B)   { benchLoop(b, thread.HazardsStrict, intBody()...) }

func BenchmarkMemory(b *testing.B) {
	ld, st := load(10, 2, fields.SWSBSet(0)), save(2, 12, fields.SWSBDist(1)|fields.SWSBSet(1))
	benchLoop(b, thread.HazardsStrict, ld, st, syncAll(isa.SyncAllWr, 0))
}

func TestNoAllocationPerInstruction(t *testing.T) {
	count := func(n uint64) float64 {
		d := loopDispatch(n, thread.HazardsStrict, append(floatBody(), load(10, 2, fields.SWSBSet(0)), syncAll(isa.SyncAllWr, 0))...)
		return testing.AllocsPerRun(5, func() {
			if _, err := Run(context.Background(), d); err != nil {
				t.Fatal(err)
			}
		})
	}
	if few, many := count(10), count(2000); many > few {
		t.Errorf("%g allocations for 10 rounds, %g for 2000", few, many)
	}
}

// imageBody returns an image message and a wait for its response.
func imageBody(in isa.Inst) []isa.Inst {
	in.SWSB = fields.SWSBSet(0)
	return []isa.Inst{in, {Op: isa.OpSync, Sync: isa.SyncAllWr, ExecSize: 1}}
}

// imageMessages returns a message of each kind, all on one surface.
func imageMessages() map[string]isa.Inst {
	return map[string]isa.Inst{
		"typed read": send(isa.SFIDDC1, 8, readOf(2, 15), 0), "typed write": send(isa.SFIDDC1, 8, writeOf(2), 4<<6),
		"typed atomic": send(isa.SFIDDC1, 8, atomicOf(2, message.AopAdd, 1), 1<<6), "ld": send(isa.SFIDSampler, 8, samplerDesc(7, 8, 3, 4), 0),
		"sample": send(isa.SFIDSampler, 8, samplerDesc(0, 8, 2, 4), 0), "gather4": send(isa.SFIDSampler, 16, samplerDesc(8, 16, 4, 8), 0),
		"resinfo": send(isa.SFIDSampler, 8, 0x0242A000, 0),
	}
}

func imageDispatch(t testing.TB, n uint64, in isa.Inst) *thread.Dispatch {
	d := loopDispatch(n, thread.HazardsStrict, imageBody(in)...)
	d.Surfaces, d.Samplers = []*thread.Surface{{Image: samplerImage(t, "2d", "R32_UINT", 1)}}, []*texture.Sampler{linearSampler()}
	return d
}

// TestImageAllocations checks that image messages allocate no memory.
func TestImageAllocations(t *testing.T) {
	for name, in := range imageMessages() {
		allocs := func(n uint64) float64 {
			d := imageDispatch(t, n, in)
			return testing.AllocsPerRun(3, func() {
				if _, err := Run(context.Background(), d); err != nil {
					t.Fatal(err)
				}
			})
		}
		if few, many := allocs(2), allocs(200); many > few+2 {
			t.Errorf("%s: %g allocations for 2 messages, %g for 200", name, few, many)
		}
	}
}

func BenchmarkImages(b *testing.B) {
	for name, in := range imageMessages() {
		b.Run(name, func(b *testing.B) {
			d := imageDispatch(b, 10000, in)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Run(context.Background(), d); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/10000/float64(b.N), "ns/message")
		})
	}
}
