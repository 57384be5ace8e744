package isa

import (
	"maps"
	"slices"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/table"
)

// overlaps are the fields of messages that share a bit with another field, or with the bits that distinguish a message.
type overlaps struct {
	uses map[string]int       // messages with a field
	in   map[string][]overlap // by field
}

type overlap struct {
	message *table.Row[messageRow]
	other   string // a field, or "" for the message's own bits
}

// add records the overlaps in a message. mask are its own bits.
func (o *overlaps) add(t *tables, m *table.Row[messageRow], mask uint32) {
	masks := make([]uint32, len(m.Val.Fields))
	for i, n := range m.Val.Fields {
		o.uses[n]++
		spans, _ := parseBits(t.msgFieldByName(n).Val.Bits)
		masks[i], _ = scatter(spans, 0)
		if masks[i]&mask != 0 {
			o.in[n] = append(o.in[n], overlap{m, ""})
		}
		for j, p := range m.Val.Fields[:i] {
			if masks[i]&masks[j] != 0 {
				o.in[n] = append(o.in[n], overlap{m, p})
				o.in[p] = append(o.in[p], overlap{m, n})
			}
		}
	}
}

// everywhere reports whether a field overlaps others in all messages that have it, at least two: then its own bits are wrong.
func (o *overlaps) everywhere(field string) bool {
	messages := map[*table.Row[messageRow]]bool{}
	for _, x := range o.in[field] {
		messages[x.message] = true
	}
	return len(messages) > 1 && len(messages) == o.uses[field]
}

// report reports overlaps once: at the field if it is wrong everywhere, or else at the message.
func (o *overlaps) report(errs *diag.List, t *tables) {
	for _, n := range slices.Sorted(maps.Keys(o.in)) {
		x := o.in[n][0]
		if f := t.msgFieldByName(n); o.everywhere(n) {
			errs.Addf(f.At("bits"), f.Full, "bits: overlap those of %s in [%s], and some in each message that has this field", x.bits(), x.message.Full)
			continue
		}
		for _, x := range o.in[n] {
			if x.other == "" || !o.everywhere(x.other) && slices.Index(x.message.Val.Fields, x.other) < slices.Index(x.message.Val.Fields, n) {
				errs.Addf(x.message.At("fields"), x.message.Full, "the bits of field %s overlap those of %s", n, x.bits())
			}
		}
	}
}

func (x overlap) bits() string {
	if x.other == "" {
		return "fixed"
	}
	return x.other
}
