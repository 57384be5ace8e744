// SPDX-License-Identifier: MIT

package module

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"jacquard.example/core/ir"
	"jacquard.example/core/work"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// Spec assigns a value to a specialization constant, by its SpecId. A bool is zero or nonzero.
type Spec struct {
	ID   uint32
	Bits uint64
}

// Options selects what to read from a module.
type Options struct {
	Entry string     // name of the entry point; "" means the only one of the stage
	Stage kind.Stage // StageCompute, StageVertex or StageFragment
	// Alternatives are the stages to read instead if the module has no entry point of Stage with that name, the
	// preferred stage first.
	Alternatives []kind.Stage
	Specialize   []Spec
	Into         *ir.Shader // if not nil, reused after Reset

	// Work, if not nil, is checked now and then for cancellation. Reading takes time proportional to the module's size
	// and is not counted.
	Work *work.Meter
}

// The header of a module (SPIR-V specification 2.3).
const (
	magic       = 0x07230203
	headerWords = 5
	// maxBound is the universal limit on ids (SPIR-V specification 2.17).
	maxBound = 4194303
	// slackBound is the maximum excess of the bound over four times the number of words: undefined ids cost memory too.
	slackBound = 1 << 16
	// minLeaves is the number of vectors that loading, storing and building aggregates may always take, in addition to
	// 16 per word of the module. maxLeaves bounds the total.
	minLeaves = 1 << 16
	maxLeaves = 1 << 23
)

type idKind uint8

const (
	IdNone        idKind = iota // not defined yet
	IdOther                     // strings, labels, extended instruction sets: see their op
	idType                      // Aux: row of Types
	IdConst                     // scalar or vector; Aux: first element of Bits
	IdComposite                 // composite constant; Aux: 0 if the instruction has its parts, or their position in Reader.parts
	IdNull                      // OpConstantNull
	IdUndef                     // OpUndef
	IdVar                       // Aux: the ir.Var
	IdBuiltin                   // input variable; Aux: the builtin
	idFunc                      // Aux: row of Funcs
	IdLabel                     // Aux: row of Blocks
	IdGLSL                      // GLSL.std.450
	IdTrinary                   // SPV_AMD_shader_trinary_minmax
	IdNonSemantic               // a non-semantic instruction set
	idGroup                     // OpDecorationGroup
	IdValue                     // SSA value; Home: where it is defined
	IdPointer                   // deref in Val.Src
	IdOpaque                    // image in Val.Src, sampler in Val.Kids: derefs, 0 where it has none
	IdTexel                     // OpImageTexelPointer; Val.Kids: image, coordinates, sample
)

const (
	FlagDemoted   = 1 << iota // read through a variable outside of its block
	FlagBuiltinC              // Val.Src chooses the component of a builtin
	flagInterface             // named by the entry point
)

// IdRec describes an id.
type IdRec struct {
	Kind   idKind
	Flags  uint8
	Access uint16 // kind.Access of a pointer
	Word   uint32 // the instruction that defines it; 0 if none
	Typ    uint32 // its type
	Val    Value
	Epoch  uint32 // constants and variables: the function for which val holds; values: 1 + the block
	Aux    uint32
	Dec    uint32 // first row of decs
	name   uint32 // OpName
	Phi    uint32 // a phi's ir.Var
	Home   uint32 // 1 + the block that defines it; 0 if not defined in a block
}

