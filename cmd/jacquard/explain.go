// SPDX-License-Identifier: MIT

package main

import (
	"bytes"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/listing"
)

// assembly returns an emitter that writes every width as assembly, preceded by its statistics. If the program is
// explained, comments give the origin and the estimated cost of each instruction.
func assembly(offsets bool) func(*jacquard.Program) ([]byte, error) {
	return func(p *jacquard.Program) ([]byte, error) {
		var b bytes.Buffer
		for i := range p.Variants {
			if i > 0 {
				b.WriteString("\n")
			}
			v := &p.Variants[i]
			writeStats(&b, p, v)
			if err := writeListing(&b, p, v, offsets); err != nil {
				return nil, err
			}
		}
		return b.Bytes(), nil
	}
}

// textPerByte is about the size of a listing, divided by the size of its code.
const textPerByte = 4

// writeListing writes the assembly of a variant.
func writeListing(b *bytes.Buffer, p *jacquard.Program, v *jacquard.Variant, offsets bool) error {
	platform, err := platformOf(string(p.Target))
	if err != nil {
		return err
	}
	b.Grow(textPerByte * len(v.Code)) // growing would copy the text of long code again and again
	return listing.Write(b, p.Entry, platform, v.Code, listing.Bindings(&p.ABI),
		listing.Style{Lines: v.Lines, Cost: v.Cost, Bytes: offsets})
}
