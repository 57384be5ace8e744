// SPDX-License-Identifier: MIT

package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"jacquard.example/backend/run/amber"
	"jacquard.example/backend/run/tools"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/sample"
)

// TestKnownCounts: the trip counts of random loops agree with the model. A loop that is left only by its
// counter must have a count, however the exit is written.
func TestKnownCounts(t *testing.T) {
	seen := 0
	machines := []*target.Target{target.TGL, target.ICL, target.SKL}
	exact, bounded := 0, 0
	unknown, repeated := 0, 0
	for seed := range uint64(countedPrograms) {
		if !sample.One(8, "counted", strconv.Itoa(int(seed))) {
			continue
		}
		seen++
		g := &loopWriter{Rand: rand.New(rand.NewPCG(seed, 28))}
		source := g.program()
		machine := machines[seed%uint64(len(machines))]
		p := profileLoops(t, source, machine, []int{8, 16, 32}[seed/3%3])
		err := p.counts(func(line string, n, most, reached, entered uint64) {
			switch {
			case n != 0:
				exact++
			case most != 0:
				bounded++
			default:
				unknown++
			}
			if n > 1 && reached > 0 {
				repeated++
			}
			if n != 0 && entered != n*reached || most != 0 && entered > most*reached {
				t.Errorf("seed %d, %s: %s: reached %d times and entered %d times\n%s", seed, machine.Name, line, reached, entered, source)
			}
			if g.plain && n == 0 {
				t.Errorf("seed %d, %s: %s: no count, but runs %d times\n%s", seed, machine.Name, line, entered, source)
			}
		})
		if err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, source)
		}
	}
	t.Logf("%d programs: %d loops with counts, of which %d repeat and are reached, %d with bounds, %d without", seen, exact, repeated,
		bounded, unknown)
	if !sample.Soaking() && (repeated < seen/2 || bounded < seen/4 || unknown < seen/10) {
		t.Errorf("%d programs: %d loops with counts, of which %d repeat and are reached, %d with bounds, %d without", seen, exact, repeated,
			bounded, unknown)
	}
}

// profileLoops runs a script of one shader.
func profileLoops(t *testing.T, source string, machine *target.Target, simd int) *profiled {
	t.Helper()
	script, err := amber.ParseIn(t.Context(), fstest.MapFS{}, "loops.amber", []byte(source))
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	var cache tools.Cache
	module, err := cache.Shader(t.Context(), "loops.amber", script.Shaders[0])
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	p, err := profile(t.Context(), &entry{name: "loops", module: module, run: running(script)}, machine, simd)
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	return p
}

// writtenLoops are loops, each with the trip counts of the loops that remain of it after unrolling, in order of their
// starts. A loop is unrolled by a factor that divides the number of its iterations.
var writtenLoops = []struct{ source, known string }{
	{"for (uint k = 0u; k < 1000u; k++) s = (s ^ (s >> 3)) * 33u + num[k & 63u];", "trips=126"}, // 8 copies, and the iteration that leaves
	{"for (uint k = 0u; k < 997u; k++) s = (s ^ (s >> 3)) * 33u + num[k & 63u];", "trips=998"},  // a prime number
	{"uint k = 0u; do s = (s ^ (s >> 3)) * 33u + num[k & 63u]; while (++k < 1000u);", "trips=125"},
	{"for (int k = 2000000000; k > -2000000000; k -= 7000000) { s ^= num[k & 63]; num[16u + id] = s; }", "trips=144"},
	{"for (uint8_t k = uint8_t(250); k != uint8_t(200); k++) { s += num[k & 63] >> (s & 3u); num[16u + id] = s; }", "trips=104"},
	{"for (float k = 0.0; k < 10.0; k += 0.0625) { s += num[uint(k)]; num[16u + id] = s; }", "trips=21"},
	{"for (uint k = 1u; k != 0u; k = k * 5u + 3u & 1023u) { s += num[k & 63u]; if (s == 12345u) break; }", "max_trips=986"},
	{"for (uint k = 0u; k < num[id]; k++) s = s * 33u + num[k & 63u];", "unknown"},
	{"for (uint k = 0u; k < 300u; k++) { for (uint j = 0u; j < k; j++) s = s * 33u + num[j & 63u]; num[16u + id] = s; }", "trips=301 unknown"},
	{"for (uint k = 0u; k < 100u; k++) { s += num[k & 63u]; if (num[s & 63u] == 200u) return; num[16u + id] = s; }", "max_trips=101"},
	{`for (uint k = 0u;; k++) {
    if ((num[(k + id) & 63u] & 1u) == 0u) {
      num[16u + id] = s;
      if ((s & 1u) == 0u) { s++; continue; }
      num[17u + id] = s;
    }
    s = s * 33u + k;
    if (k > 100u) break;
  }`, "unknown"}, // a continue may bypass the exit
	{"for (uint k = 0u; k < 3u; k++) s = s * 33u + num[k];", ""},
	{"for (uint k = 0u; k < 0u; k++) s = s * 33u + num[k];", ""},
}

