// SPDX-License-Identifier: MIT

// Package spv walks the words of a SPIR-V module for tests: [Insts] yields its instructions, [EntryPoints] and
// [Resources] the declarations that tests need, and [BodyInsts] the number that measurements are relative to. It knows
// the header and the length prefix of instructions and next to nothing of their meaning, so that it can be trusted to
// judge the real reader, with which it shares no code.
package spv

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"iter"
	"slices"
)

// Magic is the first word of every module (SPIR-V spec 2.3).
const Magic = 0x07230203

// Opcodes that the walkers of the tests examine (SPIR-V spec 3.52).
const (
	OpLine             = 8
	OpExtInstImport    = 11
	OpExtInst          = 12
	OpEntryPoint       = 15
	OpCapability       = 17
	OpTypeFloat        = 22
	OpTypeArray        = 28
	OpTypeRuntimeArray = 29
	OpTypePointer      = 32
	OpConstant         = 43
	OpFunction         = 54
	OpFunctionParam    = 55
	OpFunctionEnd      = 56
	OpVariable         = 59
	OpDecorate         = 71
	OpNoLine           = 317
)

// Decorations and storage classes that the walkers examine (3.20, 3.7).
const (
	DecorationBinding       = 33
	DecorationDescriptorSet = 34

	StorageUniformConstant = 0
	StorageUniform         = 2
	StorageStorageBuffer   = 12
)

// An Inst is one instruction: its opcode and the words that follow the first.
type Inst struct {
	Op       uint32
	Operands []uint32
	Word     int // position of the first word in the module
}

// Words converts a file to words. The magic number determines the byte order. The rest of the module is not checked.
func Words(file []byte) ([]uint32, error) {
	if len(file)%4 != 0 || len(file) < 20 {
		return nil, fmt.Errorf("%d bytes are not a SPIR-V module", len(file))
	}
	var order binary.ByteOrder = binary.LittleEndian
	if order.Uint32(file) != Magic {
		order = binary.BigEndian
	}
	if order.Uint32(file) != Magic {
		return nil, fmt.Errorf("no SPIR-V magic number: %#08x", binary.LittleEndian.Uint32(file))
	}
	words := make([]uint32, len(file)/4)
	for i := range words {
		words[i] = order.Uint32(file[4*i:])
	}
	return words, nil
}

// Bytes returns the little-endian file of a module.
func Bytes(words []uint32) []byte {
	file := make([]byte, 0, 4*len(words))
	for _, w := range words {
		file = binary.LittleEndian.AppendUint32(file, w)
	}
	return file
}

// Check checks that words are a header and whole instructions.
func Check(words []uint32) error {
	if len(words) < 5 || words[0] != Magic {
		return fmt.Errorf("no SPIR-V header")
	}
	for i := 5; i < len(words); {
		n := int(words[i] >> 16)
		if n == 0 || n > len(words)-i {
			return fmt.Errorf("word %d: opcode %d has length %d, but %d words are left", i, words[i]&0xffff, n, len(words)-i)
		}
		i += n
	}
	return nil
}

// Insts yields the instructions of a module. It stops at damage, which [Check] reports.
func Insts(words []uint32) iter.Seq[Inst] {
	return func(yield func(Inst) bool) {
		for i := 5; i < len(words); {
			n := int(words[i] >> 16)
			if n == 0 || n > len(words)-i {
				return
			}
			if !yield(Inst{Op: words[i] & 0xffff, Operands: words[i+1 : i+n : i+n], Word: i}) {
				return
			}
			i += n
		}
	}
}

// HasFloats reports whether a module declares a type of floats with the given number of bits.
func HasFloats(words []uint32, bits uint32) bool {
	for in := range Insts(words) {
		if in.Op == OpTypeFloat && len(in.Operands) > 1 && in.Operands[1] == bits {
			return true
		}
	}
	return false
}

// BodyInsts counts the instructions inside function bodies, between OpFunction and OpFunctionEnd, without parameters
// and line numbers. It is the measure of a shader's size that costs are relative to.
func BodyInsts(words []uint32) int {
	n, inside := 0, false
	for in := range Insts(words) {
		switch in.Op {
		case OpFunction:
			inside = true
		case OpFunctionEnd:
			inside = false
		case OpFunctionParam, OpLine, OpNoLine:
		default:
			if inside {
				n++
			}
		}
	}
	return n
}

