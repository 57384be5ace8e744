// SPDX-License-Identifier: MIT

package isa

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/isa/isatab"
	"jacquard.example/gen/internal/table"
)

// coded describes an enumeration of at most 16 values, each with a four-bit code
// on the platforms that have it, or 32 values if there are other codes in access mode Align16 or platforms have different ones.
type coded struct {
	typ, prefix, doc string
	low              string // prefix of the names of its tables
	none             string // doc of a zero value without a row
	zero             string // the row with value zero
	rows             []*table.Row[isatab.Named]
	upper            bool // identifiers are upper case unless the row says otherwise
	align16          bool // there are other codes in access mode Align16
	wide             bool // there are up to 32 values, as platforms have different ones
}

// values returns the values of the rows.
func (e *coded) values(t *isatab.Tables) []int {
	switch {
	case e.zero != "":
		return t.Values(e.rows, e.zero)
	case e.none != "":
		return t.Values(e.rows, isatab.NoRow)
	}
	return t.Values(e.rows, isatab.NoZero)
}

// enumerations returns the enumerations of the instruction word.
func enumerations(t *isatab.Tables) []coded {
	return []coded{
		{typ: "CMod", prefix: "CMod", low: "cmod", doc: "CMod is a condition modifier", none: "no condition modifier", rows: t.Cmods, upper: true},
		{typ: "Pred", prefix: "Pred", low: "pred", doc: "Pred is a predicate's kind", none: "not predicated", rows: t.Preds, align16: true},
		{typ: "MathFn", prefix: "Math", low: "math", doc: "MathFn is the function of a math instruction", rows: t.Maths},
		{typ: "SyncFn", prefix: "Sync", low: "sync", doc: "SyncFn is the function of a sync instruction", rows: t.Syncs},
		{typ: "SFID", prefix: "SFID", low: "sfid", zero: "null", doc: "SFID is a shared function, the destination of a send", rows: t.Sfids, wide: true},
	}
}

// limit returns the number of values that the enumeration can have.
func (e *coded) limit() int {
	if e.align16 || e.wide {
		return 32
	}
	return 16
}

// uniform reports that all platforms have the values as codes.
func uniform(t *isatab.Tables, e *coded) bool {
	values := e.values(t)
	for i, r := range e.rows {
		for _, p := range t.Platforms {
			if c, ok := r.Val.Code.At(p); ok && c != values[i] {
				return false
			}
		}
	}
	return true
}

// checkCoded checks an enumeration.
func checkCoded(t *isatab.Tables, errs *diag.List, cols map[string]bool, e coded) {
	checkNamed(t, errs, cols, e.rows, 15)
	checkAlign16(t, errs, cols, e)
	for i, v := range e.values(t) {
		r := e.rows[i]
		if v >= e.limit() {
			errs.Addf(r.Pos, r.Full, "an enumeration has at most %d values", e.limit())
		}
		for _, p := range t.Platforms {
			if c, ok := r.Val.Code.At(p); ok && c == 0 && e.none != "" {
				errs.Addf(r.At("code"), r.Full, "code 0 of %s means %s", p.Name, e.none)
			}
		}
	}
}

// checkAlign16 checks the codes in access mode Align16.
func checkAlign16(t *isatab.Tables, errs *diag.List, cols isatab.Columns, e coded) {
	u := unique{}
	for _, r := range e.rows {
		column(errs, r.At("align16"), r.Full, cols, r.Val.Align16, 15)
		if r.Val.Align16 != nil && !e.align16 {
			errs.Addf(r.At("align16"), r.Full, "only predicates have other codes in access mode Align16")
		}
		for _, p := range t.Platforms {
			c, ok := r.Val.Align16.At(p)
			if !ok {
				continue
			}
			u.add(errs, r.At("align16"), r.Full, "code of Align16", p.Name, c)
			if one, ok := r.Val.Code.At(p); !t.LayoutOf(p).BothModes() && (!ok || one != c) {
				errs.Addf(r.At("align16"), r.Full, "code %d of %s in Align16 is not its code in Align1, which words of [%s] need", c,
					p.Name, t.LayoutOf(p).Row.Full)
			}
		}
	}
}

