// SPDX-License-Identifier: MIT

package eu

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
)

// randomStraight returns a straight-line program of arithmetic, math, loads and stores on a few registers, so
// that every kind of dependency occurs. r2 stays zero: it is the address of the messages.
func randomStraight(r *rand.Rand, n int) []isa.Inst {
	reg := func() uint8 { return uint8(10 + r.IntN(12)) }
	var p []isa.Inst
	for len(p) < n {
		lanes := uint8(8)
		switch r.IntN(10) {
		case 0:
			p = append(p, load(reg(), 2, none))
		case 1:
			p = append(p, save(2, reg(), none))
		case 2:
			p = append(p, inv(reg(), reg(), none))
		case 3:
			p = append(p, sw(arith(isa.OpMad, 8, dst(reg(), isa.TypeF), tern(reg(), isa.TypeF), tern(reg(), isa.TypeF),
				tern(reg(), isa.TypeF)), none))
		case 4, 5:
			lanes = 16
			fallthrough
		default:
			p = append(p, sw(arith(isa.OpAdd, lanes, dst(reg(), isa.TypeD), packed(reg(), isa.TypeD), packed(reg(), isa.TypeD)), none))
		}
	}
	return p
}

// autoDeps fills in the scoreboard fields of a program with Intel's assembler.
func autoDeps(t *testing.T, p []isa.Inst) []byte {
	t.Helper()
	iga := oracle.Need(t, "iga64")
	var text []byte
	for i := range p {
		text = append(isatext.Append(text, isa.TGL, &p[i], 16*i), '\n')
	}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "k.asm"), filepath.Join(dir, "k.bin")
	if err := os.WriteFile(in, text, 0o666); err != nil {
		t.Fatal(err)
	}
	if msg, err := exec.Command(iga, "-a", "-p=12p1", "-Xauto-deps", "-o", out, in).CombinedOutput(); err != nil {
		t.Fatalf("iga64: %v\n%s\n%s", err, msg, text)
	}
	code, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// TestScoreboardAgreesWithAssembler checks that the waits inserted by Intel's assembler satisfy the rules, and
// that the removal of most single waits is detected. (The assembler relies on shared functions reading their
// messages in order, as the lenient rules allow.)
func TestScoreboardAgreesWithAssembler(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	waits, noticed := 0, 0
	for i := 0; i < 12; i++ {
		code := autoDeps(t, append(randomStraight(r, 40), arith(isa.OpMov, 8, dst(127, isa.TypeD), packed(0, isa.TypeD)), endThread()))
		p := Load(target.TGL, code)
		run := func(p *thread.Program) *thread.Fault {
			d := &thread.Dispatch{Program: p, SIMD: 16, Groups: [3]uint32{1, 1, 1}, LocalSize: [3]uint32{16, 1, 1}, SLMSize: 64, Options: thread.Options{Hazards: thread.HazardsLenient}}
			_, err := Run(context.Background(), d)
			f, _ := err.(*thread.Fault)
			return f
		}
		if f := run(p); f != nil {
			t.Fatalf("program %d: %v", i, f)
		}
		for j := range p.Ops {
			q := Load(target.TGL, code)
			s := &q.Ops[j].Sb
			if s.Dist == 0 && s.WaitDst < 0 && s.WaitSrc < 0 {
				continue
			}
			waits++
			s.Dist, s.WaitDst, s.WaitSrc = 0, -1, -1
			if f := run(q); f != nil && f.Kind == thread.FaultHazard {
				noticed++
			}
		}
	}
	// Some waits are redundant: waits for in-order writes after writes, and waits implied by an earlier one.
	t.Logf("%d waits, %d noticed when taken away", waits, noticed)
	if waits < 100 || noticed*4 < waits*3 {
		t.Errorf("of %d waits that were taken away %d were noticed", waits, noticed)
	}
}
