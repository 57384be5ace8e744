// SPDX-License-Identifier: MIT

package ir

// RegInfo describes a register that load_reg and store_reg use.
type RegInfo struct {
	Comps, Bits uint8
	Divergent   bool
}

// Registers is the table of registers of a shader.
type Registers struct{ list []RegInfo }

func (t *Registers) reset() { t.list = append(t.list[:0], RegInfo{}) }

// New adds a register of comps components of bits bits and returns its number (from 1),
// which is the reg index of load_reg and store_reg.
func (t *Registers) New(comps, bits uint8) uint32 {
	t.list = append(t.list, RegInfo{Comps: comps, Bits: bits})
	return uint32(len(t.list) - 1)
}

// At returns the description of a register, valid until the next is added.
func (t *Registers) At(r uint32) *RegInfo { return &t.list[r] }

// Num returns one more than the last register: the size of a table indexed by register.
func (t *Registers) Num() uint32 { return uint32(len(t.list)) }
