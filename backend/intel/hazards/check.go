package hazards

import (
	"fmt"

	"jacquard.example/generated/isa"
)

// Options tell what the code does not.
type Options struct {
	// Indirect gives the GRFs that the indirect source of the instruction at a
	// byte address may read; nil: all.
	Indirect func(pc int) (first, n int)
}

// Error is a dependency that nothing waits for.
type Error struct {
	PC, Other int // byte addresses of the instruction and of what it depends on
	Msg       string
}

func (e *Error) Error() string { return e.Msg }

// Check returns the first dependency in a program that is not waited for on some
// path, or what keeps the program from being followed.
func Check(platform isa.Platform, code []byte, o Options) error {
	p := &program{platform: platform, opts: o, at: map[int]int{}}
	for pc := 0; pc < len(code); {
		in, err := isa.Decode(platform, code[pc:])
		if err != nil {
			return p.errorAt(pc, err)
		}
		p.at[pc] = len(p.insts)
		p.insts = append(p.insts, inst{Inst: in, pc: pc, kind: kindOf(in.Op)})
		pc += int(in.Size)
	}
	for i := range p.insts {
		in := &p.insts[i]
		var err error
		if in.waits, err = decodeWaits(&in.Inst, in.kind); err == nil {
			if err = p.footprint(i); err == nil {
				err = p.targets(i)
			}
		}
		if err != nil {
			return p.errorAt(in.pc, err)
		}
	}
	return p.solve()
}

type program struct {
	platform isa.Platform
	opts     Options
	insts    []inst
	at       map[int]int // byte address → index
}

func (p *program) text(i int) string {
	in := &p.insts[i]
	return fmt.Sprintf("0x%04x: %s", in.pc, isa.AppendText(nil, p.platform, &in.Inst, in.pc))
}

func (p *program) errorAt(pc int, err error) error {
	if i, ok := p.at[pc]; ok {
		return &Error{PC: pc, Other: -1, Msg: fmt.Sprintf("%s: %v", p.text(i), err)}
	}
	return &Error{PC: pc, Other: -1, Msg: fmt.Sprintf("0x%04x: %v", pc, err)}
}

// targets finds where the thread may go behind an instruction: a branch may be
// taken or not, and is taken to JIP (TGL PRM vol. 2a, "Flow Control").
func (p *program) targets(i int) error {
	in := &p.insts[i]
	to := func(offset int32) error {
		j, ok := p.at[in.pc+int(offset)]
		if !ok {
			return fmt.Errorf("no instruction begins at 0x%04x", in.pc+int(offset))
		}
		in.next = append(in.next, j)
		return nil
	}
	fall := !in.EOT
	if isa.Ops[in.Op].Format == isa.FormatBranch {
		switch in.Op {
		case isa.OpIf, isa.OpElse, isa.OpEndif, isa.OpWhile, isa.OpBreak, isa.OpCont, isa.OpHalt:
		case isa.OpJmpi:
			fall = in.Pred != isa.PredNone
		default:
			return fmt.Errorf("the flow of %s is not followed", in.Op)
		}
		if in.Src[0].File != isa.FileNone {
			return fmt.Errorf("the target is in a register")
		}
		if err := to(in.JIP); err != nil {
			return err
		}
	}
	if fall {
		if i+1 >= len(p.insts) {
			return fmt.Errorf("the program has no end here")
		}
		in.next = append(in.next, i+1)
	}
	return nil
}
