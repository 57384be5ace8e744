// SPDX-License-Identifier: MIT

package thread

import (
	"encoding/binary"

	"jacquard.example/generated/isa"
)

// The register file of a thread is one array of bytes: the 128 general registers, then a
// slot for each kind of architecture register.
const (
	GRFSize  = 32
	NumGRF   = 128
	GrfEnd   = GRFSize * NumGRF
	nullBase = GrfEnd
	nullSize = 128 // reads as zero
	A0Base   = nullBase + nullSize
	a0Size   = 32
	AccBase  = A0Base + a0Size
	accSize  = 10 * GRFSize
	flagBase = AccBase + accSize
	flagSize = 8
	ce0Base  = flagBase + flagSize
	srBase   = ce0Base + 8
	crBase   = srBase + 32
	n0Base   = crBase + 16
	ipBase   = n0Base + 16
	tdrBase  = ipBase + 8
	tmBase   = tdrBase + 32
	spBase   = tmBase + 32
	dbgBase  = spBase + 16
	fileSize = dbgBase + 32
)

// arfKind is a kind of architecture register.
type arfKind uint8

const (
	ArfNone arfKind = iota // not an ARF, or an ARF without special treatment
	arfFlag
	arfCE
	ArfSR
	ArfCR
	arfN
	arfIP
	ArfTM
	arfA0
	ArfAcc
	ArfAccHigh // acc2–acc9
	ArfOther
)

// arfSlot returns the slot of an architecture register: its first byte, the number of usable bytes from there,
// and its kind. ok is false for registers that are not modeled.
func arfSlot(reg uint8) (base, size int, kind arfKind, ok bool) {
	n := int(reg & 15)
	switch reg & 0xF0 {
	case isa.ARFNull:
		return nullBase, nullSize, ArfNone, n == 0
	case isa.ARFA0:
		return A0Base, a0Size, arfA0, n == 0
	case isa.ARFAcc0:
		kind = ArfAcc
		if n >= 2 {
			kind = ArfAccHigh
		}
		return AccBase + n*GRFSize, accSize - n*GRFSize, kind, n < 10
	case isa.ARFF0:
		return flagBase + 4*n, flagSize - 4*n, arfFlag, n < 2
	case isa.ARFCE0:
		return ce0Base, 4, arfCE, n == 0
	case isa.ARFSR0:
		return srBase + 16*n, 16, ArfSR, n < 2
	case isa.ARFCR0:
		return crBase, 12, ArfCR, n == 0
	case isa.ARFN0:
		return n0Base, 12, arfN, n == 0
	case isa.ARFIP:
		return ipBase, 4, arfIP, n == 0
	case isa.ARFTDR0:
		return tdrBase, 16, ArfOther, n == 0
	case isa.ARFTM0:
		return tmBase, 20, ArfTM, n == 0
	case 0x60: // sp
		return spBase, 16, ArfOther, n == 0
	case 0xF0: // dbg0
		return dbgBase, 4, ArfOther, n == 0
	}
	return 0, 0, ArfNone, false
}

// fetchARF updates the register file before an instruction reads an architecture register that the model stores
// elsewhere.
func (t *Thread) fetchARF(kind arfKind, o *Op) {
	le := binary.LittleEndian
	switch kind {
	case arfFlag:
		le.PutUint32(t.Reg[flagBase:], t.Flag[0])
		le.PutUint32(t.Reg[flagBase+4:], t.Flag[1])
	case arfCE:
		le.PutUint32(t.Reg[ce0Base:], t.Active)
	case ArfSR:
		le.PutUint32(t.Reg[srBase+8:], t.Live)
		le.PutUint32(t.Reg[srBase+12:], t.Vector)
	case ArfCR:
		le.PutUint32(t.Reg[crBase:], t.cr0)
	case arfIP:
		le.PutUint32(t.Reg[ipBase:], uint32(o.Off))
	case ArfTM:
		le.PutUint64(t.Reg[tmBase:], t.stamp())
	case arfN:
		le.PutUint32(t.Reg[n0Base:], uint32(t.pendingBarriers()))
	}
}

// CommitARF applies a write to an architecture register that the model stores elsewhere.
func (t *Thread) CommitARF(kind arfKind) {
	le := binary.LittleEndian
	switch kind {
	case arfFlag:
		t.Flag[0] = le.Uint32(t.Reg[flagBase:])
		t.Flag[1] = le.Uint32(t.Reg[flagBase+4:])
	case ArfSR:
		// A kernel may enable lanes that the dispatcher left disabled.
		t.Live, t.Vector = le.Uint32(t.Reg[srBase+8:]), le.Uint32(t.Reg[srBase+12:])
		mask := t.Live
		if s := t.Stage(); s != nil && s.VectorMask {
			mask = t.Vector
		}
		t.Active = t.Active&mask | mask&^t.Dispatch
		t.Waiting &= mask
		t.Dispatch = mask
	case ArfCR:
		t.SetCR0(le.Uint32(t.Reg[crBase:]))
	case arfA0:
		t.Part.Known = false
	}
}

// GRFs is a thread's general register file, which a launcher fills before the thread starts.
type GRFs struct {
	Bytes [GrfEnd]byte
	Set   [NumGRF]bool // registers that have been written
}

// Reset fills all registers with a byte and marks them as not written.
func (g *GRFs) Reset(fill byte) {
	for i := range g.Bytes {
		g.Bytes[i] = fill
	}
	g.Set = [NumGRF]bool{}
}

// SetDword stores dword d (0–7) of register r.
func (g *GRFs) SetDword(r, d int, v uint32) {
	g.Set[r] = true
	binary.LittleEndian.PutUint32(g.Bytes[r*GRFSize+d*4:], v)
}

// Dword reads dword d of register r.
func (g *GRFs) Dword(r, d int) uint32 {
	return binary.LittleEndian.Uint32(g.Bytes[r*GRFSize+d*4:])
}

// SetWord stores word w (0–15) of register r.
func (g *GRFs) SetWord(r, w int, v uint16) {
	g.Set[r] = true
	binary.LittleEndian.PutUint16(g.Bytes[r*GRFSize+w*2:], v)
}

// Copy stores bytes starting at register r; bytes past the end of the register file are dropped.
func (g *GRFs) Copy(r int, b []byte) {
	if r < 0 || r >= NumGRF {
		return
	}
	n := copy(g.Bytes[r*GRFSize:], b)
	for i := r; i*GRFSize < r*GRFSize+n; i++ {
		g.Set[i] = true
	}
}
