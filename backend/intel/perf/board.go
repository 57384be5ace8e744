// SPDX-License-Identifier: MIT

package perf

import "jacquard.example/generated/isa"

// board is the state of a hardware scoreboard. An instruction waits for the results that it reads, and for
// earlier readers and writers of the registers that it writes.
type board struct {
	ready [tracked]int64 // by register: when its value is available
	read  [tracked]int64 // by register: when messages have read it
}

const (
	grfs    = isa.MaxGRFs
	arfs    = 16
	tracked = grfs + arfs // architecture registers by kind
	flags   = grfs + isa.ARFF0>>4
	acc     = grfs + isa.ARFAcc0>>4
	a0      = grfs + isa.ARFA0>>4
)

// run is a range of registers.
type run struct{ first, n int16 }

// of returns the registers, of grf bytes, of an operand. For an indirect operand, it returns only a0.
func of(o *isa.Operand, lanes, grf int) run {
	switch {
	case o.Indirect:
		return run{a0, 1}
	case o.IsNull():
		return run{}
	case o.File == isa.FileARF:
		return run{int16(grfs + int(o.Reg>>4)), 1}
	case o.File != isa.FileGRF:
		return run{}
	}
	stride := int(o.HStride)
	if stride == 0 {
		stride = int(o.VStride)
	}
	if stride == 0 {
		lanes = 1
	}
	bytes := int(o.Sub) + ((lanes-1)*stride+1)*max(o.Type.Size(), 1)
	return within(int(o.Reg), (bytes+grf-1)/grf)
}

// within returns the n general registers starting at first, cut off at the end of the register file.
func within(first, n int) run { return run{int16(first), int16(min(n, grfs-first))} }

// grfsOf returns the registers of a message's payload or response. It assumes at least one, since a length in a
// register is unknown.
func grfsOf(o *isa.Operand, n int) run {
	if o.File != isa.FileGRF {
		return run{}
	}
	return within(int(o.Reg), max(n, 1))
}

// runs returns the registers, of grf bytes, that an instruction writes and reads.
func runs(in *isa.Inst, grf int) (dst [2]run, src [4]run) {
	lanes := int(in.ExecSize)
	switch isa.Ops[in.Op].Format {
	case isa.FormatSend, isa.FormatSends:
		dst[0] = grfsOf(&in.Dst, int(in.Desc>>20&0x1F))
		src[0] = grfsOf(&in.Src[0], int(in.Desc>>25&0xF))
		src[1] = grfsOf(&in.Src[1], int(in.ExDesc>>6&0xF))
		if in.DescReg || in.ExDescReg {
			src[2] = run{a0, 1}
		}
	case isa.FormatBasic, isa.FormatTernary, isa.FormatMath:
		dst[0] = of(&in.Dst, lanes, grf)
		for i := range in.Src {
			src[i] = of(&in.Src[i], lanes, grf)
		}
		if in.Op == isa.OpPln {
			src[1] = of(&in.Src[1], 2*lanes, grf) // two coordinates of each lane
		}
	}
	if in.CMod != isa.CModNone && in.Op != isa.OpSel && in.Op != isa.OpCsel {
		dst[1] = run{flags, 1}
	} else if in.AccWrEn {
		dst[1] = run{acc, 1}
	}
	if in.Pred != isa.PredNone {
		src[3] = run{flags, 1}
	}
	return dst, src
}

// wait returns the earliest time at which an instruction can start.
func (b *board) wait(a *action) (start int64) {
	for _, r := range a.src {
		for i := r.first; i < r.first+r.n; i++ {
			start = max(start, b.ready[i])
		}
	}
	for _, r := range a.dst {
		for i := r.first; i < r.first+r.n; i++ {
			start = max(start, b.ready[i], b.read[i])
		}
	}
	return start
}

// note records the times at which an instruction has read its sources and written its result.
func (b *board) note(a *action, read, result int64) {
	if a.send {
		for _, r := range a.src {
			for i := r.first; i < r.first+r.n; i++ {
				b.read[i] = max(b.read[i], read)
			}
		}
	}
	for _, r := range a.dst {
		for i := r.first; i < r.first+r.n; i++ {
			b.ready[i] = result
		}
	}
}
