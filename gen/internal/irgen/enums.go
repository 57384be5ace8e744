// SPDX-License-Identifier: MIT

package irgen

import (
	"fmt"
	"strconv"

	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/irtab"
)

// enums writes the enumerations of package kind.
func enums(t *irtab.Tables) *emit.File {
	f := emit.NewFile("kind", "")
	f.Struct("Enum describes an enumeration. The names of a mask's bits, or of the values, are in order.", "Enum", `
		Name string
		Mask bool
		Names []string`)
	f.Func("Value finds a value (not a mask) by name.", "(e *Enum) Value(name string) (uint32, bool)",
		emit.For("i, n := range e.Names", emit.If("n == name", emit.Return("uint32(i), true"))),
		emit.Return("0, false"))
	f.Func("String returns the name of a value; of a mask, the names of its bits joined\n"+
		"by \"|\", and \"none\" when it is empty. Unknown values print as numbers.",
		"(e *Enum) String(v uint32) string",
		emit.If("!e.Mask",
			emit.If("int(v) < len(e.Names)", emit.Return("e.Names[v]")),
			emit.Return("unknown(v)")),
		emit.If("v == 0", emit.Return(`"none"`)),
		emit.If("i := bits.TrailingZeros32(v); v&(v-1) == 0 && i < len(e.Names)", emit.Return("e.Names[i]")),
		emit.Go("var set []string"),
		emit.For("i, n := range e.Names",
			emit.If("v>>i&1 != 0", emit.Go("set = append(set, n)"), emit.Go("v &^= 1 << i"))),
		emit.If("v != 0", emit.Go("set = append(set, unknown(v))")),
		emit.Return(`strings.Join(set, "|")`))
	f.Returns("", "unknown(v uint32) string", `"?" + strconv.FormatUint(uint64(v), 10)`)
	var all []string
	for _, e := range t.Enums {
		d := &e.Val
		f.Type(d.GoName+": "+d.Doc, d.GoName, "uint32")
		var values []emit.Name
		var names []string
		for i, v := range d.Values {
			is := strconv.Itoa(i)
			if d.Mask {
				is = "1 << " + is
			}
			values = append(values, emit.Name{Name: d.Const(v.Name), Is: d.GoName + " = " + is, Doc: v.Doc})
			names = append(names, v.Name)
		}
		f.Consts("", values)
		about := "Enum" + d.GoName
		f.Var(about+" describes "+d.GoName+".", about, fmt.Sprintf("Enum{Name: %q, Mask: %v, Names: %#v}", e.Name, d.Mask, names))
		f.Returns("", "(v "+d.GoName+") String() string", about+".String(uint32(v))")
		all = append(all, "&"+about)
	}
	f.List("Enums lists all enumerations.", "Enums", "[...]*Enum", all)
	return f
}
