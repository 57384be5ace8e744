// SPDX-License-Identifier: MIT

// Package igawords compares the compiler's machine code with what bookworm's iga64 assembles from its own disassembly of it.
// [Same] ignores the bits of Xe2 that this version does not know: the length and the offset of a message to the load/store
// unit whose extended descriptor is in a register. The vectors of package isa in tests/suite cover these bits.
package igawords

import (
	"bytes"

	"jacquard.example/generated/isa"
)

// Same reports whether two programs have the same words, apart from the bits that bookworm's iga64 does not know. It reads
// Xe2's words as Ponte Vecchio's, where the register also holds the length, and there is no offset.
func Same(p isa.Platform, theirs, ours []byte) bool {
	if len(theirs) != len(ours) {
		return false
	}
	theirs, ours = bytes.Clone(theirs), bytes.Clone(ours)
	for at := 0; at < len(ours); {
		in, err := isa.Decode(p, ours[at:])
		if err != nil {
			return false
		}
		if in.ExDescReg && p.LengthInWord(in.SFID) {
			for _, code := range [...][]byte{theirs, ours} {
				for _, b := range lengthAndOffset {
					code[at+b/8] &^= 1 << (b % 8)
				}
			}
		}
		at += int(in.Size)
	}
	return bytes.Equal(theirs, ours)
}

// lengthAndOffset are the bits of a length and an offset, and the flag for a length.
var lengthAndOffset = func() (list []int) {
	for _, run := range [...][2]int{{35, 39}, {43, 47}, {64, 65}, {96, 97}, {99, 103}, {124, 127}} {
		for b := run[0]; b <= run[1]; b++ {
			list = append(list, b)
		}
	}
	return list
}()
