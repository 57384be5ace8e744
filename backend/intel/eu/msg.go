package eu

import (
	"encoding/binary"
	"fmt"

	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// Fields common to the message descriptors of all shared functions, and of the extended descriptor (TGL PRM
// vol. 7, "Message Descriptor").
func descLen(d uint32) int     { return int(d >> 25 & 15) } // registers of source 0
func descResp(d uint32) int    { return int(d >> 20 & 31) } // registers of the response
func descHeader(d uint32) bool { return d>>19&1 != 0 }
func descBTI(d uint32) uint8   { return uint8(d) }
func exLen(d uint32) int       { return int(d >> 6 & 31) } // registers of source 1

// Binding table indices with a special meaning.
const (
	btiBindless  = 252
	btiStateless = 253
	btiSLM       = 254
	btiCoherent  = 255
)

// sendOp is the predecoded part of a send that is independent of its descriptor.
type sendOp struct {
	sfid   isa.SFID
	dst    int // register, -1 for null
	src0   int
	src1   int
	eot    bool
	descA0 bool
	exA0   bool
	exSub  uint8
	desc   uint32
	ex     uint32
	msg    message // if both descriptors are immediates
}

// message is a decoded descriptor.
type message struct {
	run        func(t *Thread, o *op, m *message, mask uint32) *opError
	bti        uint8
	handle     uint32 // index of a bindless surface
	simd       uint8  // lanes in the payload
	perLane    bool   // each lane has its own address
	comps      uint8  // mask of components, bit 0 is X
	ncomps     uint8
	aop        uint8
	atomicOp   bool
	ret        bool
	header     bool
	wide       bool  // 64-bit addresses
	returnsNew bool  // an atomic returns the new value
	upper      bool  // lanes 8 to 15 of a slot group
	coords     uint8 // parameters before the data; 0 for messages with addresses

	sampling   *samplerRow
	sampler    uint8
	halfParams bool // the sampler's parameters have 16 bits
	halfRet    bool // components of its response have 16 bits

	allSpaces bool // a fence of all memory

	urb      urbParts
	urbWrite bool
	toTarget bool
	target   targetWrite
	interp   interpolation

	size   uint8 // bytes of an element; alignment of a block
	elems  uint8 // consecutive elements per lane
	bytes  uint16
	units  uint8 // bytes of an address unit
	offset uint32
	mlen   uint8
	exlen  uint8
	rlen   uint8
}

func (o *op) eot() bool { return o.send != nil && o.send.eot }

// predecodeSend checks the registers and, if it is constant, the descriptor.
func (p *Program) predecodeSend(o *op, in *isa.Inst) *opError {
	s := &sendOp{sfid: in.SFID, eot: in.EOT, desc: in.Desc, ex: in.ExDesc, descA0: in.DescReg, exA0: in.ExDescReg, exSub: in.ExDescSub}
	o.send = s
	o.exec = execSend
	s.dst, s.src0, s.src1 = payloadReg(&in.Dst), payloadReg(&in.Src[0]), payloadReg(&in.Src[1])
	if s.src0 < 0 {
		return operr(FaultMessage, "source 0 must be a register")
	}
	if s.descA0 || s.exA0 {
		if s.exSub > 7 {
			return operr(FaultMessage, "a0.%d does not exist", s.exSub)
		}
		o.foot = footprint{indirect: true, readsA0: true}
		return nil
	}
	m, err := p.decodeMessage(s.sfid, s.desc, s.ex)
	if err != nil {
		return err
	}
	s.msg = m
	o.foot, err = s.footprint(p.machine, &m)
	return err
}

func payloadReg(a *isa.Operand) int {
	if a.File == isa.FileGRF {
		return int(a.Reg)
	}
	return -1
}

// footprint checks the registers of a message and returns its footprint.
func (s *sendOp) footprint(machine *target.Target, m *message) (footprint, *opError) {
	f := footprint{nsrc: 2}
	rlen := int(m.rlen)
	switch {
	case m.mlen == 0:
		return f, operr(FaultMessage, "source 0 is empty")
	case s.src0+int(m.mlen) > numGRF:
		return f, operr(FaultOperand, "the payload r%d+%d ends past the last register", s.src0, m.mlen)
	case m.exlen > 0 && s.src1 < 0:
		return f, operr(FaultMessage, "the extended descriptor requires %d registers of source 1, which is null", m.exlen)
	case m.exlen > 0 && s.src1+int(m.exlen) > numGRF:
		return f, operr(FaultOperand, "the payload r%d+%d ends past the last register", s.src1, m.exlen)
	case rlen > 0 && s.dst < 0:
		return f, operr(FaultMessage, "a response of %d registers goes to null", rlen)
	case rlen > 0 && s.dst+rlen > numGRF:
		return f, operr(FaultOperand, "the response r%d+%d ends past the last register", s.dst, rlen)
	case s.eot && (s.src0 < machine.Registers.LastFrom || m.exlen > 0 && s.src1 < machine.Registers.LastFrom):
		return f, operr(FaultMessage, "the payload of the last message must be in r%d to r%d", machine.Registers.LastFrom, machine.Registers.Registers-1)
	case s.eot && rlen > 0:
		return f, operr(FaultMessage, "the last message has a response")
	}
	f.src[0] = wholeRegs(s.src0, int(m.mlen))
	if m.exlen > 0 {
		f.src[1] = wholeRegs(s.src1, int(m.exlen))
		if f.src[0].overlaps(f.src[1]) {
			return f, operr(FaultMessage, "the two parts of the payload overlap")
		}
	}
	if rlen > 0 {
		f.dst = wholeRegs(s.dst, rlen)
		// BDW PRM vol. 7, "Send Message".
		if !machine.Can(target.SendOverlap) && s.dst+rlen == numGRF && (f.dst.overlaps(f.src[0]) || f.dst.overlaps(f.src[1])) {
			return f, operr(FaultMessage, "a response that ends in r127 overlaps the payload")
		}
	}
	return f, nil
}

// message returns the message of a send, reading a0 if necessary.
func (t *Thread) message(o *op) (*message, *opError) {
	s := o.send
	if !s.descA0 && !s.exA0 {
		return &s.msg, nil
	}
	desc, ex, sfid := s.desc, s.ex, s.sfid
	if s.exA0 {
		ex = binary.LittleEndian.Uint32(t.reg[a0Base+4*int(s.exSub):])
		switch in, ok := t.prog.machine.Platform.SFID(ex); {
		case t.prog.machine.Can(target.SoftwareScoreboard): // only the instruction names the shared function
		case !ok:
			return nil, operr(FaultMessage, "the extended descriptor has code %d, which no shared function has", ex&15)
		case sfid == isa.SFIDNull:
			sfid = in
		case sfid != in:
			return nil, operr(FaultMessage, "the instruction is for %v, its extended descriptor for %v", sfid, in)
		}
	}
	if s.descA0 {
		if err := t.part.check(sfid); err != nil {
			return nil, err
		}
		desc = binary.LittleEndian.Uint32(t.reg[a0Base:])
	}
	m, err := t.prog.decodeMessage(sfid, desc, ex)
	if err != nil {
		return nil, err
	}
	if _, err = s.footprint(t.prog.machine, &m); err != nil {
		return nil, err
	}
	t.msg = m
	return &t.msg, nil
}

func execSend(t *Thread, o *op) {
	m, err := t.message(o)
	if err != nil {
		t.fault(o, err)
		return
	}
	mask := t.mask(o)
	if o.send.eot {
		// The message still takes effect, e.g. as a last write.
		t.ended = true
		if t.waiting != 0 {
			lane := trailing(t.waiting)
			where := "for others to return"
			if ip := t.wait[lane]; ip >= 0 && int(ip) < len(t.prog.ops) {
				where = fmt.Sprintf("at 0x%04x", t.prog.ops[ip].off)
			}
			t.faultf(o, FaultFlow, "the thread ends while lane %d still waits %s", lane, where)
			return
		}
	}
	if o.op == isa.OpSendc || o.op == isa.OpSendsc {
		t.ordered = true
	}
	if mask == 0 && !m.toTarget {
		if t.ended {
			t.faultf(o, FaultMessage, "the last message is sent with no lane enabled")
		}
		return
	}
	if m.perLane && o.n > m.simd {
		t.faultf(o, FaultMessage, "the message has %d lanes, the instruction %d", m.simd, o.n)
		return
	}
	t.stats.Sends++
	if t.opts.Account != nil {
		t.charge(o, m, mask)
	}
	if err := m.run(t, o, m, mask); err != nil {
		t.fault(o, err)
		return
	}
	if t.ended {
		if err := t.ends(m); err != nil {
			t.fault(o, err)
		}
	}
}

// payload returns the position of byte off of a message's payload, which may be split over two register ranges.
func (o *op) payload(m *message, off int) int {
	if n := int(m.mlen) * grfSize; off >= n {
		return o.send.src1*grfSize + off - n
	}
	return o.send.src0*grfSize + off
}

func (t *Thread) payload32(o *op, m *message, off int) uint32 {
	return binary.LittleEndian.Uint32(t.reg[o.payload(m, off):])
}

// laneRegs returns the number of registers for one dword per lane.
func (m *message) laneRegs() int {
	if m.simd > 8 {
		return 2
	}
	return 1
}

// want checks the lengths in the descriptors against the lengths that the message requires.
func (m *message) want(payload, response int) *opError {
	if m.header {
		payload++
	}
	if got := int(m.mlen) + int(m.exlen); got != payload {
		return operr(FaultMessage, "the payload has %d registers, the message takes %d", got, payload)
	}
	if int(m.rlen) != response {
		return operr(FaultMessage, "the response has %d registers, the message returns %d", m.rlen, response)
	}
	return nil
}

// decoder decodes the descriptor of a message to a shared function. It returns an error for unknown messages.
type decoder func(m *message, machine *target.Target, desc, ex uint32) *opError

// numDecoders is the number of codes of shared functions.
const numDecoders = 16

// decodeMessage decodes a descriptor. It returns an error for unknown messages.
func (p *Program) decodeMessage(sfid isa.SFID, desc, ex uint32) (message, *opError) {
	m := message{
		bti: descBTI(desc), header: descHeader(desc), simd: 8,
		mlen: uint8(descLen(desc)), rlen: uint8(descResp(desc)), exlen: uint8(exLen(ex)),
	}
	decode := p.decoders[sfid]
	if decode == nil {
		return m, operr(FaultMessage, "there is no shared function %d", sfid)
	}
	err := decode(&m, p.machine, desc, ex)
	if err == nil {
		err = m.selectsHandle(sfid, desc, ex)
	}
	return m, err
}

// decodeGateway decodes a message to the gateway, which signals a barrier.
func decodeGateway(m *message, _ *target.Target, desc, _ uint32) *opError {
	if desc&7 != 4 {
		return operr(FaultMessage, "unknown gateway message 0x%08x", desc)
	}
	m.run = runBarrier
	return m.want(1, 0)
}

// decodeSpawner decodes a message to the thread spawner, which ends the thread.
func decodeSpawner(m *message, _ *target.Target, _, _ uint32) *opError {
	m.run = func(*Thread, *op, *message, uint32) *opError { return nil }
	return m.want(1, 0)
}

// runBarrier signals to the group that the thread has reached a barrier.
func runBarrier(t *Thread, o *op, m *message, _ uint32) *opError {
	id := t.payload32(o, m, 8) & t.prog.barrier.Mask
	if id != t.barrierID {
		return operr(FaultMessage, "the barrier message names barrier 0x%08x, the thread's is 0x%08x", id, t.barrierID)
	}
	t.group.arrive(t)
	return nil
}
