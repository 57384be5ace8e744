// SPDX-License-Identifier: MIT

package explain

import (
	"slices"
	"sort"
	"strings"

	"jacquard.example/backend/intel"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/perf"
	"jacquard.example/backend/intel/ra"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/text"
)

// pushed is the kind of remarks about uniform buffers; those about passes are named by package core/pass.
const pushed = "pushed"

// facts collects the inputs from which the cost of a variant is computed.
type facts struct {
	s       *ir.Shader
	instr   func(ir.Value) string
	out     *intel.Binary
	lines   []Line
	remarks []pass.Remark
}

// CostOf returns the cost of the code of a shader. lines are the result of Lines for it.
func CostOf(s *ir.Shader, out *intel.Binary, lines []Line, remarks []pass.Remark) *Cost {
	f := &facts{s, text.Instrs(s), out, lines, remarks}
	c := &Cost{Peak: f.peak(), Spilled: []Spilled{}, Arrays: []Array{}, Remarks: f.remarked()}
	if out.ABI.ScratchBytes > 0 {
		c.Arrays = f.arrays()
	}
	for _, x := range out.Facts.Spilled {
		c.Spilled = append(c.Spilled, Spilled{
			Origin: f.origin(x.Origin), How: hows[x.How], Bytes: x.Bytes, Peak: f.origin(x.Peak), Live: x.Live,
			Stores: x.Stores, Fills: x.Fills, Cycles: x.Cycles,
		})
	}
	c.Loops = f.loops(c.Remarks)
	return c
}

var hows = map[ra.How]string{ra.Scratch: InScratch, ra.Again: Recomputed, ra.Packed: OneLane}

func (f *facts) position(at ir.Loc) (p Position) {
	if x := f.s.Locs.At(at); x.Line != 0 {
		p = Position{FileName(f.s.Strs.Text(x.File)), int(x.Line), int(x.Column)}
	}
	return p
}

func (f *facts) origin(x mir.Origin) Origin {
	if x.Value == 0 {
		return Origin{}
	}
	v := ir.Value(x.Value)
	return Origin{f.instr(v), f.position(f.s.At(v).Loc)}
}

// peak returns the instruction with the most live registers and the values that are live there.
func (f *facts) peak() Peak {
	x := f.out.Facts
	if x.Peak >= len(f.lines) {
		return Peak{Live: []Live{}}
	}
	at := &f.lines[x.Peak]
	p := Peak{Origin: Origin{at.IR, Position{at.File, at.Line, at.Column}}, Registers: at.Registers, Live: []Live{}}
	type value struct {
		of      uint32
		payload bool
	}
	index := map[value]int{}
	type placed struct{ value, register int }
	counted := map[placed]bool{}
	var live []Live
	for _, h := range x.Held {
		k, ok := index[value{h.Value, h.Payload}]
		if !ok {
			k = len(live)
			index[value{h.Value, h.Payload}] = k
			live = append(live, Live{Origin: f.origin(h.Origin), Payload: h.Payload})
		}
		if p := (placed{k, h.Register}); !counted[p] {
			counted[p] = true
			live[k].Registers++
		}
	}
	sort.SliceStable(live, func(i, j int) bool { return live[i].Registers > live[j].Registers })
	p.Live = append(p.Live, live...)
	return p
}

// arrays returns the variables in scratch memory.
func (f *facts) arrays() []Array {
	list, index := []Array{}, map[ir.Var]int{}
	for _, r := range f.remarks {
		switch r.Did {
		case pass.InScratch:
			index[r.Var] = len(list)
			list = append(list, Array{Name: f.s.Strs.Text(f.s.Var(r.Var).Name), Bytes: r.N, Indexed: []Position{}, Loops: []Position{}})
		case pass.IndexedIn:
			x := &list[index[r.Var]]
			x.Varying++
			if r.N > 0 {
				x.Counted++
			}
			f.addPosition(&x.Indexed, r.Loc)
		case pass.CountedIn:
			f.addPosition(&list[index[r.Var]].Loops, r.Loc)
		}
	}
	return list
}

