// SPDX-License-Identifier: MIT

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/table"
)

// Limits of the generator for any input: times the CPU time that it takes for defs alone, and bytes of memory.
const (
	longest = 5
	largest = 2 << 30
)

func times(n int, s string) string { return strings.Repeat(s, n) }

func rows(n int, row func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(row(i))
	}
	return b.String()
}

// numbers returns a list of n numbers.
func numbers(n int) string {
	return "[" + strings.TrimSuffix(rows(n, func(i int) string { return fmt.Sprint(i, ", ") }), ", ") + "]"
}

// bounds are tables that could take hours or all memory, and their errors;
// "" if they are accepted.
var bounds = []struct{ name, dir, text, says string }{
	{"dotted key", "algebraic", "[rule.x]\nfind" + times(300_000, ".a") + ` = "(iadd a 0)"`, `own.toml:2:1: error: a key of more than 16 parts`},
	{"dotted header", "algebraic", "[rule" + times(300_000, ".a") + "]", `own.toml:1:1: error: a key of more than 16 parts`},
	{"lists in lists", "algebraic", "[rule.x]\nfor = " + times(300_000, "[") + times(300_000, "]"), `own.toml:2:1: error: brackets nested more than 16 deep`},
	{"tables in tables", "ir", "[enum.x]\nvalues = " + times(300_000, "{a=") + "1" + times(300_000, "}"), `own.toml:2:1: error: brackets nested more than 16 deep`},
	{"pattern", "algebraic", "[rule.x]\nfind = \"" + times(300_000, "(fneg ") + "a" + times(300_000, ")") + "\"\nreplace = \"a\"", `own.toml:2:1: error: a string of 2100003 bytes; at most 4096 are read`},
	{"short deep pattern", "algebraic", "[rule.x]\nfind = \"" + times(500, "(fneg ") + "a" + times(500, ")") + "\"\nreplace = \"a\"", `own.toml:2:153: error: [rule.x] find: instructions nested more than 24 deep`},
	{"large pattern", "algebraic", "[rule.x]\nfind = \"(iadd a b)\"\nreplace = \"(bcsel true " + times(9, "(iadd (iadd (iadd (iadd a b) (iadd a b)) (iadd (iadd a b) (iadd a b))) ") + "a" + times(9, ")") + " a)\"", `own.toml:3:579: error: [rule.x] replace: more than 64 instructions`},
	{"all orders", "algebraic", "[rule.x]\nfind = \"" + times(12, "(iadd ") + "a" + times(12, " a)") + "\"\nreplace = \"a\"", `own.toml:2:8: error: [rule.x] find: 12 commutative instructions; at most 8 are possible`},
	{"pattern of a selection row", "intel/select", "[select.x]\nfind = \"" + times(400, "(fneg ") + "a" + times(400, ")") + "\"\nemit = [\"mov dst:f a:f\"]", `own.toml:2:153: error: [select.x] find: instructions nested more than 24 deep`},
	{"orders of a selection row", "intel/select", "[select.x]\nfind = \"" + times(12, "(iadd ") + "a" + times(12, " a)") + "\"\nemit = [\"mov dst:d a:d\"]", `own.toml:2:8: error: [select.x] find: 12 commutative instructions; at most 8 are possible`},
	{"rounds", "algebraic", "[rule.x]\nfor = { A = " + numbers(6000) + ", B = " + numbers(6000) + " }\nfind = \"(iadd@32 $A $B)\"\nreplace = \"0\"", `own.toml:2:7: error: [rule.x] for: 36000000 rounds; at most 1024 are possible`},
	{"rounds of selection", "intel/select", "[select.x]\nfor = { A = " + numbers(6000) + ", B = " + numbers(6000) + " }\nfind = \"(iadd@32 a b)\"\nemit = [\"add:d dst a $A\"]", `own.toml:2:7: error: [select.x] for: 36000000 rounds; at most 1024 are possible`},
	{"rounds of intrinsics", "intrinsics", "[intrinsic.x]\nfor = { A = " + numbers(6000) + ", B = " + numbers(6000) + " }\ndoc = \"X.\"", `own.toml:2:7: error: [intrinsic.x] for: 36000000 rounds; at most 1024 are possible`},
	{"text by rounds", "algebraic", "[rule.x]\nfor = { A = [\"" + times(4000, "a") + "\"] }\nfind = \"(iadd " + times(1000, "$A ") + ")\"\nreplace = \"0\"", `own.toml:3:8: error: [rule.x/A=` + times(4000, "a") + `] find: is more than 4096 bytes long with the values of "for" substituted`},
	{"options", "algebraic", "[rule.x]\nfind = \"(iadd a 0)\"\nreplace = \"a\"\nwhen = \"" + strings.Join([]string{"lower_fsub", "lower_isub", "lower_fdiv", "lower_fmod", "lower_fpow", "lower_flrp", "lower_fsign"}, " && ") + "\"", `own.toml:4:8: error: [rule.x] when: names 7 options; at most 6 are possible`},
	{"a large file", "algebraic", times(5<<17, "#######\n"), `own.toml:1:1: error: the file has 5242881 bytes; at most 4194304 are read`},
	{"20,000 rules", "algebraic", rows(20_000, distinct), ` at most 16384 are read`},
	{"10,000 rules", "algebraic", rows(10_000, distinct), ` makes more than 8192 rules`},
	{"rules that are like each other", "algebraic", rows(3000, func(i int) string {
		return fmt.Sprintf("[rule.x%d]\nfind = \"(ult (iand@32 a b:used_once) (iadd c 17))\"\nreplace = \"true\"\ngives_up = []\n", i)
	}), ` pairs with overlapping patterns; at most 500000 are compared`},
	{"5,400 rules", "algebraic", rows(5400, distinct), ""},
	{"opcodes", "opcodes", rows(8_000, func(i int) string {
		return fmt.Sprintf("[op.x%d]\ndoc = \"X.\"\nin = [\"int\", \"int\"]\nout = \"int\"\neval = \"%d * a + %d * b + 3\"\n"+
			"test = [\"(x%d@8 0 1) = %d\"]\n", i, i%100, i/100, i, i/100+3)
	}), ""},
	{"selection rows", "intel/select", rows(2000, func(i int) string {
		return fmt.Sprintf("[select.x%d]\nfind = \"(isub@32 (imul a %d) b)\"\nemit = [\"add:d dst a b\"]\n", i, i)
	}), ` makes more than 1024 rows`},
	{"eval", "opcodes", "[op.x]\ndoc = \"X.\"\nin = [\"int\"]\nout = \"int\"\ntest = [\"(x@8 1) = 4\"]\neval = \"3 + " + times(2000, "(") + "a" + times(2000, ")") + "\"", ""},
	{"functions of functions", "spirv", rows(6, func(i int) string {
		return fmt.Sprintf("[function.f%d]\nargs = 1\nto = \"%sa%s\"\n", i, times(20, fmt.Sprintf("(call f%d ", i+1)), times(20, ")"))
	}) + "[function.f6]\nargs = 1\nto = \"(fneg a)\"\n[glsl.X]\nnum = 200\nargs = 1\nto = \"(call f0 a)\"",
		`the expression and the functions that it calls have more than 4096 parts`},
}

