package eu

import (
	"encoding/binary"

	"jacquard.example/generated/isa"
)

// The register file of a thread is one array of bytes: the 128 general registers, then a
// slot for each kind of architecture register.
const (
	grfSize  = 32
	numGRF   = 128
	grfEnd   = grfSize * numGRF
	nullBase = grfEnd
	nullSize = 128 // reads as zero
	a0Base   = nullBase + nullSize
	a0Size   = 32
	accBase  = a0Base + a0Size
	accSize  = 10 * grfSize
	flagBase = accBase + accSize
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

// arfKind is the upper half of an architecture register's number.
type arfKind uint8

const (
	arfNone arfKind = iota // not an ARF, or an ARF without special treatment
	arfFlag
	arfCE
	arfSR
	arfCR
	arfN
	arfIP
	arfTM
	arfA0
	arfAcc
	arfAccHigh // acc2–acc9
	arfOther
)

// arfSlot returns the slot of an architecture register: its first byte, the number of usable bytes from there,
// and its kind. ok is false for registers that are not modeled.
func arfSlot(reg uint8) (base, size int, kind arfKind, ok bool) {
	n := int(reg & 15)
	switch reg & 0xF0 {
	case isa.ARFNull:
		return nullBase, nullSize, arfNone, n == 0
	case isa.ARFA0:
		return a0Base, a0Size, arfA0, n == 0
	case isa.ARFAcc0:
		kind = arfAcc
		if n >= 2 {
			kind = arfAccHigh
		}
		return accBase + n*grfSize, accSize - n*grfSize, kind, n < 10
	case isa.ARFF0:
		return flagBase + 4*n, flagSize - 4*n, arfFlag, n < 2
	case isa.ARFCE0:
		return ce0Base, 4, arfCE, n == 0
	case isa.ARFSR0:
		return srBase + 16*n, 16, arfSR, n < 2
	case isa.ARFCR0:
		return crBase, 12, arfCR, n == 0
	case isa.ARFN0:
		return n0Base, 12, arfN, n == 0
	case isa.ARFIP:
		return ipBase, 4, arfIP, n == 0
	case isa.ARFTDR0:
		return tdrBase, 16, arfOther, n == 0
	case isa.ARFTM0:
		return tmBase, 20, arfTM, n == 0
	case 0x60: // sp
		return spBase, 16, arfOther, n == 0
	case 0xF0: // dbg0
		return dbgBase, 4, arfOther, n == 0
	}
	return 0, 0, arfNone, false
}

// fetchARF updates the register file before an instruction reads an architecture register that the model stores
// elsewhere.
func (t *Thread) fetchARF(kind arfKind, o *op) {
	le := binary.LittleEndian
	switch kind {
	case arfFlag:
		le.PutUint32(t.reg[flagBase:], t.flag[0])
		le.PutUint32(t.reg[flagBase+4:], t.flag[1])
	case arfCE:
		le.PutUint32(t.reg[ce0Base:], t.active)
	case arfSR:
		le.PutUint32(t.reg[srBase+8:], t.live)
		le.PutUint32(t.reg[srBase+12:], t.vector)
	case arfCR:
		le.PutUint32(t.reg[crBase:], t.cr0)
	case arfIP:
		le.PutUint32(t.reg[ipBase:], uint32(o.off))
	case arfTM:
		le.PutUint64(t.reg[tmBase:], t.stamp())
	case arfN:
		le.PutUint32(t.reg[n0Base:], uint32(t.pendingBarriers()))
	}
}

// commitARF applies a write to an architecture register that the model stores elsewhere.
func (t *Thread) commitARF(kind arfKind) {
	le := binary.LittleEndian
	switch kind {
	case arfFlag:
		t.flag[0] = le.Uint32(t.reg[flagBase:])
		t.flag[1] = le.Uint32(t.reg[flagBase+4:])
	case arfSR:
		// A kernel may enable lanes that the dispatcher left disabled.
		t.live, t.vector = le.Uint32(t.reg[srBase+8:]), le.Uint32(t.reg[srBase+12:])
		mask := t.live
		if s := t.stage(); s != nil && s.VectorMask {
			mask = t.vector
		}
		t.active = t.active&mask | mask&^t.dispatch
		t.waiting &= mask
		t.dispatch = mask
	case arfCR:
		t.setCR0(le.Uint32(t.reg[crBase:]))
	case arfA0:
		t.part.known = false
	}
}

// GRFs is a thread's general register file, which a launcher fills before the thread starts.
type GRFs struct {
	bytes [grfEnd]byte
	set   [numGRF]bool // registers that have been written
}

func (g *GRFs) reset(fill byte) {
	for i := range g.bytes {
		g.bytes[i] = fill
	}
	g.set = [numGRF]bool{}
}

// SetDword stores dword d (0–7) of register r.
func (g *GRFs) SetDword(r, d int, v uint32) {
	g.set[r] = true
	binary.LittleEndian.PutUint32(g.bytes[r*grfSize+d*4:], v)
}

// Dword reads dword d of register r.
func (g *GRFs) Dword(r, d int) uint32 {
	return binary.LittleEndian.Uint32(g.bytes[r*grfSize+d*4:])
}

// SetWord stores word w (0–15) of register r.
func (g *GRFs) SetWord(r, w int, v uint16) {
	g.set[r] = true
	binary.LittleEndian.PutUint16(g.bytes[r*grfSize+w*2:], v)
}

// Copy stores bytes from the start of register r on; bytes past the end of the register
// file are dropped.
func (g *GRFs) Copy(r int, b []byte) {
	if r < 0 || r >= numGRF {
		return
	}
	n := copy(g.bytes[r*grfSize:], b)
	for i := r; i*grfSize < r*grfSize+n; i++ {
		g.set[i] = true
	}
}
