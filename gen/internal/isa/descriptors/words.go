// SPDX-License-Identifier: MIT

package descriptors

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/isa/isatab"
	"jacquard.example/gen/internal/table"
)

// checkWords checks how a field is described in listings: its columns words, said and index.
func checkWords(f *isatab.MsgField, errs *diag.List, r *table.Row[isatab.MsgField], width int) {
	if n := strings.Count(f.Words, "{}"); f.Words != "" && f.Kind == "bool" && n != 0 {
		errs.Addf(r.At("words"), r.Full, "the words of a bool have no value")
	} else if f.Words != "" && f.Kind != "bool" && n != 1 {
		errs.Addf(r.At("words"), r.Full, "the words need {} once, for the value")
	}
	for _, k := range isatab.SortedKeys(f.Said) {
		if v, err := strconv.Atoi(k); err != nil || v < 0 || v>>width != 0 {
			errs.Addf(r.At("said"), r.Full, "%s is not a value of the field", k)
		}
	}
	if f.Index != "" && f.Words == "" {
		errs.Addf(r.At("index"), r.Full, "index requires words")
	}
}

// emitWords writes the descriptions of messages in listings.
func emitWords(t *isatab.Tables, f *emit.File) {
	f.Struct("Saying is the text of a value in a listing.", "Saying", `
		Value uint32
		Words string
`)
	f.Struct("FieldWords is the description of a message's field in listings.", "FieldWords", `
		Words string // {} is the value; for a bool, the text if it is set; may be empty
		Said []Saying // texts that replace Words for particular values
		Index string // surface, sampler: the list of the ABI that the value is an index of; else empty
		Bool bool
		Value func(m *MsgInfo) uint32
		Name func(value uint32) string // names of an enumeration's values, else nil
`)
	f.Struct("KindWords is the description of a kind of message in listings.", "KindWords", `
		Words string
		Fields []FieldWords
`)
	var rows emit.Rows
	for _, m := range t.Messages {
		rows.F("Msg%s: {%q, []FieldWords{", isatab.GoName(m.Name, m.Val.Go), cmp.Or(m.Val.Words, strings.ReplaceAll(m.Name, "_", " ")))
		for _, n := range m.Val.Fields {
			if x := msgFieldByName(t, n); x.Val.Words != "" || x.Val.Said != nil {
				rows.F("words%s,", isatab.GoName(x.Name, ""))
			}
		}
		rows.F("}},\n")
	}
	f.Table("MessageWords are the descriptions of messages in listings.", "MessageWords", "[...]KindWords", &rows)
	for _, r := range t.MsgFields {
		if r.Val.Words != "" || r.Val.Said != nil {
			f.Var("", "words"+isatab.GoName(r.Name, ""), wordsOf(t, r))
		}
	}
}

// wordsOf returns a field's FieldWords.
func wordsOf(t *isatab.Tables, r *table.Row[isatab.MsgField]) string {
	var b strings.Builder
	fmt.Fprintf(&b, "FieldWords{Words: %q, Value: func(m *MsgInfo) uint32 { return ", r.Val.Words)
	if r.Val.Kind == "bool" {
		fmt.Fprintf(&b, "uint32(fields.Bit(m.%s)) }, Bool: true", infoName(r))
	} else {
		fmt.Fprintf(&b, "uint32(m.%s) }", infoName(r))
	}
	if r.Val.Index != "" {
		fmt.Fprintf(&b, ", Index: %q", r.Val.Index)
	}
	if msgEnumByName(t, r.Val.Kind) != nil {
		fmt.Fprintf(&b, ", Name: func(value uint32) string { return %s(value).String() }", goKind(t, r))
	}
	if r.Val.Said != nil {
		keys := isatab.SortedKeys(r.Val.Said)
		slices.SortFunc(keys, func(x, y string) int { return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y)) })
		b.WriteString(", Said: []Saying{")
		for _, k := range keys {
			fmt.Fprintf(&b, "{%s, %q},", k, r.Val.Said[k])
		}
		b.WriteString("}")
	}
	b.WriteString("}")
	return b.String()
}
