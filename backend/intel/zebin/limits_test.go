// SPDX-License-Identifier: MIT

package zebin

import (
	"encoding/binary"
	"strings"
	"testing"
)

// TestReadLimits reads files that reference the same parts repeatedly, so that expanding them would take many
// times their own size.
func TestReadLimits(t *testing.T) {
	le := binary.LittleEndian
	overlapping := func() []byte {
		file := elf([]section{{name: "a", typ: 1, data: make([]byte, 4096)}, {name: "b", typ: 1}, {name: "c", typ: 1}})
		table := file[le.Uint64(file[40:]):]
		for i := 2; i <= 3; i++ { // b and c overlap a
			copy(table[64*i+24:64*i+40], table[64+24:64+40])
		}
		return file
	}
	// The name of every symbol starts one byte further in one long string.
	sharedNames := func(long int) []byte {
		names := append([]byte(strings.Repeat("x", long)), 0)
		syms := make([]byte, 24*long)
		for i := range long {
			le.PutUint32(syms[24*i:], uint32(i))
		}
		return elf([]section{{name: ".names", typ: 3, data: names}, {name: ".symtab", typ: shtSymtab, link: 1, data: syms}})
	}
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"sections over each other", overlapping(), "section 2 overlaps others"},
		{"one long name", sharedNames(maxName + 1), "more than 1024 bytes"},
		{"a long name", sharedNames(maxName), "there is no .ze_info"},
		{"much text", sample(strings.Repeat("a:\n", maxInfo/3+1)), "the limit is 4194304"},
	} {
		if _, err := Read(c.file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
