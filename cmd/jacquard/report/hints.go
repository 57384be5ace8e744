// SPDX-License-Identifier: MIT

package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"jacquard.example"
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

// Thresholds of hints.
const (
	worthHint  = 0.15 // share of the cycles
	betterThan = 0.9  // cycles per lane at another width, relative to the chosen one
	manyLoads  = 3    // loads of one component at a line
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

// spillHints suggests keeping fewer values live around the pressure peak with the most spill messages. If there are
// no spill messages, it is like narrowed.
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
		if p := x.Spilled[i].Peak.Position; p.Line != 0 && (at.Line == 0 || places[p] > places[at]) {
			at = p
		}
	}
	where := ""
	if at.Line != 0 {
		where = fmt.Sprintf(", %d of them around %s", places[at], x.at(at))
	}
	return hint(HintSpill, at, "%s for spilled values take %s of the cycles%s, since instructions wait for fills: to spill "+
		"less, keep fewer "+
		"values live at once, for example fewer elements of an array, or compute values where they are used",
		count(messages, "message"), percent(cycles, x.chosen().Cycles), where)
}

// narrowed suggests lower register pressure if the chosen width is narrow because a wider variant spills.
func narrowed(x *Report) []Hint {
	where := ""
	if x.Peak.Line != 0 {
		where = " around " + x.at(x.Peak.Position)
	}
	for i := range x.Widths {
		if v := &x.Widths[i]; x.Width.Reason == jacquard.WidthSpills && v.SIMD > x.Width.SIMD && v.Spills > 0 {
			return hint(HintSpill, x.Peak.Position,
				"SIMD%d spills, so the shader runs at SIMD%d, where at most %d registers are live: to run at SIMD%d, keep fewer values "+
					"live at once%s, for example fewer elements of an array, or compute values where they are used",
				v.SIMD, x.Width.SIMD, x.Peak.Registers, v.SIMD, where)
		}
	}
	return nil
}

// arrayHints suggests constant indices for arrays that are in scratch memory because of other indices.
func arrayHints(x *Report) (list []Hint) {
	for _, a := range x.Arrays {
		if a.Varying == 0 || a.Bytes*x.chosen().SIMD > mostArray {
			continue
		}
		name, index, at := "an array", "an index", jacquard.Position{}
		cause := "is not constant"
		if a.Name != "" {
			name = "array " + a.Name
		}
		if len(a.Indexed) > 0 {
			index, at = "the index at "+lines(a.Indexed), a.Indexed[0]
		}
		if why := counted(&a); why != "" {
			cause += ", since " + why
		}
		list = append(list, hint(HintArray, at, "%s, %d bytes per lane, is in scratch memory because %s %s: "+
			"with constant indices, such as the counters of loops that are fully unrolled, its elements are in registers",
			name, a.Bytes, index, cause)...)
	}
	return list
}

// counted returns the reason why indices of an array are not constant, if that is known for all of them: they are
// computed from counters of loops.
func counted(a *jacquard.Array) string {
	switch {
	case a.Varying == 0 || a.Counted < a.Varying:
		return ""
	case len(a.Loops) == 1:
		return fmt.Sprintf("the loop at %s was not fully unrolled", lines(a.Loops))
	case len(a.Loops) > 1:
		return fmt.Sprintf("the loops at %s were not fully unrolled", lines(a.Loops))
	}
	return "a loop was not fully unrolled"
}

// lineHints suggests changes to lines that divide integers, or load adjacent components one by one.
func lineHints(x *Report) (list []Hint) {
	total := x.chosen().Cycles
	for _, l := range x.Lines {
		at, line := jacquard.Position{File: l.File, Line: l.Line}, place{l.File, l.Line}
		if l.Line == 0 {
			continue
		}
		if divides := x.sums[line].divides; worth(divides, total) {
			list = append(list, hint(HintDivide, at,
				"integer division at %s takes %s of the cycles: a divisor that is constant, or constant "+
					"after specialization, costs a multiplication or a shift", x.at(at), percent(divides, total))...)
		}
		if n := x.adjacent[line]; n >= manyLoads && 4*n >= x.chosen().Sends {
			list = append(list, hint(HintLoads, at, "%d of the %s load adjacent components one by one at %s: if an invocation "+
				"loads them together, as a vector or a structure, one message loads up to four",
				n, count(x.chosen().Sends, "message"), x.at(at))...)
		}
	}
	return list
}

