package isa

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/table"
)

// checkWords checks the descriptions of a field in listings.
func (f *msgField) checkWords(errs *diag.List, r *table.Row[msgField], width int) {
	if n := strings.Count(f.Words, "{}"); f.Words != "" && f.Kind == "bool" && n != 0 {
		errs.Addf(r.At("words"), r.Full, "the words of a bool have no value")
	} else if f.Words != "" && f.Kind != "bool" && n != 1 {
		errs.Addf(r.At("words"), r.Full, "the words need {} once, for the value")
	}
	for _, k := range sortedKeys(f.Said) {
		if v, err := strconv.Atoi(k); err != nil || v < 0 || v>>width != 0 {
			errs.Addf(r.At("said"), r.Full, "%s is not a value of the field", k)
		}
	}
	if f.Index != "" && f.Words == "" {
		errs.Addf(r.At("index"), r.Full, "an index needs words")
	}
}

// emitWords writes the descriptions of messages in listings.
func (t *tables) emitWords(f *emit.File) {
	f.Struct("Saying is the text of a value in a listing.", "Saying", `
		Value uint32
		Words string
`)
	f.Struct("FieldWords is the description of a message's field in listings.", "FieldWords", `
		Words string // {} is the value; for a bool, the text if it is set; may be empty
		Said []Saying // what to say of particular values instead
		Index string // surface, sampler: the list of the ABI that the value is an index of; else empty
		Bool bool
		Value func(m *MsgInfo) uint32
		Name func(value uint32) string // of an enumeration, else nil
`)
	f.Struct("KindWords is the description of a kind of message in listings.", "KindWords", `
		Words string
		Fields []FieldWords
`)
	var rows emit.Rows
	for _, m := range t.messages {
		rows.F("Msg%s: {%q, []FieldWords{", goName(m.Name, m.Val.Go), cmp.Or(m.Val.Words, strings.ReplaceAll(m.Name, "_", " ")))
		for _, n := range m.Val.Fields {
			if x := t.msgFieldByName(n); x.Val.Words != "" || x.Val.Said != nil {
				rows.F("words%s,", goName(x.Name, ""))
			}
		}
		rows.F("}},\n")
	}
	f.Table("MessageWords are the descriptions of messages in listings.", "MessageWords", "[...]KindWords", &rows)
	for _, r := range t.msgFields {
		if r.Val.Words != "" || r.Val.Said != nil {
			f.Var("", "words"+goName(r.Name, ""), t.wordsOf(r))
		}
	}
}

// wordsOf returns a field's FieldWords.
func (t *tables) wordsOf(r *table.Row[msgField]) string {
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
	if t.msgEnumByName(r.Val.Kind) != nil {
		fmt.Fprintf(&b, ", Name: func(value uint32) string { return %s(value).String() }", t.goKind(r))
	}
	if r.Val.Said != nil {
		keys := sortedKeys(r.Val.Said)
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
