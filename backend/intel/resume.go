// SPDX-License-Identifier: MIT

package intel

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"jacquard.example/backend/intel/emit"
	"jacquard.example/backend/intel/hazards"
	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/lower"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mir/validate"
	"jacquard.example/core/work"
	"jacquard.example/generated/abi"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// CheckUnit rejects a unit that was made for another target, or that is invalid input for the pass after its
// last one. Errors are *mir.UnitError and *mir.Error.
func CheckUnit(u *mir.Unit, t *target.Target) error {
	f := u.Func
	fail := func(line, format string, args ...any) error {
		return &mir.UnitError{Line: line, Msg: fmt.Sprintf(format, args...)}
	}
	last, row := indexOf(passes, u.After), abiOf(t, u.ABI)
	switch {
	case u.Target != t.Name:
		return fail("target", "the machine IR is for target %q, not %s", u.Target, t)
	case f.GRF != mir.SizeOf(t.Registers):
		return fail("target", "the machine IR is for registers of %d bytes; those of %s have %d", f.GRF.Bytes(), t, t.Registers.Bytes)
	case row == nil:
		return fail("abi", "the machine IR has the ABI %q, which %s does not have", u.ABI, t)
	case u.ABIVersion != 0 && u.ABIVersion != uint32(row.Version), u.ABIHash != "" && u.ABIHash != row.Hash:
		return fail("abi", "the machine IR was compiled for another %s; %s has version %d, hash %s", u.ABI, t, row.Version, row.Hash)
	case u.Stage != stageOf(row):
		return fail("abi", "the machine IR is of a %s shader, but %s is for %s shaders", u.Stage, u.ABI, stageOf(row))
	case !slices.Contains(t.Widths, f.Width):
		return fail("simd", "there is no SIMD%d on %s", f.Width, t)
	case int(u.Buffers) > t.Bindings:
		return fail("buffers", "%d buffers; a binding table of %s has %d entries", u.Buffers, t, t.Bindings)
	case last < 0:
		return fail("after", "there is no pass %q that the machine IR could have been written after", u.After)
	case u.After == encodePass:
		return fail("after", "nothing runs after %s", encodePass)
	}
	if err := checkWidth(u.WorkgroupSize, u.PrivateBytes, t, f.Width); err != nil {
		return fail("workgroup_size", "%v", err)
	}
	if private := u.PrivateMemory() + uint64(u.SpillBytes); private > uint64(t.ScratchBytes) {
		return fail("private_bytes", "%d bytes of scratch space for a thread; %s has %d", private, t, t.ScratchBytes)
	}
	layout := layoutOf(u, row)
	if n := layout.Regs(); f.Payload < n {
		return fail("payload", "a payload of %d registers; the launcher fills %d", f.Payload, n)
	}
	for _, b := range u.Bindings {
		if b.Index+b.Count > u.Buffers {
			return fail("buffers", "entry %d of the binding table is bound; the table has %d entries", b.Index+b.Count-1, u.Buffers)
		}
	}
	if n := len(u.Ranges); n > int(row.Ranges) {
		return fail("abi", "%d ranges of uniform buffers; %s has at most %d", n, u.ABI, row.Ranges)
	}
	for _, r := range u.Ranges {
		if r.Entry >= u.Buffers {
			return fail("buffers", "a range is of entry %d of the binding table; the table has %d entries", r.Entry, u.Buffers)
		}
	}
	for _, in := range u.Inputs {
		if in.Index >= u.Slots {
			return fail("slots", "slot %d is an input; there are %d", in.Index, u.Slots)
		}
	}
	if err := validate.Func(f); err != nil {
		return err
	}
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			if msg := fits(f, f.At(i), last, t); msg != "" {
				return &mir.Error{Block: b, Inst: i, Text: f.Text(i), Msg: msg}
			}
		}
	}
	return nil
}

// stageOf returns the shader stage of an ABI.
func stageOf(row *abi.ABI) string { return cmp.Or(row.Stage, kind.StageCompute.String()) }