// String decodes a literal string and returns it and the operands after it.
func String(operands []uint32) (string, []uint32) {
	var b []byte
	for i, w := range operands {
		for range 4 {
			c := byte(w)
			if c == 0 {
				return string(b), operands[i+1:]
			}
			b = append(b, c)
			w >>= 8
		}
	}
	return string(b), nil
}

// A Slot is the location of a resource: descriptor set and binding.
type Slot struct{ Set, Binding uint32 }

// Buffers lists the slots of a module's buffer variables, in declaration order.
func Buffers(words []uint32) []Slot { return slots(words, StorageUniform, StorageStorageBuffer) }

// Resources lists the slots of a module's variables that are buffers, images or samplers, in
// declaration order.
func Resources(words []uint32) []Slot {
	return slots(words, StorageUniformConstant, StorageUniform, StorageStorageBuffer)
}

func slots(words []uint32, classes ...uint32) []Slot {
	var out []Slot
	for v := range variables(words, classes) {
		out = append(out, v)
	}
	return out
}

// variables yields the slots of a module's variables of some storage classes that have one, and the ids of the
// variables' types.
func variables(words []uint32, classes []uint32) iter.Seq2[Slot, uint32] {
	type place struct {
		slot   Slot
		placed bool
	}
	return func(yield func(Slot, uint32) bool) {
		places := map[uint32]place{}
		for in := range Insts(words) {
			switch {
			case in.Op == OpDecorate && len(in.Operands) == 3:
				p := places[in.Operands[0]]
				switch in.Operands[1] {
				case DecorationBinding:
					p.slot.Binding, p.placed = in.Operands[2], true
				case DecorationDescriptorSet:
					p.slot.Set, p.placed = in.Operands[2], true
				}
				places[in.Operands[0]] = p
			case in.Op == OpVariable && len(in.Operands) >= 3:
				class := in.Operands[2]
				if p := places[in.Operands[1]]; p.placed && slices.Contains(classes, class) && !yield(p.slot, in.Operands[0]) {
					return
				}
			}
		}
	}
}

// Descriptors is a binding with the number of its descriptors, or 0 if it is an array without a size.
type Descriptors struct {
	Slot
	Count uint32
}

// Layout lists the bindings that a module declares, used or not, each once, in the order of their numbers.
func Layout(words []uint32) []Descriptors {
	types := map[uint32]Inst{} // pointers, arrays and constants, by result
	for in := range Insts(words) {
		switch {
		case len(in.Operands) < 2:
		case in.Op == OpTypeArray, in.Op == OpTypeRuntimeArray, in.Op == OpTypePointer:
			types[in.Operands[0]] = in
		case in.Op == OpConstant:
			types[in.Operands[1]] = in
		}
	}
	var list []Descriptors
	for slot, t := range variables(words, []uint32{StorageUniformConstant, StorageUniform, StorageStorageBuffer}) {
		d := Descriptors{slot, 1}
		if p := types[t]; p.Op == OpTypePointer && len(p.Operands) == 3 {
			t = p.Operands[2]
		}
		for {
			in := types[t]
			if in.Op == OpTypeRuntimeArray {
				d.Count = 0
			} else if n := types[last(in)]; in.Op == OpTypeArray && len(n.Operands) == 3 {
				d.Count *= n.Operands[2]
			} else {
				break
			}
			t = in.Operands[1]
		}
		list = append(list, d)
	}
	slices.SortStableFunc(list, func(a, b Descriptors) int {
		return cmp.Or(cmp.Compare(a.Set, b.Set), cmp.Compare(a.Binding, b.Binding))
	})
	return slices.CompactFunc(list, func(a, b Descriptors) bool { return a.Slot == b.Slot })
}

func last(in Inst) uint32 {
	if len(in.Operands) == 0 {
		return 0
	}
	return in.Operands[len(in.Operands)-1]
}

// EntryPoints lists the names of a module's entry points.
func EntryPoints(words []uint32) []string {
	var names []string
	for in := range Insts(words) {
		if in.Op == OpEntryPoint && len(in.Operands) > 2 {
			name, _ := String(in.Operands[2:])
			names = append(names, name)
		}
	}
	return names
}