// loopHints suggests constant bounds for loops with an unknown trip count.
func loopHints(x *Report) (list []Hint) {
	for _, l := range x.Loops {
		if l.Trips == 0 && worth(l.Cycles, x.chosen().Cycles) {
			loop := "a loop"
			if l.Line != 0 {
				loop = "the loop at " + x.at(l.Position)
			}
			list = append(list, hint(HintLoop, l.Position,
				"%s has an unknown trip count; assuming %d iterations, it takes an estimated %s "+
					"of the cycles: with bounds that are constant, or constant after specialization, it can be unrolled",
				loop, l.Assumed, percent(l.Cycles, x.chosen().Cycles))...)
		}
	}
	return list
}

// widthHints suggests a narrower width that spills less and costs less. It never suggests a wider one: its estimate is
// often lower per lane, but while a thread waits, other threads use its execution unit, which removes most of the gain.
func widthHints(x *Report) []Hint {
	now := x.chosen()
	for i := range x.Widths {
		v := &x.Widths[i]
		less := v.Error == "" && v.SIMD < now.SIMD && v.Spills+v.Fills < now.Spills+now.Fills
		if less && v.CyclesPerLane < betterThan*now.CyclesPerLane {
			return hint(HintWidth, jacquard.Position{}, "SIMD%d spills less: an estimated %.1f cycles per lane instead of %.1f; "+
				"select it with a required subgroup size of %d, or with --simd %d",
				v.SIMD, v.CyclesPerLane, now.CyclesPerLane, v.SIMD, v.SIMD)
		}
	}
	return nil
}

// sharedHints suggests less shared memory if its size limits how many threads run on a subslice.
func sharedHints(x *Report) []Hint {
	v := x.chosen()
	t := &v.Threads
	if t.Limit != LimitShared {
		return nil
	}
	barrier := slices.ContainsFunc(t.Limits, func(l Limit) bool { return l.Name == LimitBarriers })
	for shared := allocated(v.Shared) / 2; shared >= leastShared; shared /= 2 {
		less := ThreadsOn(x.device, t.Group, shared, v.Scratch, barrier)
		if less.Limit != LimitShared || shared == leastShared {
			return hint(HintShared, jacquard.Position{},
				"with %d bytes of shared memory per workgroup, %d of the %d threads of a subslice can run: "+
					"with at most %d bytes, %d could",
				v.Shared, t.Fit, t.Room, shared, less.Fit)
		}
	}
	return nil
}

// groupHints suggests another workgroup size if workgroups leave lanes or threads of a subslice idle.
func groupHints(x *Report) (list []Hint) {
	v := x.chosen()
	t := &v.Threads
	if x.Stage != string(jacquard.Compute) {
		return nil
	}
	size := int(x.local[0] * x.local[1] * x.local[2])
	if idle := t.Group*v.SIMD - size; idle*8 >= t.Group*v.SIMD {
		list = hint(HintIdle, jacquard.Position{}, "workgroups of %d invocations leave %d of %d lanes idle: a multiple of %d leaves none",
			size, idle, t.Group*v.SIMD, v.SIMD)
	}
	if t.Limit != LimitWhole {
		return list
	}
	for group := t.Group - 1; group > 0; group-- {
		if fit := t.Room / group * group; fit > t.Fit && group*2 >= t.Group {
			return append(list, hint(HintGroup, jacquard.Position{},
				"with workgroups of %d threads, %d of the %d threads of a subslice can run: "+
					"with workgroups of %d threads (%d invocations), %d could",
				t.Group, t.Fit, t.Room, group, group*v.SIMD, fit)...)
		}
	}
	return list
}

func worth(cycles, total int) bool { return float64(cycles) >= worthHint*float64(max(total, 1)) }

func percent(cycles, total int) string { return percentOf(float64(cycles) / float64(max(total, 1))) }

// count returns "1 message", "2 messages".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// lines names the lines of up to four positions: "line 7", "lines 7, 9 and 11", "lines 7, 9, 11, 12 and others".
func lines(list []jacquard.Position) string {
	var words []string
	for _, p := range list[:min(len(list), 4)] {
		words = append(words, strconv.Itoa(p.Line))
	}
	if len(list) == 1 {
		return "line " + words[0]
	}
	if len(list) > 4 {
		words = append(words, "others")
	}
	last := len(words) - 1
	return "lines " + strings.Join(words[:last], ", ") + " and " + words[last]
}
