// SPDX-License-Identifier: MIT

package swsb

import (
	"jacquard.example/backend/intel/mir"
	"jacquard.example/core/bits"
)

const (
	numRegs = mir.NumGRFs + 5 // GRFs, a0, acc0, cr0, flags
	regA0   = mir.NumGRFs
	regAcc  = mir.NumGRFs + 1
	regCR   = mir.NumGRFs + 2 // cr0, the float mode: every instruction reads it
	regFlag = mir.NumGRFs + 3 // f0 and f1, on machines with several pipes
)

// regSet is a set of registers.
type regSet [(numRegs + 63) / 64]uint64

// add adds a register.
func (s *regSet) add(r uint32) { s[r/64] |= 1 << (r % 64) }

// hasReg reports whether a register is in the set.
func (s *regSet) hasReg(r uint32) bool { return s[r/64]>>(r%64)&1 != 0 }

// addRange adds the registers from first to last, inclusive.
func (s *regSet) addRange(first, last uint32) {
	if first/64 == last/64 {
		s[first/64] |= ^uint64(0) << (first % 64) & (^uint64(0) >> (63 - last%64))
		return
	}
	bits.Set(s[:]).AddRange(int(first), int(last)+1)
}

// addAll adds the registers of another set.
func (s *regSet) addAll(o *regSet) {
	s[0] |= o[0]
	s[1] |= o[1]
	s[2] |= o[2]
}

// addNew adds the registers of o that are not in known to s, and to known.
func (s *regSet) addNew(o, known *regSet) {
	added := regSet{o[0] &^ known[0], o[1] &^ known[1], o[2] &^ known[2]}
	s.addAll(&added)
	known.addAll(&added)
}

// has reports whether s contains all registers of another set.
func (s *regSet) has(o *regSet) bool { return o[0]&^s[0]|o[1]&^s[1]|o[2]&^s[2] == 0 }

// meets reports whether two sets have a register in common.
func (s *regSet) meets(o *regSet) bool { return s[0]&o[0]|s[1]&o[1]|s[2]&o[2] != 0 }

// archSet is a set of architecture registers, by their numbers from regA0 on.
type archSet uint8

// add adds a register.
func (s *archSet) add(r uint32) { *s |= 1 << (r - regA0) }

// regs returns the set as a regSet.
func (s archSet) regs() (all regSet) {
	all[regA0/64] = uint64(s) << (regA0 % 64)
	return all
}

// accumulator is the set of acc0.
var accumulator = func() (s regSet) { s.add(regAcc); return s }()
