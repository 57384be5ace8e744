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
	if machine.Can(target.AddressOffsets) { // the load/store unit has the URB too
		return decodeURBAccess(m, desc, ex)
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
		slot += Payload32(t, o, m, m.GRF+4*lane)
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
			channels &= Payload32(t, o, m, int(m.Urb.Data-1)*m.GRF+4*lane) >> 16
		}
		for ; channels != 0; channels &= channels - 1 {
			k := bits.TrailingZeros32(channels)
			at, err := u.At(handle, slot, k)
			if err != nil {
				return thread.Operr(err.Kind, "lane %d: %s", lane, err.Msg)
			}
			u.Data[at] = Payload32(t, o, m, (int(m.Urb.Data)+k)*m.GRF+4*lane)
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
			t.Resp[m.Slot(k, lane, m.GRF)] = u.Data[at]
		}
	}
	respond(t, o, m, mask, int(m.Rlen))
	return nil
}

// On Xe2, URB messages are loads and stores by the load/store unit: of consecutive doublewords, or of channels, at 32-bit
// addresses in bytes. A handle is the address of an entry. Each doubleword of the data takes a register (Mesa,
// lower_urb_write_logical_send_xe2; IGA, XE_lsc.txt).

const urbLanes = 16 // Mesa splits wider messages (brw_lower_simd_width.cpp)

// decodeURBAccess decodes a load or store of the URB by address.
func decodeURBAccess(m *thread.Message, desc, ex uint32) *thread.OpError {
	m.Header, m.PerLane, m.SIMD = false, true, urbLanes
	m.Bti, m.Added = 0, int32(ex)>>flatOffsets
	op, store := desc&thread.LSCOpMask, false
	switch {
	case m.Lanes > urbLanes:
		return thread.Operr(thread.FaultMessage, "a URB message has at most %d lanes, not %d", urbLanes, m.Lanes)
	case desc>>29&3 != flatMemory || desc>>7&3 != addr32:
		return thread.Operr(thread.FaultMessage, "the URB has 32-bit addresses and no surfaces (descriptor 0x%08x)", desc)
	case desc>>9&7 != dataD32:
		return thread.Operr(thread.FaultUnsupported, "data size %d of a URB message is not supported (descriptor 0x%08x)", desc>>9&7, desc)
	case m.Added%4 != 0:
		return thread.Operr(thread.FaultMessage, "the offset %d in the extended descriptor is not a multiple of 4", m.Added)
	}
	switch op {
	case thread.LSCLoad, thread.LSCStore:
		n := vectorSizes[desc>>12&7]
		if n > maxURBData || desc&lscTranspose != 0 {
			return thread.Operr(thread.FaultUnsupported,
				"URB messages with transposed data or %d elements are not supported (descriptor 0x%08x)", n, desc)
		}
		m.Comps, store = uint8(1<<n-1), op == thread.LSCStore
	case thread.LSCLoadQuad, thread.LSCStoreQuad:
		if m.Comps, store = uint8(desc>>12&15), op == thread.LSCStoreQuad; m.Comps == 0 {
			return thread.Operr(thread.FaultMessage, "descriptor 0x%08x selects no channel", desc)
		}
	default:
		return thread.Operr(thread.FaultUnsupported, "operation %d of the URB is not supported (descriptor 0x%08x)", op, desc)
	}
	n := bits.OnesCount8(m.Comps)
	m.Ncomps, m.Urb = uint8(n), thread.UrbParts{Data: 1, Addresses: true}
	if !store {
		m.Run = runURBLoad
		return want(m, 1, n)
	}
	m.Run, m.UrbWrite = runURBStore, true
	return want(m, 1+n, 0)
}

// urbDwords calls f with a lane's doublewords: their places in the data and in the URB.
func urbDwords(t *thread.Thread, o *thread.Op, m *thread.Message, u *thread.URB, lane int, f func(k, at int)) *thread.OpError {
	base := Payload32(t, o, m, 4*lane) + uint32(m.Added)
	k := 0
	for c := range uint32(8) {
		if m.Comps>>c&1 == 0 {
			continue
		}
		at, err := u.AtAddress(base + 4*c)
		if err != nil {
			return thread.Operr(err.Kind, "lane %d: %s", lane, err.Msg)
		}
		f(k, at)
		k++
	}
	return nil
}

func runURBStore(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) *thread.OpError {
	u, err := urbOf(t)
	if err != nil {
		return err
	}
	for w := Lanes(m, o, mask); w != 0; w &= w - 1 {
		lane := thread.Trailing(w)
		err := urbDwords(t, o, m, u, lane, func(k, at int) {
			u.Data[at] = Payload32(t, o, m, (1+k)*m.GRF+4*lane)
			u.Written[at/32] |= 1 << (at % 32)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func runURBLoad(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) *thread.OpError {
	u, err := urbOf(t)
	if err != nil {
		return err
	}
	for w := Lanes(m, o, mask); w != 0; w &= w - 1 {
		lane := thread.Trailing(w)
		err := urbDwords(t, o, m, u, lane, func(k, at int) { t.Resp[m.Slot(k, lane, m.GRF)] = u.Data[at] })
		if err != nil {
			return err
		}
	}
	respond(t, o, m, mask, int(m.Rlen))
	return nil
}
