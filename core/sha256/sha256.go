// SPDX-License-Identifier: MIT

// Package sha256 computes the SHA-256 hash, [Sum], of FIPS 180-4, "Secure Hash Standard". The standard library's
// package depends on a cryptographic module that makes the stripped command 0.16 MB larger. Nothing else in the
// command needs that module, and the hash only names contents.
package sha256

import (
	"encoding/binary"
	"math/bits"
)

// Size is the length of a hash in bytes.
const Size = 32

// blockSize is the length of a block in bytes.
const blockSize = 64

// initial is the first hash value (section 5.3.3).
var initial = [8]uint32{
	0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
}

// constants are the constants of the rounds (section 4.2.2).
var constants = [64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}

// Sum returns the hash of data.
func Sum(data []byte) (sum [Size]byte) {
	h := initial
	whole := len(data) / blockSize * blockSize
	for at := 0; at < whole; at += blockSize {
		block(&h, data[at:at+blockSize])
	}
	// Padding (section 5.1.1): a bit, zeros, and the length in bits.
	var end [2 * blockSize]byte
	n := copy(end[:], data[whole:])
	end[n] = 0x80
	length := blockSize
	if n+9 > blockSize {
		length *= 2
	}
	binary.BigEndian.PutUint64(end[length-8:], uint64(len(data))*8)
	for at := 0; at < length; at += blockSize {
		block(&h, end[at:at+blockSize])
	}
	for i, x := range h {
		binary.BigEndian.PutUint32(sum[4*i:], x)
	}
	return sum
}

// block adds a block to a hash value (section 6.2.2).
func block(h *[8]uint32, data []byte) {
	var w [64]uint32
	for i := range w {
		if i < 16 {
			w[i] = binary.BigEndian.Uint32(data[4*i:])
			continue
		}
		x, y := w[i-15], w[i-2]
		w[i] = w[i-16] + w[i-7] + (right(x, 7) ^ right(x, 18) ^ x>>3) + (right(y, 17) ^ right(y, 19) ^ y>>10)
	}
	a, b, c := h[0], h[1], h[2]
	d, e, f := h[3], h[4], h[5]
	g, last := h[6], h[7]
	for i, x := range w {
		choice, majority := e&f^^e&g, a&b^a&c^b&c
		t := last + (right(e, 6) ^ right(e, 11) ^ right(e, 25)) + choice + constants[i] + x
		last, g, f = g, f, e
		e = d + t
		d, c, b = c, b, a
		a = t + (right(b, 2) ^ right(b, 13) ^ right(b, 22)) + majority
	}
	for i, x := range [8]uint32{a, b, c, d, e, f, g, last} {
		h[i] += x
	}
}

// right rotates to the right.
func right(x uint32, n int) uint32 { return bits.RotateLeft32(x, -n) }
