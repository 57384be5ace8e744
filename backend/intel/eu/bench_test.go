package eu

import (
	"context"
	"testing"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// loopDispatch counts r6 up to n in 16 lanes; body runs in every round.
func loopDispatch(n uint64, rules HazardRules, body ...isa.Inst) *Dispatch {
	cmp := alu(isa.OpCmp, 16, arf(isa.ARFNull, isa.TypeD), packed(6, isa.TypeD), imm(isa.TypeD, n))
	cmp.CMod = isa.CModLT
	p := []isa.Inst{alu(isa.OpMov, 16, dst(6, isa.TypeD), imm(isa.TypeD, 0))}
	p = append(p, body...)
	p = append(p, alu(isa.OpAdd, 16, dst(6, isa.TypeD), packed(6, isa.TypeD), imm(isa.TypeW, 1)), cmp)
	p = append(p, isa.Inst{Op: isa.OpWhile, ExecSize: 16, Pred: isa.PredNormal, JIP: -int32(len(p)-1) * 16}, endThread())
	return &Dispatch{Program: FromInsts(target.TGL, p), SIMD: 16, Groups: [3]uint32{1, 1, 1}, LocalSize: [3]uint32{16, 1, 1}, SLMSize: 1024,
		Options: Options{Hazards: rules}}
}

func benchLoop(b *testing.B, rules HazardRules, body ...isa.Inst) {
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
		alu(isa.OpMad, 16, dst(10, isa.TypeF), tern(12, isa.TypeF), tern(14, isa.TypeF), tern(16, isa.TypeF)),
		alu(isa.OpMul, 16, dst(18, isa.TypeF), packed(12, isa.TypeF), packed(14, isa.TypeF)),
		alu(isa.OpAdd, 16, dst(20, isa.TypeF), packed(12, isa.TypeF), scalar(14, 0, isa.TypeF)),
		alu(isa.OpMov, 16, dst(22, isa.TypeF), packed(12, isa.TypeF)),
	}
}

func intBody() []isa.Inst {
	return []isa.Inst{
		alu(isa.OpAdd, 16, dst(10, isa.TypeD), packed(12, isa.TypeD), packed(14, isa.TypeD)),
		alu(isa.OpShl, 16, dst(18, isa.TypeD), packed(12, isa.TypeD), imm(isa.TypeW, 2)),
		alu(isa.OpAnd, 16, dst(20, isa.TypeUD), packed(12, isa.TypeUD), imm(isa.TypeUD, 0xFF)),
		alu(isa.OpMov, 16, dst(22, isa.TypeD), packed(12, isa.TypeD)),
	}
}

func BenchmarkFloat(b *testing.B)           { benchLoop(b, HazardsOff, floatBody()...) }
func BenchmarkFloatScoreboard(b *testing.B) { benchLoop(b, HazardsStrict, floatBody()...) }
func BenchmarkInt(b *testing.B)             { benchLoop(b, HazardsOff, intBody()...) }
func BenchmarkIntScoreboard(b *testing.B)   { benchLoop(b, HazardsStrict, intBody()...) }

func BenchmarkMemory(b *testing.B) {
	ld, st := load(10, 2, fields.SWSBSet(0)), save(2, 12, fields.SWSBDistSet(1, 1))
	benchLoop(b, HazardsStrict, ld, st, syncAll(isa.SyncAllWr, 0))
}

func TestNoAllocationPerInstruction(t *testing.T) {
	count := func(n uint64) float64 {
		d := loopDispatch(n, HazardsStrict, append(floatBody(), load(10, 2, fields.SWSBSet(0)), syncAll(isa.SyncAllWr, 0))...)
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
