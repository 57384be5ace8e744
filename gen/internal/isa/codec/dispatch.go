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
	f.Comment("opcodeBits returns the number of the opcode in a full word.")
	by("opcodeBits(p Platform, w0, w1 uint64) uint8", func(d *platformData) string { return "uint8(" + d.Opcode + ")" }, "0")
	f.Struct("Words describes the instruction words of a platform.", "Words", `
		Compacted uint8 // the bit that marks a compacted word
		WholeExDesc bool // texts have shared function and end of thread in the extended descriptor
		ResponseUD bool // texts have the type of a response even if it is ud
		MacroRegion [3]uint8 // the region in words of math macros
		MacroScalar bool // also for one lane, which otherwise has a scalar region
		MacroAcc uint8 // the accumulator that is math-macro register 0
		Lacks []string // options that the words lack
		OnePayload bool // a send has a single payload, a sends has two
		SendTypes [2]bool // whether destination and first payload of a message have types
		SendsTypes [2]bool // the same for messages of two payloads`)
	var rows emit.Rows
	for _, d := range platforms {
		region := strings.Trim(strings.ReplaceAll(fmt.Sprint(d.MacroRegion), " ", ", "), "[]")
		rows.F("%s: {%d, %v, %v, [3]uint8{%s}, %v, %d, []string{%s}, %v, [2]bool{%v, %v}, [2]bool{%v, %v}},\n",
			d.Platform, d.Compacted, d.WholeExDesc, d.ResponseUD, region, d.MacroScalar, d.MacroAcc, strings.Join(emit.Quoted(d.Lacks...),
				", "), d.OnePayload,
			d.SendTypes[0], d.SendTypes[1], d.SendsTypes[0], d.SendsTypes[1])
	}
	f.Table("", "words", "[NumPlatforms]Words", &rows)
	f.Returns("Words returns the description of the platform's instruction words.", "(p Platform) Words() *Words", "&words[p]")
	f.Returns("SFIDCode is the code that a platform has for a shared function.", "(p Platform) SFIDCode(x SFID) uint64", "sfidCode(p, x)")
	f.Func("SFID is the shared function for which a platform has a code, as extended descriptors in\n"+
		"registers hold it; false: there is none.", "(p Platform) SFID(code uint32) (SFID, bool)",
		emit.Go("x := sfidOf(p, uint64(code&15))"),
		emit.Return("SFID(x), x < 16 && sfidKnown[p]>>x&1 != 0"))
	return f
}
