// SPDX-License-Identifier: MIT

package codec

import (
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/isa/isatab"
)

// emitWaits writes the waits of a layout's software scoreboard.
func emitWaits(f *emit.File, l *isatab.Layout, suffix string) {
	waits := l.Waits()
	if waits == nil {
		return
	}
	var rows emit.Rows
	for _, w := range waits {
		rows.F("{%#x, %v, fields.SWSBPipe(%d, 0) | fields.SWSBToken(0, %d), %#x, %#x, %d, %d, %d},\n",
			w.On, w.Dist, w.Pipe, w.Use, w.Mask, w.Code, w.DistAt, w.TokenAt, w.Token)
	}
	f.Table("waits"+suffix+" are the waits that the scoreboard field has codes for.", "waits"+suffix, "[]wait", &rows)
}

// waitFuncs writes how waits are encoded and decoded.
func waitFuncs(f *emit.File) {
	f.Struct("wait is a combination of waits with its codes.", "wait", `
		on uint8 // the instructions that have it: 1 in order, 2 math, 4 messages
		dist bool // it has a distance
		parts fields.SWSB // its pipe and the use of its token
		mask, code uint16 // its constant bits
		distAt, tokenAt, token uint8 // the lowest bit of the distance; that of the token, and its width`)
	f.Func("waiter is the bit of a format's instructions in wait.on.", "waiter(f Format) uint8",
		emit.Switch("f",
			emit.Case("FormatMath", emit.Return("2")),
			emit.Case("FormatSend, FormatSends", emit.Return("4"))),
		emit.Return("1"))
	f.Func("swsbCode returns the code of a scoreboard field.", "swsbCode(waits []wait, f Format, s fields.SWSB) (code uint64, ok bool)",
		emit.If("s == fields.SWSBNone", emit.Return("0, true")),
		emit.If("!s.Valid()", emit.Return("0, false")),
		emit.Go("token, use := s.Token()"),
		emit.Go("parts := fields.SWSBPipe(s.Pipe(), 0) | fields.SWSBToken(0, use)"),
		emit.For("i := range waits",
			emit.Go("w := &waits[i]"),
			emit.If("w.on&waiter(f) != 0 && w.parts == parts && w.dist == (s.Dist() != 0) && token>>w.token == 0",
				emit.Return("uint64(w.code) | uint64(s.Dist())<<w.distAt | uint64(token)<<w.tokenAt, true"))),
		emit.Return("0, false"))
	f.Func("swsbOf is its inverse.", "swsbOf(waits []wait, f Format, code uint64) (s fields.SWSB, ok bool)",
		emit.If("code == 0", emit.Return("fields.SWSBNone, true")),
		emit.For("i := range waits",
			emit.Go("w := &waits[i]"),
			emit.If("w.on&waiter(f) == 0 || uint16(code)&w.mask != w.code", emit.Go("continue")),
			emit.Go("s = w.parts"),
			emit.If("w.dist", emit.Go("s |= fields.SWSBDist(int(code>>w.distAt))")),
			emit.If("w.token != 0", emit.Go("s |= fields.SWSBToken(int(code>>w.tokenAt&(1<<w.token-1)), fields.TokenNone)")),
			emit.Return("s, s.Valid() && w.dist == (s.Dist() != 0)")),
		emit.Return("0, false"))
}
