// SPDX-License-Identifier: MIT

package opcodes

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
)

// sizeClass numbers the sizes in the folder's switch.
var sizeClass = map[int]int{1: 1, 8: 2, 16: 3, 32: 4, 64: 5}

// emitFold writes the folder: for each opcode with a meaning a function for each of its sizes, in a
// file for each table, and the switch that calls the functions.
func emitFold(ctx *domain.Context, t *Table) error {
	var cases []jen.Code
	files := map[string]*emit.File{}
	for _, o := range t.Ops {
		if o.Meaning == nil {
			continue
		}
		name := tableName(o.Pos.File)
		if files[name] == nil {
			files[name] = emit.NewFile("fold", "")
		}
		for _, size := range o.execSizes() {
			fn, key := lowerFirst(o.GoName), "uint(op."+o.GoName+")<<3"
			at := key
			if size == 0 {
				for k := range len(sizeClass) {
					at += fmt.Sprintf(", %s|%d", key, k+1)
				}
			} else {
				fn += "_" + strconv.Itoa(size)
				at += "|" + strconv.Itoa(sizeClass[size])
			}
			cases = append(cases, emit.Case(at, emit.Go(fn+"(src, dst, n, mode)")))
			emitMeaning(files[name], fn, o, size)
		}
	}
	if err := ctx.Out.Code("fold/fold.go", t.Files, folder(cases)); err != nil {
		return err
	}
	for _, file := range t.Files {
		name := tableName(file)
		if f := files[name]; f != nil {
			files[name] = nil // two roots may have files of the same name; their rows share a file
			if err := ctx.Out.Code("fold/"+name+".go", []string{file}, f); err != nil {
				return err
			}
		}
	}
	return nil
}

func tableName(file string) string { return strings.TrimSuffix(path.Base(file), ".toml") }

// emitMeaning writes the function of an opcode at a size.
func emitMeaning(f *emit.File, fn string, o *Op, size int) {
	body := o.Meaning[size].Go("truth")
	comps, mode := "_", "_"
	if body.Comps {
		comps = "comps"
	}
	if body.Mode {
		mode = "mode"
	}
	f.Func(strings.ReplaceAll(fn+": "+o.Eval, "\n", "\n\t"),
		fn+"(src *[op.MaxSrc][MaxComps]uint64, dst *[MaxComps]uint64, "+comps+" int, "+mode+" Mode)", body.Code...)
}

// folder returns the file with the switch.
func folder(cases []jen.Code) *emit.File {
	f := emit.NewFile("fold", `Package fold computes what ALU instructions return for constant sources: [Eval] takes
an opcode, sizes and bits. It is written from the meanings that the opcodes' rows
state, so that the pass constant_fold, the interpreter and the vectors that rules are
tried on cannot disagree. Results do not depend on the host; rounding and denormals
follow a [Mode].`)
	f.Const("MaxComps is the largest number of components.", "MaxComps", "16")
	f.Type("Mode is the shader's float mode.", "Mode", "= num.Mode")
	f.Func(`Eval computes an instruction. bits is its execution size: the width of the
sources whose width the opcode does not fix; it is ignored if there are none.
comps is the number of components of an instruction that works per
component. src[s][c] is component c of source s, zero-extended (a bool is 0
or 1), after swizzles; the components of the result go to dst. It reports
false, and writes nothing, when the opcode has no such form or no meaning by
itself. dst may be one of the sources. It never panics and never allocates.`,
		"Eval(o op.Op, bits, comps uint8, src *[op.MaxSrc][MaxComps]uint64, dst *[MaxComps]uint64, mode Mode) bool",
		emit.If("comps > MaxComps", emit.Return("false")),
		emit.Go("n := int(comps)"),
		emit.Switch("uint(o)<<3 | sizeClass(bits)", append(cases, emit.Default(emit.Return("false")))...),
		emit.Return("true"))
	f.Func("sizeClass numbers the widths from 1; 0 is none of them.", "sizeClass(bits uint8) uint",
		emit.If("bits > 64", emit.Return("0")),
		emit.Return("uint(sizeClasses[bits])"))
	var classes []string
	for _, n := range sizes {
		classes = append(classes, fmt.Sprintf("%d: %d", n, sizeClass[n]))
	}
	f.List("", "sizeClasses", "[65]uint8", classes)
	f.Func("", "sel[T any](c bool, a, b T) T", emit.If("c", emit.Return("a")), emit.Return("b"))
	f.Func("", "truth(b bool) uint64", emit.If("b", emit.Return("1")), emit.Return("0"))
	return f
}

func lowerFirst(s string) string {
	i := 0
	for i < len(s) && s[i] >= 'A' && s[i] <= 'Z' {
		i++
	}
	if i == len(s) {
		return strings.ToLower(s)
	}
	return strings.ToLower(s[:max(i-1, 1)]) + s[max(i-1, 1):]
}
