// SPDX-License-Identifier: MIT

package message

import "jacquard.example/gen/internal/emit"

// records writes the types of the rows, and their methods.
func records(f *emit.File) {
	f.Returns("Place returns the position of a named source among an instruction's sources,\nbefore the message is lowered and after.",
		"(x Source) Place() int", "int(places[x])")
	f.Struct("Info describes a logical message.", "Info", `
		Name string
		sources uint8
		spaces uint8
		Effect bool // it is kept even if its result is unused
		Clipped bool // a read that may have any aligned address
		Orders bool // it orders accesses once it has been awaited
		Ends bool // it ends the thread
		LaneBits bool // the last component of the result is returned as a doubleword with a bit for each lane
		Spill bool // code of the register allocator
		Sized bool // its elements have a size (attribute bytes)
		Floats Name // the message for the same atomics on floats, or None
		OfVertices Name // the form for vertices with a lane for each component, or None
		Narrow bool // only the low bytes of each lane's doubleword of data are used`)
	f.Returns("Info returns the description of the message.", "(n Name) Info() *Info", "&infos[n]")
	f.Returns("String returns the name of the message's row.", "(n Name) String() string", "infos[n].Name")
	f.Func("ByName finds a logical message.", "ByName(name string) (Name, bool)",
		emit.For("n := range infos", emit.If("infos[n].Name == name && n > 0", emit.Return("Name(n), true"))),
		emit.Return("None, false"))
	f.Returns("Has reports whether a message has a source.", "(i *Info) Has(s Source) bool", "i.sources>>s&1 != 0")
	f.Returns("Works reports whether a message can access a space.", "(i *Info) Works(s Space) bool",
		"i.spaces>>s&1 != 0 || s == Nowhere && i.spaces == 0")
	f.Struct("Family is a set of messages that machines have.", "Family", `
		Name string
		Surfaces [NumSpaces]uint32 // the binding table index of spaces that are not buffers
		Bindless uint32 // binding table index of messages whose extended descriptor has the handle of an image; 0 if there are none
		Sends [NumNames]Send
		Atomics [numAtomics]Code // by kind.AtomicOp`)
	f.Struct("Code is the code of an atomic in messages; one of its fields is 0.", "Code", `
		Int isa.AtomicOp
		Float isa.FloatAtomicOp
		Short []ShortCode`)
	f.Struct("ShortCode is a code without data that does the same as another code with this data.", "ShortCode", `
		Data uint32
		Int isa.AtomicOp`)
	f.Func("Atomic returns the code of an atomic, or nil if the family has none.", "(f *Family) Atomic(o kind.AtomicOp) *Code",
		emit.If("int(o) >= len(f.Atomics) || f.Atomics[o].Int == 0 && f.Atomics[o].Float == 0", emit.Return("nil")),
		emit.Return("&f.Atomics[o]"))
	f.Struct("Send is a family's implementation of a message. The payloads are the sources with their\npositions.", "Send", `
		Does bool // the family has a send for it
		SFID isa.SFID
		Desc uint32 // the bits that are always the same, without the lengths
		ThreadHeader bool // the first payload is r0 as the thread received it
		Extended uint8 // first bit of the extended descriptor's field with bits 8 and up of the surface; 0 if it has none
		Ordered bool // it waits for earlier threads at the same pixels: a sendc
		Copy bool // the first payload is copied to a separate register
		AllSpaces bool // one send covers all spaces of the message
		Halves bool // operations with parameters of 16 bits have them
		Lanes uint8 // maximum lanes of one message, if fewer than 16; wider code sends several
		Base uint8 // the doubleword of the thread's header to which the part of an offset, in bytes, that Fields cannot encode is added; 0 if none
		Header []HeaderDword // doublewords of a header built by the compiler; others are arbitrary
		Registers uint8 // maximum number of registers of both payloads; 0 means any number
		Offset bool // the first payload is a register that starts with the offset
		LaneOffsets bool // the first payload is the offset plus 4 for each lane
		Single bool // it is executed by one lane, without a mask
		Binding uint8 // first bit of the extended descriptor's field with the surface; 0 if the descriptor has it
		Added uint8 // first bit of the extended descriptor's field with an offset that is added to addresses; 0 if there is none
		State uint8 // the doubleword of the thread's header that holds the offset of a surface state, in the bits of an extended descriptor; 0 if there is none
		Fields []Field
		In []SpaceSend // the sends for some spaces`)
	f.Struct("SpaceSend is a family's implementation of a message for a space.", "SpaceSend", `
		Space Space
		Send`)
	f.Func("Send returns a family's implementation of a message for a space.", "(f *Family) Send(n Name, space Space) *Send",
		emit.Go("s := &f.Sends[n]"),
		emit.For("k := range s.In", emit.If("s.In[k].Space == space", emit.Return("&s.In[k].Send"))),
		emit.Return("s"))
	f.Struct("HeaderDword is a doubleword of a header: a value of the thread's header, in the bit\npositions it has there.", "HeaderDword", `
		Dword uint8
		Value abi.Value
		Also uint8 // how many bits lower the value is placed a second time; 0 if it is not`)
	f.Returns("Does reports whether a family has a send for a message.", "(f *Family) Does(n Name) bool", "f.Sends[n].Does")
	f.Struct("Operation is an operation of the sampler.", "Operation", `
		Params []Param // in order
		Vectors []Param // of a message of vertices with a lane for each component, four in a register; nil if there is none
		Row bool // a message has no more lanes than a register has doublewords
		Halves bool // its parameters have 16 bits in messages that say so, and a register each`)
	f.Struct("Field is a part of a descriptor.", "Field", `
		From Value
		At uint8 // the lowest bit
		Mask uint32 // mask of the field, at bit 0
		Codes []uint8 // by the value; nil means the value itself`)
	f.Const("NoCode marks entries of Codes that the field cannot encode.", "NoCode", "0xFF")
	f.Func("Most returns the largest value that a message can encode, and false if it has no field for it.",
		"(f *Family) Most(n Name, v Value) (uint32, bool)",
		emit.For("_, d := range f.Sends[n].Fields",
			emit.If("d.From == v && d.Codes != nil", emit.Return("uint32(len(d.Codes) - 1), true")),
			emit.If("d.From == v", emit.Return("d.Mask, true"))),
		emit.Return("0, false"))
	f.Func("Takes reports whether a message can encode a value, or has no field for it.",
		"(f *Family) Takes(n Name, v Value, x uint32) bool",
		emit.For("_, d := range f.Sends[n].Fields",
			emit.If("d.From == v && d.Codes != nil", emit.Return("int(x) < len(d.Codes) && d.Codes[x] != NoCode")),
			emit.If("d.From == v", emit.Return("x <= d.Mask"))),
		emit.Return("true"))
	f.Func("Reach returns the range in bytes of the offset field, for GRFs of the given size,\nor 0 if there is no such field.",
		"(s *Send) Reach(grfBytes uint32) uint32",
		emit.For("k := range s.Fields",
			emit.If("d := &s.Fields[k]; d.From == ValueOffsetGrfs", emit.Return("(d.Mask + 1) * grfBytes"))),
		emit.Return("0"))
}
