package isa

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"jacquard.example/gen/internal/emit"
)

// dispatch is the file with the functions that find a platform's own, and with what is
// known of its words.
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
	f.Comment("opcodeBits is the number of the opcode in a full word.")
	by("opcodeBits(p Platform, w0, w1 uint64) uint8", func(d *platformData) string { return "uint8(" + d.Opcode + ")" }, "0")
	f.Struct("wordInfo is what text and decoder ask of a platform's words.", "wordInfo", `
		compacted uint8 // the bit that marks a compacted word
		wholeExDesc bool // texts hold shared function and end of thread in the extended descriptor
		macroRegion [3]uint8 // the region that words of math macros hold
		macroScalar bool // and for one lane too, which otherwise has a scalar region
		macroAcc uint8 // the accumulator that is math-macro register 0
		lacks []string // options that the words have no place for
		onePayload bool // a send has one payload, a sends two
		sendTypes [2]bool // whether destination and first payload of a message have types
		sendsTypes [2]bool // and of one of two payloads`)
	var rows emit.Rows
	for _, d := range platforms {
		region := strings.Trim(strings.ReplaceAll(fmt.Sprint(d.MacroRegion), " ", ", "), "[]")
		rows.F("%s: {%d, %v, [3]uint8{%s}, %v, %d, []string{%s}, %v, [2]bool{%v, %v}, [2]bool{%v, %v}},\n",
			d.Platform, d.Compacted, d.WholeExDesc, region, d.MacroScalar, d.MacroAcc, strings.Join(emit.Quoted(d.Lacks...), ", "), d.OnePayload,
			d.SendTypes[0], d.SendTypes[1], d.SendsTypes[0], d.SendsTypes[1])
	}
	f.Table("", "words", "[NumPlatforms]wordInfo", &rows)
	return f
}
