// SPDX-License-Identifier: MIT

package eval

import (
	"fmt"
	"go/token"
	"strconv"
)

// Base is the kind of number a value holds.
type Base uint8

// The base types. Bits is an uninterpreted value of a width: it can be copied,
// compared for equality and combined bitwise.
const (
	NoBase Base = iota
	Int
	Uint
	Float
	Bool
	Bits
)

var baseNames = [...]string{"none", "int", "uint", "float", "bool", "bits"}

func (b Base) String() string { return baseNames[b] }

// BaseByName returns the base type, or NoBase.
func BaseByName(name string) Base {
	for i, n := range baseNames {
		if n == name && i > 0 {
			return Base(i)
		}
	}
	return NoBase
}

// Type is the type of an expression. The zero Type means none.
type Type struct {
	Base Base
	Bits int
}

func (t Type) String() string {
	if t.Base == Bool || t.Base == NoBase {
		return t.Base.String()
	}
	return t.Base.String() + strconv.Itoa(t.Bits)
}

func (t Type) isInt() bool { return t.Base == Int || t.Base == Uint }

var boolType = Type{Bool, 1}

// typeNames are the types that can be called as conversions.
var typeNames = map[string]Type{
	"int8": {Int, 8}, "int16": {Int, 16}, "int32": {Int, 32}, "int64": {Int, 64},
	"uint8": {Uint, 8}, "uint16": {Uint, 16}, "uint32": {Uint, 32}, "uint64": {Uint, 64},
	"float16": {Float, 16}, "float32": {Float, 32}, "float64": {Float, 64},
}

// Param is a source of a meaning, or its result.
type Param struct {
	Name  string
	Type  Type
	Comps int // 0 means per component
}

// goScope are the names that emitted code itself uses.
var goScope = map[string]bool{
	"src": true, "dst": true, "comps": true, "mode": true, "k": true,
	"num": true, "math": true, "op": true, "truth": true,
	"uint8": true, "int8": true, "len": true, "cap": true, "string": true, "byte": true,
}

// CheckName returns why name cannot name a variable, or "".
func CheckName(name string) string {
	switch {
	case !token.IsIdentifier(name):
		return "is not an identifier"
	case BaseByName(name) != NoBase || typeNames[name] != Type{}:
		return "is a type"
	case name == "inf" || name == "nan" || name == "true" || name == "false":
		return "is a constant"
	case funcs[name] != nil || special[name]:
		return "is a function"
	case goScope[name]:
		return "is reserved"
	}
	return ""
}

// Error is an error in a meaning.
type Error struct {
	Line int // in the text, counted from 0
	Col  int // in the line, counted from 1; 0 if none
	Msg  string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line+1, e.Msg) }
