// SPDX-License-Identifier: MIT

package descriptors

import (
	"maps"
	"slices"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/isa/isatab"
	"jacquard.example/gen/internal/table"
)

// overlaps records the fields of messages that share bits with another field or with the fixed bits of the message.
type overlaps struct {
	uses map[string]int       // by field: the number of messages with it
	in   map[string][]overlap // by field
}

type overlap struct {
	message *table.Row[isatab.MessageRow]
	other   string // a field, or "" for the fixed bits
}

// add records the overlaps in a message whose fixed bits are mask.
func (o *overlaps) add(t *isatab.Tables, m *table.Row[isatab.MessageRow], mask uint32) {
	masks := make([]uint32, len(m.Val.Fields))
	for i, n := range m.Val.Fields {
		o.uses[n]++
		spans, _ := isatab.ParseBits(msgFieldByName(t, n).Val.Bits)
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

// everywhere reports whether a field overlaps others in every message that has it, and several have it: the field is wrong, not
// the messages.
func (o *overlaps) everywhere(field string) bool {
	messages := map[*table.Row[isatab.MessageRow]]bool{}
	for _, x := range o.in[field] {
		messages[x.message] = true
	}
	return len(messages) > 1 && len(messages) == o.uses[field]
}

// report reports each overlap once: at the field if it overlaps others everywhere, otherwise at the message.
func (o *overlaps) report(errs *diag.List, t *isatab.Tables) {
	for _, n := range slices.Sorted(maps.Keys(o.in)) {
		x := o.in[n][0]
		if f := msgFieldByName(t, n); o.everywhere(n) {
			errs.Addf(f.At("bits"), f.Full, "bits: overlap %s in [%s]; in every other message with the field they overlap other bits",
				x.bits(), x.message.Full)
			continue
		}
		for _, x := range o.in[n] {
			at := func(field string) int { return slices.Index(x.message.Val.Fields, field) }
			if x.other == "" || !o.everywhere(x.other) && at(x.other) < at(n) {
				errs.Addf(x.message.At("fields"), x.message.Full, "field %s overlaps %s", n, x.bits())
			}
		}
	}
}

func (x overlap) bits() string {
	if x.other == "" {
		return "the fixed bits"
	}
	return "field " + x.other
}
