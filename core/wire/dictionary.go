// SPDX-License-Identifier: MIT

package wire

import (
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// form describes the contents of an instruction or a record of the file, in terms of this program's tables.
type form struct {
	record string // name of the record; empty for instructions
	kind   kind.Kind
	sub    uint16
	nsrc   int
	fields []field // fields that this program knows
	slots  []int   // indices of the fields that the file has, in the file's order
}

func (f *form) title() string {
	if f.record != "" {
		return f.record
	}
	if name := subName(f.kind, f.sub); name != "" {
		return f.kind.String() + " " + name
	}
	return f.kind.String()
}

func (d *decoder) dictionaries() {
	d.strs = append(d.strs, "")
	for range d.count("strings") {
		d.strs = append(d.strs, string(d.bytes(d.count("bytes of a string"))))
	}
	for range d.count("forms") {
		d.forms = append(d.forms, d.form())
	}
	d.values = append(d.values, enumValue{})
	for range d.count("values") {
		d.values = append(d.values, d.enumValue())
	}
}

func (d *decoder) form() form {
	at := d.pos
	kindName, sub := d.str("kind"), d.str("opcode")
	f := form{nsrc: d.count("sources")}
	if kindName == record {
		known := false
		f.record = sub
		if f.fields, known = recordFields[sub]; !known {
			d.fail(at, "unknown record %q", sub)
		}
	} else {
		d.instrForm(at, &f, kindName, sub)
	}
	have := make([]bool, len(f.fields))
	for range d.count("fields") {
		at := d.pos
		name, typ := d.str("field"), d.str("type")
		slot := -1
		for i := range f.fields {
			if f.fields[i].name == name {
				slot = i
			}
		}
		switch {
		case slot < 0:
			d.fail(at, "%s has no field %q", f.title(), name)
		case have[slot]:
			d.fail(at, "%s has the field %q twice", f.title(), name)
		case f.fields[slot].typ != typ:
			d.fail(at, "%s: the field %q is of type %s, but of type %s in the file", f.title(), name, f.fields[slot].typ, typ)
		}
		have[slot] = true
		f.slots = append(f.slots, slot)
	}
	for i, x := range f.fields {
		if f.record == "" && x.class.Words() == 0 && !have[i] {
			d.fail(at, "%s lacks the field %q", f.title(), x.name)
		}
	}
	return f
}

// instrForm looks up the kind and the opcode that a form names.
func (d *decoder) instrForm(at int, f *form, kindName, sub string) {
	k, ok := kind.ByName(kindName)
	if !ok {
		d.fail(at, "unknown kind of instruction %q", kindName)
	}
	f.kind = k
	info := &kind.Infos[k]
	switch info.Sub {
	case kind.SubOp:
		o, ok := op.ByName(sub)
		if !ok {
			d.fail(at, "unknown opcode %q", sub)
		}
		f.sub = uint16(o)
	case kind.SubIntrinsic:
		id, ok := intrinsic.ByName(sub)
		if !ok {
			d.fail(at, "unknown intrinsic %q", sub)
		}
		f.sub = uint16(id)
	case kind.SubEnum:
		v, ok := info.SubEnum.Value(sub)
		if !ok {
			d.fail(at, "unknown %s %q", info.SubEnum.Name, sub)
		}
		f.sub = uint16(v)
	default:
		if sub != "" {
			d.fail(at, "instructions of kind %s have no opcode, but the file has %q", kindName, sub)
		}
	}
	sh := info.ShapeOf(f.sub)
	want, more := len(sh.Src), sh.Variadic
	switch k {
	case kind.ALU:
		want = int(op.Op(f.sub).Info().NumSrc)
	case kind.Intrinsic:
		want = intrinsic.ID(f.sub).Info().NumOperands()
	}
	if f.nsrc < want || f.nsrc > want && !more || f.nsrc > 1<<16-1 {
		d.fail(at, "%s has %d sources, but %d in the file", f.title(), want, f.nsrc)
	}
	key := instrKey{kind: k, sub: f.sub}
	if f.fields, ok = d.fields[key]; !ok {
		f.fields = fieldsOf(k, f.sub)
		d.fields[key] = f.fields
	}
}

func (d *decoder) enumValue() enumValue {
	at := d.pos
	name := d.str("enumeration")
	e := enumByName(name)
	if e == nil {
		d.fail(at, "unknown enumeration %q", name)
	}
	n := d.count("names")
	if n == 0 || n > 1 && !e.Mask {
		d.fail(at, "a value of %s has %d names", name, n)
	}
	v := enumValue{enum: e}
	for range n {
		at := d.pos
		value := d.str("value")
		x, ok := e.Value(value)
		if !ok {
			d.fail(at, "unknown value %q of %s", value, name)
		}
		if e.Mask {
			x = 1 << x
		}
		v.value |= x
	}
	return v
}
