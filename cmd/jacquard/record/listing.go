package record

import (
	"encoding/hex"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/listing"
)

// Instruction describes an instruction of the machine code: jacquard.Line with its code.
type Instruction struct {
	Offset  int    `json:"offset"`  // in bytes from the start of the code
	Bytes   string `json:"bytes"`   // in hexadecimal
	Text    string `json:"text"`    // as jacquard dis writes it, without labels
	Message string `json:"message"` // what a send asks for, in words; else empty
	File    string `json:"file"`    // empty, like Line and Column 0, if debug information does not say
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	IR      string `json:"ir"`   // that it was selected for; empty if there is none
	Rule    string `json:"rule"` // that made the instruction of the IR; empty if there is none
	Row     string `json:"row"`  // that selected it; empty if there is none
	Issue   int    `json:"issue"`
	Wait    int    `json:"wait"`
	Times   int    `json:"times"`
	// Assumed says that Times depends on an assumed trip count.
	Assumed bool `json:"assumed"`
	Live    int  `json:"live_registers"`
}

// List adds the listing of variant i of p, which has been explained, to its description. code is the disassembled variant.
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
