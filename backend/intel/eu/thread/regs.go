// SPDX-License-Identifier: MIT

package thread

import (
	"encoding/binary"
	"slices"

	"jacquard.example/generated/isa"
	"jacquard.example/generated/target"
)

// The register file of a thread is one array of bytes: room for the general registers of any machine, then a
// slot for each kind of architecture register. Program.GRF is the size of a general register.
const (
	NumGRF   = 128
	numFlags = 4
	GrfEnd   = isa.MaxFileBytes
	nullBase = GrfEnd
	nullSize = 128 // reads as zero
	A0Base   = nullBase + nullSize
	a0Size   = 32
	AccBase  = A0Base + a0Size
	accSize  = 10 * GrfEnd / NumGRF // ten accumulators, each as large as a general register
	flagBase = AccBase + accSize
	flagSize = 4 * numFlags
	ce0Base  = flagBase + flagSize
	srBase   = ce0Base + 8
	crBase   = srBase + 32
	n0Base   = crBase + 16
	ipBase   = n0Base + 16
	tdrBase  = ipBase + 8
	tmBase   = tdrBase + 32
	spBase   = tmBase + 32
	dbgBase  = spBase + 16
	msgBase  = dbgBase + 32
	fileSize = msgBase + 32
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
	arfMsg
	ArfOther
)

// arfSlot returns the slot of an architecture register: its first byte, the number of usable bytes from there,
// and its kind. ok is false for registers that are not modeled.
func arfSlot(reg uint8, machine *target.Target) (base, size int, kind arfKind, ok bool) {
	n, grf := int(reg&15), machine.Registers.Bytes
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
		return AccBase + n*grf, accSize - n*grf, kind, n < 10 && n*grf < accSize
	case isa.ARFF0:
		flags := FlagRegisters(machine)
		return flagBase + 4*n, 4 * (flags - n), arfFlag, n < flags
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
	case isa.ARFMsg0:
		return msgBase, 4, arfMsg, n == 0
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
		for i, f := range t.Flag {
			le.PutUint32(t.Reg[flagBase+4*i:], f)
		}
	case arfCE:
		le.PutUint32(t.Reg[ce0Base:], t.Active)
	case ArfSR:
		le.PutUint32(t.Reg[srBase:], resident(t.Index))
		le.PutUint32(t.Reg[srBase+8:], t.Live)
		le.PutUint32(t.Reg[srBase+12:], t.Vector)
	case ArfCR:
		le.PutUint32(t.Reg[crBase:], t.cr0)
	case arfMsg:
		le.PutUint32(t.Reg[msgBase:], uint32(t.Index)>>residentBits)
	case arfIP:
		le.PutUint32(t.Reg[ipBase:], uint32(o.Off))
	case ArfTM:
		le.PutUint64(t.Reg[tmBase:], t.stamp())
	case arfN:
		le.PutUint32(t.Reg[n0Base:], uint32(t.pendingBarriers()))
	}
}

// FlagRegisters returns the number of flag registers of a machine.
func FlagRegisters(machine *target.Target) int {
	return int(isa.ARFCounts[machine.Platform][isa.ARFF0>>4])
}

// residentBits is the number of bits of a thread's index below the bits of sr0.0 that code for Xe2 ignores. That code
// takes bits 7:0 of msg0.0 for the further ones, which there are the number of the core (IGC, CShader.cpp).
const residentBits = 5

// resident returns the bits of sr0.0 that tell apart the threads that run at the same time. IGC removes bits 3 and 6, which
// no thread of dg2 has, and uses the rest as a number.
func resident(thread int) uint32 {
	n := uint32(thread)
	return n&7 | n>>3&3<<4 | n>>5<<7
}

// CommitARF applies a write to an architecture register that the model stores elsewhere.
func (t *Thread) CommitARF(kind arfKind) {
	le := binary.LittleEndian
	switch kind {
	case arfFlag:
		for i := range t.Flag {
			t.Flag[i] = le.Uint32(t.Reg[flagBase+4*i:])
		}
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
	Size  int          // bytes of a register
}

// Reset makes all registers of a size contain a byte, and marks them as not written.
func (g *GRFs) Reset(size int, fill byte) {
	g.Size = size
	for i := range g.Bytes {
		g.Bytes[i] = fill
	}
	g.Set = [NumGRF]bool{}
}

// SetDword stores dword d of register r.
func (g *GRFs) SetDword(r, d int, v uint32) {
	g.Set[r] = true
	binary.LittleEndian.PutUint32(g.Bytes[r*g.Size+d*4:], v)
}

// Dword reads dword d of register r.
func (g *GRFs) Dword(r, d int) uint32 {
	return binary.LittleEndian.Uint32(g.Bytes[r*g.Size+d*4:])
}

// SetWord stores word w of register r.
func (g *GRFs) SetWord(r, w int, v uint16) {
	g.Set[r] = true
	binary.LittleEndian.PutUint16(g.Bytes[r*g.Size+w*2:], v)
}

// take removes the registers from r on and returns their contents.
func (g *GRFs) take(r int) []byte {
	end := r
	for i := r; i < NumGRF; i++ {
		if g.Set[i] {
			end, g.Set[i] = i+1, false
		}
	}
	at := g.Bytes[r*g.Size : end*g.Size]
	b := slices.Clone(at)
	for i := range at {
		at[i] = PoisonByte
	}
	return b
}

// Copy stores bytes starting at register r; bytes past the end of the register file are dropped.
func (g *GRFs) Copy(r int, b []byte) {
	if r < 0 || r >= NumGRF {
		return
	}
	n := copy(g.Bytes[r*g.Size:], b)
	for i := r; i*g.Size < r*g.Size+n; i++ {
		g.Set[i] = true
	}
}
