// SPDX-License-Identifier: MIT

package flow_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"jacquard.example/core/analysis"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/flow"
	"jacquard.example/core/pass/vars"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
	"jacquard.example/tests/support/sample"
)

// comparisons are the operations with which random counted loops test their counters.
var comparisons = []op.Op{op.ULt, op.UGe, op.ILt, op.IGe, op.IEq, op.INe}

// counted is a random loop. It has one or two counters, one or two exits that depend on constants only, perhaps an exit
// that depends on the invocation, and values that are computed in the loop and used after it.
type counted struct {
	*rand.Rand
	b    *builder
	bits uint8
	only bool // only constants decide, and the result is the number of times that the body is entered
}

// near returns a constant as start, step or bound of a counter; it is often close to an overflow.
func (g *counted) near() ir.Src {
	edge := []uint64{0, 0, 0, 1 << (g.bits - 1), 1<<g.bits - 1, 7}[g.IntN(6)]
	return g.b.ImmN(g.bits, edge+uint64(g.IntN(21))-10)
}

// wide converts a counter to 32 bits.
func (g *counted) wide(x ir.Src) ir.Src {
	if g.bits == 32 {
		return x
	}
	return g.b.U2U32(x)
}

// test inserts an if at the end of block at that leaves the loop in one arm. It returns the block after the if.
func (g *counted) test(at ir.Node, cond ir.Src) ir.Node {
	s := g.b.S
	n := s.InsertIf(at, cond)
	leave, stay := s.Then(n), s.Else(n)
	if g.IntN(2) == 0 {
		leave, stay = stay, leave
	}
	g.b.AtEnd(leave)
	if g.IntN(3) == 0 {
		g.b.set(2, g.b.IAdd(g.b.get(2), g.b.Imm(g.Uint32N(100))))
	}
	g.b.Jump(kind.JumpBreak)
	if g.IntN(3) == 0 {
		g.b.AtEnd(stay)
		g.b.set(2, g.b.IMul(g.b.get(2), g.b.Imm(5)))
	}
	return s.NextNode(n)
}

// loop inserts the loop after block at and returns it. The loop computes variable 2, and counts in variable 3 how often
// its body is entered; the counters are phis.
func (g *counted) loop(at ir.Node) ir.Node {
	s, b := g.b.S, g.b
	b.AtEnd(at)
	b.set(2, b.Imm(1))
	b.set(3, b.Imm(0))
	counters := 1 + g.IntN(2)
	var init, phi, step [2]ir.Src
	for i := range counters {
		init[i], step[i] = g.near(), g.near()
	}
	ends := [2]ir.Src{g.near(), g.near()}
	n := s.InsertLoop(at)
	first := s.Body(n)
	b.AtEnd(first)
	var phis [2]ir.Value
	for i := range counters {
		phis[i] = b.Phi(1, g.bits, 2)
		phi[i] = s.All(phis[i])
	}
	b.AtEnd(first)
	b.set(3, b.IAdd(b.get(3), b.Imm(1)))
	cur := first
	var next [2]ir.Src
	for i := range counters { // each adds the other
		b.AtEnd(cur)
		switch g.IntN(4) {
		case 0:
			next[i] = b.ISub(phi[i], step[i])
		case 1:
			next[i] = b.IAdd(phi[i], phi[(i+1)%counters])
		default:
			next[i] = b.IAdd(phi[i], step[i])
		}
	}
	for i := range 1 + g.IntN(2) {
		b.AtEnd(cur)
		x := phi[g.IntN(counters)]
		if g.IntN(2) == 0 {
			x = next[g.IntN(counters)]
		}
		cur = g.test(cur, b.ALU(comparisons[g.IntN(len(comparisons))], x, ends[i]))
		b.AtEnd(cur)
		b.set(2, b.IAdd(b.IMul(b.get(2), b.Imm(3)), g.wide(x)))
	}
	if !g.only && g.IntN(3) == 0 {
		b.AtEnd(cur)
		cur = g.test(cur, b.IEq(b.IAnd(b.get(2), b.Imm(15)), b.IAnd(b.index, b.Imm(15))))
	}
	for i := range counters {
		s.AddPhiSrc(phis[i], at, init[i])
		s.AddPhiSrc(phis[i], cur, next[i])
	}
	b.AtEnd(s.NextNode(n))
	if g.only {
		b.result(b.get(3))
		return n
	}
	b.result(b.IAdd(b.IMul(b.get(2), b.Imm(257)), b.IAdd(b.IMul(b.get(3), b.Imm(65537)), g.wide(phi[0]))))
	return n
}

