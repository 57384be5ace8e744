// SPDX-License-Identifier: MIT

package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"jacquard.example"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/eu/graphics"
	"jacquard.example/backend/run/runner"
	"jacquard.example/core/pass/stageio"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/peer"
	"jacquard.example/tests/support/picture"
)

// vertexFigures are the costs of a vertex program, summed over the threads of its draws.
type vertexFigures struct {
	static              int // instructions of the program
	instructions, moves uint64
	messages            uint64 // the ends of threads included, since they write outputs
	cycles, resident    uint64
}

// add adds the cost of a draw. profile counts the executions of the program's instructions.
func (f *vertexFigures) add(static int, a *eu.Account, code *eu.Program, profile *eu.Profile) {
	f.static = static
	f.instructions += a.Instructions
	for _, n := range a.Sends {
		f.messages += n
	}
	f.cycles += a.Alone.Cycles()
	f.resident += a.Resident.Cycles()
	for i := range code.Insts {
		if code.Insts[i].Op == isa.OpMov {
			f.moves += profile.At(int(code.Ops[i].Off))
		}
	}
}

// vertexVerdict is the outcome of judging a vertex shader.
type vertexVerdict struct {
	name         string
	ours, theirs vertexFigures
}

// vertexMatch runs both compilers' vertex programs for the draws of one script. The interpreter runs fragments.
type vertexMatch struct {
	*match
	machine *target.Target
	peer    *peer.Vertices
	verdict vertexVerdict

	ourCode, theirCode       []byte
	ourOutputs, theirOutputs map[int]int // components by location
}

func newVertexMatch(p *opponent, d *drawn) *vertexMatch {
	m := &vertexMatch{match: newMatch(p, d), machine: p.Machine, verdict: vertexVerdict{name: d.name}}
	own := m.ours[0]
	own.Profiles = map[*jacquard.Program]*eu.Profile{}
	own.Observe = func(_ *runner.Call, program *jacquard.Program, cost *eu.Account) {
		v := &program.Variants[0]
		m.verdict.ours.add(v.Stats.Instructions, cost, eu.Load(m.machine, v.Code), own.Profiles[program])
		m.ourCode, m.ourOutputs = v.Code, locationsOf(program.ABI.Outputs)
		delete(own.Profiles, program) // the next draw starts a new one
	}
	m.peer = &peer.Vertices{Compiler: p.Compiler, Module: d.module, StepLimit: threadSteps,
		Observe: func(b *peer.Binary, program *graphics.Program) {
			m.verdict.theirs.add(b.Stats.Instructions, program.Options.Account, program.Code, program.Options.Profile)
			m.theirCode, m.theirOutputs = b.Code, writtenBy(program)
		}}
	return m
}

// Draw implements runner.Drawer.
func (m *vertexMatch) Draw(ctx context.Context, c *runner.DrawCall) error {
	before, err := m.expect(ctx, c)
	if err != nil {
		return err
	}
	ours := picture.Copy(before)
	if err := m.ours[0].Draw(ctx, ours); err != nil {
		return fmt.Errorf("%w: ours: %w", errUnfit, err)
	}
	if err := m.agree(ctx, before, c, ours); err != nil {
		return fmt.Errorf("ours: %w", err)
	}
	if err := m.peer.Draw(ctx, picture.Copy(before)); err != nil {
		return fmt.Errorf("theirs: %w", err)
	}
	if !maps.Equal(m.ourOutputs, m.theirOutputs) {
		return fmt.Errorf("the outputs differ: ours %v, theirs %v", m.ourOutputs, m.theirOutputs)
	}
	return nil
}

// locationsOf returns the components that our program writes, by location.
func locationsOf(slots []jacquard.Slot) map[int]int {
	out := map[int]int{}
	for _, s := range slots {
		if s.Is == "location" && s.Components != 0 {
			out[s.Location] |= s.Components
		}
	}
	return out
}

// writtenBy returns the components that the peer's program writes, by location.
func writtenBy(p *graphics.Program) map[int]int {
	firstBuiltin := int(stageio.Slot(kind.BuiltinNone+1, 0, 0))
	out := map[int]int{}
	for _, o := range p.Outputs {
		if o.Slot < firstBuiltin {
			out[o.Slot] |= 1 << o.Component
		}
	}
	return out
}

// judgeVertices judges the vertex shaders of draws with different code, and stops after limit of them (0 means no limit).
func judgeVertices(ctx context.Context, p *opponent, list []drawn, limit int) (out []vertexVerdict, not unjudged, err error) {
	not = unjudged{}
	seen := map[[2]string]bool{}
	for i := range list {
		if limit > 0 && len(out) == limit {
			break
		}
		m := newVertexMatch(p, &list[i])
		err := guard(func() error { return list[i].run(ctx, m) })
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		switch {
		case errors.Is(err, peer.ErrNoCode):
			not.add(list[i].name, "Mesa makes no code: "+err.Error())
		case err != nil:
			not.add(list[i].name, strings.Join(strings.Fields(err.Error()), " "))
		case m.changed == 0 && m.verdict.theirs.instructions == 0:
			not.add(list[i].name, "it runs no vertex")
		case seen[[2]string{string(m.ourCode), string(m.theirCode)}]:
			not.add(list[i].name, "both programs are another shader's")
		default:
			seen[[2]string{string(m.ourCode), string(m.theirCode)}] = true
			out = append(out, m.verdict)
		}
	}
	return out, not, nil
}

