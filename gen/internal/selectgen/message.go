// SPDX-License-Identifier: MIT

package selectgen

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/isa/descriptors"
	"jacquard.example/gen/internal/message"
	"jacquard.example/gen/internal/pattern"
)

// msg is a parsed template of a logical message.
type msg struct {
	text    string
	logical *message.Logical
	fields  []string          // fields of selector.Message, as Go
	given   map[string]string // the values of the keys
	result  string            // "", dst or row
	params  []string          // parameters of the sampler's operation
}

// isMessage reports whether a template is a logical message: msg.name.
func isMessage(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), "msg.") }

// message parses msg.name[.operation] [dst|row] key=value …
func (l *loader) message(text string, x *row) (*msg, error) {
	i := l.intrinsics[x.find.Name]
	if _, tex := l.texOp(x.find.Name); !tex && i == nil {
		return nil, errors.New("only rows for intrinsics and texture operations can emit messages")
	}
	for _, a := range x.find.Args {
		if a.Kind == pattern.Op || slices.ContainsFunc(a.Preds, isOperandWord) {
			return nil, errors.New("a message takes the intrinsic's sources unchanged: " +
				"find cannot have inner instructions or words that fold sources")
		}
	}
	words := strings.Fields(text)
	name, operation, _ := strings.Cut(strings.TrimPrefix(words[0], "msg."), ".")
	m := &msg{text: text, given: map[string]string{}}
	if m.logical = l.logicals[name]; m.logical == nil {
		return nil, errors.New(diag.Unknown("logical message", name, maps.Keys(l.logicals)))
	}
	m.field("Name", "message.%s", irtab.Camel(name))
	if err := l.operation(m, operation); err != nil {
		return nil, err
	}
	for _, w := range words[1:] {
		key, value, found := strings.Cut(w, "=")
		switch {
		case !found && (w == "dst" || w == "row") && m.result == "":
			m.result = w
			m.field("Result", "selector.%s", map[string]string{"dst": "PerLane", "row": "InRow"}[w])
		case !found:
			return nil, fmt.Errorf("%q is neither dst nor row nor key=value", w)
		case m.has(key):
			return nil, fmt.Errorf("%s is given twice", key)
		default:
			m.given[key] = value
			if err := l.key(m, i, key, value); err != nil {
				return nil, err
			}
		}
	}
	if i == nil {
		return m, m.texture(x)
	}
	return m, m.complete(i, x)
}

// has reports whether a key is given.
func (m *msg) has(key string) bool {
	_, ok := m.given[key]
	return ok
}

func (m *msg) field(name, format string, args ...any) {
	m.fields = append(m.fields, name+": "+fmt.Sprintf(format, args...))
}

// operation parses the operation of a message to the sampler.
func (l *loader) operation(m *msg, name string) error {
	params, known := l.operations[name]
	switch {
	case name == "" && m.sampler():
		return fmt.Errorf("%s needs an operation, such as msg.%[1]s.resinfo", m.logical.Name)
	case name == "":
		return nil
	case !m.sampler():
		return fmt.Errorf("%s has no operations; only messages to the sampler do", m.logical.Name)
	case !known:
		return errors.New(diag.Unknown("operation of the sampler", name, maps.Keys(l.operations)))
	}
	m.params = params
	m.field("Sampler", "isa.Sampler%s", descriptors.CodeName(name))
	return nil
}

// key parses a source or an attribute of a message.
func (l *loader) key(m *msg, i *irtab.Intrinsic, key, value string) error {
	switch key {
	case "space":
		if !slices.Contains(m.logical.Spaces, value) {
			return fmt.Errorf("space: %s does not access %q; it accesses %s", m.logical.Name, value, strings.Join(m.logical.Spaces, ", "))
		}
		m.field("Space", "message.%s", irtab.Camel(value))
		return nil
	case "lod":
		n, err := strconv.ParseUint(value, 0, 32)
		if err != nil || !slices.Contains(m.params, "lod") {
			return errors.New("lod needs a number, and an operation of the sampler with a level of detail")
		}
		m.field("Param", "message.ParamLOD")
		m.field("Value", "%d", n)
		return nil
	case "component":
		n, err := strconv.ParseUint(value, 0, 2)
		if err != nil || !m.sampler() {
			return fmt.Errorf("component needs a number from 0 to 3, and a message to the sampler")
		}
		m.field("Component", "%d", n+1)
		return nil
	case "comps", "bytes", "op":
		if !slices.Contains(m.logical.Attributes, key) && !(key == "comps" && m.sampler()) {
			return fmt.Errorf("%s has no attribute %s; it has %s", m.logical.Name, key, orNone(m.logical.Attributes))
		}
		return m.attribute(i, key, value)
	}
	if !slices.Contains(m.logical.Sources, key) || i == nil {
		known := diag.Join(slices.Values(m.logical.Sources), slices.Values(m.logical.Attributes))
		return errors.New(diag.Unknown("source or attribute of "+m.logical.Name, key, known))
	}
	if key == "data" {
		var list []string
		for _, r := range strings.Split(value, ",") {
			s, err := l.source(i, r)
			if err != nil {
				return fmt.Errorf("data: %w", err)
			}
			list = append(list, s)
		}
		if len(list) > 2 {
			return errors.New("data: more than 2 sources")
		}
		m.field("Data", "[2]selector.Source{%s}", strings.Join(list, ", "))
		return nil
	}
	s, err := l.source(i, value)
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	if (key == "address64") != (value == "address") && strings.HasPrefix(key, "address") {
		return errors.New("address64 needs the role address, and address another role")
	}
	m.field(map[string]string{"address": "Address", "address64": "Address", "header": "Header", "surface": "Surface"}[key], "%s", s)
	return nil
}