// emitCoded writes an enumeration with its names and codes.
func emitCoded(t *isatab.Tables, f *emit.File, e coded) {
	values := e.values(t)
	var list []emit.Name
	var names emit.Rows
	if e.none != "" {
		list = append(list, emit.Name{Name: e.prefix + "None", Is: e.typ + " = 0", Doc: e.none})
	}
	for i, r := range e.rows {
		if values[i] < 0 {
			continue
		}
		name := isatab.GoName(r.Name, r.Val.Go)
		if e.upper {
			name = strings.ToUpper(name)
		}
		list = append(list, emit.Name{Name: e.prefix + name, Is: fmt.Sprintf("%s = %d", e.typ, values[i]), Doc: r.Val.Doc})
		names.F("%d: %q,\n", values[i], igaName(r))
	}
	var known []string
	for _, p := range t.Platforms {
		set := 0
		if e.none != "" {
			set = 1
		}
		for i, r := range e.rows {
			if _, ok := r.Val.Code.At(p); ok {
				set |= 1 << values[i]
			}
		}
		known = append(known, fmt.Sprintf("%s: %#x", p.Val.Go, set))
	}
	f.Type(e.doc+".", e.typ, "uint8")
	f.Consts("The values of "+e.typ+".", list)
	f.Table(e.low+"Names are the names in iga64's syntax; "+e.low+"Known holds the set of values that a\nplatform has.", e.low+"Names",
		fmt.Sprintf("[%d]string", e.limit()), &names)
	bits := 16
	if e.wide {
		bits = e.limit()
	}
	f.List("", e.low+"Known", fmt.Sprintf("[NumPlatforms]uint%d", bits), known)
	has := e.low + "Known[p]>>i&1 != 0"
	if e.align16 {
		has = "(uint32(" + e.low + "Known[p])|" + e.low + "16Known[p])>>i&1 != 0"
	}
	f.Returns("String returns the name in iga64's syntax.", "(x "+e.typ+") String() string",
		fmt.Sprintf("fields.Name(%sNames[:], uint8(x), %[1]q)", e.low))
	f.Func(e.prefix+"ByName finds a value of a platform by its name in iga64's syntax.",
		e.prefix+"ByName(p Platform, name string) ("+e.typ+", bool)",
		emit.For("i, n := range "+e.low+"Names", emit.If("n == name && n != \"\" && "+has,
			emit.Return(e.typ+"(i), true"))),
		emit.Return("0, false"))
	emitCodes(t, f, &e, values)
	if e.align16 {
		emitCodes16(t, f, &e, values)
	}
}

// emitCodes16 writes the functions from a value to a platform's code in access mode Align16 and back.
func emitCodes16(t *isatab.Tables, f *emit.File, e *coded, values []int) {
	to, of := e.low+"Code16", e.low+"Of16"
	var known []string
	var there, back emit.Rows
	for _, p := range t.Platforms {
		set := 0
		codes, of := slices.Repeat([]string{"0"}, e.limit()), slices.Repeat([]string{"noValue"}, 16)
		for i, r := range e.rows {
			if c, ok := r.Val.Align16.At(p); ok {
				set |= 1<<values[i] | 1
				codes[values[i]], of[c], of[0] = strconv.Itoa(c), strconv.Itoa(values[i]), "0"
			}
		}
		known = append(known, fmt.Sprintf("%s: %#x", p.Val.Go, set))
		there.F("%s: {%s},\n", p.Val.Go, strings.Join(codes, ", "))
		back.F("%s: {%s},\n", p.Val.Go, strings.Join(of, ", "))
	}
	f.List(e.low+"16Known holds the set of values that a platform has in access mode Align16.", e.low+"16Known",
		"[NumPlatforms]uint32", known)
	f.Table("", e.low+"Codes16", fmt.Sprintf("[NumPlatforms][%d]uint8", e.limit()), &there)
	f.Table("", e.low+"Values16", "[NumPlatforms][16]uint8", &back)
	f.Returns(to+" returns the code of a value in access mode Align16. "+of+" is its inverse.", to+"(p Platform, x "+e.typ+") uint64",
		fmt.Sprintf("uint64(%sCodes16[p][x&%d])", e.low, e.limit()-1))
	f.Returns("", of+"(p Platform, code uint64) uint64", "uint64("+e.low+"Values16[p][code&15])")
}