// distinct returns a rule that is correct and unlike others.
func distinct(i int) string {
	i += 1000
	return fmt.Sprintf("[rule.x%d]\nfind = \"(ult (iand@32 a %d) %d)\"\nreplace = \"true\"\n\n", i-1000, i, i+1)
}

// childOf names, in a process that TestBounds starts, the folder of tables to
// generate from; childPart is the part of the generator to run, or "" for all.
const childOf, childPart = "JACQUARD_BOUNDS", "JACQUARD_BOUNDS_PART"

func TestMain(m *testing.M) {
	dir := os.Getenv(childOf)
	if dir == "" {
		os.Exit(m.Run())
	}
	debug.SetGCPercent(400) // as main does
	ctx := &domain.Context{Out: emit.New(), Roots: []table.Root{{Dir: "../defs", Name: "defs"}, {Dir: dir, Name: "own"}}}
	for _, p := range parts {
		if name := os.Getenv(childPart); name != "" && name != p.name {
			continue
		}
		if err := p.run(ctx); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	if err := ctx.Out.Write(filepath.Join(dir, "out")); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

// TestBounds runs the generator on excessive tables. It must end within 2 GiB and five times the CPU time that it
// takes for defs, with one error in the usual form.
func TestBounds(t *testing.T) {
	usual := regexp.MustCompile(`^own/[a-z/]+/own\.toml:\d+:\d+: error: `)
	alone := generate(t, t.TempDir(), "")
	if alone.err != nil {
		t.Fatalf("%v: %.2000s", alone.err, alone.says)
	}
	for _, b := range bounds {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			own := t.TempDir()
			file := filepath.Join(own, filepath.FromSlash(b.dir), "own.toml")
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(b.text+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			part := ""
			if b.says != "" { // preceding parts are not under test
				part = strings.Fields(partsOf[b.dir])[0]
			}
			got := generate(t, own, part)
			t.Logf("%.1f s (defs: %.1f s), %d MiB", got.spent.Seconds(), alone.spent.Seconds(), got.memory>>20)
			if got.spent > longest*alone.spent || got.memory > largest {
				t.Errorf("%v and %d MiB; the limits are %v and %d MiB", got.spent, got.memory>>20, longest*alone.spent, largest>>20)
			}
			switch {
			case b.says == "":
				if got.err != nil {
					t.Errorf("%v: %.2000s", got.err, got.says)
				}
			case got.err == nil:
				t.Error("it is taken")
			case !strings.Contains(got.says, b.says) || !usual.MatchString(got.says) || strings.Contains(got.says, "\n"):
				t.Errorf("it says\n%.500s\nand not\n%.500s", got.says, b.says)
			}
		})
	}
}

// A generation is the outcome of a run of the generator: its output, error, CPU time and peak memory.
type generation struct {
	says   string
	err    error
	spent  time.Duration
	memory int64
}

// generate runs the generator, or one part of it, in a process of its own on defs and a folder of tables.
func generate(t *testing.T, own, part string) generation {
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute) // only for a process that hangs
	defer stop()
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), childOf+"="+own, childPart+"="+part)
	out, err := cmd.CombinedOutput()
	state := cmd.ProcessState
	if state == nil {
		t.Fatal(err)
	}
	return generation{
		says:   strings.TrimSpace(string(out)),
		err:    err,
		spent:  state.UserTime() + state.SystemTime(),
		memory: int64(state.SysUsage().(*syscall.Rusage).Maxrss) << 10,
	}
}
