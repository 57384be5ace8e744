// SPDX-License-Identifier: MIT

package descriptors

import (
	"slices"
	"strconv"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/isa/isatab"
	"jacquard.example/gen/internal/table"
)

// Control is the part of a [message] that other tables refer to: its shared function, and its
// descriptor without the lengths.
type Control struct {
	SFID   string            // the Go constant
	Also   map[string]string // the Go constants of other shared functions that have it, by name
	Fixed  uint32            // the bits that every such descriptor has
	Header bool              // the first payload starts with a header
	Fields []ControlField
}

// ControlField is a field of a message's descriptor.
type ControlField struct {
	Name, Kind string
	At, Width  int            // Width 0: the field has several pieces
	Codes      []uint8        // by lanes / 8, or by components; nil means the field holds the value itself
	Words      map[string]int // the values of an enumeration
	Numbers    map[string]int // the codes of the numbers that a field of kind number holds
}

// NoCode marks entries of Codes that the field cannot encode.
const NoCode = 0xFF

// ControlSet holds the messages of a platform.
type ControlSet struct {
	Platform string // its name in Go; empty means all platforms except those that differ
	ByName   map[string]*Control
}

// Controls returns the messages of the tables: first the set of most platforms, then a set for each platform that has its
// own columns. Messages that only some platforms have are in the sets of the latter alone.
func Controls(ctx *domain.Context) ([]ControlSet, error) {
	set, err := ctx.Load(isatab.Dir)
	if err != nil {
		return nil, err
	}
	t := &isatab.Tables{}
	var errs diag.List
	isatab.Rows(set, &errs, "platform", &t.Platforms)
	isatab.Rows(set, &errs, "sfid", &t.Sfids)
	isatab.Rows(set, &errs, "msgenum", &t.MsgEnums)
	isatab.Rows(set, &errs, "msgfield", &t.MsgFields)
	isatab.Rows(set, &errs, "message", &t.Messages)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	out := []ControlSet{{"", controls(common(t))}}
	for _, p := range t.Platforms {
		if slices.ContainsFunc(t.Messages, func(m *table.Row[isatab.MessageRow]) bool { return differs(t, m, p) }) {
			out = append(out, ControlSet{p.Val.Go, controls(messagesOn(t, p))})
		}
	}
	return out, nil
}

// CodeName returns the Go name of a value of a [msgenum], such as Lod for lod of sampler_op.
func CodeName(value string) string { return isatab.GoName(value, "") }

// Codes returns the values of an enumeration of messages' fields by name.
func Codes(ctx *domain.Context, enum string) (map[string]int, error) {
	set, err := ctx.Load(isatab.Dir)
	if err != nil {
		return nil, err
	}
	t := &isatab.Tables{}
	var errs diag.List
	isatab.Rows(set, &errs, "msgenum", &t.MsgEnums)
	for _, r := range t.MsgEnums {
		if r.Name == enum {
			return r.Val.Values, errs.Err()
		}
	}
	return nil, errs.Err()
}

func controls(t *isatab.Tables) map[string]*Control {
	out := map[string]*Control{}
	for _, m := range t.Messages {
		c := &Control{Header: m.Val.Header, Also: map[string]string{}}
		for _, s := range t.Sfids {
			name := "SFID" + isatab.GoName(s.Name, s.Val.Go)
			if s.Name == m.Val.SFID {
				c.SFID = name
			}
			if slices.Contains(m.Val.Also, s.Name) {
				c.Also[s.Name] = name
			}
		}
		_, c.Fixed, _ = fixedBits(&m.Val)
		if c.Header {
			c.Fixed |= HeaderBit
		}
		for _, n := range m.Val.Fields {
			if f := msgFieldByName(t, n); f != nil {
				c.Fields = append(c.Fields, control(t, f))
			}
		}
		out[m.Name] = c
	}
	return out
}

// control returns a field in the form of Control.
func control(t *isatab.Tables, f *table.Row[isatab.MsgField]) ControlField {
	c := ControlField{Name: f.Name, Kind: f.Val.Kind}
	if spans, msg := isatab.ParseBits(f.Val.Bits); msg == "" && len(spans) == 1 {
		c.At, c.Width = spans[0].Lo, spans[0].Width()
	}
	switch f.Val.Kind {
	case "lanes":
		c.Codes = []uint8{NoCode, NoCode, NoCode}
		for n, code := range f.Val.Values {
			if lanes, err := strconv.Atoi(n); err == nil && lanes%8 == 0 && lanes/8 < len(c.Codes) {
				c.Codes[lanes/8] = uint8(code)
			}
		}
	case "comps":
		c.Codes = []uint8{NoCode, 0xE, 0xC, 8, 0} // the channels that are disabled
	case "number":
		c.Numbers = f.Val.Values
	}
	for _, e := range t.MsgEnums {
		if e.Name == f.Val.Kind {
			c.Words = e.Val.Values
		}
	}
	return c
}
