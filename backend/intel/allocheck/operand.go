// SPDX-License-Identifier: MIT

package allocheck

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// run is a range of n bytes of an operand, starting at byte off of its register, that one lane owns (-1 means no
// particular lane).
type run struct {
	off  uint32
	n    uint32
	lane int8
}

const noLane = -1

// elements returns the bytes of exec lanes of an operand, starting at lane first, by the definition of regions: lane i is
// stride·i elements after the first.
func elements(out []run, o *mir.Operand, exec, first uint8) []run {
	size := uint32(o.Type.Size())
	if o.Rows != 0 {
		return append(out, rowElements(o, exec, first)...)
	}
	if o.Stride == 0 {
		return append(out, run{o.Off, size, noLane})
	}
	for i := range uint32(exec) {
		element := uint32(o.Swizzle.Lane(int(i)))
		out = append(out, run{o.Off + element*uint32(o.Stride)*size, size, int8(uint32(first) + i)})
	}
	return out
}

// masked empties the runs of lanes that the write mask excludes: they have no effect (SKL PRM vol. 7, "Align16
// Access Mode").
func masked(runs []run, in *mir.Inst) []run {
	if in.Dst.Mask == 0 || len(runs) != int(in.Exec) {
		return runs // all lanes share a scalar
	}
	for i := range runs {
		if !in.Dst.Mask.Writes(i) {
			runs[i].n = 0
		}
	}
	return runs
}

// rowElements returns the bytes of an operand with rows: lane width·r + c is vstride·r +
// stride·c elements after the first.
func rowElements(o *mir.Operand, exec, first uint8) (out []run) {
	if o.Rows == 0 {
		return nil
	}
	size := uint32(o.Type.Size())
	row, column := o.Off, uint32(0)
	for i := range exec {
		out = append(out, run{row + column*uint32(o.Stride)*size, size, int8(first + i)})
		if column++; column == uint32(o.Rows.Width()) {
			row, column = row+uint32(o.Rows.VStride())*size, 0
		}
	}
	return out
}

// payload returns the bytes of whole GRFs in message layout: a dword per lane, as many lanes as fit per GRF (TGL PRM
// vol. 9, "Data Port Messages": SIMD8 and SIMD16 payloads). The leading header GRFs belong to no lane.
func payload(grf mir.RegSize, out []run, in *mir.Inst, o *mir.Operand, grfs, header uint32) []run {
	if o.File == mir.ARF || o.File == mir.None {
		return out
	}
	per := grf.Bytes() / dwordBytes
	lanes := max(uint32(in.Exec), per)
	for at := uint32(0); at < grf.Start(grfs); at += dwordBytes {
		lane := int8(noLane)
		if n := (at/dwordBytes - header*per) % lanes; at >= grf.Start(header) && in.Exec >= 8 && n < uint32(in.Exec) {
			lane = int8(uint32(in.Chan) + n)
		}
		out = append(out, run{o.Off + at, 4, lane})
	}
	return out
}

// sources returns the bytes that source k of an instruction reads.
func sources(grf mir.RegSize, out []run, in *mir.Inst, k int) []run {
	o := &in.Src[k]
	if o.File != mir.VReg && o.File != mir.GRF {
		return out
	}
	switch {
	case (isSend(in) || isHeader(in, k)) && k < 2:
		header := uint32(0)
		if k == 0 && (in.Desc>>19&1 != 0 || isHeader(in, k)) {
			header = 1
		}
		out = payload(grf, out, in, o, uint32(in.Len[k]), header)
		if n, ok := scattered(in); ok && k == 1 {
			for i := range out {
				out[i].n = n
			}
		}
		return out
	case in.Op == mir.OpIndirect && k == 0, in.Op == mir.OpAddress && k == 1:
		return append(out, run{o.Off, grf.Start(uint32(in.Len[k])), noLane}) // any lane may read any byte
	case in.Op == isa.OpSync:
		return append(out, run{o.Off, grf.Bytes(), noLane})
	}
	if in.ReadsGroup() {
		return elements(out, o, in.Exec, in.Chan) // each lane needs the elements of all
	}
	return masked(elements(out, o, in.Exec, in.Chan), in)
}

// scattered returns the number of bytes that a byte-scattered write takes from each lane's dword of data (TGL
// PRM vol. 9, "Byte Scattered Write": bits 18:14 are 0Ch, bits 11:10 are the log2 of the size).
func scattered(in *mir.Inst) (uint32, bool) {
	if in.SFID != isa.SFIDDC0 || in.Desc>>14&0x1F != 0x0C {
		return 0, false
	}
	return 1 << (in.Desc >> 10 & 3), true
}

// destination returns the bytes that an instruction writes.
func destination(grf mir.RegSize, out []run, in *mir.Inst) []run {
	o := &in.Dst
	if o.File != mir.VReg && o.File != mir.GRF {
		return out
	}
	if isSend(in) {
		return payload(grf, out, in, o, uint32(in.Len[2]), 0)
	}
	out = masked(elements(out, o, in.Exec, in.Chan), in)
	if in.Op == isa.OpMath && in.Math == isa.MathIDiv {
		// The remainder goes to the register after the quotient's.
		rest := *o
		rest.Off += max(grf.Bytes(), uint32(in.Exec)*uint32(o.Stride)*uint32(o.Type.Size()))
		out = elements(out, &rest, in.Exec, in.Chan)
	}
	return out
}

func isSend(in *mir.Inst) bool { return in.Op == isa.OpSend || in.Op == isa.OpSendc }

// isHeader reports whether source k is the header of a logical message, which is one register at any width.
func isHeader(in *mir.Inst, k int) bool {
	return in.Op == mir.OpMessage && k == 0 && in.Len[0] == 1 && in.Exec > 8
}

// predicated reports whether lanes with a false predicate keep their contents. In a select, the predicate
// chooses a source instead.
func predicated(in *mir.Inst) bool { return in.Pred != isa.PredNone && in.Op != isa.OpSel }