// TestWrittenCounts compares the trip counts of loops with the expected ones and with the model's.
func TestWrittenCounts(t *testing.T) {
	var body strings.Builder
	var want, got []string
	for _, l := range writtenLoops {
		body.WriteString("  { " + l.source + " }\n")
		want = append(want, strings.Fields(l.known)...)
	}
	g := &loopWriter{Rand: rand.New(rand.NewPCG(1, 28))}
	p := profileLoops(t, g.script(body.String()), target.TGL, 16)
	err := p.counts(func(line string, n, most, reached, entered uint64) {
		known := "unknown"
		switch {
		case n != 0:
			known = fmt.Sprintf("trips=%d", n)
		case most != 0:
			known = fmt.Sprintf("max_trips=%d", most)
		}
		if got = append(got, known); n != 0 && entered != n*reached || most != 0 && entered > most*reached || reached == 0 {
			t.Errorf("%s: reached %d times and entered %d times", line, reached, entered)
		}
	})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v: counts %q, want %q", err, got, want)
	}
}

// countedPrograms is the number of programs that make soak runs; make test runs a sample of them.
const countedPrograms = 120

// loopWriter writes programs of loops.
type loopWriter struct {
	*rand.Rand
	out    strings.Builder
	indent string
	vars   int
	plain  bool // loops are left only by their counters, and do not depend on counters of outer loops
	loops  int
	leave  string   // code that returns from the function
	inner  []string // functions that have a loop
}

// program returns a script of one shader with several loops, none of which runs more than mostRuns
// iterations.
func (g *loopWriter) program() string {
	g.plain = g.IntN(3) == 0
	g.indent, g.leave = "  ", "return"
	for range 2 + g.IntN(6) {
		g.loop(mostRuns, 2)
	}
	return g.script(g.out.String())
}

// script returns a script of a shader with a body.
func (g *loopWriter) script(body string) string {
	var b strings.Builder
	b.WriteString(`#!amber
SHADER compute loops GLSL
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 16) in;
layout(std430, set = 0, binding = 0) buffer In { uint num[]; };
layout(std430, set = 0, binding = 1) buffer Out { uint res[]; };
uint id = gl_LocalInvocationIndex;
uint s = 7u;
`)
	for _, f := range g.inner {
		b.WriteString(f)
	}
	b.WriteString("void main() {\n" + body + "  res[id] = s;\n}\nEND\nBUFFER in DATA_TYPE uint32 DATA\n")
	for range 64 {
		fmt.Fprintf(&b, "%d ", 1+g.IntN(100))
	}
	b.WriteString(`
END
BUFFER out DATA_TYPE uint32 SIZE 16 FILL 0
PIPELINE compute p
  ATTACH loops
  BIND BUFFER in AS storage DESCRIPTOR_SET 0 BINDING 0
  BIND BUFFER out AS storage DESCRIPTOR_SET 0 BINDING 1
END
RUN p 1 1 1
`)
	return b.String()
}

const mostRuns = 400

func (g *loopWriter) line(format string, args ...any) {
	fmt.Fprintf(&g.out, g.indent+format+"\n", args...)
}

// nested writes the inside of a block.
func (g *loopWriter) nested(f func()) {
	old := g.indent
	g.indent += "  "
	f()
	g.indent = old
}

// numeric is a type for counters.
type numeric struct {
	name    string
	bits    uint
	signed  bool
	float   bool
	literal func(int64) string
}

