// SPDX-License-Identifier: MIT

package swsb

import (
	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// pipe is a pipe of in-order instructions. A machine with a single one has intPipe. The others have the first three, or all if
// they execute math in order. Pipes run independently: an instruction also waits for reads of another pipe before it writes
// a register, and for flags and accumulators, which the machine tracks in each pipe (GENS.md 7; Alchemist PRM vol. 7,
// "Execution Pipes").
type pipe uint8

const (
	intPipe pipe = iota
	floatPipe
	longPipe
	mathPipe
	numPipes
	noPipe // of out-of-order instructions
)

// letters maps pipes to their codes in scoreboard fields.
var letters = [numPipes]fields.Pipe{
	intPipe: fields.PipeInt, floatPipe: fields.PipeFloat, longPipe: fields.PipeLong, mathPipe: fields.PipeMath,
}

// maxLongAge and maxMathAge are maxAge of the long pipe and of the math pipe (IGA, SWSBSetter.hpp).
const maxLongAge, maxMathAge = 14, 18

// far returns the distance of finished instructions of the pipe.
func (p pipe) far() uint32 {
	switch p {
	case longPipe:
		return maxLongAge + 1
	case mathPipe:
		return maxMathAge + 1
	}
	return far
}

// pipeOf returns the pipe that executes an instruction, or would if it were in order. Where math is in order, the integer
// pipe computes 64-bit integers and products too (IGA, RegDeps.cpp, FourDistPipeReduction; Mesa, inferred_exec_pipe).
func (x *Inserter) pipeOf(in *mir.Inst) pipe {
	wide := in.Dst.Type == isa.TypeDF
	if x.pipes != FourPipes {
		wide = in.Dst.Type.Size() == 8 || long(in)
	}
	switch {
	case in.Op == isa.OpMath && x.pipes == FourPipes:
		return mathPipe
	case in.Steers():
		return intPipe
	case wide:
		return longPipe
	case in.Dst.Type.IsFloat():
		return floatPipe
	}
	return intPipe
}

// long reports whether an instruction has 64-bit sources, or multiplies two doublewords.
func long(in *mir.Inst) bool {
	dwords := 0
	for k := range in.Src {
		o := &in.Src[k]
		if o.File == mir.None {
			continue
		}
		if o.Type.Size() == 8 {
			return true
		}
		factor := in.Op == isa.OpMul || in.Op == isa.OpMad && k > 0
		if factor && !o.Type.IsFloat() && o.Type.Size() == 4 {
			dwords++
		}
	}
	return dwords == 2
}

// sourcePipe returns the pipe whose instructions a distance without a letter counts: that of the types of the sources
// (Mesa, brw_fs_scoreboard.cpp, inferred_sync_pipe).
func sourcePipe(in *mir.Inst) pipe {
	p := floatPipe
	for k := range in.Src {
		switch o := &in.Src[k]; {
		case o.File == mir.None:
		case o.Type.Size() == 8:
			return longPipe
		case !o.Type.IsFloat():
			p = intPipe
		}
	}
	return p
}

// distances are the distances to wait for, by pipe; 0 if there is none.
type distances [numPipes]uint8

// any reports whether there is a distance.
func (d *distances) any() bool { return *d != distances{} }

// only reports whether no pipe but p has a distance.
func (d *distances) only(p pipe) bool {
	rest := *d
	rest[p] = 0
	return !rest.any()
}

// nearest returns the smallest distance, and the pipe that has one, or noPipe if there are several.
func (d *distances) nearest() (n int, of pipe) {
	of = noPipe
	pipes := 0
	for p, at := range d {
		if at == 0 {
			continue
		}
		if pipes++; n == 0 || int(at) < n {
			n = int(at)
		}
		of = pipe(p)
	}
	if pipes > 1 {
		of = noPipe
	}
	return n, of
}

// field returns the field that waits for the distances, without a token: of one pipe, or of all pipes.
func (x *Inserter) field(d *distances) fields.SWSB {
	n, of := d.nearest()
	switch {
	case n == 0:
		return fields.SWSBNone
	case x.pipes == 1:
		return fields.SWSBDist(n)
	case of == noPipe:
		return fields.SWSBPipe(fields.PipeAll, n)
	}
	return fields.SWSBPipe(letters[of], n)
}

// joins reports whether the distances and a token fit into the field of an instruction. Messages wait for all pipes then,
// other instructions for their own, which is the pipe of the sources by one account and of the result by another (GENS.md 7).
func (x *Inserter) joins(d *distances, in *mir.Inst) bool {
	if x.pipes == 1 || !d.any() || in.IsSend() {
		return true
	}
	p := sourcePipe(in)
	return in.Op != isa.OpSync && p == x.pipeOf(in) && d.only(p)
}

// withToken returns the part of a field that waits for the distances, next to a token with which they fit; there may be none.
func (x *Inserter) withToken(d *distances, in *mir.Inst) fields.SWSB {
	n, _ := d.nearest()
	if n != 0 && x.pipes > 1 && in.IsSend() {
		return fields.SWSBPipe(fields.PipeAll, n)
	}
	return fields.SWSBDist(n)
}

// pipe returns the pipe that executes an instruction.
func (x *Inserter) pipe(kind stepKind, in *mir.Inst) pipe {
	switch {
	case kind != inOrder:
		return noPipe
	case x.pipes > 1:
		return x.pipeOf(in)
	}
	return intPipe
}

// betweenPipes fills in the flags and accumulators of an instruction that other pipes also use.
func (x *Inserter) betweenPipes(a *access, in *mir.Inst) {
	flag := regFlag + uint32(in.Flag)/2
	for k := range in.Src {
		if n, ok := in.Src[k].Arch(); ok && n < mir.ArchFlags {
			a.across.add(regFlag + uint32(n))
		}
	}
	if n, ok := in.Dst.Arch(); ok && n < mir.ArchFlags {
		a.across.add(regFlag + uint32(n))
		a.sets.add(regFlag + uint32(n))
	}
	if in.ReadsFlag() {
		a.across.add(flag)
	}
	if in.WritesFlag() {
		a.across.add(flag)
		a.sets.add(flag)
	}
	if a.uses.hasReg(regAcc) || a.writesAcc || in.Is(mir.ReadsAcc) {
		a.across.add(regAcc)
	}
	if a.writes.hasReg(regAcc) || a.writesAcc {
		a.sets.add(regAcc)
	}
}
