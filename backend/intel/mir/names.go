// SPDX-License-Identifier: MIT

package mir

import (
	"fmt"
	"strconv"
	"strings"

	"jacquard.example/generated/isa"
)

// Pseudo has the names of the pseudo opcodes, starting at OpLoop.
var Pseudo = [...]string{"loop", "undef", "halt_target", "mulh", "indirect", "msg", "compose", "address"}

// OpName returns the mnemonic of an opcode, which may be a pseudo opcode.
func OpName(o isa.Op) string {
	if o >= OpLoop && int(o-OpLoop) < len(Pseudo) {
		return Pseudo[o-OpLoop]
	}
	return o.String()
}

// OpByName returns the opcode with a mnemonic, which may be a pseudo opcode.
func OpByName(name string) (isa.Op, bool) {
	for i, n := range Pseudo {
		if n == name {
			return OpLoop + isa.Op(i), true
		}
	}
	return isa.OpByName(name)
}

// arfKinds are the names of architecture registers without the number, indexed by the high half of the register byte.
var arfKinds = [16]string{"null", "a", "acc", "f", "ce", "msg", "sp", "sr", "cr", "n", "ip", "tdr", "tm", "fc", "arfE", "dbg"}

func arfName(n uint32) string {
	if n == isa.ARFNull {
		return "null"
	}
	return fmt.Sprintf("%s%d", arfKinds[n>>4&15], n&15)
}

// ARFByName returns the register byte of an architecture register.
func ARFByName(name string) (uint8, bool) {
	if name == "null" {
		return isa.ARFNull, true
	}
	kind := strings.TrimRight(name, "0123456789")
	n, err := strconv.ParseUint(name[len(kind):], 10, 4)
	for i, k := range arfKinds {
		if k == kind && i > 0 && err == nil {
			return uint8(i<<4) | uint8(n), true
		}
	}
	return 0, false
}

// TypeByName returns the operand type with a name.
func TypeByName(name string) (isa.Type, bool) {
	for t := isa.TypeNone + 1; int(t) < isa.NumTypes; t++ {
		if t.String() == name {
			return t, true
		}
	}
	return isa.TypeNone, false
}

// PredByName returns the predicate mode with a name. PredNormal has none.
func PredByName(name string) (isa.Pred, bool) { return byName[isa.Pred](name) }

// CModByName returns the condition modifier with a name.
func CModByName(name string) (isa.CMod, bool) { return byName[isa.CMod](name) }

// byName returns the value of an instruction-word enumeration with a name; 0 has none.
func byName[T interface {
	~uint8
	String() string
}](name string) (T, bool) {
	if name == "" || strings.Contains(name, "(") { // String formats a value without a name as a number in parentheses
		return 0, false
	}
	for v := T(1); v < 16; v++ {
		if v.String() == name {
			return v, true
		}
	}
	return 0, false
}