var numerics = []numeric{
	{"int", 32, true, false, func(x int64) string { return fmt.Sprintf("int(0x%xu)", uint32(x)) }},
	{"uint", 32, false, false, func(x int64) string { return fmt.Sprintf("0x%xu", uint32(x)) }},
	{"int", 32, true, false, func(x int64) string { return fmt.Sprintf("int(0x%xu)", uint32(x)) }},
	{"uint", 32, false, false, func(x int64) string { return fmt.Sprintf("0x%xu", uint32(x)) }},
	{"int16_t", 16, true, false, func(x int64) string { return fmt.Sprintf("int16_t(%d)", int16(x)) }},
	{"uint16_t", 16, false, false, func(x int64) string { return fmt.Sprintf("uint16_t(%d)", uint16(x)) }},
	{"int8_t", 8, true, false, func(x int64) string { return fmt.Sprintf("int8_t(%d)", int8(x)) }},
	{"uint8_t", 8, false, false, func(x int64) string { return fmt.Sprintf("uint8_t(%d)", uint8(x)) }},
	{"int64_t", 64, true, false, func(x int64) string { return fmt.Sprintf("int64_t(0x%xul)", uint64(x)) }},
	{"float", 32, true, true, func(x int64) string { return fmt.Sprintf("%d.0", x) }},
}

// value returns x converted to the type.
func (n *numeric) value(x int64) int64 {
	if n.float {
		return x
	}
	if n.signed {
		return x << (64 - n.bits) >> (64 - n.bits)
	}
	return int64(uint64(x) << (64 - n.bits) >> (64 - n.bits))
}

// counter is a counter of a loop: it starts with init, becomes itself times scale plus step, and stays in
// the loop while the comparison with limit holds.
type counter struct {
	numeric
	name                     string
	init, limit, step, scale int64
	op                       string
}

// next returns the counter in the next iteration.
func (c *counter) next(x int64) int64 { return c.value(x*c.scale + c.step) }

func (c *counter) stays(x int64) bool {
	switch c.op {
	case "<":
		return x < c.limit
	case "<=":
		return x <= c.limit
	case ">":
		return x > c.limit
	case ">=":
		return x >= c.limit
	case "!=":
		return x != c.limit
	}
	return x == c.limit
}

// runs returns for how many iterations a counter that starts with x stays, at most most.
func (c *counter) runs(x int64, most int) (n int) {
	for ; n < most && c.stays(x); n++ {
		if x = c.next(x); c.float && (x < -1<<22 || x > 1<<22) {
			return most // no longer exact
		}
	}
	return n
}

// counter returns a counter that leaves a loop after fewer than most iterations.
func (g *loopWriter) counter(most int) (c counter, stays int) {
	for {
		c = counter{numeric: numerics[g.IntN(len(numerics))], scale: 1}
		pick := func() int64 {
			switch g.IntN(6) {
			case 0: // near the end of the range
				return c.value(int64(1)<<(c.bits-1) - int64(g.IntN(40)) + 10)
			case 1:
				return c.value(-int64(g.IntN(40)))
			case 2, 3:
				return c.value(int64(g.IntN(2 * most)))
			}
			return c.value(int64(g.IntN(40)))
		}
		if c.float {
			pick = func() int64 { return int64(g.IntN(200) - 100) }
		}
		c.init, c.limit = pick(), pick()
		c.step = int64(1 + g.IntN(2)*g.IntN(9))
		if g.IntN(3) == 0 {
			c.step = -c.step
		}
		if g.IntN(8) == 0 {
			c.scale = int64(2 + g.IntN(3))
		}
		c.op = []string{"<", "<=", ">", ">=", "!=", "=="}[g.IntN(6)]
		stays = max(c.runs(c.init, most), c.runs(c.next(c.init), most))
		if stays < most && (stays > 0 || g.IntN(4) == 0) {
			break
		}
	}
	g.vars++
	c.name = fmt.Sprintf("k%d", g.vars)
	return c, stays
}

// cond writes the condition for staying in the loop, or for leaving it.
func (g *loopWriter) cond(c *counter, limit string, leave bool) string {
	x, op, y := c.name, c.op, limit
	not := leave
	if !c.float || c.op == "!=" || c.op == "==" {
		if g.IntN(2) == 0 {
			op, not = map[string]string{"<": ">=", "<=": ">", ">": "<=", ">=": "<", "!=": "==", "==": "!="}[op], !not
		}
	}
	if g.IntN(3) == 0 {
		x, y = y, x
		op = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!=", "==": "=="}[op]
	}
	text := x + " " + op + " " + y
	if not {
		return "!(" + text + ")"
	}
	return text
}

// step writes how the counter changes.
func (g *loopWriter) step(c *counter) string {
	k := c.name
	switch {
	case c.scale != 1:
		return fmt.Sprintf("%s = %s(%s * %s + %s)", k, c.numeric.name, k, c.literal(c.scale), c.literal(c.step))
	case c.step == 1 && g.IntN(2) == 0 && !c.float:
		return k + "++"
	case c.step < 0 && g.IntN(2) == 0:
		return fmt.Sprintf("%s -= %s", k, c.literal(-c.step))
	}
	return fmt.Sprintf("%s += %s", k, c.literal(c.step))
}

