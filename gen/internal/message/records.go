package message

import "jacquard.example/gen/internal/emit"

// records writes what the rows of the package are made of, and what it answers about
// them.
func records(f *emit.File) {
	f.Returns("Place says which source of an instruction a named source is, before the\nmessage is lowered and after.", "(x Source) Place() int", "int(places[x])")
	f.Struct("Info is what is known of a logical message.", "Info", `
		Name string
		sources uint8
		spaces uint8
		Effect bool // it stays when nothing reads its result
		Orders bool // it keeps accesses in order once it is awaited
		Ends bool // the thread ends with it
		Spill bool // code of the register allocator
		Narrow bool // of the data, the low bytes of each lane's doubleword count`)
	f.Returns("Info is what is known of the message.", "(n Name) Info() *Info", "&infos[n]")
	f.Returns("String is the name of the message's row.", "(n Name) String() string", "infos[n].Name")
	f.Func("ByName finds a logical message.", "ByName(name string) (Name, bool)",
		emit.For("n := range infos", emit.If("infos[n].Name == name && n > 0", emit.Return("Name(n), true"))),
		emit.Return("None, false"))
	f.Returns("Has reports that a message is given a source.", "(i *Info) Has(s Source) bool", "i.sources>>s&1 != 0")
	f.Returns("Works reports that a message may work in a space.", "(i *Info) Works(s Space) bool", "i.spaces>>s&1 != 0 || s == Nowhere && i.spaces == 0")
	f.Struct("Family is a set of messages that machines have.", "Family", `
		Name string
		Surfaces [NumSpaces]uint32 // the binding table index of what is no buffer
		Sends [NumNames]Send`)
	f.Struct("Send is how a family does a message. The payloads are the sources with their\nplaces.", "Send", `
		Does bool // the family has a send for it
		SFID isa.SFID
		Desc uint32 // the bits that are always the same, without the lengths
		ThreadHeader bool // the first payload is r0 as the thread was given it
		Copy bool // the first payload is copied to a register of its own
		AllSpaces bool // one works in all spaces of the message at once
		Base uint8 // the doubleword of the thread's header to which is added, in bytes, what Fields cannot say of an offset; 0: none
		Header []HeaderDword // of a header that the compiler makes; others may hold anything
		Fields []Field`)
	f.Struct("HeaderDword is a doubleword of a header: a value of the thread's header, in the bits\nthat it has there.", "HeaderDword", `
		Dword uint8
		Value abi.Value`)
	f.Returns("Does reports that a family has a send for a message.", "(f *Family) Does(n Name) bool", "f.Sends[n].Does")
	f.Struct("Field is a part of a descriptor.", "Field", `
		From Value
		At uint8 // the lowest bit
		Mask uint32 // of the field, at bit 0
		Codes []uint8 // by the value; nil: the value itself`)
	f.Const("NoCode stands in Codes for what the field cannot say.", "NoCode", "0xFF")
	f.Func("Most is the largest value that a message can say; false: it does not say it.", "(f *Family) Most(n Name, v Value) (uint32, bool)",
		emit.For("_, d := range f.Sends[n].Fields", emit.If("d.From == v", emit.Return("d.Mask, true"))),
		emit.Return("0, false"))
	f.Func("Reach is how many bytes the field for an offset can tell apart, where GRFs have so\nmany; 0: there is none.", "(s *Send) Reach(grfBytes uint32) uint32",
		emit.For("k := range s.Fields",
			emit.If("d := &s.Fields[k]; d.From == ValueOffsetGrfs", emit.Return("(d.Mask + 1) * grfBytes"))),
		emit.Return("0"))
}