// Reader reads one module.
type Reader struct {
	Module []byte // words are in little-endian order
	Words  []uint32
	At     uint32 // the instruction being read
	ticks  uint32 // instructions scanned or read
	Opt    *Options
	S      *ir.Shader
	B      ir.Builder
	Cb     ir.Builder // at the end of the function's first block: constants, undefs, derefs of variables

	Bound     uint32   // bound of the module's ids
	Ids       []IdRec  // constants without an id in the module follow the bound
	parts     []uint32 // constituents of such constants
	Types     []TypeRec
	Bits      []uint64 // components of scalar and vector constants
	decs      []decoration
	Funcs     []FuncRec
	Blocks    []Block
	Tree      []Value // children of aggregates
	Places    []Place // places of stored values
	leaves    int     // number of vectors used by aggregates so far
	maxLeaves int
	specs     map[uint32]uint64 // values of opt.Specialize by id, nil until needed

	entryWord   uint32
	entryFunc   uint32 // id
	modes       []uint32
	Initialized []uint32  // ids of variables outside functions that have an initializer
	floatMask   [3]uint16 // by size: 16, 32, 64 bits
	Fast        fastMath
	groupWord   uint32 // the last execution mode of a derivative group
	sizeBuiltin uint32 // id decorated WorkgroupSize

	Fn      *FuncRec
	FnSeq   uint32 // counts functions: the epoch of constants
	Block   uint32 // the block being emitted
	Cur     ir.Node
	Imms    [64]ir.Src
	ImmSeq  [64]uint32
	Zeros   [5][5]ir.Src
	Own     Freedom // freedom of the instruction being read
	Scratch []ir.Src
	members []ir.Member // members of the struct being read
	Tex     texSources
	Queue   []uint32 // rows of funcs to be emitted

	scanned  bool   // the layout of all instructions has been checked
	file     ir.Str // the name of the file of the last location
	fileWord uint32 // its OpString
	lineWord uint32 // during the scan, outside blocks: the instruction that sets the current location, or 0

	varPointers     bool        // a capability for variable pointers is declared
	floatControls2  bool        // FloatControls2 is declared
	SmallAccess     uint8       // mask of the sizes below 4 bytes that capabilities allow for scalars in memory
	untyped         bool        // UntypedPointersKHR is declared
	unclaimed       kind.Access // decorations to ignore on members
	workgroupLayout bool        // WorkgroupMemoryExplicitLayoutKHR is declared
	workgroupVars   [2]uint32   // ids of workgroup variables in the interface: one that is not a block, and a block
}

// Empty resets everything but keeps memory.
func (r *Reader) Empty() {
	*r = Reader{
		Words: r.Words[:0], Ids: r.Ids[:0], parts: r.parts[:0], Types: r.Types[:0], Bits: r.Bits[:0], decs: r.decs[:0],
		Funcs: r.Funcs[:0], Blocks: r.Blocks[:0], Tree: r.Tree[:0], Places: r.Places[:0], modes: r.modes[:0],
		Initialized: r.Initialized[:0], Scratch: r.Scratch[:0], members: r.members[:0], Queue: r.Queue[:0],
	}
}

// Words returns a module in little-endian byte order and its words. It checks the header.
func Words(module []byte) (ordered []byte, words []uint32, err error) {
	ordered, words, err = ToWords(module, nil)
	if err != nil {
		return nil, nil, err
	}
	if e := checkHeader(words); e != nil {
		return nil, nil, e
	}
	return ordered, words, nil
}

// ToWords converts a module to words, which it stores in buffer if that is large enough, and to little-endian byte
// order.
func ToWords(module []byte, buffer []uint32) (ordered []byte, words []uint32, err error) {
	switch {
	case len(module) == 0:
		return nil, nil, &Error{Msg: "empty file"}
	case len(module) < 4:
		return nil, nil, &Error{Msg: "not SPIR-V: shorter than a word"}
	}
	switch m := binary.LittleEndian.Uint32(module); m {
	case magic:
	case bits.ReverseBytes32(magic):
		module = swapped(module)
	default:
		if isText(module) {
			return nil, nil, &Error{Msg: "not SPIR-V but text; assemble it first (spirv-as), or compile it (glslangValidator -V)"}
		}
		return nil, nil, &Error{Msg: "not SPIR-V: the first word is not the magic number 0x07230203"}
	}
	if len(module)%4 != 0 {
		return nil, nil, &Error{Word: len(module) / 4, Msg: "truncated: the length is not a multiple of the word size"}
	}
	if len(module) < headerWords*4 {
		return nil, nil, &Error{Word: len(module) / 4, Msg: "truncated: the header has five words"}
	}
	all := slices.Grow(buffer[:0], len(module)/4)[:len(module)/4]
	ordered, words = module, all
	for ; len(words) > 4 && len(module) > 16; words, module = words[4:], module[16:] { // four at a time
		x, y := binary.LittleEndian.Uint64(module), binary.LittleEndian.Uint64(module[8:])
		words[0], words[1] = uint32(x), uint32(x>>32)
		words[2], words[3] = uint32(y), uint32(y>>32)
	}
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(module[4*i:])
	}
	return ordered, all, nil
}

