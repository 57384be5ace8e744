// Package isa is the generator's part that turns defs/intel/isa, the tables of
// Intel's EU instruction words, into generated/isa: enumerations, encoder,
// decoder, disassembler, assembler and message descriptors.
package isa

import (
	"jacquard.example/gen/internal/domain"
)

// Dir is the folder of the tables, below each root.
const Dir = "intel/isa"

// Run loads, checks and emits.
func Run(ctx *domain.Context) error {
	t, err := load(ctx)
	if err != nil {
		return err
	}
	if err := t.check(); err != nil {
		return err
	}
	return t.emit(ctx.Out)
}
