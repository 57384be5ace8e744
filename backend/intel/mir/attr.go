// SPDX-License-Identifier: MIT

package mir

import (
	"math"
	"strings"

	"jacquard.example/core/trips"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

// Form is the printed form of an attribute.
type Form uint8

// The forms.
const (
	Word   Form = iota // the name alone
	Number             // name=value
	Hex                // name=0xvalue
	Choice             // name=word
)

// Attr is a named attribute of a record of type T in the text. It is printed unless it is 0.
type Attr[T any] struct {
	Field string // field of T, with the index for an element of an array
	Name  string // name in the text
	Form  Form
	Max   uint32 // largest value
	Get   func(*T) uint32
	Set   func(*T, uint32) // sets a Word attribute to 1
	Words func(uint32) string
}

// Attrs are the fields of instructions without a fixed position in the text. A new field of Inst needs an entry
// here to be printed and parsed.
var Attrs = []Attr[Inst]{
	{"Flag", "flag", Choice, NumFlags - 1, orphanFlag, func(in *Inst, v uint32) { in.Flag = Flag(v) }, func(v uint32) string { return Flag(v).String() }},
	{"Msg.Name", "msg", Choice, message.NumNames - 1, loweredFrom, func(in *Inst, v uint32) { in.Msg.Name = message.Name(v) },
		func(v uint32) string { return message.Name(v).String() }},
	{"Msg.Space", "space", Choice, message.NumSpaces - 1, func(in *Inst) uint32 { return uint32(in.Msg.Space) },
		func(in *Inst, v uint32) { in.Msg.Space = message.Space(v) }, func(v uint32) string { return message.Space(v).String() }},
	{"Orders", "orders", Choice, EverySpace, func(in *Inst) uint32 { return uint32(in.Orders) },
		func(in *Inst, v uint32) { in.Orders = Spaces(v) }, func(v uint32) string { return Spaces(v).String() }},
	number("Msg.Comps", "comps", Number, math.MaxUint8, func(in *Inst) *uint8 { return &in.Msg.Comps }),
	number("Msg.Bytes", "bytes", Number, math.MaxUint8, func(in *Inst) *uint8 { return &in.Msg.Bytes }),
	number("Msg.Op", "op", Number, math.MaxUint8, func(in *Inst) *uint8 { return &in.Msg.Op }),
	{"Trips", "trips", Number, trips.Max, func(in *Inst) uint32 { return uint32(in.Trips.Exact()) },
		func(in *Inst, v uint32) { in.Trips = trips.Exactly(int(v)) }, nil},
	{"Trips", "max_trips", Number, trips.Max, func(in *Inst) uint32 { return uint32(in.Trips.Bound()) },
		func(in *Inst, v uint32) { in.Trips = trips.AtMost(int(v)) }, nil},
	number("Desc", "desc", Hex, math.MaxUint32, func(in *Inst) *uint32 { return &in.Desc }),
	number("ExDesc", "exdesc", Hex, math.MaxUint32, func(in *Inst) *uint32 { return &in.ExDesc }),
	number("Len[0]", "len", Number, math.MaxUint8, func(in *Inst) *uint8 { return &in.Len[0] }),
	number("Len[1]", "xlen", Number, math.MaxUint8, func(in *Inst) *uint8 { return &in.Len[1] }),
	number("Len[2]", "rlen", Number, math.MaxUint8, func(in *Inst) *uint8 { return &in.Len[2] }),
	word("Msg.Bindless", "bindless", func(in *Inst) *bool { return &in.Msg.Bindless }),
	word("Msg.Separate", "separate", func(in *Inst) *bool { return &in.Msg.Separate }),
	word("EOT", "EOT", func(in *Inst) *bool { return &in.EOT }),
	word("AccWrEn", "AccWrEn", func(in *Inst) *bool { return &in.AccWrEn }),
	word("Switch", "Switch", func(in *Inst) *bool { return &in.Switch }),
	word("Align16", "Align16", func(in *Inst) *bool { return &in.Align16 }),
	word("Uniform", "uniform", func(in *Inst) *bool { return &in.Uniform }),
	{"SideEff", "effect", Word, 1, ownEffect, func(in *Inst, _ uint32) { in.SideEff = true }, nil},
}

// RegAttrs are the fields of register descriptions.
var RegAttrs = []Attr[RegInfo]{
	number("Bytes", "bytes", Number, MaxRegBytes, func(r *RegInfo) *uint32 { return &r.Bytes }),
	number("Lane", "lane", Number, math.MaxUint8, func(r *RegInfo) *uint8 { return &r.Lane }),
	number("Align", "align", Number, math.MaxUint8, func(r *RegInfo) *uint8 { return &r.Align }),
	word("Uniform", "uniform", func(r *RegInfo) *bool { return &r.Uniform }),
	word("Piece", "piece", func(r *RegInfo) *bool { return &r.Piece }),
	word("NoSpill", "nospill", func(r *RegInfo) *bool { return &r.NoSpill }),
	{"Def", "single", Word, 1, func(r *RegInfo) uint32 { return uint32(min(r.Def, 1)) }, func(r *RegInfo, _ uint32) { r.DeclareSingle() }, nil},
	class("flag", FlagClass),
	class("address", AddressClass),
	class("accumulator", AccumulatorClass),
}

// MaxRegBytes is an upper bound of the size of an allocatable register.
const MaxRegBytes = 1 << 16

func number[T any, N ~uint8 | ~uint32](field, name string, form Form, max uint32, at func(*T) *N) Attr[T] {
	return Attr[T]{field, name, form, max, func(x *T) uint32 { return uint32(*at(x)) }, func(x *T, v uint32) { *at(x) = N(v) }, nil}
}

func word[T any](field, name string, at func(*T) *bool) Attr[T] {
	get := func(x *T) uint32 {
		if *at(x) {
			return 1
		}
		return 0
	}
	return Attr[T]{field, name, Word, 1, get, func(x *T, v uint32) { *at(x) = v != 0 }, nil}
}

// class returns the attribute for registers of a class.
func class(name string, c Class) Attr[RegInfo] {
	get := func(r *RegInfo) uint32 {
		if r.Class == c {
			return 1
		}
		return 0
	}
	return Attr[RegInfo]{"Class", name, Word, 1, get, func(r *RegInfo, _ uint32) { r.Class = c }, nil}
}

// orphanFlag returns a flag register that neither the predicate nor the condition modifier uses; it is encoded
// anyway.
func orphanFlag(in *Inst) uint32 {
	if in.Pred != 0 || in.CMod != 0 {
		return 0
	}
	return uint32(in.Flag)
}

// ownEffect returns 1 if the instruction has a side effect that its opcode does not imply.
func ownEffect(in *Inst) uint32 {
	if in.SideEff && !in.ImpliesEffect() {
		return 1
	}
	return 0
}

// loweredFrom returns the logical message from which a send was lowered. Before lowering, the name is part of
// the opcode's text.
func loweredFrom(in *Inst) uint32 {
	if in.Op == OpMessage {
		return 0
	}
	return uint32(in.Msg.Name)
}

// ImpliesEffect reports whether SideEff follows from the opcode, or from the row of the message: control flow,
// waits and some messages.
func (in *Inst) ImpliesEffect() bool {
	if in.IsSend() {
		return in.Msg.Name.Info().Effect
	}
	return in.Is(steers | waits)
}

// Function describes a field that is printed as a suffix of the opcode's name, as in math.inv and send.dc1.
type Function struct {
	Field  string // field of Inst
	Ops    []isa.Op
	Get    func(*Inst) uint8
	Set    func(*Inst, uint8)
	String func(uint8) string
	Count  uint8 // one more than the largest value
}

// Functions are the fields that are printed as a suffix of the opcode's name.
var Functions = []Function{
	{"Math", []isa.Op{isa.OpMath}, func(in *Inst) uint8 { return uint8(in.Math) }, func(in *Inst, v uint8) { in.Math = isa.MathFn(v) },
		func(v uint8) string { return isa.MathFn(v).String() }, 16},
	{"Sync", []isa.Op{isa.OpSync}, func(in *Inst) uint8 { return uint8(in.Sync) }, func(in *Inst, v uint8) { in.Sync = isa.SyncFn(v) },
		func(v uint8) string { return isa.SyncFn(v).String() }, 16},
	{"SFID", []isa.Op{isa.OpSend, isa.OpSendc}, func(in *Inst) uint8 { return uint8(in.SFID) }, func(in *Inst, v uint8) { in.SFID = isa.SFID(v) },
		func(v uint8) string { return isa.SFID(v).String() }, 32},
	{"Msg.Name", []isa.Op{OpMessage}, func(in *Inst) uint8 { return uint8(in.Msg.Name) }, func(in *Inst, v uint8) { in.Msg.Name = message.Name(v) },
		func(v uint8) string { return message.Name(v).String() }, message.NumNames},
}

// FunctionOf returns the function field of an opcode, or nil if it has none.
func FunctionOf(o isa.Op) *Function {
	for i := range Functions {
		for _, x := range Functions[i].Ops {
			if x == o {
				return &Functions[i]
			}
		}
	}
	return nil
}

// ByName returns the value with the given name.
func (f *Function) ByName(name string) (uint8, bool) {
	for v := range f.Count {
		if n := f.String(v); n == name && n != "" && !strings.Contains(n, "(") {
			return v, true
		}
	}
	return 0, false
}

// HasDst reports whether instructions with this opcode have a destination in the text.
func HasDst(o isa.Op) bool {
	switch o {
	case OpUndef, OpIndirect, OpMulHigh, OpMessage, OpCompose, OpAddress:
		return true
	}
	return int(o) < isa.NumOps && isa.Ops[o].HasDst
}