// swapped returns a module in the other byte order; bytes after the last whole word are left unchanged.
func swapped(module []byte) []byte {
	out := slices.Clone(module)
	for b := out; len(b) >= 4; b = b[4:] {
		slices.Reverse(b[:4])
	}
	return out
}

func isText(b []byte) bool {
	for _, c := range b[:min(len(b), 64)] {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' || c == 0x7f {
			return false
		}
	}
	return true
}

// checkHeader checks the first five words.
func checkHeader(words []uint32) *Error {
	version, bound, schema := words[1], words[3], words[4]
	wrong := func(word int, format string, args ...any) *Error {
		return &Error{Word: word, Msg: fmt.Sprintf(format, args...)}
	}
	major, minor := version>>16&255, version>>8&255
	switch {
	case version>>24 != 0 || version&255 != 0 || major != 1 || minor > 6:
		return wrong(1, "version %d.%d (%#x) is not supported, only 1.0 to 1.6", major, minor, version).unsupported()
	case schema != 0:
		return wrong(4, "instruction schema %d is reserved", schema)
	case bound == 0 || bound > maxBound:
		return wrong(3, "id bound %d is not between 1 and %d", bound, maxBound)
	case int(bound) > 4*len(words)+slackBound:
		return wrong(3, "id bound %d is too large for a module of %d words", bound, len(words))
	}
	return nil
}

// Header checks the header and prepares for the module's ids.
func (r *Reader) Header() {
	if e := checkHeader(r.Words); e != nil {
		panic(e)
	}
	bound := r.Words[3]
	r.Bound = bound
	r.Ids = slices.Grow(r.Ids[:0], int(bound))[:bound]
	clear(r.Ids)
	r.maxLeaves = min(minLeaves+16*len(r.Words), maxLeaves)
	r.Types = append(r.Types, TypeRec{})
	r.decs = append(r.decs, decoration{})
	r.Tree = append(r.Tree, Value{})
	r.parts = append(r.parts, 0)
}

// Count takes n vectors from the budget for aggregates.
func (r *Reader) Count(n uint32) {
	r.leaves += int(n)
	if r.leaves > r.maxLeaves {
		r.Fail("aggregates expand to more than %d vectors", r.maxLeaves)
	}
}

// Tick counts an instruction scanned or read, and from time to time checks for cancellation.
func (r *Reader) Tick() {
	const stretch = 1 << 12 // a few milliseconds
	if r.ticks++; r.ticks%stretch == 0 {
		r.look()
	}
}

//go:noinline
func (r *Reader) look() { r.Opt.Work.Look() }

// Scan walks over the words once. It checks the layout of every instruction, records where ids are defined, reads
// everything outside functions, and finds functions and blocks.
func (r *Reader) Scan() {
	r.At = headerWords
	for words := r.Words[headerWords:]; len(words) > 0; {
		r.Tick()
		n := int(words[0] >> 16)
		if n == 0 || n > len(words) {
			panic(r.Errorf("word count %d exceeds the remaining %d words", n, len(words)))
		}
		in := words[:n]
		info := spirvtab.Lookup(uint16(in[0]))
		if info == nil {
			panic(r.Errorf("unknown opcode %d", in[0]&0xffff))
		}
		if !info.Read {
			panic(r.Errorf("the instruction is not supported").unsupported())
		}
		r.layout(info, in)
		if r.Fn == nil {
			r.moduleInstr(info, in)
		} else {
			r.bodyInstr(info, in)
		}
		r.At += uint32(n)
		words = words[n:]
	}
	if r.Fn != nil {
		panic(r.Errorf("truncated: the last function has no OpFunctionEnd"))
	}
	r.scanned = true
}

