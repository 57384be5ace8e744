// SPDX-License-Identifier: MIT

package atomics

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/pattern"
)

// Generate loads, checks and emits.
func Generate(ctx *domain.Context) error {
	t, err := load(ctx)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		path string
		of   func() *emit.File
	}{{"fold/atomics.go", t.folder}, {"build/atomics.go", t.builder}, {"atomic/atomic.go", t.texels}} {
		if err := ctx.Out.Code(f.path, t.files, f.of()); err != nil {
			return err
		}
	}
	return nil
}

func (a *atomic) constant() string { return "kind.Atomic" + irtab.Camel(a.Name) }

// folder returns the file with the functions that compute the value an atomic stores.
func (t *tables) folder() *emit.File {
	f := emit.NewFile("fold", "")
	var cases []jen.Code
	for _, a := range t.list {
		var sizes []jen.Code
		for _, size := range a.Val.Sizes() {
			fn := fmt.Sprintf("atomic%s_%d", irtab.Camel(a.Name), size)
			body := a.means[size].Go("truth")
			mode := "_"
			if body.Mode {
				mode = "mode"
			}
			f.Func(strings.ReplaceAll(fn+": "+strings.TrimSpace(a.Val.Eval), "\n", "\n\t"),
				fn+"(src *[op.MaxSrc][MaxComps]uint64, dst *[MaxComps]uint64, comps int, "+mode+" Mode)", body.Code...)
			sizes = append(sizes, emit.Case(strconv.Itoa(size), emit.Go(fn+"(&src, &dst, 1, 0)"), emit.Return("dst[0], true")))
		}
		var places []string
		for i := range a.reads {
			places = append(places, fmt.Sprintf("src[%d][0]", i))
		}
		set := emit.Go(strings.Join(places, ", ") + " = " + strings.Join(a.reads, ", "))
		cases = append(cases, emit.Case(a.constant(), set, emit.Switch("bits", sizes...)))
	}
	f.Func(`Atomic returns the value that an atomic on numbers of bits bits stores if memory contains old. It
reports false if it has no form at that size. Denormals are kept, and floats round to nearest
even.`, "Atomic(o kind.AtomicOp, bits uint8, old, data, compare uint64) (uint64, bool)",
		emit.Go("var src [op.MaxSrc][MaxComps]uint64"), emit.Go("var dst [MaxComps]uint64"),
		emit.Switch("o", cases...), emit.Return("0, false"))
	return f
}

// builder returns the file with the function that builds instructions for the value an atomic stores.
func (t *tables) builder() *emit.File {
	f := emit.NewFile("build", "")
	var cases []jen.Code
	for _, a := range t.list {
		cases = append(cases, emit.Case(a.constant(), emit.Return(a.code(a.value)+", true")))
	}
	f.Func(`AtomicValue inserts the computation of the value that an atomic stores if memory contains old. It
reports false for an unknown atomic.`, "(b *Builder) AtomicValue(o kind.AtomicOp, old, data, compare ir.Src) (ir.Src, bool)",
		emit.Go("bits := b.S.At(old.Val).Bits"), emit.Switch("o", cases...), emit.Return("ir.Src{}, false"))
	f.Func("number inserts a constant, without its bits above the size.", "(b *Builder) number(bits uint8, x uint64) ir.Src",
		emit.Return("b.Const(bits, x&(^uint64(0)>>(64-bits)))"))
	return f
}

// code returns the builder calls for an expression of opcodes.
func (a *atomic) code(n *pattern.Node) string {
	switch n.Kind {
	case pattern.Var:
		return n.Name
	case pattern.Lit:
		size := "bits"
		if a.typing.Root(n.Class) != a.typing.Root(a.value.Class) {
			size = strconv.Itoa(a.typing.Set(n.Class).One())
		}
		x, _ := n.Bits(64)
		if n.LitKind == pattern.LitBool {
			x = n.Int
		}
		return fmt.Sprintf("b.number(%s, %#x)", size, x)
	}
	s := "b." + n.Code.GoName + "("
	for i, arg := range n.Args {
		if i > 0 {
			s += ", "
		}
		s += a.code(arg)
	}
	return s + ")"
}

