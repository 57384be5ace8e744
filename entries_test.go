// SPDX-License-Identifier: MIT

package jacquard_test

import (
	"encoding/binary"
	"errors"
	"os"
	"strings"
	"testing"

	"jacquard.example"
)

// stagesModule is a module with entry points of five stages; stages.spvasm beside it is its source.
const stagesModule = "core/outline/testdata/stages.spv"

// TestEntryPoints: the entry points of a module with several stages are listed in its order, with the workgroup sizes
// declared in stages.spvasm; other inputs have one entry point.
func TestEntryPoints(t *testing.T) {
	module, err := os.ReadFile(stagesModule)
	if err != nil {
		t.Fatal(err)
	}
	big := make([]byte, len(module))
	for i := range module {
		big[i] = module[i^3]
	}
	stages := []jacquard.EntryPoint{
		{Name: "draw_vertex", Stage: "vertex"},
		{Name: "small", Stage: "compute", LocalSize: [3]uint32{8, 4, 2}},
		{Name: "draw_fragment", Stage: "fragment"},
		{Name: "widen", Stage: "geometry"},
		{Name: "wide", Stage: "compute", LocalSize: [3]uint32{64, 2, 0}},
		{Name: "kernel", Stage: "Kernel"},
	}
	for _, test := range []struct {
		name   string
		source []byte
		want   []jacquard.EntryPoint
	}{
		{"little-endian", module, stages},
		{"big-endian", big, stages},
		{"text", []byte("shader vertex \"go\"\nfn 1 \"go\"() entry {\n  b0:\n}\n"), []jacquard.EntryPoint{{Name: "go", Stage: "vertex"}}},
	} {
		list, err := jacquard.EntryPoints(t.Context(), test.source)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if len(list) != len(test.want) {
			t.Errorf("%s: %v", test.name, list)
			continue
		}
		for i, want := range test.want {
			if list[i] != want {
				t.Errorf("%s: entry point %d is %+v, not %+v", test.name, i, list[i], want)
			}
		}
	}
}

// TestEntryPointsOfDamaged: a module that is cut off anywhere, or in which an instruction is damaged, yields an error
// with a word, not some of its entry points.
func TestEntryPointsOfDamaged(t *testing.T) {
	module, err := os.ReadFile(stagesModule)
	if err != nil {
		t.Fatal(err)
	}
	check := func(source []byte, what string) (e *jacquard.Error) {
		list, err := jacquard.EntryPoints(t.Context(), source)
		if list != nil || !errors.As(err, &e) || !e.HasWord || e.Word > len(module)/4 {
			t.Errorf("%s: %v, %v", what, list, err)
			return &jacquard.Error{}
		}
		return e
	}
	whole := 0
	for n := range module {
		if n >= 20 && n%4 == 0 { // after a whole instruction that follows an entry point, the module is merely shorter
			if list, err := jacquard.EntryPoints(t.Context(), module[:n]); err == nil && len(list) > 0 {
				whole++
				continue
			}
		}
		check(module[:n], "cut off")
	}
	if words := len(module) / 4; whole == 0 || whole > words/3 {
		t.Errorf("%d of %d beginnings are accepted", whole, words)
	}
	first := 0
	for at := 5; first == 0; at += int(binary.LittleEndian.Uint16(module[4*at+2:])) {
		if binary.LittleEndian.Uint16(module[4*at:]) == 15 { // OpEntryPoint
			first = at
		}
	}
	damaged := func(word int, value uint32) []byte {
		d := append([]byte(nil), module...)
		binary.LittleEndian.PutUint32(d[4*word:], value)
		return d
	}
	for _, test := range []struct {
		word  int
		value uint32
		at    int
		msg   string
	}{
		{1, 0x00020000, 1, "version 2.0"},
		{3, 0, 3, "id bound 0"},
		{first, 15, first, "word count 0"},
		{first, 3<<16 | 15, first, "has 3 words"},
		{first + 1, 77, first, "unknown execution model 77"},
		{first + 5, 0x41414141, first, "unterminated string"},
	} {
		if e := check(damaged(test.word, test.value), test.msg); e.Word != test.at || !strings.Contains(e.Msg, test.msg) {
			t.Errorf("word %d: %v, not %q", test.word, e, test.msg)
		}
	}
}
