// SPDX-License-Identifier: MIT

package opcodes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/table"
)

// load reads one table from text.
func load(t *testing.T, text string) (*Table, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "opcodes"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "opcodes", "t.toml"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return Load(&domain.Context{Roots: []table.Root{{Dir: dir, Name: "defs"}}, Out: emit.New()})
}

// change returns a valid row with some of its lines replaced; the keys are in
// lines 2 to 7.
func change(lines ...string) string {
	row := []string{
		`[op.iadd]`,
		`doc   = "Sum."`,
		`in    = ["int", "int"]`,
		`out   = "int"`,
		`props = ["commutative"]`,
		`eval  = "a + b"`,
		`test  = ["(iadd@8 1 2) = 3"]`,
	}
	for _, l := range lines {
		key, _, _ := strings.Cut(l, " ")
		found := false
		for i := range row {
			if strings.HasPrefix(row[i], key+" ") || strings.HasPrefix(l, "[") && i == 0 {
				row[i], found = l, true
			}
		}
		if !found {
			row = append(row, l)
		}
	}
	return strings.Join(row, "\n") + "\n"
}

func TestGoodRow(t *testing.T) {
	twin := change(`[op.plus]`, `test = ["(plus@8 1 2) = 3"]`, `apart = "Asked for by name."`)
	if _, err := load(t, change()+twin); err != nil {
		t.Fatal(err)
	}
}