// bases maps the values of [enum.base_type] to kinds of texels.
var bases = []struct{ texel, enum string }{{"int", "int"}, {"uint", "uint"}, {"float", "float"}, {"int", "bool"}}

// texels returns the file with the tables that map intrinsics on texels to atomics and back.
func (t *tables) texels() *emit.File {
	f := emit.NewFile("atomic", `Package atomic maps image intrinsics to atomics on texels: an intrinsic's name covers
several atomics, and the type of the texels selects one ([Texel], [OnTexels]).
The rows are in defs/ir/atomics.toml. Packages fold and build compute the stored values; package
message has the codes of messages.`)
	var of, by, has emit.Rows
	enum := t.ir.Enum("base_type")
	for _, in := range t.ir.Intrinsics {
		if in.Row.Val.Target != "image" || in.Row.Val.AtomicOp == "" {
			continue
		}
		of.F("intrinsic.%s: {", irtab.Camel(in.Row.Name))
		for _, b := range bases {
			if i := t.ir.TexelAtomic(in, b.texel); i >= 0 {
				of.F("kind.%s: 1 + %s, ", enum.Val.Const(b.enum), t.list[i].constant())
			}
		}
		of.F("},\n")
	}
	for _, a := range t.list {
		set := 0
		for _, size := range a.Val.Sizes() {
			set |= size >> 4
		}
		has.F("%s: %d,\n", a.constant(), set)
		if a.Val.Texel == "" {
			continue
		}
		by.F("%s: {intrinsic.%s, ", a.constant(), irtab.Camel(a.Val.Texel))
		for i, b := range a.Val.Texels {
			by.F("%s1 << kind.%s", []string{"", " | "}[min(i, 1)], enum.Val.Const(b))
		}
		if only := a.Val.Texels; len(only) == 1 {
			by.F(", kind.%s", enum.Val.Const(only[0]))
		} else {
			by.F(", 0")
		}
		by.F("},\n")
	}
	f.Table("sizes holds the sizes of atomics: 1 for 16 bits, 2 for 32, 4 for 64.", "sizes", "[...]uint8", &has)
	f.Returns("Has reports whether an atomic has a form on numbers of a size.",
		"Has(o kind.AtomicOp, bits uint8) bool", "int(o) < len(sizes) && sizes[o]&(bits>>4) != 0")
	f.Table("texels holds 1 + the atomic by the type of texels.", "texels", "[intrinsic.Count][1 + kind.BaseFloat]kind.AtomicOp", &of)
	f.Func("Texel returns the operation of an atomic on texels of a type, and false if there is none.",
		"Texel(id intrinsic.ID, base kind.BaseType) (kind.AtomicOp, bool)",
		emit.If("int(base) >= len(texels[id]) || texels[id][base] == 0", emit.Return("0, false")),
		emit.Return("texels[id][base] - 1, true"))
	f.Table("on holds the intrinsics of atomics, the types of texels that they are for, and their only one.", "on",
		"[...]struct{ id intrinsic.ID; bases uint32; only kind.BaseType }", &by)
	f.Func(`OnTexels returns the intrinsic that does an atomic to texels of an image, whose type is base,
and the type as which it takes them. It reports false if there is none.`,
		"OnTexels(o kind.AtomicOp, base kind.BaseType) (intrinsic.ID, kind.BaseType, bool)",
		emit.If("int(o) >= len(on) || on[o].id == intrinsic.None", emit.Return("intrinsic.None, base, false")),
		emit.If("on[o].only != 0", emit.Return("on[o].id, on[o].only, true")),
		emit.Return("on[o].id, base, on[o].bases>>base&1 != 0"))
	return f
}
