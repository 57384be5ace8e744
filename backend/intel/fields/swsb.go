// SPDX-License-Identifier: MIT

package fields

import "strconv"

// SWSB encodes the waits of an instruction in the software scoreboard (TGL PRM vol. 2a, "Software Scoreboard"): a
// distance back to an in-order instruction, of one pipe if the machine has several, a token of an out-of-order
// instruction (send, math), or both. The layouts of instruction words say which combinations have codes.
//
// Bits 2:0 are the distance, 5:3 the pipe, 7:6 the use of the token, and 12:8 the token.
type SWSB uint16

// SWSBNone makes an instruction wait for nothing.
const SWSBNone SWSB = 0

// MaxDist is the largest distance that the field can encode.
const MaxDist = 7

// NumTokens is the number of tokens of a thread with 128 registers, MaxTokens of one with 256 from Xe2 on (IGC,
// G4_Kernel.cpp: GRFMode; Mesa, brw_fs_scoreboard.cpp: "Use 32 SBIDs on Xe2+ while in large GRF mode").
const (
	NumTokens = 16
	MaxTokens = 32
)

const (
	pipeShift, useShift, tokenShift = 3, 6, 8
	pipeMask, useMask, tokenMask    = 7, 3, 31
)

// Pipe is a pipe of in-order instructions, which a distance counts (GENS.md 7: Gen12.5 has several).
type Pipe uint8

// The pipes that a distance can name.
const (
	PipeOwn   Pipe = iota // the pipe of the instruction that waits; the only one of machines with one pipe
	PipeAll               // the pipe whose instruction is the nearest: all pipes
	PipeFloat             // floats of up to 32 bits
	PipeInt               // integers of up to 32 bits
	PipeLong              // 64-bit operands, and products of doublewords
	PipeMath              // math, on machines that execute it in order (Xe2)
	NumPipes  = iota
)

var pipeNames = [...]string{PipeAll: "A", PipeFloat: "F", PipeInt: "I", PipeLong: "L", PipeMath: "M"}

// String returns the letter before the distance in iga64's syntax: "" for the instruction's own pipe.
func (p Pipe) String() string {
	if int(p) < len(pipeNames) {
		return pipeNames[p]
	}
	return "pipe(" + strconv.Itoa(int(p)) + ")"
}

// PipeByName finds a pipe by its letter.
func PipeByName(name string) (Pipe, bool) {
	for i, n := range pipeNames {
		if n == name && i != int(PipeOwn) {
			return Pipe(i), true
		}
	}
	return PipeOwn, false
}

// SWSBDist makes an instruction wait for the d-th in-order instruction back, d = 1..7, in its own pipe.
func SWSBDist(d int) SWSB { return SWSB(d & MaxDist) }

// SWSBPipe makes an instruction wait for the d-th instruction back, d = 1..7, in a pipe.
func SWSBPipe(p Pipe, d int) SWSB { return SWSBDist(d) | SWSB(p)&pipeMask<<pipeShift }

// SWSBToken makes an instruction use token t.
func SWSBToken(t int, use TokenUse) SWSB {
	return SWSB(t)&tokenMask<<tokenShift | SWSB(use)&useMask<<useShift
}

// SWSBDst makes an instruction wait until token t's result is written.
func SWSBDst(t int) SWSB { return SWSBToken(t, TokenDst) }

// SWSBSrc makes an instruction wait until token t's sources are read.
func SWSBSrc(t int) SWSB { return SWSBToken(t, TokenSrc) }

// SWSBSet allocates token t to a send or math instruction.
func SWSBSet(t int) SWSB { return SWSBToken(t, TokenSet) }

// Dist returns the distance of the wait, or 0 if there is none.
func (s SWSB) Dist() int { return int(s & MaxDist) }

// Pipe returns the pipe that the distance counts; PipeOwn if there is no distance.
func (s SWSB) Pipe() Pipe { return Pipe(s >> pipeShift & pipeMask) }

// TokenUse is the way in which an SWSB uses its token.
type TokenUse uint8

// The uses of a token.
const (
	TokenNone TokenUse = iota
	TokenDst           // wait for its result
	TokenSrc           // wait for its sources
	TokenSet           // allocate it
)

// Token returns the token and its use, or 0 and TokenNone if the field has no token.
func (s SWSB) Token() (t int, use TokenUse) {
	return int(s >> tokenShift & tokenMask), TokenUse(s >> useShift & useMask)
}

// Valid reports whether the parts of the field go together: a pipe with a distance, and a token with a use.
func (s SWSB) Valid() bool {
	t, use := s.Token()
	return int(s.Pipe()) < NumPipes && (s.Dist() != 0 || s.Pipe() == PipeOwn) && (use != TokenNone || t == 0) &&
		s>>tokenShift <= tokenMask
}

// Append appends the field in iga64's syntax, without braces: "F@1,$2.dst".
func (s SWSB) Append(b []byte) []byte {
	t, use := s.Token()
	if d := s.Dist(); d != 0 {
		b = append(append(b, s.Pipe().String()...), '@')
		b = strconv.AppendInt(b, int64(d), 10)
		if use != TokenNone {
			b = append(b, ',')
		}
	}
	if use != TokenNone {
		b = append(b, '$')
		b = strconv.AppendInt(b, int64(t), 10)
	}
	switch use {
	case TokenDst:
		b = append(b, ".dst"...)
	case TokenSrc:
		b = append(b, ".src"...)
	}
	return b
}

// String returns the field as Append writes it.
func (s SWSB) String() string { return string(s.Append(nil)) }

// MakeSWSB returns the field for a distance (0 if none) in a pipe and a use of a token. It returns an error message for an
// in-order instruction that allocates a token, and for a pipe without a distance.
func MakeSWSB(outOfOrder bool, p Pipe, dist, tok int, use TokenUse) (SWSB, string) {
	s := SWSBPipe(p, dist)
	if use != TokenNone {
		s |= SWSBToken(tok, use)
	}
	switch {
	case use == TokenSet && !outOfOrder:
		return 0, "only sends and math allocate a token; write $" + strconv.Itoa(tok) + ".dst or .src"
	case dist == 0 && p != PipeOwn:
		return 0, "a pipe without a distance"
	}
	return s, ""
}
