package spirv

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sync"

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
	Entry string     // name of the entry point; "": the only one of the stage
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
	// slackBound is the maximum excess of the bound over the number of words: undefined ids cost memory too.
	slackBound = 1 << 16
	// minLeaves is the number of vectors that loading, storing and building aggregates may always take, in addition to
	// 16 per word of the module. maxLeaves bounds the total.
	minLeaves = 1 << 16
	maxLeaves = 1 << 23
)

type idKind uint8

const (
	idNone        idKind = iota // not defined yet
	idOther                     // strings, labels, extended instruction sets: see their op
	idType                      // aux: row of types
	idConst                     // scalar or vector; aux: first word of bits
	idComposite                 // composite constant; aux: 0 if the instruction has its parts, or their position in reader.parts
	idNull                      // OpConstantNull
	idUndef                     // OpUndef
	idVar                       // aux: the ir.Var
	idBuiltin                   // input variable; aux: the builtin
	idFunc                      // aux: row of funcs
	idLabel                     // aux: row of blocks
	idGLSL                      // GLSL.std.450
	idTrinary                   // SPV_AMD_shader_trinary_minmax
	idNonSemantic               // a non-semantic instruction set
	idGroup                     // OpDecorationGroup
	idValue                     // SSA value; block: where it is defined
	idPointer                   // deref in val.src
	idOpaque                    // image in val.src, sampler in val.kids: derefs, 0 where it has none
	idTexel                     // OpImageTexelPointer; val.kids: image, coordinates, sample
)

const (
	flagDemoted   = 1 << iota // read through a variable outside of its block
	flagBuiltinC              // val.src chooses the component of a builtin
	flagInterface             // named by the entry point
)

// idRec describes an id.
type idRec struct {
	kind   idKind
	flags  uint8
	access uint16 // kind.Access of a pointer
	word   uint32 // the instruction that defines it; 0: none
	typ    uint32 // its type
	val    value
	epoch  uint32 // constants and variables: the function for which val holds; values: 1 + the block
	aux    uint32
	dec    uint32 // first row of decs
	name   uint32 // OpName
	phi    uint32 // a phi's ir.Var
	home   uint32 // 1 + the block that defines it; 0: not defined in a block
}

// reader reads one module.
type reader struct {
	module []byte // words are in little-endian order
	words  []uint32
	at     uint32 // the instruction being read
	ticks  uint32 // instructions scanned or read
	opt    *Options
	s      *ir.Shader
	b      ir.Builder
	cb     ir.Builder // at the end of the function's first block: constants, undefs, derefs of variables

	bound     uint32   // of the module's ids
	ids       []idRec  // constants without an id in the module follow the bound
	parts     []uint32 // constituents of such constants
	types     []typeRec
	bits      []uint64 // components of scalar and vector constants
	decs      []decoration
	funcs     []funcRec
	blocks    []block
	tree      []value // children of aggregates
	places    []place // of stored values
	leaves    int     // number of vectors used by aggregates so far
	maxLeaves int
	specs     map[uint32]uint64 // values of opt.Specialize by id, nil until needed

	entryWord   uint32
	entryFunc   uint32 // id
	modes       []uint32
	initialized []uint32  // ids of variables outside functions that have an initializer
	floatMask   [3]uint16 // by size: 16, 32, 64 bits
	fast        fastMath
	groupWord   uint32 // the last execution mode of a derivative group
	sizeBuiltin uint32 // id decorated WorkgroupSize

	fn     *funcRec
	fnSeq  uint32 // counts functions: the epoch of constants
	block  uint32 // the block being emitted
	cur    ir.Node
	imms   [64]ir.Src
	immSeq [64]uint32
	zeros  [5][5]ir.Src
	flow
	control
	scratch []ir.Src
	members []ir.Member // of the struct being read
	tex     texSources
	queue   []uint32 // rows of funcs to be emitted

	scanned  bool   // the layout of all instructions has been checked
	file     ir.Str // the name of the file of the last location
	fileWord uint32 // its OpString
	lineWord uint32 // during the scan, outside blocks: the instruction that sets the current location, or 0

	varPointers     bool        // a capability for variable pointers is declared
	floatControls2  bool        // FloatControls2 is declared
	smallAccess     uint8       // mask of the sizes below 4 bytes that capabilities allow for scalars in memory
	untyped         bool        // UntypedPointersKHR is declared
	unclaimed       kind.Access // decorations to ignore on members
	workgroupLayout bool        // WorkgroupMemoryExplicitLayoutKHR is declared
	workgroupVars   [2]uint32   // ids of workgroup variables in the interface: one that is not a block, and a block
}

