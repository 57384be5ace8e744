package eval

import (
	"go/token"
)

// Base is the kind of number a value holds.
type Base uint8

// The base types. Bits is a value of a width taken as it is: it can be copied,
// compared for equality and combined bit by bit.
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

// CheckName says why name cannot name a variable, or "".
func CheckName(name string) string {
	if !token.IsIdentifier(name) {
		return "is no identifier"
	}
	return ""
}
