package jacquard

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

// Position is a place in the source of a shader. Line is 0 if it is unknown.
type Position struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// Cost accounts for the registers, the scratch memory and the time that a variant uses.
type Cost struct {
	Peak    Peak      `json:"peak"`
	Spilled []Spilled `json:"spilled"` // in the order in which they were spilled
	Arrays  []Array   `json:"arrays"`
	Loops   []Loop    `json:"loops"` // by their start, those around others first
	Remarks []Remark  `json:"remarks"`
}

// Origin is an instruction of the shader that machine code was selected for.
type Origin struct {
	// IR is the instruction in the text format, as it was at selection; empty if the code belongs to none.
	IR string `json:"ir"`
	Position
}

// Peak is the first instruction of the code with the most live registers before it.
type Peak struct {
	Origin
	Registers int    `json:"registers"`
	Live      []Live `json:"live"` // what is in them, the largest first
}

// Live is a value that is live at an instruction.
type Live struct {
	Origin       // the first instruction in the order of the code that writes it
	Payload bool `json:"payload,omitempty"` // part of the thread payload, such as inputs and push constants
	// Registers is the number of general registers that hold it or a part of it. Values that are the same in all
	// lanes share registers, so that the sum can be more than Peak.Registers.
	Registers int `json:"registers"`
}

// The ways of spilling a value.
const (
	InScratch  = "scratch" // it is in scratch memory, and loaded before instructions that read it
	Recomputed = "again"   // it is computed again before instructions that read it
	OneLane    = "lane"    // it is the same in all lanes, and takes one lane of a register instead of all
)

// Spilled is a value that was spilled: it did not stay in the registers it was computed into.
type Spilled struct {
	Origin        // the first instruction in the order of the code that writes it
	How    string `json:"how"` // InScratch, Recomputed or OneLane
	Bytes  int    `json:"bytes"`
	// Peak is the instruction in the value's live range with the most live registers when it was spilled; Live is
	// their number. Other values had already been spilled if the allocator needed several rounds.
	Peak   Origin `json:"peak"`
	Live   int    `json:"live"`
	Stores int    `json:"stores"` // messages that write it to scratch memory
	Fills  int    `json:"fills"`  // messages that read it
	Cycles int    `json:"cycles"` // estimated, of the instructions that were added for it: a part of Stats.Cycles
}

// Array is a variable in scratch memory.
type Array struct {
	Name    string     `json:"name"`           // as the module names it; empty if it does not
	Bytes   int        `json:"bytes_per_lane"` // of each invocation
	Varying int        `json:"varying"`        // accesses with an index that is not constant
	Indexed []Position `json:"indexed"`        // the lines of these
	Counted int        `json:"counted"`        // how many of these would be constant if Loops were fully unrolled
	Loops   []Position `json:"loops"`          // of the conditions that end the loops
}

// Loop is a loop of the machine code.
type Loop struct {
	Position       // of the condition that ends it, or of its first instruction with a position
	Start     int  `json:"start"`     // offset in Variant.Code of its first instruction, in bytes
	End       int  `json:"end"`       // and of the branch back to it
	Trips     int  `json:"trips"`     // its iterations, of Copies copies each; 0 if not known
	AtMost    int  `json:"at_most"`   // a bound of the iterations if they are not known, 0 for none
	Assumed   int  `json:"assumed"`   // the iterations that Stats.Cycles assumes if they are not known
	Copies    int  `json:"copies"`    // how many copies of its body in the source it consists of; 0 if not known
	Length    int  `json:"length"`    // instructions, with those of loops in it
	Cycles    int  `json:"cycles"`    // estimated, with those of loops in it: a part of Stats.Cycles
	Innermost bool `json:"innermost"` // there is no loop in it
}

// Remark records an action of a pass at a position in the source.
type Remark struct {
	Pass string `json:"pass"` // empty for instruction selection
	// Kind is unrolled (a loop became its N iterations), unrolled_partly (N copies form the body of a loop), peeled
	// (N iterations were copied before a loop), hoisted (N instructions moved before a loop), merged (N accesses to
	// memory became Times accesses) or pushed (N loads of uniform buffers are in registers when a thread starts).
	Kind string `json:"kind"`
	Position
	N     int `json:"n"`
	Times int `json:"times"` // how often it happened at this place
}

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

// costOf returns the cost of a variant. lines are the variant's lines.
func costOf(s *ir.Shader, out *intel.Binary, lines []Line, remarks []pass.Remark) *Cost {
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
		p = Position{sourceName(f.s.Strs.Text(x.File)), int(x.Line), int(x.Column)}
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

// remarked returns the remarks. Remarks of the same kind at the same position are combined into one.
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

// loops returns the loops.
func (f *facts) loops(remarks []Remark) []Loop {
	list := []Loop{}
	for i, l := range f.out.Facts.Loops {
		if l.Count.Exact() == 1 || l.Last >= len(f.lines) { // it does not repeat
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

// conditionOf returns the position of the condition that ends a loop: of its branch back, or of its first break.
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
