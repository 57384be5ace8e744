// SPDX-License-Identifier: MIT

package thread

// URB is the unified return buffer: the entries in which a stage leaves the outputs of vertices for the next
// stage. An entry has slots of four doublewords. A handle is the number of 64-byte units before the entry; the
// first entry's handle is not 0 (TGL PRM vol. 9, "URB Handles").
type URB struct {
	slots   int // slots per entry
	Data    []uint32
	Written []uint32 // a bit for each doubleword of Data
}

// urbHole is the handle of the first entry.
const urbHole = 0x40

const (
	SlotDwords    = 4 // doublewords of a slot
	urbUnitDwords = 16
	// maxSlots is the number of slots of the largest vertex entry: nine bits count units of 64 bytes (TGL PRM
	// vol. 2a, "3DSTATE_URB_VS").
	maxSlots = 512 * urbUnitDwords / SlotDwords
)

// NewURB returns a buffer of entries with the given number of slots each. At least one and at most maxSlots are allocated.
func NewURB(entries, slots int) *URB {
	u := &URB{slots: max(min(slots, maxSlots), 1)}
	n := max(entries, 0) * u.stride()
	u.Data, u.Written = make([]uint32, n), make([]uint32, (n+31)/32)
	return u
}

// stride returns the number of doublewords from one entry to the next.
func (u *URB) stride() int {
	return (u.slots*SlotDwords + urbUnitDwords - 1) / urbUnitDwords * urbUnitDwords
}

// Handle returns the handle of an entry.
func (u *URB) Handle(entry int) uint32 {
	return uint32(urbHole + entry*u.stride()/urbUnitDwords)
}

// Address returns the address of an entry in bytes, which is its handle on machines whose URB messages have addresses.
func (u *URB) Address(entry int) uint32 { return u.Handle(entry) * urbUnitDwords * 4 }

// AtAddress returns the index in Data of the doubleword at an address, which must be in an entry.
func (u *URB) AtAddress(addr uint32) (int, *OpError) {
	at := int64(addr/4) - urbHole*urbUnitDwords
	switch {
	case addr%4 != 0:
		return 0, Operr(FaultMemory, "the address 0x%x in the URB is not a multiple of 4", addr)
	case at < 0 || at >= int64(len(u.Data)) || at%int64(u.stride()) >= int64(u.slots*SlotDwords):
		return 0, Operr(FaultMemory, "the address 0x%x is outside of the URB entries", addr)
	}
	return int(at), nil
}

// InEntry returns the doubleword of its entry that an index in Data is.
func (u *URB) InEntry(at int) int { return at % u.stride() }

// Reset marks the whole buffer as unwritten.
func (u *URB) Reset() {
	clear(u.Data)
	clear(u.Written)
}

// Slot returns a slot of an entry, and a mask of its components that were written. Both are 0 for a slot outside the entry.
func (u *URB) Slot(entry, slot int) (x [SlotDwords]uint32, written uint8) {
	if slot < 0 || slot >= u.slots {
		return x, 0
	}
	at := entry*u.stride() + slot*SlotDwords
	for c := range x {
		x[c] = u.Data[at+c]
		written |= uint8(u.Written[(at+c)/32]>>((at+c)%32)&1) << c
	}
	return x, written
}

// At returns the index in Data of a doubleword, counted from a slot of the entry with a handle.
func (u *URB) At(handle, slot uint32, dword int) (int, *OpError) {
	unit := uint64(handle) - urbHole
	at := unit * urbUnitDwords
	if handle < urbHole || at >= uint64(len(u.Data)) || at%uint64(u.stride()) != 0 {
		return 0, Operr(FaultMemory, "0x%x is not the handle of a URB entry", handle)
	}
	in := uint64(slot)*SlotDwords + uint64(dword)
	if in >= uint64(u.slots*SlotDwords) {
		return 0, Operr(FaultMemory, "slot %d is outside the URB entry, which has %d", in/SlotDwords, u.slots)
	}
	return int(at + in), nil
}

// UrbParts describes the parts of a URB message before its data.
type UrbParts struct {
	Slot            uint32
	PerSlot, Masked bool
	Vectors         bool  // each register of data is a slot of two vertices
	Addresses       bool  // the first part has addresses, not handles
	Complete        bool  // nothing more is written
	Data            uint8 // registers before the data
}