// TestRefused pins the message for every way in which a row can be wrong.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"no doc", change(`doc = ""`), `2:7: error: [op.iadd] doc: missing; one sentence that says what the opcode computes`},
		{"no sources", change(`in = []`, `props = []`), `3:6: error: [op.iadd] in: missing; the list of the sources' types`},
		{"too many sources", change(`in = ["int", "int", "int", "int", "int"]`), `3:6: error: [op.iadd] in: 5 sources; an ALU instruction has at most 4`},
		{"unknown type", change(`in = ["int", "integer"]`), `3:6: error: [op.iadd] in: unknown type "integer"; a type is int, uint, float, bool or bits, optionally with a width (uint32), then a number of components (float32x4)`},
		{"unknown width", change(`out = "float8"`), `4:7: error: [op.iadd] out: "float8": there is no float of 8 bits`},
		{"unknown components", change(`in = ["intx6", "int"]`), `3:6: error: [op.iadd] in: "intx6": a vector has 1, 2, 3, 4, 5, 8 or 16 components`},
		{"no result", change(`out = ""`), `4:7: error: [op.iadd] out: missing; the type of the result`},
		{"vector to no vector", change(`in = ["intx2", "intx2"]`), `4:9: error: [op.iadd] out: a source is a vector of 2, so the result needs a number of components too, such as intx1`},
		{"no vector to vector", change(`out = "intx2"`), `3:9: error: [op.iadd] in: the result has a number of components, so source a needs one too, such as intx1`},
		{"result without width", change(`in = ["int32", "int32"]`), `4:9: error: [op.iadd] out: int has no width, and no source determines it`},
		{"bad source name", change(`in = ["sel int", "int"]`), `3:6: error: [op.iadd] in: source name "sel" is a function`},
		{"two of a name", change(`in = ["b int", "int"]`), `3:6: error: [op.iadd] in: two sources are named "b"`},
		{"unknown property", change(`props = ["commutes"]`),
			`5:9: error: [op.iadd] props: unknown property "commutes"; known are commutative, comparison, halves, ` +
				`idempotent, stepwise, approximate, conversion, selection and 2 more`},
		{"property twice", change(`props = ["commutative", "commutative"]`), `5:9: error: [op.iadd] props: "commutative" is listed twice`},
		{"false property", change(`in = ["int", "uint32"]`), `5:9: error: [op.iadd] props: commutative needs the first two sources to have the same type`},
		{"no comparison", change(`props = ["comparison"]`), `5:9: error: [op.iadd] props: comparison needs a bool result`},
		{"impossible size", change(`sizes = [1, 8]`), `8:9: error: [op.iadd] sizes: 1 is not a size that the operands allow [8 16 32 64]`},
		{"sizes out of order", change(`sizes = [16, 8]`), `8:9: error: [op.iadd] sizes: not in ascending order`},
		{"needless sizes", change(`in = ["int32", "int32"]`, `out = "int32"`, `sizes = [32]`, `test = ["(iadd 1 2) = 3"]`), `8:9: error: [op.iadd] sizes: every operand has a width already`},
		{"not commutative", change(`eval = "a - b"`, `test = ["(iadd@8 3 2) = 1"]`), `5:9: error: [op.iadd] props: "commutative" does not hold for a = -68, b = 14`},
		{"not associative", change(`props = ["associative"]`, `eval = "a - b"`, `test = ["(iadd@8 3 2) = 1"]`), `5:9: error: [op.iadd] props: "associative" does not hold for a = -68, b = 14`},
		{"not idempotent", change(`props = ["idempotent"]`), `5:9: error: [op.iadd] props: "idempotent" does not hold for a = -68, b = 14`},
		{"no selection", change(`props = ["selection"]`), `5:9: error: [op.iadd] props: "selection" does not hold for a = -68, b = 14`},
		{"unknown field", change(`evil = 1`),
			`8:1: error: [op.iadd] unknown field "evil"; known are eval, in, doc, go, kernel, out, test, apart and 2 more`},
		{"bad Go name", change(`go = "iAdd"`), `8:6: error: [op.iadd] go: "iAdd" is not an exported Go name`},
		{"one Go name for two", change() + strings.Replace(change(`go = "IAdd"`, `test = ["(iadd2@8 1 2) = 3"]`), "iadd]", "iadd2]", 1), `15:6: error: [op.iadd2] go: Go name IAdd is already used by [op.iadd]; set another with the field "go"`},
		{"bad name", change(`[op.IAdd]`, `test = []`), `1:1: error: [op.IAdd] name: an opcode's name must start with a letter and have only lower-case letters, digits and single underscores`},
		{"name with an empty part", change(`[op.iadd_]`, `test = []`), `1:1: error: [op.iadd_] name: an opcode's name must start with a letter and have only lower-case letters, digits and single underscores`},
		{"other family", `[opp.x]` + "\n", `1:1: error: [opp.x] unknown kind of row "opp"; known is op`},
		{"duplicate", change() + change(), `8:2: error: Key 'op.iadd' has already been defined.`},

		{"equal to another", change() + change(`[op.plus]`, `eval = "b - (0 - a)"`, `test = ["(plus@8 1 2) = 3"]`), `8:1: error: [op.plus] computes the same as [op.iadd] at defs/opcodes/t.toml:1: use that, or explain with apart why both exist`},
		{"equal but for properties", change() + change(`[op.plus]`, `doc = "Adds."`, `props = []`, `test = ["(plus@8 1 2) = 3"]`), `8:1: error: [op.plus] computes the same as [op.iadd] at defs/opcodes/t.toml:1: use that, or explain with apart why both exist`},
		{"equal but for signs", change() + change(`[op.plus]`, `in = ["uint", "uint"]`, `out = "uint"`, `test = ["(plus@8 1 2) = 3"]`), `8:1: error: [op.plus] computes the same as [op.iadd] at defs/opcodes/t.toml:1: use that, or explain with apart why both exist`},
		{"equal at fewer sizes", change() + change(`[op.plus]`, `sizes = [8, 32]`, `test = ["(plus@8 1 2) = 3"]`), `8:1: error: [op.plus] computes the same as [op.iadd] at defs/opcodes/t.toml:1: use that, or explain with apart why both exist`},
		{"equal at one width", change() + change(`[op.plus]`, `in = ["int32", "int32"]`, `out = "int32"`, `test = ["(plus 1 2) = 3"]`), `8:1: error: [op.plus] computes the same as [op.iadd] at defs/opcodes/t.toml:1: use that, or explain with apart why both exist`},
		{"equal at more sizes", change(`[op.plus]`, `in = ["int32", "int32"]`, `out = "int32"`, `test = ["(plus 1 2) = 3"]`) + change(), `8:1: error: [op.iadd] computes the same as [op.plus] at defs/opcodes/t.toml:1: use that, or explain with apart why both exist`},
		{"apart from nothing", change(`apart = "Because."`), `1:1: error: [op.iadd] apart explains why an equal opcode exists, but no opcode before it is equal`},

		{"no eval", change(`eval = ""`, `test = []`), `6:8: error: [op.iadd] eval: missing; only a derivative has no eval`},
		{"eval of a derivative", change(`props = ["derivative"]`), `6:9: error: [op.iadd] eval: a derivative cannot have eval`},
		{"syntax", change(`eval = "a + "`), `6:9: error: [op.iadd] eval: expected operand, found '}'`},
		{"unknown name", change(`eval = "a + c"`), `6:13: error: [op.iadd] eval: unknown name "c"; known are a, b, bits`},
		{"unused source", change(`eval = "a + a"`), `6:9: error: [op.iadd] eval: source b is not used`},
		{"ill-typed", change(`eval = "a < b"`), `6:9: error: [op.iadd] eval: a < b is bool; int8 is required here`},
		{"two types", change(`in = ["int", "uint"]`, `props = []`), `6:14: error: [op.iadd] eval: b is uint8; int8 is required here`},
		{"signed amount", change(`eval = "a << b"`), `6:14: error: [op.iadd] eval: b is int8; a shift amount must be a uint`},
		{"unknown function", change(`eval = "add(a, b)"`),
			`6:9: error: [op.iadd] eval: unknown function "add"; known are abs, all, any, addsat, clz, cos, ctz, fma and 50 more`},
		{"function of a wrong type", change(`eval = "sqrt(a) + b"`), `6:9: error: [op.iadd] eval: sqrt is not defined for int8`},
		{"operator of a wrong type", change(`in = ["float", "float"]`, `out = "float"`, `eval = "a & b"`), `6:9: error: [op.iadd] eval: & is not defined for float16`},
		{"wrong number of arguments", change(`eval = "min(a, b, a)"`), `6:9: error: [op.iadd] eval: min takes 2 arguments, not 3`},
		{"literal that does not fit", change(`eval = "a + b + 200"`), `6:17: error: [op.iadd] eval: 200 does not fit in int8`},
		{"fraction", change(`eval = "a + b + 0.5"`), `6:17: error: [op.iadd] eval: 0.5 is not an integer; int8 is required here`},
		{"literal of no type", change(`eval = "sel(1 < 2, a, b)"`), `6:13: error: [op.iadd] eval: the type of 1 is unknown here; write a conversion such as uint32(1)`},
		{"wrong at a later size", change(`sizes = [8, 16]`, `eval = "a + b + (10 << (2*bits - 16))"`), `6:17: error: [op.iadd] eval: at 16 bits: (10 << (2 * bits - 16)) does not fit in int16`},
		{"component of no vector", change(`eval = "a.x + b"`), `6:9: error: [op.iadd] eval: a is not a vector`},
		{"component past the end", change(`in = ["intx2", "intx2"]`, `out = "intx1"`, `eval = "a.z + b.x"`), `6:9: error: [op.iadd] eval: a has only 2 components`},
		{"vector as a whole", change(`in = ["intx2", "intx2"]`, `out = "intx1"`, `eval = "a + b"`), `6:9: error: [op.iadd] eval: a is a vector of 2 components; select one`},
		{"sum of no vector", change(`eval = "sum(i, a + b)"`), `6:9: error: [op.iadd] eval: sum, but no source is a vector`},
		{"missing vec", change(`in = ["intx2", "intx2"]`, `out = "intx2"`, `eval = "a.x + b.x"`), `6:9: error: [op.iadd] eval: the result has 2 components; build them with vec(…)`},
		{"statement", change(`eval = "return a"`), `6:9: error: [op.iadd] eval: the last line must be an expression`},
		{"second line", change("eval = \"\"\"\nx := a +\n  c\nx + b\n\"\"\""),
			`8:3: error: [op.iadd] eval: unknown name "c"; known are a, b, bits`},
		{"name for a part in use", change("eval = \"\"\"\na := b\na + b\n\"\"\""), `7:1: error: [op.iadd] eval: a is already defined`},
		{"part like a component", change(`in = ["intx2", "intx2"]`, `out = "intx1"`, "eval = \"\"\"\na1 := b.x\na.x + a1\n\"\"\""), `7:1: error: [op.iadd] eval: a1 looks like a component of a; choose another name`},
		{"source like a component", change(`in = ["intx2", "a0 intx2"]`, `out = "intx1"`), `6:9: error: [op.iadd] eval: source a0 looks like a component of a; choose another name`},
		{"unused part", change("eval = \"\"\"\nx := b\na + b\n\"\"\""), `8:1: error: [op.iadd] eval: x is not used`},
		{"assignment", change("eval = \"\"\"\nx = a\na + b\n\"\"\""), `7:1: error: [op.iadd] eval: lines before the last have the form name := expression`},
		{"part of a source", change(`in = ["intx2", "intx2"]`, `out = "intx1"`, "eval = \"\"\"\na.x := b.x\na.x + b.x\n\"\"\""), `7:1: error: [op.iadd] eval: lines before the last have the form name := expression`},
		{"name of a function for a part", change("eval = \"\"\"\nsel := b\na + b\n\"\"\""), `7:1: error: [op.iadd] eval: "sel" is a function`},
		{"vec of components", change(`eval = "vec(a, b)"`), `6:9: error: [op.iadd] eval: vec used, but the result is per component`},
		{"vec inside", change(`in = ["intx2", "intx2"]`, `out = "intx2"`, `eval = "vec(a.x, vec(a.y, b.x) + b.y)"`), `6:18: error: [op.iadd] eval: vec is only allowed as the outermost call`},
		{"unknown component", change(`in = ["intx2", "intx2"]`, `out = "intx1"`, `eval = "a.q + b.x"`), `6:9: error: [op.iadd] eval: unknown component .q`},
		{"component of a sum", change(`in = ["intx2", "intx2"]`, `out = "intx1"`, `eval = "(a.x + b.x)[0]"`), `6:9: error: [op.iadd] eval: (a.x + b.x) is not a source`},
		{"negation of a number", change(`eval = "!a + b"`), `6:9: error: [op.iadd] eval: ! is not defined for int8`},
		{"unknown operator", change(`eval = "<-a + b"`), `6:9: error: [op.iadd] eval: <- is not defined for int8`},
		{"number as a bool", change(`in = ["bool", "bool"]`, `out = "bool"`, `eval = "a && b && 1"`), `6:19: error: [op.iadd] eval: 1 is a number; bool is required here`},
		{"other bits of a byte", change(`eval = "int(asfloat(a)) + b"`), `6:13: error: [op.iadd] eval: asfloat is not defined for int8`},
		{"integer of a bool", change(`props = []`, `in = ["bool", "int"]`, `eval = "int(a) + b"`), `6:9: error: [op.iadd] eval: int is not defined for bool`},
		{"value of a bool", change(`props = []`, `in = ["bool", "int32"]`, `out = "int32"`, `eval = "int32(a) + b"`), `6:9: error: [op.iadd] eval: int32 is not defined for bool`},
		{"rounded bool", change(`props = []`, `in = ["bool", "float32"]`, `out = "float32"`, `eval = "float32_rtz(a) + b"`), `6:9: error: [op.iadd] eval: float32_rtz is not defined for bool`},
		{"sum over a source", change(`in = ["intx2", "intx2"]`, `out = "intx1"`, `eval = "sum(a, a[a] + b[a])"`), `6:9: error: [op.iadd] eval: sum needs a new name for the component index`},
		{"sum in a sum", change(`in = ["intx2", "intx2"]`, `out = "intx1"`, `eval = "sum(i, sum(i, a[i] + b[i]))"`), `6:16: error: [op.iadd] eval: i is already a component index`},
		{"sum of bools", change(`in = ["boolx2", "boolx2"]`, `out = "boolx1"`, `eval = "sum(i, a[i] && b[i])"`), `6:9: error: [op.iadd] eval: sum is not defined for bool`},
		{"associative to another type", change(`props = ["associative"]`, `in = ["int", "uint"]`, `eval = "a + int(b)"`), `5:9: error: [op.iadd] props: associative needs two sources of the type of the result`},
		{"selection of one", change(`props = ["selection"]`, `in = ["int"]`, `eval = "a"`), `5:9: error: [op.iadd] props: selection needs a condition and sources of the type of the result`},
		{"selection from another type", change(`props = ["selection"]`, `in = ["bool", "int", "uint"]`, `eval = "sel(a, b, int(c))"`), `5:9: error: [op.iadd] props: selection needs a condition and sources of the type of the result`},
		{"test of a derivative", change(`props = ["derivative"]`, `eval = ""`), `7:9: error: [op.iadd] test: there is no eval to test`},
		{"vector with needless size", change(`in = ["int32", "int32"]`, `out = "int32"`, `test = ["(iadd@32 1 2) = 3"]`), `7:8: error: [op.iadd] test: "(iadd@32 1 2) = 3": every operand of iadd has its own width; @32 has no effect`},
		{"vector of few components", change(`in = ["intx2", "intx2"]`, `out = "intx1"`, `eval = "a.x + a.y + b.x + b.y"`, `test = ["(iadd@8 1,2 1,2,3) = 6"]`), `7:8: error: [op.iadd] test: "(iadd@8 1,2 1,2,3) = 6": source a: 1 components, not 2`},

		{"no test", change(`test = []`), `7:8: error: [op.iadd] test: missing; at least one vector such as "(iadd 1 1) = …"`},
		{"wrong vector", change(`test = ["(iadd@8 1 2) = 4"]`), `7:8: error: [op.iadd] test: "(iadd@8 1 2) = 4": eval returns 3`},
		{"vector's form", change(`test = ["iadd 1 2 = 3"]`), `7:8: error: [op.iadd] test: "iadd 1 2 = 3": a vector has the form (iadd@bits values) = value`},
		{"vector of another", change(`test = ["(isub@8 1 2) = 3"]`), `7:8: error: [op.iadd] test: "(isub@8 1 2) = 3": tests isub, but belongs to iadd`},
		{"vector without size", change(`test = ["(iadd 1 2) = 3"]`), `7:8: error: [op.iadd] test: "(iadd 1 2) = 3": needs an execution size, such as iadd@8`},
		{"vector at a wrong size", change(`test = ["(iadd@1 1 0) = 1"]`), `7:8: error: [op.iadd] test: "(iadd@1 1 0) = 1": iadd has no form at 1 bits`},
		{"vector's sources", change(`test = ["(iadd@8 1) = 1"]`), `7:8: error: [op.iadd] test: "(iadd@8 1) = 1": 1 sources; iadd takes 2`},
		{"vector's value", change(`test = ["(iadd@8 1 256) = 1"]`), `7:8: error: [op.iadd] test: "(iadd@8 1 256) = 1": source b: 256 does not fit in int8`},
		{"vector's word", change(`test = ["(iadd@8 1 one) = 1"]`), `7:8: error: [op.iadd] test: "(iadd@8 1 one) = 1": source b: "one" is not a value of type int8`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := load(t, c.text)
			got := "accepted"
			if err != nil {
				got = err.Error()
			}
			if want := "defs/opcodes/t.toml:" + c.want; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// TestAllErrorsAtOnce checks that one run reports every invalid row.
func TestAllErrorsAtOnce(t *testing.T) {
	_, err := load(t, change(`doc = ""`, `out = "x"`)+strings.Replace(change(`eval = "a"`), "iadd]", "iadd2]", 1))
	if err == nil || len(strings.Split(err.Error(), "\n")) != 3 {
		t.Errorf("three errors expected:\n%v", err)
	}
}
