// SPDX-License-Identifier: MIT

package message

import (
	"math/bits"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/generated/target"
)

// URB messages (TGL PRM vol. 7, "URB_SIMD8_Write" and "URB_SIMD8_Read"): bits of the descriptor and the order
// of the payload. Data start at a slot of the entry; each register holds one doubleword for each lane.
const (
	urbOpWrite = 7
	urbOpRead  = 8

	urbChannelMask = 1 << 15 // the payload has a register of masks, in bits 23:16 of each lane
	urbPerSlot     = 1 << 17 // the payload has a register of offsets in slots
	urbReserved    = 1<<16 | 1<<18 | 7<<29

	maxURBData = 8 // registers of data
)

// DecodeURB decodes a URB message.
func DecodeURB(m *thread.Message, machine *target.Target, desc, ex uint32) *thread.OpError {
	if machine.Can(target.Vectors) {
		return decodeURBVectors(m, desc)
	}
	op := desc & 15
	m.PerLane = true
	m.Urb = thread.UrbParts{Slot: desc >> 4 & 0x7FF, PerSlot: desc&urbPerSlot != 0, Masked: desc&urbChannelMask != 0, Data: 1}
	if m.Urb.PerSlot {
		m.Urb.Data++
	}
	if m.Urb.Masked {
		m.Urb.Data++
	}
	payload := int(m.Mlen) + int(m.Exlen)
	switch {
	case op != urbOpWrite && op != urbOpRead:
		return thread.Operr(thread.FaultUnsupported, "URB operation %d is not supported (descriptor 0x%08x)", op, desc)
	case desc&urbReserved != 0:
		return thread.Operr(thread.FaultMessage, "the descriptor 0x%08x has undefined bits for a URB message", desc)
	case !m.Header:
		return thread.Operr(thread.FaultMessage, "a URB message needs a header")
	case ex>>11 != 0:
		return thread.Operr(thread.FaultMessage, "the extended descriptor 0x%08x of a URB message has more than a length", ex)
	}
	m.Header = false // it is the register of handles
	if op == urbOpRead {
		m.Run = runURBRead
		switch {
		case m.Urb.Masked:
			return thread.Operr(thread.FaultMessage, "a URB read cannot have channel masks")
		case m.Rlen < 1 || m.Rlen > maxURBData:
			return thread.Operr(thread.FaultMessage, "a URB read returns %d registers; 1 to %d are possible", m.Rlen, maxURBData)
		}
		return want(m, int(m.Urb.Data), int(m.Rlen))
	}
	m.Run, m.UrbWrite = runURBWrite, true
	if n := payload - int(m.Urb.Data); n < 1 || n > maxURBData {
		return thread.Operr(thread.FaultMessage, "the payload of a URB write has %d registers of data; 1 to %d are possible", n, maxURBData)
	}
	return want(m, payload, 0)
}

// urbSlot returns a lane's handle and slot.
func urbSlot(t *thread.Thread, o *thread.Op, m *thread.Message, lane int) (handle, slot uint32) {
	handle, slot = Payload32(t, o, m, 4*lane), m.Urb.Slot
	if m.Urb.PerSlot {
		slot += Payload32(t, o, m, thread.GRFSize+4*lane)
	}
	return handle, slot
}

// urbOf returns the URB that the thread's handles refer to.
func urbOf(t *thread.Thread) (*thread.URB, *thread.OpError) {
	if s := t.Stage(); s != nil && s.URB != nil {
		return s.URB, nil
	}
	return nil, thread.Operr(thread.FaultMessage, "the thread has no URB entries")
}

func runURBWrite(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) *thread.OpError {
	u, err := urbOf(t)
	if err != nil {
		return err
	}
	n := int(m.Mlen) + int(m.Exlen) - int(m.Urb.Data)
	for w := Lanes(m, o, mask); w != 0; w &= w - 1 {
		lane := thread.Trailing(w)
		handle, slot := urbSlot(t, o, m, lane)
		channels := uint32(1)<<n - 1
		if m.Urb.Masked {
			channels &= Payload32(t, o, m, int(m.Urb.Data-1)*thread.GRFSize+4*lane) >> 16
		}
		for ; channels != 0; channels &= channels - 1 {
			k := bits.TrailingZeros32(channels)
			at, err := u.At(handle, slot, k)
			if err != nil {
				return thread.Operr(err.Kind, "lane %d: %s", lane, err.Msg)
			}
			u.Data[at] = Payload32(t, o, m, (int(m.Urb.Data)+k)*thread.GRFSize+4*lane)
			u.Written[at/32] |= 1 << (at % 32)
		}
	}
	return nil
}

func runURBRead(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) *thread.OpError {
	u, err := urbOf(t)
	if err != nil {
		return err
	}
	for w := Lanes(m, o, mask); w != 0; w &= w - 1 {
		lane := thread.Trailing(w)
		handle, slot := urbSlot(t, o, m, lane)
		for k := range int(m.Rlen) {
			at, err := u.At(handle, slot, k)
			if err != nil {
				return thread.Operr(err.Kind, "lane %d: %s", lane, err.Msg)
			}
			t.Resp[m.Slot(k, lane, thread.GRFSize)] = u.Data[at]
		}
	}
	respond(t, o, m, mask, int(m.Rlen))
	return nil
}