// layout checks an instruction's words against its row and records its result.
func (r *Reader) layout(info *spirvtab.Op, in []uint32) {
	if len(in) < int(info.Min) {
		panic(r.Errorf("has %d words, needs at least %d", len(in), info.Min))
	}
	ids := r.Ids[:r.Bound]
	if info.Category == spirvtab.CategoryExtension && info.HasType && int(in[3]) < len(ids) && ids[in[3]].Kind == IdNonSemantic {
		in = in[:info.Min] // the rest may be literals as well as ids
	}
	i := 1
	if info.HasType {
		if t := in[i]; int(t) >= len(ids) || ids[t].Kind != idType {
			panic(r.Errorf("word %d: id %d is not a type", i, t))
		}
		i++
	}
	if info.HasResult {
		id := in[i]
		if id == 0 || int(id) >= len(ids) {
			panic(r.Errorf("result id %d exceeds the bound %d", id, r.Bound))
		}
		rec := &ids[id]
		if rec.Word != 0 {
			panic(r.Errorf("id %d is defined twice, first at word %d", id, rec.Word))
		}
		rec.Word = r.At
		if info.HasType {
			rec.Typ = in[1]
		}
		i++
	}
	most := r.Bound - 1
	for end := i + int(info.IDs); i < end && i < len(in); i++ {
		if in[i]-1 >= most {
			panic(r.badID(in, i))
		}
	}
	if len(in) > int(info.Plain) {
		r.checkRest(info.Layout[info.IDs:], in, i)
	}
}

// checkRest checks the words of an instruction, starting at i, against the rest of its layout.
func (r *Reader) checkRest(layout string, in []uint32, i int) {
	for l := 0; i < len(in); i++ {
		if l == len(layout) {
			panic(r.Errorf("has %d words, more than the maximum of %d", len(in), i))
		}
		c := layout[l]
		if l++; c == '?' {
			c = layout[l]
			l++
		}
		if l < len(layout) && layout[l] == '*' { // all remaining words
			if c == 'i' {
				r.checkIDs(in, i, len(in))
			}
			return
		}
		switch c {
		case 'i':
			r.checkIDs(in, i, i+1)
		case 's':
			n := stringWords(in[i:])
			if n == 0 {
				panic(r.Errorf("word %d: unterminated string", i))
			}
			i += n - 1
		}
	}
}

// checkIDs checks that the words in[from:to] of an instruction are ids.
func (r *Reader) checkIDs(in []uint32, from, to int) {
	most := r.Bound - 1
	for i, id := range in[from:to] {
		if id-1 >= most {
			panic(r.badID(in, from+i))
		}
	}
}

func (r *Reader) badID(in []uint32, i int) *Error {
	return r.Errorf("word %d: id %d exceeds the bound %d", i, in[i], r.Bound)
}

// stringWords returns the number of words of a string, or 0 if it is not terminated.
func stringWords(in []uint32) int {
	for n, w := range in {
		if (w-0x01010101)&^w&0x80808080 != 0 { // some byte is zero
			return n + 1
		}
	}
	return 0
}

// text returns the bytes of the string at a word offset. The layout check found that the string is terminated.
func (r *Reader) text(word uint32) []byte {
	b := r.Module[4*word:]
	return b[:bytes.IndexByte(b, 0)]
}

// Ins returns the words of the instruction at a word offset.
func (r *Reader) Ins(word uint32) []uint32 {
	n := r.Words[word] >> 16
	return r.Words[word : word+n]
}

// Op returns the opcode of the instruction at a word offset.
func (r *Reader) Op(word uint32) uint16 { return uint16(r.Words[word]) }
