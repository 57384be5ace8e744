// SPDX-License-Identifier: MIT

package spirv_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example/core/interp"
	"jacquard.example/core/spirv"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/generated/kind"
	"jacquard.example/tests/oracle"
)

// A random program of nested control flow over four integers. It is printed as GLSL and also run here, so that the
// shader that the reader produces can be compared.

type machine struct {
	v, w  [4]uint32
	steps int
	done  bool // returned
	brk   bool
	cont  bool
}

// stmt is a statement: its text, and its effect on the machine.
type stmt struct {
	text string
	run  func(m *machine)
}

type gen struct {
	*rand.Rand
	loops int
}

const maxSteps = 100000

func block(ss []stmt) stmt {
	var b strings.Builder
	b.WriteString("{\n")
	for _, s := range ss {
		b.WriteString(s.text)
	}
	b.WriteString("}\n")
	return stmt{text: b.String(), run: func(m *machine) {
		for _, s := range ss {
			if s.run(m); m.done || m.brk || m.cont {
				return
			}
		}
	}}
}

func (g *gen) assign() stmt {
	i, j, k := g.IntN(4), g.IntN(4), uint32(g.IntN(9)+1)
	switch g.IntN(5) {
	case 3:
		return stmt{text: fmt.Sprintf("w[v%d & 3u] += v%d;\n", i, j), run: func(m *machine) { m.steps++; m.w[m.v[i]&3] += m.v[j] }}
	case 4:
		return stmt{text: fmt.Sprintf("v%d += w[%d];\n", i, j), run: func(m *machine) { m.steps++; m.v[i] += m.w[j] }}
	case 0:
		return stmt{text: fmt.Sprintf("v%d += v%d * %du;\n", i, j, k), run: func(m *machine) { m.steps++; m.v[i] += m.v[j] * k }}
	case 1:
		return stmt{text: fmt.Sprintf("v%d = v%d ^ (v%d >> %du);\n", i, i, j, k),
			run: func(m *machine) { m.steps++; m.v[i] ^= m.v[j] >> k }}
	}
	return stmt{text: fmt.Sprintf("v%d = v%d + %du;\n", i, j, k), run: func(m *machine) { m.steps++; m.v[i] = m.v[j] + k }}
}

func (g *gen) cond() (string, func(m *machine) bool) {
	i, n, k := g.IntN(4), uint32(g.IntN(3)+2), uint32(g.IntN(2))
	return fmt.Sprintf("(v%d %% %du == %du)", i, n, k), func(m *machine) bool { return m.v[i]%n == k }
}

// body generates up to n statements. inLoop and inSwitch select the jumps that are possible.
func (g *gen) body(depth int, inLoop, inSwitch bool) stmt {
	var ss []stmt
	for range 1 + g.IntN(3) {
		ss = append(ss, g.stmt(depth, inLoop, inSwitch))
	}
	return block(ss)
}

func (g *gen) stmt(depth int, inLoop, inSwitch bool) stmt {
	if depth == 0 {
		return g.assign()
	}
	switch g.IntN(9) {
	case 0, 1:
		c, f := g.cond()
		a := g.body(depth-1, inLoop, inSwitch)
		if g.IntN(2) == 0 {
			return stmt{text: "if " + c + " " + a.text, run: func(m *machine) {
				if f(m) {
					a.run(m)
				}
			}}
		}
		b := g.body(depth-1, inLoop, inSwitch)
		return stmt{text: "if " + c + " " + a.text + " else " + b.text, run: func(m *machine) {
			if f(m) {
				a.run(m)
			} else {
				b.run(m)
			}
		}}
	case 2, 3:
		return g.loop(depth)
	case 4:
		return g.switchStmt(depth, inLoop)
	case 5, 6:
		return g.jump(inLoop, inSwitch)
	}
	return g.assign()
}

func (g *gen) jump(inLoop, inSwitch bool) stmt {
	c, f := g.cond()
	switch {
	case inLoop && g.IntN(2) == 0:
		return stmt{text: "if " + c + " continue;\n", run: func(m *machine) { m.cont = m.cont || f(m) }}
	case (inLoop || inSwitch) && g.IntN(4) != 0:
		return stmt{text: "if " + c + " break;\n", run: func(m *machine) { m.brk = m.brk || f(m) }}
	case g.IntN(4) == 0:
		return stmt{text: "if " + c + " return;\n", run: func(m *machine) { m.done = m.done || f(m) }}
	}
	return g.assign()
}

func (g *gen) loop(depth int) stmt {
	g.loops++
	n := g.loops
	trips := uint32(g.IntN(4) + 1)
	a := g.body(depth-1, true, false)
	c, f := g.cond()
	again := func(m *machine) bool { // true: leave
		m.cont = false
		if m.brk {
			m.brk = false
			return true
		}
		return m.done || m.steps > maxSteps
	}
	switch g.IntN(3) {
	case 0:
		return stmt{text: fmt.Sprintf("for (uint i%d = 0u; i%d < %du; i%d++) %s", n, n, trips, n, a.text), run: func(m *machine) {
			for i := uint32(0); i < trips; i++ {
				if a.run(m); again(m) {
					return
				}
			}
		}}
	case 1:
		return stmt{text: fmt.Sprintf("uint i%d = 0u;\ndo %s while (i%d++ < %du && %s);\n", n, a.text, n, trips, c), run: func(m *machine) {
			for i := uint32(0); ; i++ {
				if a.run(m); again(m) || i >= trips || !f(m) {
					return
				}
			}
		}}
	}
	return stmt{text: fmt.Sprintf("uint i%d = 0u;\nwhile (%s || i%d < %du) { if (i%d++ > %du) break;\n%s}\n", n, c, n, trips, n,
		trips+2, a.text), run: func(m *machine) {
		for i := uint32(0); f(m) || i < trips; {
			i++
			if i-1 > trips+2 {
				return
			}
			if a.run(m); again(m) {
				return
			}
		}
	}}
}