// layoutOf returns the payload layout of a unit.
func layoutOf(u *mir.Unit, row *abi.ABI) value.Layout {
	l := value.Layout{ABI: row, Width: u.Func.Width, GRF: u.Func.GRF,
		PushBytes: u.PushBytes, Used: u.Parts, Slots: int(u.Slots), Ranges: u.Ranges,
		Entries: [abi.NumTables]uint32{abi.BufferSizes: u.SizesCount, abi.BufferAddresses: u.AddressesCount}}
	if u.ReadsView {
		l.Entries[abi.ViewIndex] = 1
	}
	if u.ReadsConstants {
		l.Entries[abi.ConstantsAddress] = 1
	}
	return l
}

// abiOf returns the target's ABI with a name, or nil if it has none.
func abiOf(t *target.Target, name string) *abi.ABI {
	for _, row := range [...]*abi.ABI{t.ABI, t.Vertex, t.Fragment, t.Zebin} {
		if row != nil && row.Name == name {
			return row
		}
	}
	return nil
}

// fits describes a property of an instruction that is not allowed after a pass, or returns the empty string.
func fits(f *mir.Func, in *mir.Inst, last int, t *target.Target) string {
	behind := func(pass string) bool { return last >= indexOf(passes, pass) }
	if int(in.Op) < isa.NumOps && !isa.Ops[in.Op].Exists(t.Platform) {
		return fmt.Sprintf("%s has no %v", t, in.Op)
	}
	if in.Op == mir.OpMessage {
		if behind("messages") {
			return "is a logical message after messages"
		}
		if s, ok := f.Uncomposed(in); ok && behind(payloadsPass) {
			return fmt.Sprintf("its %v is not a number of whole registers after %s", s, payloadsPass)
		}
		if n := t.Messages.Send(in.Msg.Name, in.Msg.Space).Lanes; n != 0 && in.Exec > n && behind(payloadsPass) {
			return fmt.Sprintf("%d lanes; %s has a message for %d", in.Exec, t.Messages.Name, n)
		}
		if err := lower.CheckMessage(f, in, t.Messages); err != nil {
			return err.Error()
		}
	}
	if in.Op == mir.OpCompose && behind(payloadsPass) {
		return "composes a payload after " + payloadsPass
	}
	if in.ChoosesElements() && !t.Can(target.Align16Ternary) {
		return fmt.Sprintf("has a swizzle or a write mask; %s has none", t)
	}
	if msg := validate.WithinFile(f, in, t.Registers); msg != "" {
		return msg
	}
	if behind(allocatePass) {
		for _, o := range [...]*mir.Operand{&in.Dst, &in.Src[0], &in.Src[1], &in.Src[2]} {
			if o.File == mir.VReg {
				return "names a virtual register after " + allocatePass
			}
		}
	}
	return ""
}

// CheckBoard rejects a unit written after the scoreboard pass if a scoreboard field lacks a required wait. For
// the compiler's own output, Options.Verify checks this. CheckUnit must have accepted the unit. Errors are
// *mir.Error, or the error with which the meter ended the check.
func CheckBoard(u *mir.Unit, t *target.Target, meter *work.Meter) (err error) {
	defer work.Catch(&err)
	if u.After != boardPass || !t.Can(target.SoftwareScoreboard) {
		return nil
	}
	f := u.Func
	code, _, err := new(emit.Emitter).Code(t.Platform, f, nil)
	if err != nil {
		return err
	}
	var h *hazards.Error
	if err := hazards.Check(t.Platform, code, boardOptions(t, f, meter)); !errors.As(err, &h) {
		return err
	}
	pc := 0
	for b := range f.Blocks {
		for i := f.Blocks[b].First; i != 0; i = f.Next(i) {
			if !emit.Emits(f.At(i).Op) {
				continue
			}
			if pc == h.PC {
				return &mir.Error{Block: b, Inst: i, Text: f.Text(i), Msg: h.Msg}
			}
			pc += isa.InstSize
		}
	}
	return h
}

// boardOptions returns the options to check the scoreboard of a function's code.
func boardOptions(t *target.Target, f *mir.Func, meter *work.Meter) hazards.Options {
	return hazards.Options{Indirect: indirectRuns(f), Work: meter}
}
