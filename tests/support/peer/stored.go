// SPDX-License-Identifier: MIT

package peer

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"jacquard.example/tests/support/spv"
)

// storedRows are the rows of the final IR that describe how a vertex program is launched.
var storedRows = []string{"inputs_read: ", "@load_input ", "@store_output ", "@load_ubo ", "@load_ssbo ",
	"@store_ssbo ", "_ssbo_size ", "@ssbo_atomic", " (texture)"}

// Text returns a program without descriptors as text that Read reads. Rows of the final IR that do not matter are left out.
func (b *Binary) Text() []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "driver %s\nscratch %d\ninstructions %d\n", b.Driver, b.Stats.Scratch, b.Stats.Instructions)
	for line := range strings.Lines(b.IR) {
		if slices.ContainsFunc(storedRows, func(s string) bool { return strings.Contains(line, s) }) && strings.IndexByte(line, 0) < 0 {
			text, _, _ := strings.Cut(strings.TrimSpace(line), "  //")
			fmt.Fprintf(&out, "ir %s\n", text)
		}
	}
	for _, m := range rangeRow.FindAllString(b.Assembly, -1) {
		fmt.Fprintf(&out, "push %s\n", strings.TrimSpace(m))
	}
	const size = 16
	for at := 0; at+size <= len(b.Code); at += size {
		word := slices.Clone(b.Code[at : at+size])
		slices.Reverse(word)
		fmt.Fprintf(&out, "code %X\n", word)
	}
	return out.Bytes()
}

// Read reads a program that Text has written, for the module that it was compiled from.
func Read(text, module []byte) (*Binary, error) {
	words, err := spv.Words(module)
	if err != nil {
		return nil, err
	}
	b := &Binary{layout: spv.Layout(words), byKind: true, IR: "\n", SIMD: 1}
	for line := range strings.Lines(string(text)) {
		key, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch key {
		case "#", "":
		case "driver":
			b.Driver = rest
		case "scratch":
			b.Stats.Scratch = number(rest)
		case "instructions":
			b.Stats.Instructions = number(rest)
		case "ir":
			b.IR += rest + "\n"
		case "push":
			b.Assembly += "    " + rest + "\n"
		case "code":
			var word []byte
			if _, err := fmt.Sscanf(rest, "%x", &word); err != nil {
				return nil, fmt.Errorf("peer: the word %q: %w", rest, err)
			}
			slices.Reverse(word)
			b.Code = append(b.Code, word...)
		default:
			return nil, fmt.Errorf("peer: unknown line %q", line)
		}
	}
	return b, nil
}
