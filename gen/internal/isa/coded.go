package isa

import (
	"bytes"
	"fmt"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/table"
)

// coded describes an enumeration of at most 16 values, each with a code of four bits
// on the platforms that have it.
type coded struct {
	typ, prefix, doc string
	low              string // begins the names of its tables
	none             string // doc of a zero value that is no row
	zero             string // the row whose value is zero
	rows             []*table.Row[named]
	upper            bool // identifiers are upper case unless the row says otherwise
}

// enumerations are those of the instruction word.
func (t *tables) enumerations() []coded {
	return []coded{
		{typ: "CMod", prefix: "CMod", low: "cmod", doc: "CMod is a condition modifier", none: "no condition modifier", rows: t.cmods, upper: true},
		{typ: "Pred", prefix: "Pred", low: "pred", doc: "Pred is a predicate's kind", none: "not predicated", rows: t.preds},
		{typ: "MathFn", prefix: "Math", low: "math", doc: "MathFn is the function of a math instruction", rows: t.maths},
		{typ: "SyncFn", prefix: "Sync", low: "sync", doc: "SyncFn is the function of a sync instruction", rows: t.syncs},
		{typ: "SFID", prefix: "SFID", low: "sfid", zero: "null", doc: "SFID is a shared function, whom a send speaks to", rows: t.sfids},
	}
}

// values numbers the rows of an enumeration: each but the one for zero has the code of
// the first platform that has it, or the first number that is free; -1 stands for what
// no platform has.
func (t *tables) values(e *coded) []int {
	out := make([]int, len(e.rows))
	taken := [16]bool{0: e.none != "" || e.zero != ""}
	for later := range 2 {
		for i, r := range e.rows {
			c, ok := t.code(r.Val.Code)
			switch {
			case !ok:
				out[i] = -1
			case r.Name == e.zero:
				out[i] = 0
			case later == 0 && c < len(taken) && !taken[c]:
				out[i], taken[c] = c, true
			case later == 0:
				out[i] = -2
			case out[i] == -2:
				for c = 0; c < len(taken) && taken[c]; c++ {
				}
				if out[i] = c; c < len(taken) {
					taken[c] = true
				}
			}
		}
	}
	return out
}

// uniform reports that all platforms have the values as codes.
func (t *tables) uniform(e *coded) bool {
	values := t.values(e)
	for i, r := range e.rows {
		for _, p := range t.platforms {
			if c, ok := r.Val.Code.at(p); ok && c != values[i] {
				return false
			}
		}
	}
	return true
}

// checkCoded checks an enumeration.
func (t *tables) checkCoded(errs *diag.List, cols map[string]bool, e coded) {
	t.checkNamed(errs, cols, e.rows, 15)
	for i, v := range t.values(&e) {
		r := e.rows[i]
		if v > 15 {
			errs.Addf(r.Pos, r.Full, "an enumeration has at most 16 values")
		}
		for _, p := range t.platforms {
			if c, ok := r.Val.Code.at(p); ok && c == 0 && e.none != "" {
				errs.Addf(r.At("code"), r.Full, "code 0 of %s means %s", p.Name, e.none)
			}
		}
	}
}

func (t *tables) emitCoded(b *bytes.Buffer, e coded) {
	values := t.values(&e)
	fmt.Fprintf(b, "// %s.\ntype %s uint8\n\n// The values of %s.\nconst (\n", e.doc, e.typ, e.typ)
	if e.none != "" {
		fmt.Fprintf(b, "\t%sNone %s = 0 // %s\n", e.prefix, e.typ, e.none)
	}
	for i, r := range e.rows {
		if values[i] < 0 {
			continue
		}
		name := goName(r.Name, r.Val.Go)
		if e.upper {
			name = strings.ToUpper(name)
		}
		fmt.Fprintf(b, "\t%s%s %s = %d // %s\n", e.prefix, name, e.typ, values[i], r.Val.Doc)
	}
	fmt.Fprintf(b, ")\n\n// %sNames are the names in iga64's syntax; %[1]sKnown says which values a\n// platform has.\nvar %[1]sNames = [16]string{\n", e.low)
	for i, r := range e.rows {
		if values[i] >= 0 {
			fmt.Fprintf(b, "\t%d: %q,\n", values[i], igaName(r))
		}
	}
	fmt.Fprintf(b, "}\n\nvar %sKnown = [NumPlatforms]uint16{", e.low)
	for _, p := range t.platforms {
		known := 0
		if e.none != "" {
			known = 1
		}
		for i, r := range e.rows {
			if _, ok := r.Val.Code.at(p); ok {
				known |= 1 << values[i]
			}
		}
		fmt.Fprintf(b, "%s: %#x, ", p.Val.Go, known)
	}
	b.WriteString("}\n\n")
	fmt.Fprintf(b, "// String is the name in iga64's syntax.\nfunc (x %s) String() string { return nameOf(%sNames[:], uint8(x), %[2]q) }\n\n", e.typ, e.low)
	t.emitCodes(b, &e, values)
}

// emitCodes writes the functions from a value to a platform's code and back.
func (t *tables) emitCodes(b *bytes.Buffer, e *coded, values []int) {
	if t.uniform(e) {
		fmt.Fprintf(b, `// %[1]sCode is the code of a value: the value itself. %[1]sOf is its inverse.
func %[1]sCode(_ Platform, x %[2]s) uint64 { return uint64(x) }

func %[1]sOf(_ Platform, code uint64) uint64 { return code }

`, e.low, e.typ)
		return
	}
	var to, of bytes.Buffer
	for _, p := range t.platforms {
		codes, back := [16]int{}, [16]string{}
		for c := range back {
			back[c] = "noValue"
		}
		if e.none != "" {
			back[0] = "0"
		}
		for i, r := range e.rows {
			if c, ok := r.Val.Code.at(p); ok {
				codes[values[i]], back[c] = c, fmt.Sprint(values[i])
			}
		}
		fmt.Fprintf(&to, "\t%s: {", p.Val.Go)
		for _, c := range codes {
			fmt.Fprintf(&to, "%d, ", c)
		}
		fmt.Fprintf(&to, "},\n")
		fmt.Fprintf(&of, "\t%s: {%s},\n", p.Val.Go, strings.Join(back[:], ", "))
	}
	fmt.Fprintf(b, `var %[1]sCodes = [NumPlatforms][16]uint8{
%[3]s}

var %[1]sValues = [NumPlatforms][16]uint8{
%[4]s}

// %[1]sCode is the code of a value that the platform has. %[1]sOf is its inverse.
func %[1]sCode(p Platform, x %[2]s) uint64 { return uint64(%[1]sCodes[p][x&15]) }

func %[1]sOf(p Platform, code uint64) uint64 { return uint64(%[1]sValues[p][code&15]) }

`, e.low, e.typ, to.String(), of.String())
}

func (t *tables) emitMath(b *bytes.Buffer) {
	fmt.Fprintf(b, "// mathSrcs is the number of sources of each math function.\nvar mathSrcs = [16]uint8{")
	bits := map[string]int{}
	for i, v := range t.values(&coded{rows: t.maths}) {
		if v < 0 {
			continue
		}
		r := &t.maths[i].Val
		fmt.Fprintf(b, "%d: %d, ", v, r.Src)
		if r.Int {
			bits["int"] |= 1 << v
		}
		if r.Macro {
			bits["macro"] |= 1 << v
		}
	}
	fmt.Fprintf(b, "}\n\n// Sets of math functions: on integers; with math-macro registers.\nconst (\n\tmathInts uint16 = %#x\n\tmathMacros uint16 = %#x\n)\n\n", bits["int"], bits["macro"])
}
