// SPDX-License-Identifier: MIT

package codec

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"jacquard.example/gen/internal/emit"
)

// dispatch returns the file with the functions that dispatch to a platform's own, and with
// the properties of its words.
func dispatch(platforms []platformData) *emit.File {
	f := emit.NewFile("isa", "")
	by := func(signature string, call func(*platformData) string, otherwise string) {
		var cases []jen.Code
		for i := range platforms {
			if value := call(&platforms[i]); value != "" {
				cases = append(cases, emit.Case(platforms[i].Platform, emit.Return(value)))
			}
		}
		f.Func("", signature, emit.Switch("p", cases...), emit.Return(otherwise))
	}
	by("encodeWord(p Platform, in *Inst) (w0, w1 uint64, why encodeProblem)",
		func(d *platformData) string { return "encodeWord" + d.Name + "(p, in)" }, "0, 0, badPlatform")
	by("decodeWord(p Platform, w0, w1 uint64, in *Inst) decodeProblem",
		func(d *platformData) string { return "decodeWord" + d.Name + "(p, w0, w1, in)" }, "unknownPlatform")
	by("expandWord(p Platform, c uint64) (w0, w1 uint64, why decodeProblem)",
		func(d *platformData) string {
			if !d.Compact {
				return ""
			}
			return "expand" + d.Platform + "(p, c)"
		}, "0, 0, unknownCompact")
	by("swsbCodeOn(p Platform, x Format, s fields.SWSB) (code uint64, ok bool)", func(d *platformData) string {
		if !d.Scoreboard {
			return ""
		}
		return "swsbCode(waits" + d.Name + "[:], x, s)"
	}, "0, true")
	f.Func("Waits reports whether the scoreboard field of an opcode's instructions, if it has one, can hold waits together.",
		"(p Platform) Waits(o Op, s fields.SWSB) bool",
		emit.Go("_, ok := swsbCodeOn(p, Ops[o].Format, s)"), emit.Return("ok"))
	f.Comment("opcodeBits returns the number of the opcode in a full word.")
	by("opcodeBits(p Platform, w0, w1 uint64) uint8", func(d *platformData) string { return "uint8(" + d.Opcode + ")" }, "0")
	f.Struct("Words describes the instruction words of a platform.", "Words", `
		Compacted uint8 // the bit that marks a compacted word
		WholeExDesc bool // texts have shared function and end of thread in the extended descriptor
		SecondLen bool // texts have the length of a second payload with it
		wordLen uint32 // a bit for each shared function; see LengthInWord
		ResponseUD bool // texts have the type of a response even if it is ud
		MacroRegion [3]uint8 // the region in words of math macros
		MacroScalar bool // also for one lane, which otherwise has a scalar region
		MacroAcc uint8 // the accumulator that is math-macro register 0
		SubUnit uint8 // bytes that the field for the subregister of source 1 counts
		Lacks []string // options that the words lack
		MathTokens bool // math allocates tokens
		OnePayload bool // a send has a single payload, a sends has two
		SendTypes [2]bool // whether destination and first payload of a message have types
		SendsTypes [2]bool // the same for messages of two payloads`)
	var rows emit.Rows
	for _, d := range platforms {
		region := strings.Trim(strings.ReplaceAll(fmt.Sprint(d.MacroRegion), " ", ", "), "[]")
		rows.F("%s: {%d, %v, %v, %s, %v, [3]uint8{%s}, %v, %d, %d, []string{%s}, %v, %v, [2]bool{%v, %v}, [2]bool{%v, %v}},\n",
			d.Platform, d.Compacted, d.WholeExDesc, d.SecondLen, d.WordLen, d.ResponseUD,
			region, d.MacroScalar, d.MacroAcc, d.SubUnit, strings.Join(emit.Quoted(d.Lacks...),
				", "), d.MathTokens, d.OnePayload,
			d.SendTypes[0], d.SendTypes[1], d.SendsTypes[0], d.SendsTypes[1])
	}
	f.Table("", "words", "[NumPlatforms]Words", &rows)
	f.Returns("Words returns the description of the platform's instruction words.", "(p Platform) Words() *Words", "&words[p]")
	f.Returns("LengthInWord reports whether a message to the shared function has the length of its second payload in the word although\n"+
		"its extended descriptor is in a register.", "(p Platform) LengthInWord(x SFID) bool", "words[p].wordLen>>x&1 != 0")
	f.Returns("OutOfOrder reports whether the opcode's instructions complete out of order and allocate tokens.",
		"(p Platform) OutOfOrder(o Op) bool", "o.IsOutOfOrder() && (o != OpMath || words[p].MathTokens)")
	f.Returns("SFIDCode is the code that a platform has for a shared function.", "(p Platform) SFIDCode(x SFID) uint64", "sfidCode(p, x)")
	f.Func("SFID is the shared function for which a platform has a code, as extended descriptors in\n"+
		"registers hold it; false: there is none.", "(p Platform) SFID(code uint32) (SFID, bool)",
		emit.Go("x := sfidOf(p, uint64(code&15))"),
		emit.Return("SFID(x), x < 32 && sfidKnown[p]>>x&1 != 0"))
	return f
}
