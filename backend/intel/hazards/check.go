// SPDX-License-Identifier: MIT

package hazards

import (
	"fmt"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/core/work"
	"jacquard.example/generated/isa"
)

// Options holds facts that the code does not contain.
type Options struct {
	// Indirect returns the GRFs that the indirect source of the instruction at a byte address may read. If Indirect
	// is nil, such a source may read all.
	Indirect func(pc int) (first, n int)
	// Work, if not nil, counts the steps of the check and may end it.
	Work *work.Meter
}

// Error is a dependency without a wait, or an instruction that cannot be analyzed.
type Error struct {
	PC, Other int // byte addresses of the instruction and of the one it depends on; Other is -1 if there is none
	Msg       string
}

func (e *Error) Error() string { return e.Msg }

// Check returns the first dependency in a program, by address, that is not waited for on some path, or the
// reason why the program cannot be analyzed.
func Check(platform isa.Platform, code []byte, o Options) error {
	p := &program{platform: platform, grf: platform.Registers().Bytes, code: code, opts: o, at: make([]int32, len(code)/unit+1)}
	p.pipes = platform.Waits(isa.OpMov, fields.SWSBPipe(fields.PipeFloat, 1))
	p.mathInOrder = p.pipes && !platform.OutOfOrder(isa.OpMath)
	if err := p.decode(); err != nil {
		return err
	}
	p.findBlocks()
	if len(p.insts) == 0 {
		return nil
	}
	p.solve()
	return p.verify()
}

// unit is the divisor of all instruction sizes.
const unit = isa.InstSize / 2

type program struct {
	platform isa.Platform
	grf      int  // bytes of a general register
	pipes    bool // words of the machine name one of several pipes of in-order instructions
	code     []byte
	opts     Options
	// mathInOrder reports that a machine with several pipes executes math in order.
	mathInOrder bool
	insts       []inst
	at          []int32 // byte address / unit → index + 1; 0 if no instruction starts there
	starts      []int32 // by block: index of its first instruction
	in          []state // by block
}

// Steps of work per instruction.
const (
	decodeSteps = 1 << 7
	followSteps = 1 << 5 // plus a cost for each recent instruction
	checkSteps  = 1 << 5
)

// decode decodes all instructions. Encoding errors of any instruction are reported before other errors.
func (p *program) decode() error {
	var failed error
	var a0 descriptors
	p.insts = make([]inst, 0, len(p.code)/isa.InstSize)
	sound := 0 // instructions before the first invalid one
	for pc := 0; pc < len(p.code); {
		p.opts.Work.Spend(decodeSteps)
		word, err := isa.Decode(p.platform, p.code[pc:])
		if err != nil {
			return &Error{PC: pc, Other: -1, Msg: fmt.Sprintf("0x%04x: %v", pc, err)}
		}
		p.insts = append(p.insts, inst{pc: int32(pc), kind: p.kindOf(word.Op), noMask: word.NoMask, eot: word.EOT})
		p.at[pc/unit] = int32(len(p.insts))
		if failed == nil {
			in := &p.insts[len(p.insts)-1]
			if failed = p.describe(in, &word, &a0); failed == nil {
				sound++
			}
		}
		pc += int(word.Size)
	}
	for i := range sound {
		if err := p.targets(i); err != nil {
			return p.errorAt(i, err)
		}
	}
	if failed != nil {
		return p.errorAt(sound, failed)
	}
	return nil
}

// describe determines the waits, reads, writes and branch targets of an instruction.
func (p *program) describe(in *inst, word *isa.Inst, a0 *descriptors) error {
	var err error
	if in.waits, err = p.decodeWaits(word, in.kind); err != nil {
		return err
	}
	if err = p.footprint(in, word, a0); err != nil {
		return err
	}
	if in.kind == unordered && !in.eot {
		in.begun = newRow(in.late, in.writes, int32(len(p.insts)-1))
	}
	a0.follow(word)
	return in.branch(word)
}

func (p *program) text(i int) string {
	pc := int(p.insts[i].pc)
	word, err := isa.Decode(p.platform, p.code[pc:])
	if err != nil {
		return fmt.Sprintf("0x%04x: %v", pc, err)
	}
	return fmt.Sprintf("0x%04x: %s", pc, isatext.Append(nil, p.platform, &word, pc))
}

func (p *program) errorAt(i int, err error) error {
	return &Error{PC: int(p.insts[i].pc), Other: -1, Msg: fmt.Sprintf("%s: %v", p.text(i), err)}
}
