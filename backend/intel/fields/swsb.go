// SPDX-License-Identifier: MIT

package fields

import "strconv"

// SWSB is the raw software scoreboard field (TGL PRM vol. 2a, "Software Scoreboard"): a distance back to an
// in-order instruction, a token of an out-of-order instruction (send, math), or both.
//
//	00000ddd  wait for the d-th in-order instruction back (0 means nothing)
//	0010tttt  wait until token t's result is written
//	0011tttt  wait until token t's sources are read
//	0100tttt  allocate token t (send and math)
//	1dddtttt  distance d, and allocate t (send, math) or wait for t's result (others)
type SWSB uint8

// SWSBNone makes an instruction wait for nothing.
const SWSBNone SWSB = 0

// MaxDist is the largest distance that the field can encode.
const MaxDist = 7

// NumTokens is the number of tokens.
const NumTokens = 16

const (
	swsbDst     = 0x20
	swsbSrc     = 0x30
	swsbSet     = 0x40
	swsbDistTok = 0x80
)

// SWSBDist returns the field that makes an instruction wait for the d-th in-order instruction back, d = 1..7.
func SWSBDist(d int) SWSB { return SWSB(d & 7) }

// SWSBDst returns the field that makes an instruction wait until token t's result is written.
func SWSBDst(t int) SWSB { return SWSB(swsbDst | t&15) }

// SWSBSrc returns the field that makes an instruction wait until token t's sources are read.
func SWSBSrc(t int) SWSB { return SWSB(swsbSrc | t&15) }

// SWSBSet returns the field that allocates token t to a send or math instruction.
func SWSBSet(t int) SWSB { return SWSB(swsbSet | t&15) }

// SWSBDistSet returns the field that makes a send or math instruction wait for distance d and allocates token t to it.
func SWSBDistSet(d, t int) SWSB { return SWSB(swsbDistTok | d&7<<4 | t&15) }

// SWSBDistDst returns the field that makes an in-order instruction wait for distance d and for token t's result.
func SWSBDistDst(d, t int) SWSB { return SWSBDistSet(d, t) }

// Dist returns the distance of the wait, or 0 if there is none.
func (s SWSB) Dist() int {
	switch {
	case s&swsbDistTok != 0:
		return int(s >> 4 & 7)
	case s < 8:
		return int(s)
	}
	return 0
}

// TokenUse is the way in which an SWSB uses its token.
type TokenUse uint8

// The uses of a token.
const (
	TokenNone TokenUse = iota
	TokenDst           // wait for its result
	TokenSrc           // wait for its sources
	TokenSet           // allocate it
)

// Token returns the token and its use, or 0 and TokenNone if the field has no token. outOfOrder tells whether the
// field's instruction is out of order (send, math).
func (s SWSB) Token(outOfOrder bool) (t int, use TokenUse) {
	t = int(s & 15)
	switch {
	case s&swsbDistTok != 0:
		if outOfOrder {
			return t, TokenSet
		}
		return t, TokenDst
	case s&0xF0 == swsbDst:
		return t, TokenDst
	case s&0xF0 == swsbSrc:
		return t, TokenSrc
	case s&0xF0 == swsbSet:
		return t, TokenSet
	}
	return 0, TokenNone
}

// Valid reports whether s is a valid encoding.
func (s SWSB) Valid() bool {
	switch {
	case s&swsbDistTok != 0:
		return s>>4&7 != 0
	case s < 8:
		return true
	}
	return s&0xF0 == swsbDst || s&0xF0 == swsbSrc || s&0xF0 == swsbSet
}

// Append appends the field in iga64's syntax, without braces: "@1,$2.dst". outOfOrder is as for Token.
func (s SWSB) Append(b []byte, outOfOrder bool) []byte {
	if d := s.Dist(); d != 0 {
		b = append(b, '@')
		b = strconv.AppendInt(b, int64(d), 10)
		if s&swsbDistTok != 0 {
			b = append(b, ',')
		}
	}
	t, use := s.Token(outOfOrder)
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

// String returns the field as printed for an in-order instruction.
func (s SWSB) String() string { return string(s.Append(nil, false)) }

// MakeSWSB returns the field for a distance (0 if none) and a use of a token. If the instruction, which is out of
// order or not, cannot combine them, it returns an error message.
func MakeSWSB(outOfOrder bool, dist, tok int, use TokenUse) (SWSB, string) {
	if use == TokenSet && !outOfOrder {
		return 0, "only sends and math allocate a token; write $" + strconv.Itoa(tok) + ".dst or .src"
	}
	if dist == 0 {
		switch use {
		case TokenDst:
			return SWSBDst(tok), ""
		case TokenSrc:
			return SWSBSrc(tok), ""
		case TokenSet:
			return SWSBSet(tok), ""
		}
		return SWSBNone, ""
	}
	switch {
	case use == TokenNone:
		return SWSBDist(dist), ""
	case use == TokenSet, use == TokenDst && !outOfOrder:
		return SWSBDistSet(dist, tok), ""
	}
	return 0, "this distance and token do not fit in one field; use a sync.nop"
}