// source returns the source of an intrinsic with a role, or its image, as Go.
func (l *loader) source(i *irtab.Intrinsic, role string) (string, error) {
	if role == "image" && i.Row.Val.Target == "image" {
		return "selector.Image", nil
	}
	var known []string
	for _, s := range i.Row.Val.Src {
		if r := l.ir.Role(&s); r >= 0 {
			known = append(known, l.ir.Roles[r].Name)
		}
	}
	if i.Row.Val.Target == "image" {
		known = append(known, "image")
	}
	if !slices.Contains(known, role) {
		return "", errors.New(diag.Unknown("role of a source of "+i.Row.Name, role, slices.Values(known)))
	}
	return fmt.Sprintf("selector.From(intrinsic.Role%s)", irtab.Camel(role)), nil
}

func orNone(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

// attribute parses comps=N or comps=read, bytes=N or bytes=size, and op=index.
func (m *msg) attribute(i *irtab.Intrinsic, key, value string) error {
	n, err := strconv.Atoi(value)
	switch {
	case i == nil && key != "comps":
		return fmt.Errorf("%s: a texture operation implies it", key)
	case key == "op" && (value != "atomic_op" && value != "texel_base" || !slices.Contains(i.Row.Val.Indices, value)):
		return fmt.Errorf("op: must be atomic_op or texel_base, whichever index %s has, not %q", i.Row.Name, value)
	case key == "op":
		m.field("Op", "selector.By%s", irtab.Camel(value))
	case key == "comps" && value == "read":
		m.field("AsRead", "true")
	case key == "bytes" && value == "size":
		m.field("BySize", "true")
	case err != nil || key == "comps" && (n < 1 || n > 4) || key == "bytes" && n != 4 && n != 8:
		want := map[string]string{"comps": "a number from 1 to 4, or read", "bytes": "4, 8 or size"}
		return fmt.Errorf("%s: must be %s, not %q", key, want[key], value)
	case key == "comps":
		m.field("Comps", "%d", n)
	default:
		m.field("Bytes", "%d", n)
	}
	return nil
}

// texture checks the template of a texture operation, which implies the sources.
func (m *msg) texture(x *row) error {
	switch {
	case !m.sampler():
		return fmt.Errorf("%s is not a message to the sampler", m.logical.Name)
	case m.result != "dst":
		return errors.New("dst is missing: a texture operation has a result")
	case m.given["comps"] != "read" && !m.has("component"):
		return errors.New("comps=read or component=N is missing")
	case m.has("comps") && m.has("component"):
		return errors.New("comps and component exclude each other")
	case slices.Contains(x.find.Preds, "shadow") != slices.Contains(m.params, "ref"):
		return errors.New("operations with the parameter ref need :shadow, and :shadow needs such an operation")
	case slices.Contains(x.find.Preds, "far_offset") && !slices.Contains(m.params, "offset0"):
		return errors.New(":far_offset needs an operation with parameters for the offset")
	case x.sizes != pattern.SizeSet(32):
		return errors.New("the sampler returns doublewords; find needs @32")
	}
	if !m.has("space") {
		m.field("Space", "message.Image")
	}
	return nil
}

// complete checks that a template gives everything that its message needs, and that selection can emit it.
func (m *msg) complete(i *irtab.Intrinsic, x *row) error {
	l, d := m.logical, &i.Row.Val
	if foreign := slices.DeleteFunc(slices.Clone(l.Sources), isSource); len(foreign) > 0 || !m.sampler() && !m.accesses() {
		return fmt.Errorf("a row cannot emit %s, which does not access an address; name a method instead (call)", l.Name)
	}
	for _, s := range l.Sources {
		optional := s == "surface" && !m.surfaced() || s == "data" && !l.Effect || m.sampler() && s != "surface"
		if !m.has(s) && !optional {
			return fmt.Errorf("%s is missing: %s needs it", s, l.Name)
		}
	}
	for _, a := range l.Attributes {
		if !m.has(a) && !m.sampler() && !(m.result == "row" && a == "comps") {
			return fmt.Errorf("%s is missing: %s needs it", a, l.Name)
		}
	}
	switch {
	case len(l.Spaces) == 1:
		if !m.has("space") {
			m.field("Space", "message.%s", irtab.Camel(l.Spaces[0]))
		}
	case len(l.Spaces) > 1 && !m.has("space"):
		return fmt.Errorf("space is missing: %s accesses %s", l.Name, strings.Join(l.Spaces, ", "))
	}
	if (d.Dest != nil) != (m.result != "") {
		return errors.New("dst or row is required if the intrinsic has a result, and only then")
	}
	for _, c := range contradictions {
		if c.in(m, d) {
			return errors.New(c.says)
		}
	}
	switch {
	case m.result == "row" && (l.Effect || !slices.Contains(x.find.Preds, "uniform") || x.sizes != pattern.SizeSet(32)):
		return errors.New("row needs a read, with @32 and :uniform in find")
	case m.given["bytes"] == "size" && (x.sizes == 0 || x.sizes&^pattern.SizeSet(8, 16, 32) != 0):
		return errors.New("bytes=size needs sizes of 8, 16 or 32 bits in find")
	case !m.has("comps") && !m.has("bytes") && !m.has("op") && m.result != "row" && !m.sampler() && !m.single(d):
		return fmt.Errorf("%s transfers one doubleword, since it has no attribute comps, but %s can have several components",
			l.Name, i.Row.Name)
	case !m.has("bytes") && x.sizes != pattern.SizeSet(32) && !m.sampler():
		return fmt.Errorf("%s transfers doublewords; find needs @32", l.Name)
	}
	return nil
}

// single reports whether an intrinsic always has one component.
func (m *msg) single(d *irtab.IntrinsicDef) bool {
	if d.Dest != nil {
		return *d.Dest == 1
	}
	s := d.Source("value")
	return s != nil && *s.Comps == 1
}

// sampler reports whether the message goes to the sampler and takes an operation. Rows do not name sample_resident:
// selection replaces the message when a shader asks for residency.
func (m *msg) sampler() bool { return m.logical.Name == "sample" || m.logical.Name == "sample_header" }

// surfaced reports whether the surface of the message is a source.
func (m *msg) surfaced() bool { return m.given["space"] == "buffer" || len(m.logical.Spaces) == 1 }

// rootFlag is a word after an intrinsic or a texture operation at the root that restricts what matches.
type rootFlag struct {
	name, doc string
	not       string // the condition in Go under which the row does not match
	tex       bool   // after a texture operation, not after an intrinsic
	index     string // an index that the intrinsic must have; "" if it must have a result
}

var rootFlags = []rootFlag{
	{"uniform", "the result is the same in all lanes that compute it together", "!x.T.IsUniform(v)", false, ""},
	{"vector", "the result has more than one component", "s.At(v).Comps < 2", false, ""},
	{"not_volatile", "the access is not volatile", "selector.Volatile(s, v)", false, "access"},
	{"unaligned", "its address need not be a multiple of four", "selector.Aligned(s, v)", false, "align_mul"},
	{"converted", "the machine converts texels of the image's format", "!x.T.Converts(v)", false, "format"},
	{"shadow", "texels are compared with a reference", "s.Tex(v).Flags()&kind.TexFlagShadow == 0", true, ""},
	{"first_level", "it has no level of detail, or the constant 0", "!x.T.FirstLevel(v)", true, ""},
	{"far_offset", "it has an offset that is not a constant from -8 to 7", "!x.T.FarOffset(v)", true, ""},
}

// flagAt returns the flag with a name that n can have as the root, or nil.
func (l *loader) flagAt(n *pattern.Node, name string) *rootFlag {
	if n.Parent != nil || n.Kind != pattern.Op || n.Code != nil || n.Name == condRoot {
		return nil
	}
	_, tex := l.texOp(n.Name)
	i := slices.IndexFunc(rootFlags, func(f rootFlag) bool { return f.name == name && f.tex == tex })
	if i < 0 || !tex && !rootFlags[i].fits(&l.intrinsics[n.Name].Row.Val) {
		return nil
	}
	return &rootFlags[i]
}

// fits reports whether a flag applies to an intrinsic.
func (f *rootFlag) fits(d *irtab.IntrinsicDef) bool {
	if f.index == "" {
		return d.Dest != nil
	}
	return slices.Contains(d.Indices, f.index)
}

// flagNames yields the flags that a root can have.
func (l *loader) flagNames(n *pattern.Node) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, f := range rootFlags {
			if l.flagAt(n, f.name) != nil && !yield(f.name) {
				return
			}
		}
	}
}

// root moves the size of an intrinsic or a texture operation at the root from the pattern to the row, since the
// matcher only handles sizes of ALU opcodes.
func (l *loader) root(x *row) error {
	n := x.find
	if n.Code != nil || n.Name == condRoot {
		return nil
	}
	x.sizes, n.Sizes = n.Sizes, 0
	if _, ok := l.texOp(n.Name); ok {
		return nil
	}
	d := &l.intrinsics[n.Name].Row.Val
	if x.sizes != 0 && d.Dest == nil && d.Source("value") == nil {
		return &pattern.Error{Col: n.Col, Msg: fmt.Sprintf("no @ here: %s has no result and stores no value", n.Name)}
	}
	return nil
}
