package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"jacquard.example"
	"jacquard.example/generated/isa"
)

// Hint is a change that may make a shader faster, and the fact that it follows from.
type Hint struct {
	Kind string `json:"kind"` // one of the names below
	jacquard.Position
	Text string `json:"text"`
}

// The kinds of hints.
const (
	HintArray  = "array_in_scratch"
	HintSpill  = "spills"
	HintWidth  = "width"
	HintShared = "shared_memory"
	HintGroup  = "workgroup_size"
	HintIdle   = "idle_lanes"
	HintLoop   = "loop_of_unknown_count"
	HintDivide = "division"
	HintLoads  = "single_loads"
)

// Shares of the cycles from which something is worth a hint, and by how much another width must be better.
const (
	worthHint  = 0.15
	betterThan = 0.9
	manyLoads  = 3    // messages of a line
	mostArray  = 2048 // bytes of an array in all lanes of a thread: half of the registers
)

// hinters derive hints from a report, the most rewarding first.
var hinters = []func(*Report) []Hint{spillHints, arrayHints, lineHints, loopHints, widthHints, sharedHints, groupHints}

func hints(x *Report) []Hint {
	list := []Hint{}
	for _, of := range hinters {
		list = append(list, of(x)...)
	}
	return list
}

func hint(kind string, at jacquard.Position, format string, args ...any) []Hint {
	return []Hint{{kind, at, fmt.Sprintf(format, args...)}}
}

// spillHints is about values in scratch memory: where most are live there is too much at once.
func spillHints(x *Report) []Hint {
	cycles, messages := 0, 0
	places := map[jacquard.Position]int{}
	for _, s := range x.Spilled {
		cycles += s.Cycles
		messages += s.Stores + s.Fills
		places[s.Peak.Position] += s.Stores + s.Fills
	}
	if messages == 0 {
		return narrowed(x)
	}
	at := jacquard.Position{}
	for i := range x.Spilled {
		if p := x.Spilled[i].Peak.Position; p.Line != 0 && places[p] > places[at] || at.Line == 0 {
			at = p
		}
	}
	where := ""
	if at.Line != 0 {
		where = fmt.Sprintf(", most of them around line %d", at.Line)
	}
	return hint(HintSpill, at, "%s for spilled values take %s of the cycles%s, and what they fill is waited for: with fewer values in use at once, such as fewer elements of an array "+
		"or values that are computed where they are used, there are fewer", count(messages, "message"), percent(cycles, x.chosen().Cycles), where)
}

// narrowed is about values that fit because there are only eight lanes: more would spill.
func narrowed(x *Report) []Hint {
	for i := range x.Widths {
		if v := &x.Widths[i]; x.Width.Reason == jacquard.WidthSpills && v.SIMD > x.Width.SIMD && v.Spills > 0 {
			return hint(HintSpill, x.Peak.Position, "SIMD%d spills, so threads have %d lanes: with fewer values in use at once than the %d registers' around %s, such as fewer "+
				"elements of an array or values that are computed where they are used, they could have %d", v.SIMD, x.Width.SIMD, x.Peak.Registers, x.at(x.Peak.Position), v.SIMD)
		}
	}
	return nil
}

// arrayHints is about arrays that an index puts into scratch memory.
func arrayHints(x *Report) (list []Hint) {
	for _, a := range x.Arrays {
		if a.Varying == 0 || a.Bytes*x.chosen().SIMD > mostArray {
			continue
		}
		name, index, at := "an array", "an index", jacquard.Position{}
		if a.Name != "" {
			name = "array " + a.Name
		}
		if len(a.Indexed) > 0 {
			index, at = "the index at "+lines(a.Indexed), a.Indexed[0]
		}
		list = append(list, hint(HintArray, at, "%s, %d bytes a lane, is in scratch memory because %s is not constant: "+
			"with constant indices, such as the counters of loops that are fully unrolled, its elements are in registers", name, a.Bytes, index)...)
	}
	return list
}

// lineHints is about lines that divide integers, or load elements one by one.
func lineHints(x *Report) (list []Hint) {
	total := x.chosen().Cycles
	for _, l := range x.Lines {
		at, s := jacquard.Position{File: l.File, Line: l.Line}, x.sums[place{l.File, l.Line}]
		if l.Line == 0 {
			continue
		}
		if worth(s.divides, total) {
			list = append(list, hint(HintDivide, at, "integer division at line %d takes %s of the cycles: a divisor that is constant, or constant "+
				"after specialization, costs a multiplication or a shift", l.Line, percent(s.divides, total))...)
		}
		if s.single >= manyLoads && 4*s.single >= x.chosen().Sends {
			list = append(list, hint(HintLoads, at, "%d of the %s are loads of one component a lane at line %d: what an invocation loads that is next to "+
				"each other, as a vector or a structure, takes one message for up to four components", s.single, count(x.chosen().Sends, "message"), l.Line)...)
		}
	}
	return list
}

