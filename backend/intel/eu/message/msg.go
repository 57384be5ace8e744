// SPDX-License-Identifier: MIT

package message

import (
	"encoding/binary"
	"fmt"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// PredecodeSend predecodes a send. It checks the registers and, if the descriptors are constants, decodes the message.
func PredecodeSend(p *thread.Program, o *thread.Op, in *isa.Inst) *thread.OpError {
	s := &thread.SendOp{Sfid: in.SFID, Eot: in.EOT, Desc: in.Desc, Ex: in.ExDesc, DescA0: in.DescReg, ExA0: in.ExDescReg,
		ExSub: in.ExDescSub, Separate: in.ExBSO}
	o.Send = s
	o.Exec = execSend
	s.Dst, s.Src0, s.Src1 = payloadReg(&in.Dst), payloadReg(&in.Src[0]), payloadReg(&in.Src[1])
	if s.Src0 < 0 {
		return thread.Operr(thread.FaultMessage, "source 0 must be a register")
	}
	if s.DescA0 || s.ExA0 {
		if s.ExSub > 7 {
			return thread.Operr(thread.FaultMessage, "a0.%d does not exist", s.ExSub)
		}
		o.Foot = thread.Footprint{Indirect: true, ReadsA0: true}
		return nil
	}
	m, err := p.DecodeMessage(s.Request(o))
	if err != nil {
		return err
	}
	s.Msg = m
	o.Foot, err = s.Footprint(p.Machine, &m)
	return err
}

func payloadReg(a *isa.Operand) int {
	if a.File == isa.FileGRF {
		return int(a.Reg)
	}
	return -1
}

func execSend(t *thread.Thread, o *thread.Op) {
	m, err := t.Message(o)
	if err != nil {
		t.Fault(o, err)
		return
	}
	mask := t.Mask(o)
	if o.Send.Eot {
		// The message still takes effect, e.g. as a last write.
		t.Ended = true
		if t.Waiting != 0 {
			lane := thread.Trailing(t.Waiting)
			where := "for others to return"
			if ip := t.Wait[lane]; ip >= 0 && int(ip) < len(t.Prog.Ops) {
				where = fmt.Sprintf("at 0x%04x", t.Prog.Ops[ip].Off)
			}
			t.Faultf(o, thread.FaultFlow, "the thread ends while lane %d still waits %s", lane, where)
			return
		}
	}
	if o.Op == isa.OpSendc || o.Op == isa.OpSendsc {
		t.Ordered = true
	}
	if mask == 0 && !m.ToTarget {
		if t.Ended {
			t.Faultf(o, thread.FaultMessage, "the last message is sent with no lane enabled")
		}
		return
	}
	if m.PerLane && o.N > m.SIMD {
		t.Faultf(o, thread.FaultMessage, "the message has %d lanes, but the instruction has %d", m.SIMD, o.N)
		return
	}
	t.Stats.Sends++
	if t.Opts.Account != nil {
		charge(t, o, m, mask)
	}
	if err := m.Run(t, o, m, mask); err != nil {
		t.Fault(o, err)
		return
	}
	settle(t, o, m)
	if t.Ended {
		if err := ends(t, m); err != nil {
			t.Fault(o, err)
		}
	}
}

// Payload32 returns the doubleword at byte off of the payload.
func Payload32(t *thread.Thread, o *thread.Op, m *thread.Message, off int) uint32 {
	return binary.LittleEndian.Uint32(t.Reg[o.Payload(m, off):])
}

// want checks the lengths in the descriptors against the lengths that the message requires.
func want(m *thread.Message, payload, response int) *thread.OpError {
	if m.Header {
		payload++
	}
	if got := int(m.Mlen) + int(m.Exlen); got != payload {
		return thread.Operr(thread.FaultMessage, "the payload has %d registers, but the message takes %d", got, payload)
	}
	if int(m.Rlen) != response {
		return thread.Operr(thread.FaultMessage, "the response has %d registers, but the message returns %d", m.Rlen, response)
	}
	return nil
}

// DecodeGateway decodes a message to the gateway, which signals a barrier or, on some machines, ends the thread.
func DecodeGateway(m *thread.Message, machine *target.Target, desc, ex uint32) *thread.OpError {
	if desc&7 == 4 {
		m.Run = runBarrier
		return want(m, 1, 0)
	}
	if ends, _ := isa.DecodeMessage(machine.Platform, isa.SFIDGateway, desc, ex); ends.Kind == isa.MsgThreadEnd {
		return DecodeSpawner(m, machine, desc, ex)
	}
	return thread.Operr(thread.FaultMessage, "unknown gateway message 0x%08x", desc)
}

// DecodeSpawner decodes a message to the thread spawner, which ends the thread.
func DecodeSpawner(m *thread.Message, _ *target.Target, _, _ uint32) *thread.OpError {
	m.Run = func(*thread.Thread, *thread.Op, *thread.Message, uint32) *thread.OpError { return nil }
	return want(m, 1, 0)
}

// runBarrier signals to the group that the thread has reached a barrier.
func runBarrier(t *thread.Thread, o *thread.Op, m *thread.Message, _ uint32) *thread.OpError {
	header := Payload32(t, o, m, 8)
	id := header & t.Prog.Barrier.Mask
	// The header has the number of threads that signal and the number of threads that wait (Alchemist PRM vol. 2a, "Barrier").
	// Here, every thread does both.
	if o.Piped && header>>16&0xFF != header>>24 {
		return thread.Operr(thread.FaultMessage, "the barrier message 0x%08x has different numbers of threads", header)
	}
	if id != t.BarrierID {
		return thread.Operr(thread.FaultMessage, "the barrier message names barrier 0x%08x, but the thread's is 0x%08x", id, t.BarrierID)
	}
	t.Group.Arrive(t)
	return nil
}
