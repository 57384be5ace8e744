package message

const head = `// Package message holds the logical messages, what the compiler asks of memory and
// fixed functions whatever the machine is, and the families of messages that do
// them: which descriptor, header and payloads each takes.
package message

import (
	"jacquard.example/generated/abi"
	"jacquard.example/generated/isa"
)

// Name is a logical message.
type Name uint8

// The logical messages.
const (
	None Name = iota
`

const records = `
// Place says which source of an instruction a named source is, before the
// message is lowered and after.
func (x Source) Place() int { return int(places[x]) }

// Info is what is known of a logical message.
type Info struct {
	Name    string
	sources uint8
	spaces  uint8
	Effect  bool // it stays when nothing reads its result
	Orders  bool // it keeps accesses in order once it is awaited
	Ends    bool // the thread ends with it
	Spill   bool // code of the register allocator
	Narrow  bool // of the data, the low bytes of each lane's doubleword count
}

// Info is what is known of the message.
func (n Name) Info() *Info { return &infos[n] }

// String is the name of the message's row.
func (n Name) String() string { return infos[n].Name }

// ByName finds a logical message.
func ByName(name string) (Name, bool) {
	for n := range infos {
		if infos[n].Name == name && n > 0 {
			return Name(n), true
		}
	}
	return None, false
}

// Has reports that a message is given a source.
func (i *Info) Has(s Source) bool { return i.sources>>s&1 != 0 }

// Works reports that a message may work in a space.
func (i *Info) Works(s Space) bool { return i.spaces>>s&1 != 0 || s == Nowhere && i.spaces == 0 }

// Family is a set of messages that machines have.
type Family struct {
	Name     string
	Surfaces [NumSpaces]uint32 // the binding table index of what is no buffer
	Sends    [NumNames]Send
}

// Send is how a family does a message. The payloads are the sources with their
// places.
type Send struct {
	Does         bool // the family has a send for it
	SFID         isa.SFID
	Desc         uint32 // the bits that are always the same, without the lengths
	ThreadHeader bool   // the first payload is r0 as the thread was given it
	Copy         bool   // the first payload is copied to a register of its own
	AllSpaces    bool   // one works in all spaces of the message at once
	Base         uint8  // the doubleword of the thread's header to which is added, in bytes, what Fields cannot say of an offset; 0: none
	Header       []HeaderDword // of a header that the compiler makes; others may hold anything
	Fields       []Field
}

// HeaderDword is a doubleword of a header: a value of the thread's header, in the bits
// that it has there.
type HeaderDword struct {
	Dword uint8
	Value abi.Value
}

// Does reports that a family has a send for a message.
func (f *Family) Does(n Name) bool { return f.Sends[n].Does }

// Field is a part of a descriptor.
type Field struct {
	From  Value
	At    uint8  // the lowest bit
	Mask  uint32 // of the field, at bit 0
	Codes []uint8 // by the value; nil: the value itself
}

// NoCode stands in Codes for what the field cannot say.
const NoCode = 0xFF

// Most is the largest value that a message can say; false: it does not say it.
func (f *Family) Most(n Name, v Value) (uint32, bool) {
	for _, d := range f.Sends[n].Fields {
		if d.From == v {
			return d.Mask, true
		}
	}
	return 0, false
}

// Reach is how many bytes the field for an offset can tell apart, where GRFs have so
// many; 0: there is none.
func (s *Send) Reach(grfBytes uint32) uint32 {
	for k := range s.Fields {
		if d := &s.Fields[k]; d.From == ValueOffsetGrfs {
			return (d.Mask + 1) * grfBytes
		}
	}
	return 0
}

var infos = [NumNames]Info{
`
