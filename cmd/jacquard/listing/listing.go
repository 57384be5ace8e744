// SPDX-License-Identifier: MIT

package listing

import (
	"fmt"
	"strings"

	"jacquard.example"
	"jacquard.example/backend/driver"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
)

// Instruction is an instruction of machine code.
type Instruction struct {
	Offset  int    // offset of its first byte
	Bytes   []byte // its word
	Label   string // empty unless a branch leads to it
	Text    string // in iga64's syntax
	Message string // a description of a send's message
	Role    Role
}

// Role is the purpose of an instruction that serves the thread rather than a value of the shader.
type Role uint8

// The roles.
const (
	Computes    Role = iota // none of the others
	Waits                   // sync
	ControlFlow             // a branch
	Ends                    // a message that ends the thread
)

// Read disassembles code. name is the name of the code in errors, which have the position of the word. names may be
// nil.
func Read(name string, p isa.Platform, code []byte, names isatext.Names) (list []Instruction, err error) {
	err = each(name, p, code, names, func(in *Instruction) error {
		if in.Text != "" {
			list = append(list, *in)
		}
		return nil
	})
	return list, err
}

// each visits the instructions of code. If a branch leads to the end of the code, it also visits an instruction
// without text there.
func each(name string, p isa.Platform, code []byte, names isatext.Names, visit func(*Instruction) error) error {
	if len(code)%8 != 0 {
		return driver.WordError(name, len(code)/4,
			"the last instruction is truncated: %d bytes are not a whole number of instructions", len(code))
	}
	var b []byte
	var stopped error
	err := isatext.Walk(p, code, func(pc int, in *isa.Inst, label bool) error {
		x := Instruction{Offset: pc}
		if label {
			x.Label = string(isatext.AppendLabel(nil, pc))
		}
		if in != nil {
			x.Bytes, x.Role = code[pc:pc+int(in.Size)], roleOf(in)
			b = isatext.Append(b[:0], p, in, pc)
			x.Text = string(b)
			b = isatext.AppendWords(b[:0], p, in, names)
			x.Message = string(b)
		}
		stopped = visit(&x)
		return stopped
	})
	if err != nil && stopped == nil {
		return positioned(name, p, code, err)
	}
	return err
}

// positioned returns the error of the first word that cannot be decoded, or err with the file's name if all can.
func positioned(name string, p isa.Platform, code []byte, err error) error {
	for at := 0; at < len(code); {
		in, bad := isa.Decode(p, code[at:])
		if bad != nil {
			return driver.WordError(name, at/4, "%s", bad)
		}
		at += int(in.Size)
	}
	return &jacquard.Error{File: name, Msg: err.Error()}
}

func roleOf(in *isa.Inst) Role {
	switch isa.Ops[in.Op].Format {
	case isa.FormatSync, isa.FormatWait:
		return Waits
	case isa.FormatBranch:
		return ControlFlow
	case isa.FormatSend, isa.FormatSends:
		if in.EOT {
			return Ends
		}
	}
	return Computes
}

// Bindings returns the names of a program's surfaces and samplers: their descriptor set and binding.
func Bindings(abi *jacquard.ABI) isatext.Names {
	lists := map[string][]jacquard.Resource{"surface": abi.Bindings, "sampler": abi.Samplers}
	return func(list string, index uint32) string {
		if r := lists[list]; int(index) < len(r) {
			if r[index].Kind == "constants" {
				return "constant data"
			}
			return fmt.Sprintf("set %d, binding %d", r[index].Set, r[index].Binding)
		}
		return ""
	}
}

// hex returns bytes as hexadecimal digits, grouped by doubleword in memory order.
func hex(word []byte) string {
	var b strings.Builder
	for i, x := range word {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%02x", x)
	}
	return b.String()
}
