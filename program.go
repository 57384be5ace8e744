// SPDX-License-Identifier: MIT

package jacquard

import (
	"fmt"
	"strings"

	"jacquard.example/backend/driver"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/backend/intel/zebin/kernel"
	"jacquard.example/generated/target"
)

// programOf returns the result of a compilation in the form for users.
func programOf(d *driver.Program) *Program {
	p := &Program{
		Target: Target(d.Target.Name), Stage: Stage(d.Stage), Entry: d.Entry,
		Impossible: d.Impossible, Width: d.Width, Unchecked: d.Unchecked, Variants: make([]Variant, len(d.Variants)),
	}
	for i := range d.Variants {
		v := &d.Variants[i]
		p.Variants[i] = Variant{
			SIMD: v.SIMD, Code: v.Code, Scratch: int(v.Binary.ABI.ScratchBytes), ABI: v.Launch, Lines: v.Lines, Cost: v.Cost,
			Stats: Stats{
				Instructions: v.Stats.Instructions, Sends: v.Stats.Sends, Loops: v.Stats.Loops,
				Spills: v.Stats.Spills, Fills: v.Stats.Fills, Bytes: v.Stats.Bytes, Registers: v.Stats.Registers,
				Cycles: v.Cycles, AssumedLoops: v.AssumedLoops, BoundsChecks: v.BoundsChecks,
			},
		}
	}
	p.ABI = p.Variants[0].ABI
	return p
}

// Assembly returns the code of a variant as assembly in the syntax of Intel's iga64: one instruction per line, with
// labels at the destinations of branches.
func (p *Program) Assembly(v *Variant) (string, error) {
	t, ok := target.ByName(string(p.Target))
	if !ok {
		return "", &Error{Msg: "unknown target " + string(p.Target)}
	}
	var b strings.Builder
	if err := isatext.Disassemble(t.Platform, v.Code, &b); err != nil {
		return "", &Error{Msg: err.Error()}
	}
	return b.String(), nil
}

// Zebin returns the preferred variant as a zebin, the ELF file that Intel's Level Zero and OpenCL runtimes load. The
// program must have been compiled with Options.Zebin. The kernel has the entry point's name. Its arguments, which
// ZebinArguments lists, are in this order and without gaps in their indices:
//
//   - the entries of the binding table: pointers to global memory, whose addresses the
//     runtime also stores where the shader reads them, and images. A texel buffer is an image
//     made of a buffer, a storage image of cubes is an array of their faces, and a sampled
//     cube is an array of one cube. An image's format is that in ABI.Bindings;
//   - the samplers, whether combined with an image or not;
//   - the base of the workgroup ids, three 32-bit values;
//   - if the shader reads them, the push constants, by value;
//   - if the shader reads them, the sizes of the buffers in bytes, 32 bits for each entry of
//     the binding table.
//
// The last three have no counterpart in the format and are arguments by value. The file is deterministic: it depends
// only on the program.
func (p *Program) Zebin() ([]byte, error) {
	k := kernel.Program{Name: p.Entry, ABI: &p.ABI}
	if len(p.Variants) > 0 {
		v := &p.Variants[0]
		k.SIMD, k.Code, k.Scratch = v.SIMD, v.Code, v.Scratch
	}
	t, ok := target.ByName(string(p.Target))
	if !ok {
		return nil, &Error{Msg: fmt.Sprintf("unknown target %q", p.Target)}
	}
	file, err := kernel.Write(&k, t)
	if err != nil {
		return nil, &Error{Msg: err.Error()}
	}
	return file, nil
}

// Argument is an argument of a zebin's kernel.
type Argument = kernel.Argument

// ZebinArguments returns the arguments of the kernel that Zebin writes, by index.
func (p *Program) ZebinArguments() []Argument { return kernel.Arguments(&p.ABI) }

// UnreadableFormats returns the formats of storage images, by Vulkan's names, that code for a target can read only if
// the shader declares them: typed reads return the bits of their texels, and the declaration determines the conversion.
// It returns nil if there is no such target.
func UnreadableFormats(name Target) []string {
	t, ok := target.ByName(string(name))
	if !ok {
		return nil
	}
	return driver.UnreadableFormats(t)
}
