// SPDX-License-Identifier: MIT

package spirvgen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/table"
)

// TestRefusesRows adds one invalid row to the project's tables.
func TestRefusesRows(t *testing.T) {
	for _, c := range []struct{ name, row, want string }{
		{"opcode", "[opcode.X]\nnum = 60000\noperands = [\"type\", \"result\", \"id\"]\ncategory = \"bit\"\nto = \"nosuch\"",
			`unknown opcode "nosuch"`},
		{"sources", "[opcode.X]\nnum = 60000\noperands = [\"type\", \"result\", \"id\"]\ncategory = \"bit\"\nto = \"iadd\"", "iadd has 2 sources, not 1"},
		{"number", "[opcode.X]\nnum = 128\noperands = []\ncategory = \"bit\"", "num: 128 is already used by [opcode."},
		{"operand", "[opcode.X]\nnum = 60000\noperands = [\"ids\"]\ncategory = \"bit\"", `unknown kind of operand "ids"; known are id, `},
		{"category", "[opcode.X]\nnum = 60000\noperands = [\"id\"]", "category is missing"},
		{"bracket", "[glsl.X]\nnum = 200\nargs = 1\nto = \"(fneg a\"", "missing )"},
		{"name", "[glsl.X]\nnum = 200\nargs = 1\nto = \"(fneg b)\"", `"b" is not an operand, name or float literal`},
		{"function", "[glsl.X]\nnum = 200\nargs = 1\nto = \"(call f a)\"", `unknown function "f"`},
		{"last line", "[glsl.X]\nnum = 200\nargs = 1\nto = \"x = (fneg a)\"", "the last line must be the result"},
		{"empty", "[glsl.X]\nnum = 200\nargs = 1", "one of to, parts and code is required"},
		{"wide", "[glsl.X]\nnum = 200\nargs = 1\nwide = true\nparts = [\"(fneg a)\"]", "wide: requires to"},
		{"atomic", "[opcode.X]\nnum = 60000\noperands = []\ncategory = \"atomic\"\natomic = \"nand\"",
			`unknown value of [enum.atomic_op] "nand"; known are iand, `},
		{"builtin", "[builtin.X]\nnum = 60000\nto = \"load_nothing\"", `unknown intrinsic "load_nothing"`},
		{"format", "[format.own]\nspirv = \"Rgba9\"\nvulkan = \"B8G8R8A8_UNORM\"",
			`mine/ir/x.toml:2:9: error: [format.own] unknown image_format "Rgba9"; known are Rgba8, `},
		{"format twice", "[format.own]\nspirv = \"Rgba8\"\nvulkan = \"B8G8R8A8_UNORM\"", `spirv: [image_format.Rgba8] is already rgba8`},
		{"use", "[decoration.X]\nnum = 60000\nuse = \"maybe\"", `use: unknown word "maybe"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			folder := "spirv"
			if strings.HasPrefix(c.row, "[format.") {
				folder = "ir"
			}
			if err := os.MkdirAll(filepath.Join(dir, folder), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, folder, "x.toml"), []byte(c.row+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			ctx := &domain.Context{Roots: []table.Root{{Dir: "../../../defs", Name: "defs"}, {Dir: dir, Name: "mine"}}, Out: emit.New()}
			err := Generate(ctx)
			if err == nil {
				t.Fatal("the row is accepted")
			}
			if !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), folder+"/x.toml:") && c.name != "number" {
				t.Errorf("gives %v, want %q with its place", err, c.want)
			}
		})
	}
}

// TestFloat16 checks rounding to nearest even at the edges.
func TestFloat16(t *testing.T) {
	for _, c := range []struct {
		in   float64
		want uint16
	}{{0, 0}, {1, 0x3c00}, {-2, 0xc000}, {65504, 0x7bff}, {65520, 0x7c00}, {65519, 0x7bff}, {0x1p-24, 1}, {0x1p-25, 0}, {0x1.8p-25, 1}, {0x1p-14, 0x0400}, {1 + 0x1p-11, 0x3c00}, {1 + 0x3p-11, 0x3c02}, {2047.9999, 0x6800}} {
		if got := float16(c.in); got != c.want {
			t.Errorf("float16(%g) = %#x, want %#x", c.in, got, c.want)
		}
	}
}
