// SPDX-License-Identifier: MIT

package record

import (
	"encoding/hex"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/listing"
)

// Instruction describes an instruction of the machine code: the fields of jacquard.Line, with offset, bytes and text.
type Instruction struct {
	Offset  int    `json:"offset"`  // in bytes from the start of the code
	Bytes   string `json:"bytes"`   // in hexadecimal
	Text    string `json:"text"`    // as jacquard dis writes it, without labels
	Message string `json:"message"` // a description of a send's message; empty for other instructions
	File    string `json:"file"`    // empty without debug information; Line and Column are then 0
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	IR      string `json:"ir"`   // the IR instruction it was selected for; empty if none
	Rule    string `json:"rule"` // the rule that made the IR instruction; empty if none
	Row     string `json:"row"`  // the row that selected it; empty if none
	Issue   int    `json:"issue"`
	Wait    int    `json:"wait"`
	Times   int    `json:"times"`
	// Assumed reports whether Times depends on an assumed trip count.
	Assumed bool `json:"assumed"`
	Live    int  `json:"live_registers"`
}

// List adds the listing of variant i of p to its description. p must have been compiled with explanations; code is
// the variant's disassembly.
func (r *Program) List(p *jacquard.Program, i int, code []listing.Instruction) {
	v, out := &p.Variants[i], &r.Programs[i]
	for n := range min(len(v.Lines), len(code)) {
		x, in := &v.Lines[n], &code[n]
		out.Listing = append(out.Listing, Instruction{
			Offset: in.Offset, Bytes: hex.EncodeToString(in.Bytes), Text: in.Text, Message: in.Message,
			File: x.File, Line: x.Line, Column: x.Column, IR: x.IR, Rule: x.Rule, Row: x.Row,
			Issue: x.Issue, Wait: x.Wait, Times: x.Times, Assumed: x.Assumed, Live: x.Registers,
		})
	}
}