// readers are reused to keep their memory.
var readers = sync.Pool{New: func() any { return new(reader) }}

// maxKept bounds the size in words of a module whose reader is kept.
const maxKept = 1 << 20

// empty resets everything but keeps memory.
func (r *reader) empty() {
	*r = reader{
		words: r.words[:0], ids: r.ids[:0], parts: r.parts[:0], types: r.types[:0], bits: r.bits[:0], decs: r.decs[:0],
		funcs: r.funcs[:0], blocks: r.blocks[:0], tree: r.tree[:0], places: r.places[:0], modes: r.modes[:0], initialized: r.initialized[:0], scratch: r.scratch[:0], members: r.members[:0], queue: r.queue[:0],
		flow: flow{
			acts: r.acts[:0], cons: r.cons[:0], cases: r.cases[:0], stack: r.stack[:0], postorder: r.postorder[:0],
			arena: r.arena[:0],
		},
		control: control{branches: r.branches, structural: r.structural, constructs: r.constructs, nodes: r.nodes},
	}
}

// Read reads an entry point of a module, a sequence of words in either byte order.
func Read(data []byte, opt Options) (*ir.Shader, error) {
	if opt.Stage > kind.StageFragment {
		return nil, &Error{Msg: "stage " + opt.Stage.String() + " is not supported", Unsupported: true}
	}
	return reading(data, opt, func(r *reader) {
		r.header()
		r.chooseStage()
		r.scan()
		r.setUp()
		r.checkFunctions()
		for i := 0; i < len(r.queue); i++ {
			r.function(r.queue[i])
		}
		r.aliasedAccess()
	})
}

// reading calls do with a reader of the module. It returns the reader's shader, or the error that do panicked with.
func reading(data []byte, opt Options, do func(*reader)) (sh *ir.Shader, err error) {
	r := readers.Get().(*reader)
	defer func() {
		if p := recover(); p != nil {
			sh = nil
			reason, limit := work.Reason(p), (*work.Limit)(nil)
			switch e, ok := p.(*Error); {
			case ok:
				err = r.located(e)
			case errors.As(reason, &limit):
				err = r.located(&Error{Word: int(r.at), Msg: limit.Error()})
			case reason != nil:
				err = reason
			default:
				panic(p) // do not reuse this reader
			}
		}
		if cap(r.words) <= maxKept {
			r.empty()
			readers.Put(r)
		}
	}()
	ordered, words, err := toWords(data, r.words)
	if err != nil {
		return nil, err
	}
	r.module, r.words = ordered, words
	r.opt, r.s = &opt, opt.Into
	if r.s == nil {
		r.s = ir.New()
	} else {
		r.s.Reset()
	}
	r.b, r.cb = ir.NewBuilder(r.s), ir.NewBuilder(r.s)
	do(r)
	return r.s, nil
}

// Words returns a module in little-endian byte order and its words. It checks the header.
func Words(module []byte) (ordered []byte, words []uint32, err error) {
	ordered, words, err = toWords(module, nil)
	if err != nil {
		return nil, nil, err
	}
	if e := checkHeader(words); e != nil {
		return nil, nil, e
	}
	return ordered, words, nil
}

