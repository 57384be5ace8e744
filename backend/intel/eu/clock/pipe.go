// SPDX-License-Identifier: MIT

package clock

import (
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// pipeOf returns the pipe that executes an instruction: the long one for 64-bit operands and products of doublewords,
// else the one of the destination's type (Alchemist PRM vol. 7, "Execution Pipes"). If math is in order, only results that
// are 64-bit floats are in the long pipe (IGA, RegDeps.cpp, FourDistPipeReduction; Mesa, inferred_exec_pipe).
func pipeOf(machine *target.Target, in *isa.Inst) thread.Pipe {
	if machine.Can(target.MathInOrder) {
		switch {
		case in.Op == isa.OpMath:
			return thread.PipeMath
		case isa.Ops[in.Op].Format == isa.FormatBranch || !in.Dst.Type.IsFloat():
			return thread.PipeInt
		case in.Dst.Type.Size() == 8:
			return thread.PipeLong
		}
		return thread.PipeFloat
	}
	n := int(isa.Ops[in.Op].NumSrc)
	wide := in.Dst.Type.Size() == 8
	for k := range in.Src[:n] {
		wide = wide || in.Src[k].Type.Size() == 8
	}
	dwords := func(a, b int) bool {
		x, y := in.Src[a].Type, in.Src[b].Type
		return !x.IsFloat() && !y.IsFloat() && x.Size() >= 4 && y.Size() >= 4
	}
	switch {
	case isa.Ops[in.Op].Format == isa.FormatBranch:
		return thread.PipeInt
	case wide, in.Op == isa.OpMul && dwords(0, 1), in.Op == isa.OpMad && dwords(1, 2):
		return thread.PipeLong
	case in.Dst.Type.IsFloat():
		return thread.PipeFloat
	}
	return thread.PipeInt
}

// sourcePipe returns the pipe that a distance without a letter counts: that of the types of the sources (Mesa,
// brw_fs_scoreboard.cpp, inferred_sync_pipe; IGC, SWSB_G4IR.cpp, getDataTypePipeXe, for which 64-bit integers are in the
// integer pipe where math is in order).
func sourcePipe(machine *target.Target, in *isa.Inst) thread.Pipe {
	pipe := thread.PipeFloat
	for k := range in.Src {
		switch t := in.Src[k].Type; {
		case in.Src[k].File == isa.FileNone:
		case t.Size() == 8 && (t.IsFloat() || !machine.Can(target.MathInOrder)):
			return thread.PipeLong
		case !t.IsFloat():
			pipe = thread.PipeInt
		}
	}
	return pipe
}

// pipesOf returns the set of pipes that the distance of an instruction counts, on machines that tell pipes apart.
func pipesOf(machine *target.Target, in *isa.Inst) uint8 {
	p := in.SWSB.Pipe()
	if p == fields.PipeOwn {
		if f := isa.Ops[in.Op].Format; f == isa.FormatSend || f == isa.FormatSync || f == isa.FormatNop || f == isa.FormatBranch {
			return thread.AllPipes // these have no pipe of their own
		}
		return 1 << sourcePipe(machine, in)
	}
	for i := range thread.NumPipes {
		if i.Name() == p.String() {
			return 1 << i
		}
	}
	return thread.AllPipes
}

// Piped decodes the pipes of an instruction on a machine that tells them apart.
func Piped(machine *target.Target, o *thread.Op, in *isa.Inst) {
	o.Sb.Pipes, o.Pipe, o.Piped = pipesOf(machine, in), pipeOf(machine, in), true
}