// loopHints is about loops whose iterations could not be counted.
func loopHints(x *Report) (list []Hint) {
	for _, l := range x.Loops {
		if l.Trips == 0 && worth(l.Cycles, x.chosen().Cycles) {
			loop := "a loop"
			if l.Line != 0 {
				loop = fmt.Sprintf("the loop at line %d", l.Line)
			}
			list = append(list, hint(HintLoop, l.Position, "%s, estimated at %s of the cycles for %d iterations, has no known count: "+
				"with constant bounds, or ones constant after specialization, it can be unrolled", loop, percent(l.Cycles, x.chosen().Cycles), l.Assumed)...)
		}
	}
	return list
}

// widthHints is about fewer lanes that spill less and cost less. Those of more lanes would often be estimated at fewer
// cycles a lane, but a thread that waits leaves its execution unit to others, and then the gain is mostly gone.
func widthHints(x *Report) []Hint {
	now := x.chosen()
	for i := range x.Widths {
		if v := &x.Widths[i]; v.Error == "" && v.SIMD < now.SIMD && v.Spills+v.Fills < now.Spills+now.Fills && v.CyclesPerLane < betterThan*now.CyclesPerLane {
			return hint(HintWidth, jacquard.Position{}, "SIMD%d spills less: %.1f cycles a lane are estimated instead of %.1f; a required subgroup size of %d, or --simd %d, asks for it",
				v.SIMD, v.CyclesPerLane, now.CyclesPerLane, v.SIMD, v.SIMD)
		}
	}
	return nil
}

// sharedHints is about shared memory that leaves threads of a subslice unused.
func sharedHints(x *Report) []Hint {
	v := x.chosen()
	t := &v.Threads
	if t.Limit != LimitShared {
		return nil
	}
	device := deviceNamed(x.Device.Name)
	for shared := allocated(v.Shared) / 2; shared >= leastShared; shared /= 2 {
		less := ThreadsOn(device, t.Group, shared, v.Scratch, slices.ContainsFunc(t.Limits, func(l Limit) bool { return l.Name == LimitBarriers }))
		if less.Limit != LimitShared || shared == leastShared {
			return hint(HintShared, jacquard.Position{}, "%d bytes of shared memory of a workgroup let %d of the %d threads of a subslice run: at most %d bytes would let %d",
				v.Shared, t.Fit, t.Room, shared, less.Fit)
		}
	}
	return nil
}

// groupHints is about workgroups that do not fill threads, or subslices.
func groupHints(x *Report) (list []Hint) {
	v := x.chosen()
	t := &v.Threads
	if x.Stage != "compute" {
		return nil
	}
	size := int(x.local[0] * x.local[1] * x.local[2])
	if idle := t.Group*v.SIMD - size; idle*8 >= t.Group*v.SIMD {
		list = hint(HintIdle, jacquard.Position{}, "workgroups of %d invocations leave %d of %d lanes idle: a multiple of %d leaves none", size, idle, t.Group*v.SIMD, v.SIMD)
	}
	if t.Limit != LimitWhole {
		return list
	}
	for group := t.Group - 1; group > 0; group-- {
		if fit := t.Room / group * group; fit > t.Fit && group*2 >= t.Group {
			return append(list, hint(HintGroup, jacquard.Position{}, "workgroups of %d threads let %d of the %d threads of a subslice run: with %d threads, %d invocations, %d could",
				t.Group, t.Fit, t.Room, group, group*v.SIMD, fit)...)
		}
	}
	return list
}

func deviceNamed(name string) *isa.Device {
	for i := range isa.Devices {
		if isa.Devices[i].Name == name {
			return &isa.Devices[i]
		}
	}
	return nil
}

func worth(cycles, total int) bool { return float64(cycles) >= worthHint*float64(max(total, 1)) }

func percent(cycles, total int) string {
	return fmt.Sprintf("%.0f %%", 100*float64(cycles)/float64(max(total, 1)))
}

// count returns "1 message", "2 messages".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// lines returns for example "line 7" or "lines 7, 9".
func lines(list []jacquard.Position) string {
	var words []string
	for _, p := range list[:min(len(list), 4)] {
		words = append(words, strconv.Itoa(p.Line))
	}
	if len(list) > 4 {
		words = append(words, "…")
	}
	if len(list) == 1 {
		return "line " + words[0]
	}
	return "lines " + strings.Join(words, ", ")
}