// toWords converts a module to words, which it stores in buffer if that is large enough, and to little-endian byte
// order.
func toWords(module []byte, buffer []uint32) (ordered []byte, words []uint32, err error) {
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
		words[0], words[1], words[2], words[3] = uint32(x), uint32(x>>32), uint32(y), uint32(y>>32)
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

// header checks the header and prepares for the module's ids.
func (r *reader) header() {
	if e := checkHeader(r.words); e != nil {
		panic(e)
	}
	bound := r.words[3]
	r.bound = bound
	r.ids = slices.Grow(r.ids[:0], int(bound))[:bound]
	clear(r.ids)
	r.maxLeaves = min(minLeaves+16*len(r.words), maxLeaves)
	r.types = append(r.types, typeRec{})
	r.decs = append(r.decs, decoration{})
	r.tree = append(r.tree, value{})
	r.parts = append(r.parts, 0)
}

// count takes n vectors from the budget for aggregates.
func (r *reader) count(n uint32) {
	r.leaves += int(n)
	if r.leaves > r.maxLeaves {
		r.fail("aggregates expand to more than %d vectors", r.maxLeaves)
	}
}

// tick is called for every instruction scanned or read.
func (r *reader) tick() {
	const stretch = 1 << 12 // a few milliseconds
	if r.ticks++; r.ticks%stretch == 0 {
		r.look()
	}
}

//go:noinline
func (r *reader) look() { r.opt.Work.Look() }

// scan walks over the words once. It checks the layout of every instruction, records where ids are defined, reads
// everything outside functions, and finds functions and blocks.
func (r *reader) scan() {
	r.at = headerWords
	for words := r.words[headerWords:]; len(words) > 0; {
		r.tick()
		n := int(words[0] >> 16)
		if n == 0 || n > len(words) {
			panic(r.errorf("word count %d exceeds the remaining %d words", n, len(words)))
		}
		in := words[:n]
		info := spirvtab.Lookup(uint16(in[0]))
		if info == nil {
			panic(r.errorf("unknown opcode %d", in[0]&0xffff))
		}
		if !info.Read {
			panic(r.errorf("the instruction is not supported").unsupported())
		}
		r.layout(info, in)
		if r.fn == nil {
			r.moduleInstr(info, in)
		} else {
			r.bodyInstr(info, in)
		}
		r.at += uint32(n)
		words = words[n:]
	}
	if r.fn != nil {
		panic(r.errorf("truncated: the last function has no OpFunctionEnd"))
	}
	r.scanned = true
}

// layout checks an instruction's words against its row and records its result.
func (r *reader) layout(info *spirvtab.Op, in []uint32) {
	if len(in) < int(info.Min) {
		panic(r.errorf("has %d words, needs at least %d", len(in), info.Min))
	}
	ids := r.ids[:r.bound]
	if info.Category == spirvtab.CategoryExtension && info.HasType && int(in[3]) < len(ids) && ids[in[3]].kind == idNonSemantic {
		in = in[:info.Min] // the rest may be literals as well as ids
	}
	i := 1
	if info.HasType {
		if t := in[i]; int(t) >= len(ids) || ids[t].kind != idType {
			panic(r.errorf("word %d: id %d is not a type", i, t))
		}
		i++
	}
	if info.HasResult {
		id := in[i]
		if id == 0 || int(id) >= len(ids) {
			panic(r.errorf("result id %d exceeds the bound %d", id, r.bound))
		}
		rec := &ids[id]
		if rec.word != 0 {
			panic(r.errorf("id %d is defined twice, first at word %d", id, rec.word))
		}
		rec.word = r.at
		if info.HasType {
			rec.typ = in[1]
		}
		i++
	}
	most := r.bound - 1
	for end := i + int(info.IDs); i < end && i < len(in); i++ {
		if in[i]-1 >= most {
			panic(r.badID(in, i))
		}
	}
	if len(in) > int(info.Plain) {
		r.checkRest(info.Layout[info.IDs:], in, i)
	}
}

// checkRest checks the words from i on of an instruction against the end of its layout.
func (r *reader) checkRest(layout string, in []uint32, i int) {
	for l := 0; i < len(in); i++ {
		if l == len(layout) {
			panic(r.errorf("has %d words, more than the maximum of %d", len(in), i))
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
				panic(r.errorf("word %d: unterminated string", i))
			}
			i += n - 1
		}
	}
}

// checkIDs checks that words from and before to of an instruction are ids.
func (r *reader) checkIDs(in []uint32, from, to int) {
	most := r.bound - 1
	for i, id := range in[from:to] {
		if id-1 >= most {
			panic(r.badID(in, from+i))
		}
	}
}

func (r *reader) badID(in []uint32, i int) *Error {
	return r.errorf("word %d: id %d exceeds the bound %d", i, in[i], r.bound)
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
func (r *reader) text(word uint32) []byte {
	b := r.module[4*word:]
	return b[:bytes.IndexByte(b, 0)]
}

// ins returns the words of the instruction at a word offset.
func (r *reader) ins(word uint32) []uint32 {
	n := r.words[word] >> 16
	return r.words[word : word+n]
}

// op returns the opcode of the instruction at a word offset.
func (r *reader) op(word uint32) uint16 { return uint16(r.words[word]) }