// loop writes a loop of at most most iterations, with at most depth levels of loops inside.
func (g *loopWriter) loop(most, depth int) {
	g.loops++
	c, stays := g.counter(most)
	limit := c.literal(c.limit)
	if !g.plain && !c.float && c.bits == 32 && g.IntN(8) == 0 { // the limit is an input
		limit = fmt.Sprintf("%s(0x%xu + num[0] - num[0])", c.numeric.name, uint32(c.limit))
		if g.IntN(2) == 0 {
			limit = fmt.Sprintf("%s(0x%xu + (num[id] & 0u))", c.numeric.name, uint32(c.limit))
		}
	}
	within := most / (stays + 2)
	shape := g.IntN(4)
	g.line("%s %s = %s;", c.numeric.name, c.name, c.literal(c.init))
	step := g.step(&c)
	switch shape {
	case 0:
		g.line("for (; %s; %s) {", g.cond(&c, limit, false), step)
		g.nested(func() { g.body(&c, within, depth, "") })
		g.line("}")
	case 1:
		g.line("while (%s) {", g.cond(&c, limit, false))
		g.nested(func() { g.body(&c, within, depth, step+"; "); g.line("%s;", step) })
		g.line("}")
	case 2:
		g.line("do {")
		g.nested(func() { g.line("%s;", step); g.body(&c, within, depth, "") })
		g.line("} while (%s);", g.cond(&c, limit, false))
	case 3:
		g.line("for (;;) {")
		g.nested(func() {
			before := step + "; "
			if c.op == "!=" || c.scale != 1 {
				before = "s++; if (s != 0u) break; " // the counter would not stop beyond its limit
			}
			g.body(&c, within, depth, before)
			g.line("if (%s) break;", g.cond(&c, limit, true))
			g.body(&c, within, 0, step+"; ")
			g.line("%s;", step)
		})
		g.line("}")
	}
}

// body writes the body of a loop; before must precede every continue.
func (g *loopWriter) body(c *counter, most, depth int, before string) {
	k := fmt.Sprintf("uint(%s)", c.name)
	for range 1 + g.IntN(3) {
		switch r := min(g.IntN(21), 16); {
		case r < 3:
			g.line("s = s * 33u + %s;", k)
		case r < 5:
			g.line("s += num[%s & 63u];", k)
		case r < 6:
			g.line("s = uint(sin(float(s & 255u)) * 100.0) + %s;", k)
		case r < 7:
			g.line("if ((num[(%s + id) & 63u] & 3u) == 0u) s ^= %s; else s -= 5u;", k, k)
		case r < 8:
			g.line("num[16u + id] = s;")
		case r < 11:
			if depth > 0 && most > 3 {
				g.loop(most, depth-1)
			}
		case g.plain:
			g.line("s += s >> 3;")
		case r < 12:
			g.line("if (num[id] == %s) %s;", k, []string{"break", "break", g.leave}[g.IntN(3)])
		case r < 13:
			g.line("if (s %% 7u == 3u) { s++; %scontinue; }", before)
		case r < 14:
			g.line("if (uint(%s) == 5u) { s += 3u; %scontinue; }", c.name, before)
		case r < 15:
			if depth > 0 && most > 20 {
				g.vars++
				j := fmt.Sprintf("j%d", g.vars)
				g.line("for (uint %s = 0u; %s < (%s & 15u); %s++) s = s * 5u + %s;", j, j, k, j, j)
			}
		case r < 16:
			if depth > 0 && most > 20 {
				g.call(most, depth-1, k)
			}
		default:
			g.line("if (num[num[id] & 63u] == %s) break;", k)
		}
	}
}

// call writes a call of a function that has a loop.
func (g *loopWriter) call(most, depth int, k string) {
	g.vars++
	name := fmt.Sprintf("f%d", g.vars)
	outer := g.out
	g.out = strings.Builder{}
	indent, leave := g.indent, g.leave
	g.indent, g.leave = "  ", "return n"
	g.loop(most, depth)
	text := g.out.String()
	g.inner = append(g.inner, fmt.Sprintf("uint %s(uint n) {\n%s  return s ^ n;\n}\n", name, text))
	g.out, g.indent, g.leave = outer, indent, leave
	g.line("s += %s(%s);", name, k)
}