// TestTrips: the bodies of random loops are entered as often as the analysis predicts, with every comparison, steps up
// and down, overflow and several exits.
func TestTrips(t *testing.T) {
	var trips analysis.Trips
	known, many := 0, 0
	for seed := range uint64(3000) {
		b := newBuilder(64)
		g := &counted{Rand: rand.New(rand.NewPCG(seed, 3)), b: b, bits: []uint8{8, 16, 32}[seed%3], only: true}
		loop := g.loop(b.Block())
		vars.VarsToSSA(pass.New(b.S))
		if !trips.Count(b.S, loop, 2000) {
			continue
		}
		known++
		if trips.Entries > 10 {
			many++
		}
		out := execute(t, b.S)
		if got := int(binary.LittleEndian.Uint32(out)); got != trips.Entries {
			t.Fatalf("seed %d: the body is entered %d times, not %d\n%s", seed, got, trips.Entries, text.Print(b.S))
		}
		if trips.Entries > 1 && trips.Count(b.S, loop, trips.Entries-1) {
			t.Fatalf("seed %d: %d trips are within the limit %d", seed, trips.Entries, trips.Entries-1)
		}
	}
	t.Logf("%d loops are counted, %d of more than 10 trips", known, many)
	if known < 1000 || many < 200 {
		t.Errorf("%d loops are counted, %d of more than 10 trips", known, many)
	}
}

// TestUnrollKeepsMeaning: random counted loops compute the same after they are unrolled, entirely or in part. If the
// trips are known, the body is entered just as often.
func TestUnrollKeepsMeaning(t *testing.T) {
	var trips analysis.Trips
	loops, known, left := 0, 0, 0
	partly, shared := 0, 0
	for seed := range uint64(3000) {
		if !sample.One(2, strconv.Itoa(int(seed))) {
			continue
		}
		b := newBuilder(64)
		g := &counted{Rand: rand.New(rand.NewPCG(seed, 2)), b: b, bits: []uint8{8, 16, 32}[seed%3]}
		loop := g.loop(b.Block())
		c := pass.New(b.S)
		vars.VarsToSSA(c)
		if err := validate.Shader(b.S); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text.Print(b.S))
		}
		if !trips.Count(b.S, loop, 4096) {
			continue
		}
		known++
		long := trips.Entries > 64
		before := execute(t, b.S)
		old := string(text.Print(b.S))
		flow.UnrollLoops(c)
		unrolled := string(text.Print(b.S)) != old
		for n := range ir.Node(b.S.NumNodes()) { // the trip count of a loop of copies must be right
			if b.S.NodeKind(n) != ir.NodeLoop || b.S.Node(n).Trips.Exact() == 0 || b.S.Parent(n) == 0 {
				continue
			}
			shared++
			if !trips.Count(b.S, n, 4096) || trips.Entries != b.S.Node(n).Trips.Exact() {
				t.Fatalf("seed %d: a loop has %d iterations, not %d\n%s\nof\n%s",
					seed, trips.Entries, b.S.Node(n).Trips.Exact(), text.Print(b.S), old)
			}
		}
		for flow.DeadControlFlow(c) || flow.OneTripLoops(c) {
		}
		if err := validate.Shader(b.S); err != nil {
			t.Fatalf("seed %d: %v\n%s\nof\n%s", seed, err, text.Print(b.S), old)
		}
		switch {
		case unrolled && long:
			partly++
		case unrolled:
			loops++
			left += strings.Count(string(text.Print(b.S)), "loop {")
		}
		if after := execute(t, b.S); !bytes.Equal(before, after) {
			t.Fatalf("seed %d: it computes\n%x, want\n%x\n%s\nof\n%s", seed, after, before, text.Print(b.S), old)
		}
	}
	t.Logf("%d loops are counted, %d unrolled, of which %d are still loops; %d of many trips are unrolled in part", known,
		loops, left, partly)
	if !sample.Soaking() && (known < 300 || loops < 220 || left > loops/4 || partly < 12 || shared < 12) {
		t.Errorf("%d loops are counted, %d unrolled, of which %d are still loops; %d of many trips are unrolled in part", known,
			loops, left, partly)
	}
}
