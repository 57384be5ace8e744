package descriptors

import (
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

// messagesOn returns the tables with the messages of a platform, or nil if no row has a
// column for it.
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
	}
	checkMessages(t, errs)
	for _, p := range t.Platforms {
		if x := messagesOn(t, p); x != nil && errs.Err() == nil {
			checkMessages(x, errs)
		}
	}
}
