package isa

import (
	"strings"

	"jacquard.example/gen/internal/domain"
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
	Packed bool // of an immediate with several elements
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
	t, err := load(ctx)
	if err != nil {
		return nil, err
	}
	m := &Machine{
		Ops: map[string]MachineOp{}, Types: map[string]MachineType{}, CMods: map[string]string{},
		Preds: map[string]string{}, Maths: map[string]MachineMath{}, Files: t.files,
	}
	for _, r := range t.ops {
		v := &r.Val
		m.Ops[r.Name] = MachineOp{
			Go: "Op" + goName(r.Name, ""), Src: v.Src, Dst: v.Dst, Sat: v.Sat, CMod: v.CMod,
			Pred: v.Pred, Mods: v.Mods, Format: v.Format, On: t.having(v.Code),
		}
	}
	for _, r := range t.types {
		m.Types[r.Name] = MachineType{Go: "Type" + strings.ToUpper(r.Name), Size: r.Val.Size, Float: r.Val.Float, Signed: r.Val.Signed, Packed: r.Val.Elem != ""}
	}
	for _, r := range t.cmods {
		m.CMods[r.Name] = "CMod" + strings.ToUpper(goName(r.Name, r.Val.Go))
	}
	for _, r := range t.preds {
		m.Preds[r.Name] = "Pred" + goName(r.Name, r.Val.Go)
	}
	for _, r := range t.maths {
		m.Maths[r.Name] = MachineMath{Go: "Math" + goName(r.Name, r.Val.Go), Src: r.Val.Src, On: t.having(r.Val.Code)}
	}
	m.Pages = t.pages()
	return m, nil
}

// having returns the platforms that have a code.
func (t *tables) having(c codes) (on []string) {
	for _, p := range t.platforms {
		if _, ok := c.at(p); ok {
			on = append(on, p.Name)
		}
	}
	return on
}
