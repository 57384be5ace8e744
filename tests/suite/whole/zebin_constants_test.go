// SPDX-License-Identifier: MIT

package whole

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"slices"
	"testing"

	"jacquard.example"
	"jacquard.example/generated/target"
	"jacquard.example/tests/oracle"
	"jacquard.example/tests/support/scripts"
)

const constantsKernel = `
__constant uint tab[24] = { 70000, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 99 };
__kernel void k(__global uint *o) { o[get_local_id(0)] = tab[o[get_local_id(0)] % 24]; }
`

const constantsShader = `#version 450
layout(local_size_x = 16) in;
layout(binding = 0) buffer O { uint o[]; };
const uint tab[24] = uint[](70000, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 99);
void main() { o[gl_LocalInvocationIndex] = tab[min(o[gl_LocalInvocationIndex], o.length()) % 24]; }
`

// constantsOf is what a zebin says of the constant data of its only kernel.
type constantsOf struct {
	typ   elf.SectionType
	flags elf.SectionFlag
	data  string

	info   byte // type and binding of the symbol
	size   uint64
	relocs [2]uint32 // types of the relocations
	places [2]uint32 // the words of the code that they replace
}

func readConstants(t *testing.T, file []byte, kernel string) (c constantsOf) {
	t.Helper()
	f, err := elf.NewFile(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	section := func(name string) ([]byte, *elf.Section) {
		s := f.Section(name)
		if s == nil {
			t.Fatalf("there is no section %s", name)
		}
		data, err := s.Data()
		if err != nil {
			t.Fatal(err)
		}
		return data, s
	}
	data, s := section(".data.const")
	c.typ, c.flags, c.data = s.Type, s.Flags, string(data)
	text, _ := section(".text." + kernel)
	rel, s := section(".rel.text." + kernel)
	if s.Type != elf.SHT_REL || s.Entsize != 16 || f.Sections[s.Link].Name != ".symtab" || f.Sections[s.Info].Name != ".text."+kernel ||
		len(rel) != 32 {
		t.Fatalf("relocations %+v of %d bytes", s.SectionHeader, len(rel))
	}
	syms, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	for i := range c.relocs {
		e := rel[16*i:]
		at, info := binary.LittleEndian.Uint64(e), binary.LittleEndian.Uint64(e[8:])
		sym := syms[info>>32-1]
		if f.Sections[sym.Section].Name != ".data.const" || sym.Value != 0 {
			t.Fatalf("relocation of %+v", sym)
		}
		c.info, c.size = sym.Info, sym.Size
		c.relocs[i], c.places[i] = uint32(info), binary.LittleEndian.Uint32(text[at:])
	}
	return c
}

// TestZebinConstants compares the constant data of a zebin, its symbol and its relocations with those of the same table
// in a kernel that ocloc compiles, and the arguments with the ones that a program for other launchers lists. On skl, ocloc
// has a single relocation, of an immediate of 64 bits.
func TestZebinConstants(t *testing.T) {
	for name, device := range map[string]string{"tgl": "tgllp", "icl": "icllp", "dg2": "dg2"} {
		peer, err := oracle.CompileCL(t, device, []byte(constantsKernel), "-cl-std=CL2.0")
		if err != nil {
			t.Fatal(err)
		}
		module, err := oracle.GLSL(t, "comp", []byte(constantsShader))
		if err != nil {
			t.Fatal(err)
		}
		p, err := jacquard.Compile(t.Context(), module, jacquard.Options{Target: jacquard.Target(name), Zebin: true})
		if err != nil {
			t.Fatal(err)
		}
		file, err := p.Zebin()
		if err != nil {
			t.Fatal(err)
		}
		direct, err := jacquard.Compile(t.Context(), module, jacquard.Options{Target: jacquard.Target(name)})
		if err != nil {
			t.Fatal(err)
		}
		if a, b := direct.ZebinArguments(), p.ZebinArguments(); !slices.Equal(a, b) {
			t.Errorf("%s: not compiled as a zebin, the program lists the arguments %+v, want %+v", name, a, b)
		}
		if _, err := oracle.ValidateZebin(t, file); err != nil {
			t.Error(err)
		}
		if got, want := readConstants(t, file, "main"), readConstants(t, peer, "k"); got != want {
			t.Errorf("%s: %+v, ocloc has %+v", name, got, want)
		}
	}
}

// TestZebinConstantsRun runs a shader with constant data, push constants and the size of a buffer on every machine,
// launched from a zebin: where the argument block is in memory, it is loaded around the address of the constant data.
func TestZebinConstantsRun(t *testing.T) {
	script := scripts.Read(t, "testdata/constants_and_push.amber")
	for _, machine := range target.All {
		for _, simd := range machine.Widths {
			report, err := script.Run(t.Context(), newLaunches(t, machine, simd))
			if err != nil {
				t.Errorf("%s, SIMD%d: %v", machine, simd, err)
				continue
			}
			for _, err := range report.Errors() {
				t.Errorf("%s, SIMD%d: %v", machine, simd, err)
			}
		}
	}
}
