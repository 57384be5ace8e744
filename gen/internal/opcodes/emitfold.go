package opcodes

import (
	"bytes"
	"fmt"
	"path"
	"strings"

	"jacquard.example/gen/internal/domain"
)

// foldText is the part of generated/fold that does not depend on the rows.
const foldText = `// Package fold computes what ALU instructions give for constant sources.
package fold

import (
	"jacquard.example/core/num"
	"jacquard.example/generated/op"
)

// MaxComps is the largest number of components.
const MaxComps = 16

// Mode is the shader's float mode.
type Mode = num.Mode

// Eval computes an instruction. bits is its execution size: the width of the
// sources without a width of their own; where there are none it does not
// matter. comps is the number of components of an instruction that works per
// component. src[s][c] is component c of source s, zero-extended (a bool is 0
// or 1), after swizzles; the components of the result go to dst. It reports
// false, and writes nothing, when the opcode has no such form or no meaning by
// itself. dst may be one of the sources. It never panics and never allocates.
func Eval(o op.Op, bits, comps uint8, src *[op.MaxSrc][MaxComps]uint64, dst *[MaxComps]uint64, mode Mode) bool {
	if comps > MaxComps {
		return false
	}
	n := int(comps)
	switch uint(o)<<3 | sizeClass(bits) {
`

const foldTail = `	default:
		return false
	}
	return true
}

// sizeClass numbers the widths from 1; 0 is none of them.
func sizeClass(bits uint8) uint {
	if bits > 64 {
		return 0
	}
	return uint(sizeClasses[bits])
}

var sizeClasses = [65]uint8{1: 1, 8: 2, 16: 3, 32: 4, 64: 5}

func sel[T any](c bool, a, b T) T {
	if c {
		return a
	}
	return b
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
`

var sizeClass = map[int]int{1: 1, 8: 2, 16: 3, 32: 4, 64: 5}

// emitFold writes the folder: one function for each opcode and size, in a
// file for each table, and the switch that finds it.
func emitFold(ctx *domain.Context, t *Table) error {
	var b bytes.Buffer
	b.WriteString(foldText)
	files := map[string]*bytes.Buffer{}
	for _, o := range t.Ops {
		if o.Meaning == nil {
			continue
		}
		name := strings.TrimSuffix(path.Base(o.Pos.File), ".toml")
		f := files[name]
		if f == nil {
			f = &bytes.Buffer{}
			files[name] = f
		}
		for _, size := range o.execSizes() {
			fn := lowerFirst(o.GoName)
			if size == 0 {
				fmt.Fprintf(&b, "case ")
				fmt.Fprintf(&b, "uint(op.%s) << 3", o.GoName)
				for k := 1; k <= 5; k++ {
					fmt.Fprintf(&b, ", uint(op.%s)<<3 | %d", o.GoName, k)
				}
				b.WriteString(":\n")
			} else {
				fn = fmt.Sprintf("%s_%d", fn, size)
				fmt.Fprintf(&b, "case uint(op.%s)<<3 | %d:\n", o.GoName, sizeClass[size])
			}
			fmt.Fprintf(&b, "%s(src, dst, n, mode)\n", fn)
			body := o.Meaning[size].Go()
			comps, mode := "comps int", "mode Mode"
			if !strings.Contains(body, "comps") {
				comps = "_ int"
			}
			if !strings.Contains(body, "mode") {
				mode = "_ Mode"
			}
			fmt.Fprintf(f, "\n// %s\nfunc %s(src *[op.MaxSrc][MaxComps]uint64, dst *[MaxComps]uint64, %s, %s) {\n%s}\n",
				strings.ReplaceAll(fn+": "+o.Eval, "\n", "\n//\t"), fn, comps, mode, body)
		}
	}
	b.WriteString(foldTail)
	if err := ctx.Out.Go("fold/fold.go", t.Files, b.Bytes()); err != nil {
		return err
	}
	for _, file := range t.Files {
		name := strings.TrimSuffix(path.Base(file), ".toml")
		f := files[name]
		if f == nil {
			continue
		}
		files[name] = nil // two roots may have files of one name; their rows stand together
		var out bytes.Buffer
		out.WriteString("package fold\n\nimport (\n")
		for _, imp := range []struct{ use, path string }{{"math.", "math"}, {"num.", "jacquard.example/core/num"}, {"op.", "jacquard.example/generated/op"}} {
			if bytes.Contains(f.Bytes(), []byte(imp.use)) {
				fmt.Fprintf(&out, "%q\n", imp.path)
			}
		}
		out.WriteString(")\n")
		out.Write(f.Bytes())
		if err := ctx.Out.Go("fold/"+name+".go", []string{file}, out.Bytes()); err != nil {
			return err
		}
	}
	return nil
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
