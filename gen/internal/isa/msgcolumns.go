package isa

import (
	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/table"
)

// fieldColumn is a descriptor's field on a platform where it differs.
type fieldColumn struct {
	Bits   string         `toml:"bits" doc:"Bits of the descriptor; default: the row's."`
	Values map[string]int `toml:"values" doc:"The code of each number of lanes; left out: the row's."`
}

// messageColumn is a message on a platform where it differs.
type messageColumn struct {
	SFID  string         `toml:"sfid" doc:"The shared function; default: that of the row."`
	Fixed map[string]int `toml:"fixed" doc:"Bits that distinguish it from other messages; default: the row's."`
}

// columnOf returns a row's column for a platform: its own, or its family's.
func columnOf[T any](columns map[string]T, p *table.Row[platform]) (T, bool) {
	if c, ok := columns[p.Name]; ok {
		return c, true
	}
	c, ok := columns[p.Val.Family]
	return c, ok
}

// messagesOn returns the tables with the messages of a platform, or nil if no row has a
// column for it.
func (t *tables) messagesOn(p *table.Row[platform]) *tables {
	x, differs := *t, false
	x.msgFields, x.messages = nil, nil
	for _, r := range t.msgFields {
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
		x.msgFields = append(x.msgFields, r)
	}
	for _, r := range t.messages {
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
		x.messages = append(x.messages, r)
	}
	if !differs {
		return nil
	}
	return &x
}

// checkColumns checks the messages of all platforms.
func (t *tables) checkColumns(errs *diag.List, cols columns) {
	for _, r := range t.msgFields {
		cols.check(errs, r.At("on"), r.Full, sortedKeys(r.Val.On)...)
	}
	for _, r := range t.messages {
		cols.check(errs, r.At("on"), r.Full, sortedKeys(r.Val.On)...)
	}
	t.checkMessages(errs)
	for _, p := range t.platforms {
		if x := t.messagesOn(p); x != nil && errs.Err() == nil {
			x.checkMessages(errs)
		}
	}
}