// vertexColumns are the columns of the report on vertex shaders. limit is the mean that is asked for, or 0.
var vertexColumns = []struct {
	name  string
	of    func(*vertexFigures) uint64
	limit float64
}{
	{"static", func(f *vertexFigures) uint64 { return uint64(f.static) }, 0},
	{"instructions", func(f *vertexFigures) uint64 { return f.instructions }, 0.85},
	{"mov", func(f *vertexFigures) uint64 { return f.moves }, 0.5},
	{"messages", func(f *vertexFigures) uint64 { return f.messages }, 0},
	{"cycles", func(f *vertexFigures) uint64 { return f.cycles }, 0.9},
	{"resident", func(f *vertexFigures) uint64 { return f.resident }, 0},
}

// Shaders of at least largeVertex instructions of the peer's have means of their own: the others hardly do more than copy
// attributes.
const largeVertex = 25

// vertexCosts writes the costs of both compilers' vertex code for the draws of sets. A corpus has at most n shaders; only
// restricts the shaders as in drawCosts.
func vertexCosts(ctx context.Context, out *bytes.Buffer, c *peer.Compiler, root string, names []string, n int, only string) error {
	sets, err := drawSets(ctx, root, names, n, only)
	if err != nil {
		return err
	}
	p := &opponent{c, vertexWidth}
	var sections bytes.Buffer
	for _, set := range sets {
		list := set.samples
		if list == nil {
			list = selected(drawnCorpusSet(set.list, kind.StageVertex, set.variants, false), only)
		}
		judged, not, err := judgeVertices(ctx, p, list, set.limit)
		if err != nil {
			return err
		}
		fmt.Fprintf(&sections, "\n## %s\n", set.name)
		writeVertices(&sections, judged)
		notJudged(&sections, not)
	}
	fmt.Fprintf(out, `# Vertices of four lanes on one judge: ours ÷ Mesa's

Vertex code of both, run by the model of the execution units for the same draws (%s; the peer is %s; package [tests/judge](../judge/doc.go), which
wrote this file with -vertices). Each stage is compiled alone, by both, and both write the same outputs. Static figures are the statistics that the compilers print;
the rest is summed over the threads of the draws. Messages count the ends of threads. Cycles: every thread alone on an execution unit; resident: an execution unit full of threads.
A ratio is followed by both figures. Zeros on either side are left out of geometric means, not of totals. A shader whose programs are both another's, byte for byte, is left out.
Rows are in the order of the ratio of instructions.
`, c.Machine.Name, versionOf(c))
	_, err = sections.WriteTo(out)
	return err
}

// vertexWidth is the number of lanes of a thread: two vertices of four.
const vertexWidth = 8

// writeVertices writes the means of a set and its worst shaders, by instructions and by cycles, then all.
func writeVertices(w io.Writer, all []vertexVerdict) {
	fmt.Fprintf(w, "\n| |")
	line := "|---|"
	for _, c := range vertexColumns {
		fmt.Fprintf(w, " %s |", c.name)
		line += "---|"
	}
	fmt.Fprintf(w, "\n%s\n", line)
	vertexMeans(w, fmt.Sprintf("all %d", len(all)), all)
	large := slices.DeleteFunc(slices.Clone(all), func(v vertexVerdict) bool { return v.theirs.static < largeVertex })
	if len(large) < len(all) {
		vertexMeans(w, fmt.Sprintf("the %d of at least %d instructions of Mesa's", len(large), largeVertex), large)
	}
	fmt.Fprint(w, "| asked for |")
	for _, c := range vertexColumns {
		if c.limit == 0 {
			fmt.Fprint(w, " |")
		} else {
			fmt.Fprintf(w, " %.2f |", c.limit)
		}
	}
	fmt.Fprint(w, "\n\n| shader |")
	for _, c := range vertexColumns {
		fmt.Fprintf(w, " %s |", c.name)
	}
	fmt.Fprintf(w, "\n%s\n", line)
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b vertexVerdict) int { return cmp.Compare(b.slowdown(), a.slowdown()) })
	for i := range sorted {
		v := &sorted[i]
		fmt.Fprintf(w, "| %s |", v.name)
		for _, c := range vertexColumns {
			a, b := c.of(&v.ours), c.of(&v.theirs)
			if a == 0 || b == 0 {
				fmt.Fprintf(w, " %d : %d |", a, b)
			} else {
				fmt.Fprintf(w, " %s (%d : %d) |", text(a, b), a, b)
			}
		}
		fmt.Fprintln(w)
	}
}

// slowdown is the ratio of executed instructions, by which rows are sorted.
func (v *vertexVerdict) slowdown() float64 {
	return float64(v.ours.instructions) / float64(max(v.theirs.instructions, 1))
}

// vertexMeans writes the geometric means and the ratios of the totals of shaders.
func vertexMeans(w io.Writer, name string, list []vertexVerdict) {
	fmt.Fprintf(w, "| geometric mean of %s |", name)
	for _, c := range vertexColumns {
		x, n := geometricMean(list, func(v *vertexVerdict) (uint64, uint64) { return c.of(&v.ours), c.of(&v.theirs) })
		if n == 0 {
			fmt.Fprint(w, " - |")
		} else {
			fmt.Fprintf(w, " **%.2f** |", x)
		}
	}
	fmt.Fprintf(w, "\n| total of %s |", name)
	for _, c := range vertexColumns {
		var ours, theirs uint64
		for i := range list {
			ours, theirs = ours+c.of(&list[i].ours), theirs+c.of(&list[i].theirs)
		}
		fmt.Fprintf(w, " %s (%d : %d) |", text(ours, theirs), ours, theirs)
	}
	fmt.Fprintln(w)
}
