// SPDX-License-Identifier: MIT

package hazards

import (
	"fmt"

	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/isa"
)

// pipe is a pipe of in-order instructions. Machines without pipes have only the first.
type pipe uint8

// The pipes (ACM PRM vol. 2a, "Software Scoreboard").
const (
	pipeFloat pipe = iota
	pipeInt
	pipeLong
	pipeMath // on machines that execute math in order
	numPipes
	noPipe = numPipes // of out-of-order instructions
)

// pipes is a set of pipes.
type pipes uint8

const allPipes pipes = 1<<numPipes - 1

func (s pipes) has(p pipe) bool { return s>>p&1 != 0 }

// finished is the age from which on the instructions of a pipe are complete (Mesa, brw_fs_scoreboard.cpp: dependencies
// up to 10 instructions of their pipe back need a wait, or 14 in the long pipe; IGA, SWSBSetter.hpp: 18 in the math pipe,
// for which Mesa has 10).
var finished = [numPipes]int8{pipeFloat: 11, pipeInt: 11, pipeLong: 15, pipeMath: 19}

// names are the pipes that distances name.
var names = [numPipes]fields.Pipe{
	pipeFloat: fields.PipeFloat, pipeInt: fields.PipeInt, pipeLong: fields.PipeLong, pipeMath: fields.PipeMath,
}

// pipeOf returns the pipe that executes an instruction: the long one for results or sources of 64 bits and for products
// of integer doublewords, else the one of the destination's type, which null has too (ACM PRM vol. 2a, "Execution
// Pipes"). Machines that execute math in order have only results that are 64-bit floats in the long pipe, and
// integers of all sizes in the integer pipe (IGA, RegDeps.cpp, FourDistPipeReduction; Mesa, inferred_exec_pipe).
// Branches are integer instructions (IGC, isJEUPipeInstructionXe; iga64 -Xauto-deps).
func (p *program) pipeOf(word *isa.Inst) pipe {
	switch isa.Ops[word.Op].Format {
	case isa.FormatSend:
		return noPipe
	case isa.FormatBranch, isa.FormatNop, isa.FormatSync:
		return pipeInt
	}
	dword := func(k int) bool { return !word.Src[k].Type.IsFloat() && word.Src[k].Type.Size() >= 4 }
	switch {
	case p.mathInOrder && word.Op == isa.OpMath:
		return pipeMath
	case p.mathInOrder && !word.Dst.Type.IsFloat():
		return pipeInt
	case p.mathInOrder && word.Dst.Type.Size() < 8:
		return pipeFloat
	case word.Dst.Type.Size() == 8 || sourcePipe(word) == pipeLong,
		word.Op == isa.OpMul && dword(0) && dword(1),
		word.Op == isa.OpMad && dword(1) && dword(2):
		return pipeLong
	case word.Dst.Type.IsFloat():
		return pipeFloat
	}
	return pipeInt
}

// sourcePipe returns the pipe for the types of the sources: the long one if any has 64 bits, the integer one if any is an
// integer. It returns noPipe for an instruction without sources.
func sourcePipe(word *isa.Inst) pipe {
	found := noPipe
	for k := range sources(word) {
		switch t := word.Src[k].Type; {
		case t.Size() == 8:
			return pipeLong
		case !t.IsFloat():
			found = pipeInt
		case found == noPipe:
			found = pipeFloat
		}
	}
	return found
}

// sources returns the number of sources of an instruction that computes.
func sources(word *isa.Inst) int {
	if info := &isa.Ops[word.Op]; info.Format != isa.FormatMath {
		return int(info.NumSrc)
	}
	return word.Math.Sources()
}

// counted returns the pipes whose instructions the distance of an instruction counts. GENS.md says of a distance without
// a letter that it counts the instruction's own pipe; for Mesa (inferred_sync_pipe) and IGC it counts the pipe of its
// sources' types. Such a distance is relied on only where both are the same, so never for math in order, and never if there
// are no sources.
func (p *program) counted(word *isa.Inst) (pipes, error) {
	named := word.SWSB.Pipe()
	switch {
	case !p.pipes, named == fields.PipeAll:
		return allPipes, nil
	case named == fields.PipeOwn:
		switch isa.Ops[word.Op].Format {
		case isa.FormatSend, isa.FormatBranch, isa.FormatNop, isa.FormatSync:
			return 0, nil
		}
		if own := p.pipeOf(word); own == sourcePipe(word) {
			return 1 << own, nil
		}
		return 0, nil
	}
	for i, n := range names {
		if n == named && (p.mathInOrder || pipe(i) != pipeMath) {
			return 1 << i, nil
		}
	}
	return 0, fmt.Errorf("the distance %v counts an unknown pipe", word.SWSB)
}

// crosses returns how an instruction conflicts with an in-order one of another pipe, which may be slower, in ways that
// instructions of one pipe do not; "" if it does not. An out-of-order instruction is in no pipe.
func (p *program) crosses(in, old *inst) string {
	if in.pipe == old.pipe {
		return ""
	}
	if r := old.reads.common(&in.writes); r >= 0 && (in.kind == unordered || old.readsResult(in)) {
		return fmt.Sprintf("writes %s before it is read by", p.regName(r))
	}
	switch {
	case old.sets&in.looks != 0:
		return fmt.Sprintf("reads %v before it is written by", old.sets&in.looks)
	case old.sets&in.sets != 0:
		return fmt.Sprintf("writes %v before it is written by", old.sets&in.sets)
	case old.looks&in.sets != 0:
		return fmt.Sprintf("writes %v before it is read by", old.looks&in.sets)
	}
	return ""
}

// need returns the wait for an in-order instruction.
func (p *program) need(x *recent) string {
	letter := ""
	switch {
	case x.drain:
		letter = fields.PipeAll.String()
	case p.pipes:
		letter = names[x.pipe].String()
	}
	return fmt.Sprintf("%s@%d", letter, distance(x.age))
}
