// SPDX-License-Identifier: MIT

package isa

import (
	"strings"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/isa/isatab"
)

// Machine is the part of the instruction set that other parts of the generator refer
// to: names and their Go identifiers in generated/isa.
type Machine struct {
	Ops   map[string]MachineOp
	Types map[string]MachineType
	CMods map[string]string // name → constant
	Preds map[string]string
	Maths map[string]MachineMath
	// Pages are the opcodes, functions of math and messages in the order of the tables,
	// for the manual.
	Pages Pages
	Files []string
}

// MachineOp is an opcode.
type MachineOp struct {
	Go        string // constant
	Src       int
	Dst       bool
	Sat, CMod bool
	Pred      bool
	Mods      string // "arith", "logic" or none
	Format    string
	On        []string // the platforms that have it
}

// MachineType is the type of an operand.
type MachineType struct {
	Go     string
	Size   int // bytes
	Float  bool
	Signed bool
	Packed bool // whether an immediate has several elements
}

// MachineMath is a function of the math opcode.
type MachineMath struct {
	Go  string
	Src int
	On  []string // the platforms that have it
}

// LoadMachine reads the tables of the instruction set.
func LoadMachine(ctx *domain.Context) (*Machine, error) {
	return domain.Once(ctx, "machine", readMachine)
}

func readMachine(ctx *domain.Context) (*Machine, error) {
	t, err := isatab.Load(ctx)
	if err != nil {
		return nil, err
	}
	m := &Machine{
		Ops: map[string]MachineOp{}, Types: map[string]MachineType{}, CMods: map[string]string{},
		Preds: map[string]string{}, Maths: map[string]MachineMath{}, Files: t.Files,
	}
	for _, r := range t.Ops {
		v := &r.Val
		m.Ops[r.Name] = MachineOp{
			Go: "Op" + isatab.GoName(r.Name, ""), Src: v.Src, Dst: v.Dst, Sat: v.Sat, CMod: v.CMod,
			Pred: v.Pred, Mods: v.Mods, Format: v.Format, On: having(t, v.Code),
		}
	}
	for _, r := range t.Types {
		m.Types[r.Name] = MachineType{Go: "Type" + strings.ToUpper(r.Name), Size: r.Val.Size, Float: r.Val.Float, Signed: r.Val.Signed,
			Packed: r.Val.Elem != ""}
	}
	for _, r := range t.Cmods {
		m.CMods[r.Name] = "CMod" + strings.ToUpper(isatab.GoName(r.Name, r.Val.Go))
	}
	for _, r := range t.Preds {
		m.Preds[r.Name] = "Pred" + isatab.GoName(r.Name, r.Val.Go)
	}
	for _, r := range t.Maths {
		m.Maths[r.Name] = MachineMath{Go: "Math" + isatab.GoName(r.Name, r.Val.Go), Src: r.Val.Src, On: having(t, r.Val.Code)}
	}
	m.Pages = pages(t)
	return m, nil
}

// having returns the platforms that have a code.
func having(t *isatab.Tables, c isatab.Codes) (on []string) {
	for _, p := range t.Platforms {
		if _, ok := c.At(p); ok {
			on = append(on, p.Name)
		}
	}
	return on
}
