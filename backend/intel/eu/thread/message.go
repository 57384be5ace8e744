// SPDX-License-Identifier: MIT

package thread

import (
	"encoding/binary"
	"math/bits"

	"jacquard.example/core/texture"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// Fields common to the message descriptors of all shared functions, and of the extended descriptor (TGL PRM
// vol. 7, "Message Descriptor").
func descLen(d uint32) int { return int(d >> 25 & 15) } // registers of source 0
// DescResp returns the number of registers of the response.
func DescResp(d uint32) int    { return int(d >> 20 & 31) } // registers of the response
func descHeader(d uint32) bool { return d>>19&1 != 0 }
func descBTI(d uint32) uint8   { return uint8(d) }
func exLen(d uint32) int       { return int(d >> 6 & 31) } // registers of source 1

// Binding table indices with a special meaning.
const (
	BtiBindless  = 252
	BtiStateless = 253
	BtiSLM       = 254
	BtiCoherent  = 255
)

// SendOp is the predecoded part of a send.
type SendOp struct {
	Sfid     isa.SFID
	Dst      int // register, or -1 for null
	Src0     int
	Src1     int
	Eot      bool
	DescA0   bool
	ExA0     bool
	ExSub    uint8
	Separate bool // the length of source 1 is in Ex although the extended descriptor is in a0
	Desc     uint32
	Ex       uint32
	Msg      Message // set if both descriptors are immediates
}

// Message is a decoded descriptor.
type Message struct {
	Run        func(t *Thread, o *Op, m *Message, mask uint32) *OpError
	GRF        int // bytes of a general register
	Sfid       isa.SFID
	Lanes      uint8  // lanes of the instruction
	Separate   bool   // see Request
	Beside     uint32 // see Request
	Bti        uint8
	Flat       bool   // addresses of 32 bits in the 64-bit address space
	Private    bool   // the surface is the thread's own scratch space
	Aligned    bool   // addresses must be multiples of the size of an element
	Handle     uint32 // index of a bindless surface
	SIMD       uint8  // lanes in the payload
	PerLane    bool   // each lane has its own address
	Comps      uint8  // mask of components, bit 0 is X
	Ncomps     uint8
	Aop        uint8
	AtomicOp   bool
	Ret        bool
	Header     bool
	Wide       bool  // 64-bit addresses
	ReturnsNew bool  // an atomic returns the new value
	Upper      bool  // lanes 8 to 15 of a slot group
	Coords     uint8 // parameters before the data; 0 for messages with addresses

	Sampling   *SamplerRow
	Sampler    uint8
	HalfParams bool // the sampler's parameters have 16 bits
	HalfRet    bool // components of its response have 16 bits

	AllSpaces bool // a fence of all memory
	Vectors   bool // the lanes are the components of two vertices

	Urb      UrbParts
	UrbWrite bool
	ToTarget bool
	Target   TargetMessage
	Interp   Interpolation

	Size   uint8 // bytes of an element; alignment of a block
	Elems  uint8 // consecutive elements per lane
	Bytes  uint16
	Units  uint8 // bytes of an address unit
	Offset uint32
	Added  int32 // to each address
	Mlen   uint8
	Exlen  uint8
	Rlen   uint8
}

// Eot reports whether the instruction ends its thread.
func (o *Op) Eot() bool { return o.Send != nil && o.Send.Eot }

// Footprint checks the registers of a message and returns its footprint.
func (s *SendOp) Footprint(machine *target.Target, m *Message) (Footprint, *OpError) {
	f := Footprint{Nsrc: 2}
	rlen, last := int(m.Rlen), machine.Registers.Registers
	switch {
	case m.Mlen == 0:
		return f, Operr(FaultMessage, "the payload in source 0 is empty")
	case s.Src0+int(m.Mlen) > last:
		return f, Operr(FaultOperand, "the payload from r%d, of %d registers, ends past the last register", s.Src0, m.Mlen)
	case m.Exlen > 0 && s.Src1 < 0:
		return f, Operr(FaultMessage, "the extended descriptor requires %d registers of source 1, which is null", m.Exlen)
	case m.Exlen > 0 && s.Src1+int(m.Exlen) > last:
		return f, Operr(FaultOperand, "the payload from r%d, of %d registers, ends past the last register", s.Src1, m.Exlen)
	case rlen > 0 && s.Dst < 0:
		return f, Operr(FaultMessage, "a response of %d registers goes to null", rlen)
	case rlen > 0 && s.Dst+rlen > last:
		return f, Operr(FaultOperand, "the response from r%d, of %d registers, ends past the last register", s.Dst, rlen)
	case s.Eot && (s.Src0 < machine.Registers.LastFrom || m.Exlen > 0 && s.Src1 < machine.Registers.LastFrom):
		return f, Operr(FaultMessage, "the payload of the last message must be in r%d to r%d", machine.Registers.LastFrom,
			machine.Registers.Registers-1)
	case s.Eot && rlen > 0:
		return f, Operr(FaultMessage, "the last message must not have a response")
	}
	f.Src[0] = WholeRegs(s.Src0, int(m.Mlen))
	if m.Exlen > 0 {
		f.Src[1] = WholeRegs(s.Src1, int(m.Exlen))
		if f.Src[0].Overlaps(f.Src[1]) {
			return f, Operr(FaultMessage, "the two parts of the payload overlap")
		}
	}
	if rlen > 0 {
		f.Dst = WholeRegs(s.Dst, rlen)
		// BDW PRM vol. 7, "Send Message".
		if !machine.Can(target.SendOverlap) && s.Dst+rlen == last && (f.Dst.Overlaps(f.Src[0]) || f.Dst.Overlaps(f.Src[1])) {
			return f, Operr(FaultMessage, "a response that ends in r127 overlaps the payload")
		}
	}
	return f, nil
}

// Message returns the message of a send, reading a0 if necessary.
func (t *Thread) Message(o *Op) (*Message, *OpError) {
	s := o.Send
	if !s.DescA0 && !s.ExA0 {
		return &s.Msg, nil
	}
	desc, ex, sfid := s.Desc, s.Ex, s.Sfid
	if s.ExA0 {
		ex = binary.LittleEndian.Uint32(t.Reg[A0Base+4*int(s.ExSub):])
		switch in, ok := t.Prog.Machine.Platform.SFID(ex); {
		case t.Prog.Machine.Can(target.SoftwareScoreboard): // only the instruction names the shared function
		case !ok:
			return nil, Operr(FaultMessage, "the extended descriptor has code %d, which no shared function has", ex&15)
		case sfid == isa.SFIDNull:
			sfid = in
		case sfid != in:
			return nil, Operr(FaultMessage, "the instruction is for %v, but its extended descriptor is for %v", sfid, in)
		}
	}
	if s.DescA0 {
		if err := t.Part.check(sfid); err != nil {
			return nil, err
		}
		desc = binary.LittleEndian.Uint32(t.Reg[A0Base:])
	}
	r := Request{Sfid: sfid, Desc: desc, Ex: ex, Lanes: o.N, Exlen: exLen(ex), Separate: s.Separate}
	if s.Separate {
		r.Exlen = exLen(s.Ex)
	}
	if s.ExA0 {
		r.Beside = s.Ex &^ (31 << 6)
	}
	m, err := t.Prog.DecodeMessage(r)
	if err != nil {
		return nil, err
	}
	if _, err = s.Footprint(t.Prog.Machine, &m); err != nil {
		return nil, err
	}
	t.msg = m
	return &t.msg, nil
}

// Payload returns the position of byte off of a message's payload, which may be split over two register ranges.
func (o *Op) Payload(m *Message, off int) int {
	if n := int(m.Mlen) * m.GRF; off >= n {
		return o.Send.Src1*m.GRF + off - n
	}
	return o.Send.Src0*m.GRF + off
}

// LaneRegs returns the number of registers for one dword per lane.
func (m *Message) LaneRegs() int {
	if 4*int(m.SIMD) > m.GRF {
		return 2
	}
	return 1
}

// Decoder decodes the descriptor of a message to a shared function. It returns an error for unknown messages.
type Decoder func(m *Message, machine *target.Target, desc, ex uint32) *OpError

// NumDecoders is the number of codes of shared functions.
const NumDecoders = 32

// Request is the input of a decoder: the descriptors of a message and the fields of its instruction.
type Request struct {
	Sfid     isa.SFID
	Desc, Ex uint32
	Lanes    uint8
	Exlen    int    // registers of source 1
	Separate bool   // Ex does not contain Exlen
	Beside   uint32 // bits that the word has beside an extended descriptor in a0, without Exlen
}

// Request returns the message of an instruction whose descriptors are immediates.
func (s *SendOp) Request(o *Op) Request {
	return Request{Sfid: s.Sfid, Desc: s.Desc, Ex: s.Ex, Lanes: o.N, Exlen: exLen(s.Ex)}
}

// DecodeMessage decodes a message. It returns an error for unknown messages.
func (p *Program) DecodeMessage(r Request) (Message, *OpError) {
	sfid, desc, ex := r.Sfid, r.Desc, r.Ex
	m := Message{
		Sfid: sfid, Lanes: r.Lanes, Separate: r.Separate, Beside: r.Beside,
		GRF: p.GRF, Bti: descBTI(desc), Header: descHeader(desc), SIMD: 8,
		Mlen: uint8(descLen(desc)), Rlen: uint8(DescResp(desc)), Exlen: uint8(r.Exlen),
	}
	decode := p.Decoders[sfid]
	if decode == nil {
		return m, Operr(FaultMessage, "there is no shared function %d", sfid)
	}
	if r.Beside != 0 && sfid != isa.SFIDUGM {
		return m, Operr(FaultUnsupported, "bits beside an extended descriptor in a register are not supported (0x%08x)", r.Beside)
	}
	err := decode(&m, p.Machine, desc, ex)
	if err == nil {
		err = m.selectsHandle(sfid, desc, ex)
	}
	return m, err
}

// Slot returns the dword of the data that holds dword c of a lane. Quadwords are contiguous: lane n has qword
// n. Barycentric coordinates interleave eight lanes at a time.
func (m *Message) Slot(c, lane, step int) int {
	if m.Interp.Lanes > 0 {
		return (lane/8*2+c)*8 + lane%8
	}
	if m.Size == 8 {
		return c/2*(2*step/4) + 2*lane + c&1
	}
	return c*step/4 + lane
}

// PutU32 stores a doubleword.
func PutU32(b []byte, v uint32) { binary.LittleEndian.PutUint32(b, v) }

// Trailing returns the number of the lowest lane of a mask.
func Trailing(v uint32) int { return bits.TrailingZeros32(v) }

// Typed surface messages of data cache 1: reads, writes and atomics of texels (IMAGES.md 1.1; TGL PRM vol. 5,
// "Typed Surface Messages"). They have eight lanes, no header and a register for each coordinate, and convert
// according to the surface format. The slot group selects one half of 16 lanes. Code may leave it at the lower
// half, since the instruction's channel offset selects the same lanes; compilers use both forms.

// Types of data cache 1's messages, bits 18:14 of the descriptor.
const (
	Dc1TypedRead   = 0x05
	Dc1TypedAtomic = 0x06
	Dc1TypedWrite  = 0x0D
)

// TargetWrite is the data that a render-target write carries for one pixel.
type TargetWrite struct {
	Surface int // entry of the binding table
	Target  int // index of the target, for blending
	Null    bool
	Color   [4]uint32
	Second  [4]uint32 // source 1 of blending, if Dual
	Dual    bool
	Alpha   uint32 // alpha of target 0, if HasAlpha
	Mask    uint16 // sample mask, if the stage writes it
	Depth   uint32 // float bits, if the stage writes it
	Stencil uint8  // if the stage writes it

	HasAlpha bool
	// PerSample is set if the lanes of the thread are samples.
	PerSample bool
	// Last is set in the last write of the pixel.
	Last bool
}

// TargetMessage is a decoded render-target write.
type TargetMessage struct {
	Index              uint8
	First              uint8 // lane of the thread that is the message's lane 0
	Last, Sample       bool
	Alpha, Null        bool
	Header             bool
	Replicated, Dual   bool
	Wide               bool // masks are where the thread's lanes have them
	Says               TargetParts
	UpperMasks         bool  // lanes 8 to 15 have their masks where they are at SIMD16
	AlphaAt            uint8 // payload registers
	MaskAt, ColorAt    uint8
	DepthAt, StencilAt uint8
}

// TargetParts are the parts of a payload that an extended descriptor names.
type TargetParts struct{ Mask, Depth, Stencil bool }

// ColorComponents is the number of components of a color.
const ColorComponents = 4

// TargetHeaderRegs is the number of registers of a render-target write's header.
const TargetHeaderRegs = 2

// LayOut sets the positions of the parts of a render-target write's payload, and returns its length in registers. The
// parts that the descriptor requests and the parts that the stage always writes come in this order: header, alpha, mask,
// colors, depth, stencil.
func (w *TargetMessage) LayOut(m *Message, s *Stage) (int, *OpError) {
	lane := uint8(m.LaneRegs())
	n := uint8(0)
	take := func(present bool, regs uint8) uint8 {
		at := n
		if present {
			n += regs
		}
		return at
	}
	take(w.Header, TargetHeaderRegs)
	w.AlphaAt = take(w.Alpha, lane)
	w.MaskAt = take(s.WritesMask, 1)
	colors := ColorComponents * lane
	if w.Replicated {
		colors = 1
	}
	w.ColorAt = take(true, colors)
	take(w.Dual, colors)
	w.DepthAt = take(s.WritesDepth, lane)
	w.StencilAt = take(s.WritesStencil, 1)
	switch {
	case w.Replicated && (w.Alpha || s.WritesMask || s.WritesDepth || s.WritesStencil):
		return 0, Operr(FaultMessage, "a render-target write of one color for all lanes must have no other parts")
	case s.WritesStencil && int(m.SIMD) > m.GRF/4:
		return 0, Operr(FaultMessage, "a render-target write with stencil references must have %d lanes", m.GRF/4)
	}
	return int(n), nil
}

// Undefined reports whether register k of a render-target write's payload has a component of a color that the shader
// does not write.
func (w TargetMessage) Undefined(m *Message, s *Stage, k int) bool {
	if s.Colors == nil || w.Replicated {
		return false
	}
	if _, err := w.LayOut(m, s); err != nil {
		return false
	}
	c := (k - int(w.ColorAt)) / m.LaneRegs()
	colors := ColorComponents
	if w.Dual {
		colors *= 2
	}
	if k < int(w.ColorAt) || c >= colors {
		return false
	}
	target := int(w.Index)
	if w.Header { // which has the number
		target = int(m.Bti) - s.FirstTarget
	}
	return w.Null || target < 0 || target >= len(s.Colors) || s.Colors[target]>>c&1 == 0
}

// Place is a position in a pixel at which the pixel interpolator evaluates barycentric coordinates.
type Place struct {
	At     PlaceKind
	Linear bool // evaluated without perspective correction
	Sample int  // for PlaceSample
	// X and Y are an offset from the pixel's center in 1/16 of a pixel, for PlaceOffset.
	X, Y int
}

// PlaceKind is a kind of place.
type PlaceKind uint8

// The kinds of places.
const (
	PlaceOffset PlaceKind = iota
	PlaceSample
	PlaceCentroid
)

// Interpolation is a decoded message to the pixel interpolator.
type Interpolation struct {
	Place   Place
	PerSlot bool
	Lanes   uint8
	First   uint8 // lane of the thread that is the message's lane 0
}

// ParamRegs returns the number of registers of a parameter.
func (m *Message) ParamRegs() int {
	if m.HalfParams {
		return 1
	}
	return m.LaneRegs()
}

// Sampling is a sampler message that is being executed.
type Sampling struct {
	T       *Thread
	O       *Op
	M       *Message
	Image   *texture.Image
	Sampler *texture.Sampler
	Header  SamplerHeader
	Unbound uint32 // lanes with a texel that has no memory
}

// samplerFn computes the result of a lane.
type samplerFn func(c *Sampling, lane int) (texture.Texel, *OpError)

// SamplerHeader is the contents of a sampler message's header, or the defaults without a header.
type SamplerHeader struct {
	Comps    uint8 // components returned, bit 0 is red
	Offset   [3]int32
	Channel  int // component to gather
	Sampler  int // number added to the index of the sampler state
	Heap     int // index in the heap of sampler states; -1 means the thread's own states
	Resident bool
}

// SamplerStates is bits 31:5 of r0.3, the address of the sampler states, which threads copy to headers. Each
// state has 16 bytes.
const (
	SamplerStates     = 0x00015A00
	SamplerStateBytes = 16
	SamplerStateStep  = 16 * SamplerStateBytes // distance that the descriptor cannot express
)

// Param is a parameter of a sampler message.
type Param uint8

// samplerFlags are properties of a sampler message.
type samplerFlags uint16

const (
	SamplerState    samplerFlags = 1 << iota // uses a sampler state
	SamplerQuads                             // derivatives across quads determine the level of detail
	SamplerCompare                           // texels are compared with the reference
	SamplerSingle                            // has at most as many lanes as a register has doublewords
	SamplerInts                              // parameters are integers
	SamplerOffsets                           // takes offsets from the header
	SamplerHeadered                          // must have a header
	SamplerMany                              // surfaces may have several samples
	SamplerFlat                              // surfaces are two-dimensional or cubes
	ReturnsInts                              // integers for every format
	ReturnsFloats                            // floats for every format
	SamplerHalves                            // parameters always have 16 bits
	SamplerPacked                            // the level or bias has the number of a cube in its low bits
)

// SamplerRow is a message of the sampler with its parameters in order. Trailing parameters may be omitted,
// except for the first; they are then 0.
type SamplerRow struct {
	Name   string
	Params []Param
	// Vectors are the parameters of a message of two vertices, four in a register.
	Vectors []Param
	Flags   samplerFlags
	Run     samplerFn
}

// Needs returns the number of required parameters: the first, if there is one (Haswell PRM vol. 7, "Parameter
// Types"). Omitted parameters after it are 0.
func (r *SamplerRow) Needs() int { return min(1, len(r.Params)) }

// Operations of the load/store unit, bits 5:0 of the descriptor (GENS.md 6.6; Alchemist PRM vol. 2a, "LSC").
const (
	LSCOpMask      = 0x3F
	LSCLoad        = 0
	LSCLoadQuad    = 2
	LSCStore       = 4
	LSCStoreQuad   = 6
	LSCFirstAtomic = 8
	LSCLastAtomic  = 26
	LSCFence       = 31
)

// IsLoadStore reports whether a shared function is a part of the load/store unit.
func IsLoadStore(sfid isa.SFID) bool {
	switch sfid {
	case isa.SFIDUGM, isa.SFIDUGML, isa.SFIDSLM, isa.SFIDTGM:
		return true
	}
	return false
}
