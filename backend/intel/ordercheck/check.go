// SPDX-License-Identifier: MIT

package ordercheck

import (
	"fmt"
	"math/bits"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/generated/isa"
)

// Error reports an instruction that sees different results than in the original order.
type Error struct {
	Block int
	Inst  mir.ID
	Text  string
	Msg   string
}

func (e *Error) Error() string { return fmt.Sprintf("block %d: %s: %s", e.Block, e.Text, e.Msg) }

// Resources besides the bytes of registers.
const (
	members  = 16          // resources of mir.Implicit
	address  = members     // a0, virtual or physical
	others   = address + 1 // architecture registers that mir.Implicit does not contain
	firstGRF = others + 1  // first byte of the fixed registers
	firstReg = firstGRF + mir.MaxFileBytes
)

// accumulator is the member for the accumulator, virtual or physical.
var accumulator = bits.TrailingZeros16(uint16(mir.ImplicitAcc))

// replay is the state at an instruction of a block.
type replay struct {
	f    *mir.Func
	base []int    // by register: index of its first byte
	last []mir.ID // by resource: its last writer in the block
	used []int    // resources with an entry in last
	seen []mir.ID // last writers of the resources that the current instruction reads and writes
	sets []int    // resources that it writes
}

func newReplay(f *mir.Func) *replay {
	r := &replay{f: f, base: make([]int, len(f.Regs))}
	n := firstReg
	for i := range f.Regs {
		r.base[i] = n
		n += int(f.GRF.Round(f.Regs[i].Bytes))
	}
	r.last = make([]mir.ID, n)
	return r
}

// block begins a block.
func (r *replay) block() {
	for _, x := range r.used {
		r.last[x] = 0
	}
	r.used = r.used[:0]
}

// step processes the next instruction of a block and sets seen.
func (r *replay) step(i mir.ID) {
	in := r.f.At(i)
	r.seen, r.sets = r.seen[:0], r.sets[:0]
	for k := range in.Src {
		r.operand(&in.Src[k], r.f.SrcBytes(in, k), false)
	}
	r.operand(&in.Dst, r.f.DstBytes(in), true)
	if v := in.Flag.Reg(); v != 0 && (in.ReadsFlag() || in.WritesFlag()) {
		r.access(r.base[v], in.WritesFlag())
	}
	reads, writes := in.Implicit()
	for m := range members {
		if bit := mir.Implicit(1) << m; (reads|writes)&bit != 0 && (bit != mir.ImplicitFlag || in.Flag.Reg() == 0) {
			r.access(m, writes&bit != 0)
		}
	}
	for _, x := range r.sets {
		if r.last[x] == 0 {
			r.used = append(r.used, x)
		}
		r.last[x] = i
	}
}

// operand processes a source or destination that spans n bytes.
func (r *replay) operand(o *mir.Operand, n uint32, write bool) {
	at := firstGRF + int(r.f.GRF.Start(o.Num))
	switch o.File {
	case mir.VReg:
		switch at = r.base[o.Num]; r.f.Reg(mir.Reg(o.Num)).Class {
		case mir.AccumulatorClass:
			r.access(accumulator, write)
			return
		case mir.AddressClass:
			r.access(address, write)
			return
		case mir.FlagClass:
			r.access(at, write)
			return
		}
	case mir.GRF:
	case mir.ARF:
		switch a, ok := o.Arch(); {
		case o.IsNull() || o.IsMode():
		case !ok:
			r.access(others, write)
		case a == mir.ArchA0:
			r.access(address, write)
		}
		return
	default:
		return
	}
	for k := range int(n) {
		r.access(at+int(o.Off)+k, write)
	}
}

// access processes a use of a resource.
func (r *replay) access(x int, write bool) {
	r.seen = append(r.seen, r.last[x])
	if write {
		r.sets = append(r.sets, x)
	}
}

// Check returns an error unless f has the instructions of old, in the same blocks and in an order that computes
// the same. Errors are *Error.
func Check(old, f *mir.Func) error {
	if len(old.Blocks) != len(f.Blocks) || len(old.Regs) != len(f.Regs) {
		return &Error{Msg: "blocks or registers were added or removed"}
	}
	was, is := newReplay(old), newReplay(f)
	first := make([]int, old.NumInsts()) // by instruction: start of its entries in all
	ends := make([]int, old.NumInsts())
	var all []mir.ID
	for b := range f.Blocks {
		was.block()
		is.block()
		all = all[:0]
		count := 0
		for i := old.Blocks[b].First; i != 0; i = old.Next(i) {
			was.step(i)
			first[i] = len(all)
			all = append(all, was.seen...)
			ends[i] = len(all) + 1 // nonzero
			count++
		}
		fail := func(i mir.ID, format string, args ...any) error {
			return &Error{b, i, f.Text(i), fmt.Sprintf(format, args...)}
		}
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			if int(i) >= len(ends) || ends[i] == 0 || f.Text(i) != old.Text(i) {
				return fail(i, "is not an instruction that the block had before")
			}
			is.step(i)
			found := all[first[i] : ends[i]-1]
			for k, x := range is.seen {
				if x != found[k] {
					return fail(i, "finds %s where it found %s", name(f, x), name(f, found[k]))
				}
			}
			if controls(f.At(i)) && (f.Prev(i) != old.Prev(i) && (f.Prev(i) == 0 || old.Prev(i) == 0) ||
				f.Next(i) != old.Next(i) && (f.Next(i) == 0 || old.Next(i) == 0)) {
				return fail(i, "has left the start or the end of its block")
			}
			ends[i] = 0
			count--
		}
		if count != 0 {
			return &Error{Block: b, Text: "end", Msg: fmt.Sprintf("%d instructions are missing", count)}
		}
	}
	return nil
}

// controls reports whether an instruction is control flow.
func controls(in *mir.Inst) bool {
	return in.EndsBlock() || in.Op == mir.OpLoop || in.Op == mir.OpHaltTarget ||
		int(in.Op) < isa.NumOps && isa.Ops[in.Op].Format == isa.FormatBranch
}

// name describes the last writer of a resource.
func name(f *mir.Func, i mir.ID) string {
	if i == 0 {
		return "the value from before the block"
	}
	return "the result of " + f.Text(i)
}
