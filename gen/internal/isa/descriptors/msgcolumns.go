// SPDX-License-Identifier: MIT

package descriptors

import (
	"slices"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/isa/isatab"
	"jacquard.example/gen/internal/table"
)

// columnOf returns a row's column for a platform: its own, or its family's.
func columnOf[T any](columns map[string]T, p *table.Row[isatab.Platform]) (T, bool) {
	if c, ok := columns[p.Name]; ok {
		return c, true
	}
	c, ok := columns[p.Val.Family]
	return c, ok
}

// lists reports whether a platform or its family is in a list.
func lists(names []string, p *table.Row[isatab.Platform]) bool {
	return slices.Contains(names, p.Name) || slices.Contains(names, p.Val.Family)
}

// common returns the tables with the messages that a platform has if no row says otherwise.
func common(t *isatab.Tables) *isatab.Tables {
	x := *t
	x.Messages = slices.DeleteFunc(slices.Clone(t.Messages), func(r *table.Row[isatab.MessageRow]) bool { return r.Val.Only != nil })
	return &x
}

// differs reports whether a message has other bits on a platform, or exists only there.
func differs(t *isatab.Tables, m *table.Row[isatab.MessageRow], p *table.Row[isatab.Platform]) bool {
	_, own := columnOf(m.Val.On, p)
	own = own || lists(m.Val.Only, p)
	for _, n := range m.Val.Fields {
		if f := msgFieldByName(t, n); f != nil {
			_, field := columnOf(f.Val.On, p)
			own = own || field
		}
	}
	return own
}

// messagesOn returns the tables with the messages of a platform, or nil if it has the common ones.
func messagesOn(t *isatab.Tables, p *table.Row[isatab.Platform]) *isatab.Tables {
	x, differs := *t, false
	x.MsgFields, x.Messages = nil, nil
	for _, r := range t.MsgFields {
		if c, ok := columnOf(r.Val.On, p); ok {
			own := *r
			r, differs = &own, true
			if c.Bits != "" {
				own.Val.Bits = c.Bits
			}
			if c.Values != nil {
				own.Val.Values = c.Values
			}
		}
		x.MsgFields = append(x.MsgFields, r)
	}
	for _, r := range t.Messages {
		switch {
		case r.Val.Only != nil && !lists(r.Val.Only, p):
			continue
		case lists(r.Val.Not, p):
			differs = true
			continue
		}
		differs = differs || r.Val.Only != nil
		if c, ok := columnOf(r.Val.On, p); ok {
			own := *r
			r, differs = &own, true
			if c.SFID != "" {
				own.Val.SFID = c.SFID
			}
			if c.Fixed != nil {
				own.Val.Fixed = c.Fixed
			}
		}
		x.Messages = append(x.Messages, r)
	}
	if !differs {
		return nil
	}
	return &x
}

// CheckColumns checks the messages of all platforms.
func CheckColumns(t *isatab.Tables, errs *diag.List, cols isatab.Columns) {
	for _, r := range t.MsgFields {
		cols.Check(errs, r.At("on"), r.Full, isatab.SortedKeys(r.Val.On)...)
	}
	for _, r := range t.Messages {
		cols.Check(errs, r.At("on"), r.Full, isatab.SortedKeys(r.Val.On)...)
		cols.Check(errs, r.At("only"), r.Full, r.Val.Only...)
		cols.Check(errs, r.At("not"), r.Full, r.Val.Not...)
	}
	checkMessages(common(t), errs)
	for _, p := range t.Platforms {
		if x := messagesOn(t, p); x != nil && errs.Err() == nil {
			checkMessages(x, errs)
		}
	}
}