func (g *gen) switchStmt(depth int, inLoop bool) stmt {
	i, n := g.IntN(4), g.IntN(4)+1
	var b strings.Builder
	fmt.Fprintf(&b, "switch (v%d %% %du) {\n", i, n+1)
	def := g.IntN(n + 2) // position of the default; n+1 if nowhere
	type arm struct {
		body  stmt
		brk   bool
		label int // -1 means default
	}
	var arms []arm
	for k := range n + 1 {
		label := k
		if k == def {
			label = -1
			b.WriteString("default: ")
		} else {
			fmt.Fprintf(&b, "case %du: ", k)
		}
		a := arm{body: g.body(depth-1, inLoop, true), brk: g.IntN(3) != 0 || k == n, label: label}
		b.WriteString(a.body.text)
		if a.brk {
			b.WriteString("break;\n")
		}
		arms = append(arms, a)
	}
	b.WriteString("}\n")
	return stmt{text: b.String(), run: func(m *machine) {
		x := int(m.v[i] % uint32(n+1))
		at := -1
		for k, a := range arms {
			if a.label == x {
				at = k
			}
		}
		if at < 0 {
			for k, a := range arms {
				if a.label < 0 {
					at = k
				}
			}
		}
		if at < 0 {
			return
		}
		for _, a := range arms[at:] {
			a.body.run(m)
			if m.brk {
				m.brk = false
				return
			}
			if m.done || m.cont || a.brk {
				return
			}
		}
	}}
}

const lanes = 16

func (g *gen) program() (string, [lanes]uint32, bool) {
	body := g.body(4, false, false)
	src := "#version 450\nlayout(local_size_x = 16) in;\nlayout(set = 0, binding = 0) buffer B { uint b[]; };\n" +
		"uint v0, v1, v2, v3;\nuint w[4] = uint[](1u, 2u, 3u, 4u);\nvoid f() " + body.text +
		"void main() {\nuint i = gl_LocalInvocationIndex;\nv0 = i; v1 = i * 7u; v2 = i ^ 5u; v3 = 3u;\nf();\n" +
		"b[i] = v0 + 3u * v1 + 5u * v2 + 7u * v3;\n}\n"
	var want [lanes]uint32
	for i := range uint32(lanes) {
		m := &machine{v: [4]uint32{i, i * 7, i ^ 5, 3}, w: [4]uint32{1, 2, 3, 4}}
		if body.run(m); m.steps > maxSteps {
			return "", want, false
		}
		want[i] = m.v[0] + 3*m.v[1] + 5*m.v[2] + 7*m.v[3]
	}
	return src, want, true
}

// TestControlFlow compares random programs, plain and rewritten, with their execution here.
func TestControlFlow(t *testing.T) {
	oracle.Need(t, "glslangValidator")
	oracle.Need(t, "spirv-opt")
	count := 24
	if os.Getenv("FLOW") != "" {
		fmt.Sscan(os.Getenv("FLOW"), &count)
	}
	for seed := range count {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			var (
				src  string
				want [lanes]uint32
				ok   bool
			)
			for try := uint64(1); !ok; try++ { // skip programs that run too long
				g := &gen{Rand: rand.New(rand.NewPCG(uint64(seed), try))}
				src, want, ok = g.program()
			}
			module, err := oracle.GLSL(t, "comp", []byte(src))
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range rewrites {
				m := module
				if w.args != nil {
					dir := t.TempDir()
					in, out := filepath.Join(dir, "in.spv"), filepath.Join(dir, "out.spv")
					if err := os.WriteFile(in, module, 0o666); err != nil {
						t.Fatal(err)
					}
					if _, _, err := oracle.Run(t, "spirv-opt", nil, append(w.args, in, "-o", out)...); err != nil {
						continue
					}
					if m, err = os.ReadFile(out); err != nil {
						t.Fatal(err)
					}
					if oracle.Validate(t, m, "") != nil {
						continue // a bug in spirv-opt
					}
				}
				compareFlow(t, w.name, src, m, want)
			}
		})
	}
}

func compareFlow(t *testing.T, name, src string, module []byte, want [lanes]uint32) {
	t.Helper()
	s, err := spirv.Read(module, spirv.Options{Stage: kind.StageCompute})
	if err != nil {
		t.Errorf("%s: %v\n%s", name, err, src)
		return
	}
	if err := validate.Shader(s); err != nil {
		t.Errorf("%s: %v\n%s\n%s", name, err, src, text.Print(s))
		return
	}
	data := make([]byte, 4*lanes)
	call := &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 16, MaxSteps: 10_000_000, Buffers: []interp.Buffer{{Data: data}}}
	if _, err := interp.Run(t.Context(), s, call); err != nil {
		t.Errorf("%s: %v\n%s", name, err, src)
		return
	}
	for i := range want {
		if got := binary.LittleEndian.Uint32(data[4*i:]); got != want[i] {
			t.Errorf("%s: invocation %d gives %d, want %d\n%s", name, i, got, want[i], src)
			return
		}
	}
}
