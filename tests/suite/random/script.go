// SPDX-License-Identifier: MIT

package random

import (
	"fmt"
	"strings"

	"jacquard.example/tests/support/randprog"
)

// Script writes a program as an AmberScript that expects the results of the C program. width is the subgroup size that
// the program requires, or 0 if any; assembly is the module if it differs from glslang's output for the program.
func Script(p *randprog.Program, assembly string, width int, expect [][]byte, comment string) string {
	var b strings.Builder
	b.WriteString("#!amber\n")
	for line := range strings.Lines(comment) {
		fmt.Fprintf(&b, "# %s\n", strings.TrimRight(line, "\n"))
	}
	if width > 0 {
		b.WriteString("\nDEVICE_FEATURE SubgroupSizeControl.subgroupSizeControl\n")
	}
	if len(p.LeftOut) > 0 {
		fmt.Fprintf(&b, "# It is compiled with --disable-pass %s.\n", strings.Join(p.LeftOut, ","))
	}
	if len(p.Passes) > 0 {
		fmt.Fprintf(&b, "# The module went through spirv-opt %s.\n", strings.Join(p.Passes, " "))
		fmt.Fprintf(&b, "\nSHADER compute random SPIRV-ASM TARGET_ENV spv1.3\n%sEND\n\n", assembly)
	} else {
		fmt.Fprintf(&b, "\nSHADER compute random GLSL TARGET_ENV spv1.3\n%sEND\n\n", GLSL(p))
	}
	var binds, expects strings.Builder
	k := 0
	for _, v := range p.Buffers {
		names := ""
		for i, part := range v.Blocks(v.Data) {
			name := v.Name
			if v.Arrayed {
				name += fmt.Sprint("_", i)
			}
			fmt.Fprintf(&b, "BUFFER %s DATA_TYPE uint8 DATA", name)
			decimals(&b, part)
			b.WriteString("\nEND\n")
			names += " " + name
		}
		array := ""
		if v.Arrayed {
			array = "_ARRAY"
		}
		switch v.Class {
		case randprog.Push:
			fmt.Fprintf(&binds, "  BIND BUFFER %s AS push_constant\n", v.Name)
		case randprog.Uniform:
			fmt.Fprintf(&binds, "  BIND BUFFER%s%s AS uniform DESCRIPTOR_SET 0 BINDING %d\n", array, names, v.Binding)
		default:
			fmt.Fprintf(&binds, "  BIND BUFFER%s%s AS storage DESCRIPTOR_SET 0 BINDING %d\n", array, names, v.Binding)
		}
		if v.Written {
			for i, part := range v.Blocks(expect[k]) {
				name := v.Name
				if v.Arrayed {
					name += fmt.Sprint("_", i)
				}
				fmt.Fprintf(&expects, "EXPECT %s IDX 0 EQ", name)
				for _, x := range part {
					fmt.Fprintf(&expects, " %d", x)
				}
				expects.WriteString("\n")
			}
			k++
		}
	}
	b.WriteString("\nPIPELINE compute pipeline\n  ATTACH random")
	for _, v := range p.Specs {
		s := v.T.Base
		var bits uint64
		for i, x := range v.Data {
			bits |= uint64(x) << (8 * i)
		}
		switch s.Kind {
		case randprog.Bool:
			fmt.Fprintf(&b, " \\\n    SPECIALIZE %s AS uint32 %d", specID(v), bits)
		case randprog.Float:
			fmt.Fprintf(&b, " \\\n    SPECIALIZE %s AS float %s", specID(v), randprog.Number(s.Float(bits)))
		case randprog.Int:
			fmt.Fprintf(&b, " \\\n    SPECIALIZE %s AS int%d %d", specID(v), s.Bits, s.Signed(bits))
		default:
			fmt.Fprintf(&b, " \\\n    SPECIALIZE %s AS uint%d %d", specID(v), s.Bits, bits)
		}
	}
	b.WriteString("\n")
	if width > 0 {
		fmt.Fprintf(&b, "  SUBGROUP random\n    REQUIRED_SIZE %d\n  END\n", width)
	}
	b.WriteString(binds.String())
	fmt.Fprintf(&b, "END\n\nRUN pipeline %d %d %d\n\n%s", p.Groups[0], p.Groups[1], p.Groups[2], expects.String())
	return b.String()
}

// decimals writes data in lines.
func decimals(b *strings.Builder, data []byte) {
	for i, x := range data {
		if i%32 == 0 {
			b.WriteString("\n ")
		}
		fmt.Fprintf(b, " %d", x)
	}
}