// emitCodes writes the functions from a value to a platform's code and back.
func emitCodes(t *isatab.Tables, f *emit.File, e *coded, values []int) {
	to, of := e.low+"Code", e.low+"Of"
	if uniform(t, e) {
		f.Returns(to+" returns the code of a value: the value itself. "+of+" is its inverse.", to+"(_ Platform, x "+e.typ+") uint64",
			"uint64(x)")
		f.Returns("", of+"(_ Platform, code uint64) uint64", "code")
		return
	}
	numCodes := 16
	if e.wide {
		numCodes = e.limit()
	}
	var there, back emit.Rows
	for _, p := range t.Platforms {
		codes, of := slices.Repeat([]string{"0"}, numCodes), slices.Repeat([]string{"noValue"}, 16)
		if e.none != "" {
			of[0] = "0"
		}
		for i, r := range e.rows {
			if c, ok := r.Val.Code.At(p); ok {
				codes[values[i]], of[c] = strconv.Itoa(c), strconv.Itoa(values[i])
			}
		}
		there.F("%s: {%s},\n", p.Val.Go, strings.Join(codes, ", "))
		back.F("%s: {%s},\n", p.Val.Go, strings.Join(of, ", "))
	}
	f.Table("", e.low+"Codes", fmt.Sprintf("[NumPlatforms][%d]uint8", numCodes), &there)
	f.Table("", e.low+"Values", "[NumPlatforms][16]uint8", &back)
	f.Returns(to+" returns the code of a value that the platform has. "+of+" is its inverse.", to+"(p Platform, x "+e.typ+") uint64",
		fmt.Sprintf("uint64(%sCodes[p][x&%d])", e.low, numCodes-1))
	f.Returns("", of+"(p Platform, code uint64) uint64", "uint64("+e.low+"Values[p][code&15])")
}

// mathTables writes the properties of math functions.
func mathTables(t *isatab.Tables, f *emit.File) {
	var srcs []string
	ints, macros := 0, 0
	for i, v := range t.Values(t.Maths, isatab.NoZero) {
		if v < 0 {
			continue
		}
		r := &t.Maths[i].Val
		srcs = append(srcs, fmt.Sprintf("%d: %d", v, r.Src))
		if r.Int {
			ints |= 1 << v
		}
		if r.Macro {
			macros |= 1 << v
		}
	}
	f.List("mathSrcs is the number of sources of each math function.", "mathSrcs", "[16]uint8", srcs)
	f.Consts("Sets of math functions: on integers; with math-macro registers.", []emit.Name{
		{Name: "mathInts", Is: fmt.Sprintf("uint16 = %#x", ints)},
		{Name: "mathMacros", Is: fmt.Sprintf("uint16 = %#x", macros)},
	})
	f.Returns("Sources is the number of sources of a math function.", "(m MathFn) Sources() int", "int(mathSrcs[m&15])")
	f.Returns("IsInt reports whether a math function is an integer division.", "(m MathFn) IsInt() bool", "mathInts>>(m&15)&1 != 0")
	f.Returns("IsMacro reports whether the operands of a math function carry math-macro registers.", "(m MathFn) IsMacro() bool",
		"mathMacros>>(m&15)&1 != 0")
	f.Returns("TakesMask reports whether a function of sync can have a mask of tokens.", "(f SyncFn) TakesMask() bool",
		"f == SyncAllRd || f == SyncAllWr")
}
