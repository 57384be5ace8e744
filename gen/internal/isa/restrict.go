package isa

import (
	"bytes"
	"fmt"
	"go/token"
	"strings"

	"jacquard.example/gen/internal/diag"
)

// props are the properties that a restriction may name.
var props = []struct{ name, doc string }{
	{"pred", "a predicate"},
	{"cmod", "a condition modifier"},
	{"sat", "saturation"},
	{"neg", "a negated source"},
	{"abs", "an absolute source"},
	{"acc_wr", "the accumulator's write enable"},
	{"indirect", "an indirect operand"},
	{"no_dd", "NoDDClr or NoDDChk"},
}

func propIndex(n string) int {
	for i, p := range props {
		if p.name == n {
			return i
		}
	}
	return -1
}

func (t *tables) checkRestricts(errs *diag.List, cols map[string]bool) {
	for _, r := range t.restricts {
		v := &r.Val
		if v.Doc == "" || v.Ref == "" {
			errs.Addf(r.Pos, r.Full, "a restriction needs doc and ref")
		}
		for _, p := range v.On {
			if !cols[p] {
				errs.Addf(r.At("on"), r.Full, "unknown platform or family %q", p)
			}
		}
		for _, o := range v.Ops {
			if _, ok := t.opsOf(o); !ok {
				errs.Addf(r.At("ops"), r.Full, "%q is neither an opcode nor a format", o)
			}
		}
		for _, key := range []string{"need", "forbid"} {
			list := v.Need
			if key == "forbid" {
				list = v.Forbid
			}
			for _, p := range list {
				if propIndex(p) < 0 {
					errs.Addf(r.At(key), r.Full, "unknown property %q", p)
				}
			}
		}
		if (v.Check != "") == (len(v.Need)+len(v.Forbid) > 0) {
			errs.Addf(r.Pos, r.Full, "a restriction has either a check, or something to need or forbid")
		}
		if v.Check != "" && !token.IsIdentifier(v.Check) {
			errs.Addf(r.At("check"), r.Full, "%q is no name of a function", v.Check)
		}
	}
}

// opsOf is the opcodes that a name in a restriction stands for.
func (t *tables) opsOf(name string) ([]string, bool) {
	var out []string
	for _, o := range t.ops {
		if o.Name == name || o.Val.Format == name {
			out = append(out, goName(o.Name, ""))
		}
	}
	return out, len(out) > 0
}

func (t *tables) emitRestricts(b *bytes.Buffer) {
	b.WriteString("package isa\n\n// Prop is a set of properties of an instruction, which restrictions speak of.\ntype Prop uint16\n\n// The properties.\nconst (\n")
	for i, p := range props {
		fmt.Fprintf(b, "\tProp%s Prop = 1 << %d // %s\n", goName(p.name, ""), i, p.doc)
	}
	b.WriteString(`)

// Restriction is something that an instruction may not be although it can be
// encoded.
type Restriction struct {
	ID     string
	Doc    string
	Ref    string     // where the manual says so
	On     uint32     // the platforms concerned, bit n for Platform n
	Ops    [2]uint64  // the opcodes concerned, bit n for Op n; empty for all
	Need   Prop       // exactly one of these
	Forbid Prop       // none of these
	Check  string     // a function of backend/intel/legal
}

// Concerns reports whether the restriction speaks of the opcode
// on the platform.
func (r *Restriction) Concerns(p Platform, o Op) bool {
	return r.On>>p&1 != 0 && (r.Ops == [2]uint64{} || r.Ops[o>>6&1]>>(o&63)&1 != 0)
}

// Restrictions are all restrictions, in the order of the table.
var Restrictions = [...]Restriction{
`)
	bits := func(list []string) string {
		var parts []string
		for _, p := range list {
			parts = append(parts, "Prop"+goName(p, ""))
		}
		return strings.Join(parts, "|")
	}
	for _, r := range t.restricts {
		v := &r.Val
		fmt.Fprintf(b, "\t{ID: %q, Doc: %q, Ref: %q", r.Name, v.Doc, v.Ref)
		on := uint32(0)
		for i, p := range t.platforms {
			if len(v.On) == 0 || index(v.On, p.Name) >= 0 || index(v.On, p.Val.Family) >= 0 {
				on |= 1 << i
			}
		}
		fmt.Fprintf(b, ", On: %#x", on)
		if len(v.Ops) > 0 {
			var set [2]uint64
			for i, o := range t.ops {
				for _, n := range v.Ops {
					if o.Name == n || o.Val.Format == n {
						set[i>>6] |= 1 << (i & 63)
					}
				}
			}
			fmt.Fprintf(b, ", Ops: [2]uint64{%#x, %#x}", set[0], set[1])
		}
		if len(v.Need) > 0 {
			fmt.Fprintf(b, ", Need: %s", bits(v.Need))
		}
		if len(v.Forbid) > 0 {
			fmt.Fprintf(b, ", Forbid: %s", bits(v.Forbid))
		}
		if v.Check != "" {
			fmt.Fprintf(b, ", Check: %q", v.Check)
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n")
}
