package eu

import (
	"jacquard.example/generated/target"
	"math/bits"
)

// URB is the unified return buffer: the entries in which a stage leaves the outputs of vertices for the next
// stage. An entry has slots of four doublewords. A handle is the number of 64-byte units before the entry; the
// first entry's handle is not 0 (TGL PRM vol. 9, "URB Handles").
type URB struct {
	slots   int // slots per entry
	data    []uint32
	written []uint32 // a bit for each doubleword of data
}

// urbHole is the handle of the first entry.
const urbHole = 0x40

const (
	slotDwords    = 4
	urbUnitDwords = 16
	// maxSlots is the number of slots of the largest vertex entry: nine bits count units of 64 bytes (TGL PRM
	// vol. 2a, "3DSTATE_URB_VS").
	maxSlots = 512 * urbUnitDwords / slotDwords
)

// NewURB returns a buffer of entries that have slots slots each.
func NewURB(entries, slots int) *URB {
	u := &URB{slots: max(min(slots, maxSlots), 1)}
	n := max(entries, 0) * u.stride()
	u.data, u.written = make([]uint32, n), make([]uint32, (n+31)/32)
	return u
}

// stride returns the number of doublewords from one entry to the next.
func (u *URB) stride() int {
	return (u.slots*slotDwords + urbUnitDwords - 1) / urbUnitDwords * urbUnitDwords
}

// Handle returns the handle of an entry.
func (u *URB) Handle(entry int) uint32 {
	return uint32(urbHole + entry*u.stride()/urbUnitDwords)
}

// Reset marks the whole buffer as unwritten.
func (u *URB) Reset() {
	clear(u.data)
	clear(u.written)
}

// Slot returns a slot of an entry, and a mask of its components that were written.
func (u *URB) Slot(entry, slot int) (x [slotDwords]uint32, written uint8) {
	if slot < 0 || slot >= u.slots {
		return x, 0
	}
	at := entry*u.stride() + slot*slotDwords
	for c := range x {
		x[c] = u.data[at+c]
		written |= uint8(u.written[(at+c)/32]>>((at+c)%32)&1) << c
	}
	return x, written
}

// at returns the index in data of a doubleword of the entry with a handle.
func (u *URB) at(handle, slot uint32, dword int) (int, *opError) {
	unit := uint64(handle) - urbHole
	at := unit * urbUnitDwords
	if handle < urbHole || at >= uint64(len(u.data)) || at%uint64(u.stride()) != 0 {
		return 0, operr(FaultMemory, "0x%x is not the handle of a URB entry", handle)
	}
	in := uint64(slot)*slotDwords + uint64(dword)
	if in >= uint64(u.slots*slotDwords) {
		return 0, operr(FaultMemory, "slot %d is outside the URB entry, which has %d", in/slotDwords, u.slots)
	}
	return int(at + in), nil
}

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

// urbParts describes the parts of a URB message before its data.
type urbParts struct {
	slot            uint32
	perSlot, masked bool
	data            uint8 // registers before the data
}

// decodeURB decodes a URB message.
func decodeURB(m *message, _ *target.Target, desc, ex uint32) *opError {
	op := desc & 15
	m.perLane = true
	m.urb = urbParts{slot: desc >> 4 & 0x7FF, perSlot: desc&urbPerSlot != 0, masked: desc&urbChannelMask != 0, data: 1}
	if m.urb.perSlot {
		m.urb.data++
	}
	if m.urb.masked {
		m.urb.data++
	}
	payload := int(m.mlen) + int(m.exlen)
	switch {
	case op != urbOpWrite && op != urbOpRead:
		return operr(FaultUnsupported, "URB operation %d is not supported (descriptor 0x%08x)", op, desc)
	case desc&urbReserved != 0:
		return operr(FaultMessage, "the descriptor 0x%08x has undefined bits for a URB message", desc)
	case !m.header:
		return operr(FaultMessage, "a URB message needs a header")
	case ex>>11 != 0:
		return operr(FaultMessage, "the extended descriptor 0x%08x of a URB message has more than a length", ex)
	}
	m.header = false // it is the register of handles
	if op == urbOpRead {
		m.run = runURBRead
		switch {
		case m.urb.masked:
			return operr(FaultMessage, "a URB read has no channel masks")
		case m.rlen < 1 || m.rlen > maxURBData:
			return operr(FaultMessage, "a URB read returns %d registers; 1 to %d are possible", m.rlen, maxURBData)
		}
		return m.want(int(m.urb.data), int(m.rlen))
	}
	m.run, m.urbWrite = runURBWrite, true
	if n := payload - int(m.urb.data); n < 1 || n > maxURBData {
		return operr(FaultMessage, "the payload of a URB write has %d registers of data; 1 to %d are possible", n, maxURBData)
	}
	return m.want(payload, 0)
}

// urbSlot returns a lane's handle and slot.
func (t *Thread) urbSlot(o *op, m *message, lane int) (handle, slot uint32) {
	handle, slot = t.payload32(o, m, 4*lane), m.urb.slot
	if m.urb.perSlot {
		slot += t.payload32(o, m, grfSize+4*lane)
	}
	return handle, slot
}

// urbOf returns the URB that the thread's handles refer to.
func (t *Thread) urbOf() (*URB, *opError) {
	if s := t.stage(); s != nil && s.URB != nil {
		return s.URB, nil
	}
	return nil, operr(FaultMessage, "the thread has no URB entries")
}

func runURBWrite(t *Thread, o *op, m *message, mask uint32) *opError {
	u, err := t.urbOf()
	if err != nil {
		return err
	}
	n := int(m.mlen) + int(m.exlen) - int(m.urb.data)
	for w := m.lanes(o, mask); w != 0; w &= w - 1 {
		lane := trailing(w)
		handle, slot := t.urbSlot(o, m, lane)
		channels := uint32(1)<<n - 1
		if m.urb.masked {
			channels &= t.payload32(o, m, int(m.urb.data-1)*grfSize+4*lane) >> 16
		}
		for ; channels != 0; channels &= channels - 1 {
			k := bits.TrailingZeros32(channels)
			at, err := u.at(handle, slot, k)
			if err != nil {
				return operr(err.kind, "lane %d: %s", lane, err.msg)
			}
			u.data[at] = t.payload32(o, m, (int(m.urb.data)+k)*grfSize+4*lane)
			u.written[at/32] |= 1 << (at % 32)
		}
	}
	return nil
}

func runURBRead(t *Thread, o *op, m *message, mask uint32) *opError {
	u, err := t.urbOf()
	if err != nil {
		return err
	}
	for w := m.lanes(o, mask); w != 0; w &= w - 1 {
		lane := trailing(w)
		handle, slot := t.urbSlot(o, m, lane)
		for k := range int(m.rlen) {
			at, err := u.at(handle, slot, k)
			if err != nil {
				return operr(err.kind, "lane %d: %s", lane, err.msg)
			}
			t.resp[m.slot(k, lane, grfSize)] = u.data[at]
		}
	}
	t.respond(o, m, mask, int(m.rlen))
	return nil
}