// addPosition adds a position to a list, once, if it is known.
func (f *facts) addPosition(list *[]Position, at ir.Loc) {
	if p := f.position(at); p.Line != 0 && !slices.Contains(*list, p) {
		*list = append(*list, p)
	}
}

// remarked returns the remarks that are not about variables. Equal remarks are combined into one. So are hoisted, merged
// and pushed remarks that differ only in N, which is added up.
func (f *facts) remarked() []Remark {
	list, index := []Remark{}, map[Remark]int{}
	add := func(r Remark) {
		key := r
		if r.Kind == pass.Hoisted.String() || r.Kind == pass.Merged.String() || r.Kind == pushed {
			key.N = 0
		}
		k, ok := index[key]
		if !ok {
			index[key] = len(list)
			r.Times = 1
			list = append(list, r)
			return
		}
		list[k].Times++
		if key.N == 0 {
			list[k].N += r.N
		}
	}
	for _, r := range f.remarks {
		if r.Var == 0 {
			add(Remark{Pass: r.Pass, Kind: r.Did.String(), Position: f.position(r.Loc), N: r.N})
		}
	}
	for _, v := range f.out.Facts.Pushed {
		add(Remark{Kind: pushed, Position: f.position(f.s.At(ir.Value(v)).Loc), N: 1})
	}
	return list
}

// loops returns the loops of the code that may repeat.
func (f *facts) loops(remarks []Remark) []Loop {
	list := []Loop{}
	for i, l := range f.out.Facts.Loops {
		if l.Count.Exact() == 1 || l.Last >= len(f.lines) { // it does not repeat, or has no lines
			continue
		}
		x := Loop{
			Start: f.lines[l.First].Offset, End: f.lines[l.Last].Offset, Length: l.Last + 1 - l.First,
			Trips: l.Count.Exact(), AtMost: l.Count.Bound(), Copies: 1, Innermost: true,
		}
		if x.Trips == 0 {
			x.Assumed = perf.Assumed(l.Count)
		}
		if f.endsAtBreak(l) {
			x.Trips, x.AtMost = max(x.Trips-1, 0), max(x.AtMost-1, 0)
		}
		for _, in := range f.lines[l.First : l.Last+1] {
			x.Cycles += (in.Wait + in.Issue) * in.Times
		}
		if next := f.out.Facts.Loops[i+1:]; len(next) > 0 && next[0].First <= l.Last {
			x.Innermost = false
		}
		x.Position = f.conditionOf(l)
		for _, r := range remarks {
			if r.Kind == pass.Repeats.String() && r.Position == x.Position {
				x.Copies = r.N
				if x.Line == 0 { // it may be another loop
					x.Copies = 0
				}
			}
		}
		list = append(list, x)
	}
	return list
}

// endsAtBreak reports whether a part of a loop's body follows all of its breaks, so that the last execution of its
// first instruction is not a complete iteration. Copies of registers for the next iteration are not part of the body.
func (f *facts) endsAtBreak(l perf.Loop) bool {
	return l.LastBreak > 0 && slices.ContainsFunc(f.lines[l.LastBreak+1:l.Last], func(in Line) bool {
		return in.IR != "" && !strings.HasPrefix(in.IR, "store_reg.")
	})
}

// conditionOf returns the position of the condition that ends a loop: of its branch back, or of its first break. If both
// are unknown, it returns the first known position in the loop.
func (f *facts) conditionOf(l perf.Loop) Position {
	at := func(i int) Position { return Position{f.lines[i].File, f.lines[i].Line, f.lines[i].Column} }
	if p := at(l.Last); p.Line != 0 {
		return p
	}
	if l.Break > 0 {
		if p := at(l.Break); p.Line != 0 {
			return p
		}
	}
	for i := l.First; i < l.Last; i++ {
		if p := at(i); p.Line != 0 {
			return p
		}
	}
	return Position{}
}
