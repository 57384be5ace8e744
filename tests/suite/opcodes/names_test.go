// SPDX-License-Identifier: MIT

package opcodes

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"testing"

	"jacquard.example/generated/spirvtab"
	"jacquard.example/tests/oracle"
)

// registry is the directory of SPIR-V's registry in the package spirv-headers.
const registry = "/usr/include/spirv/unified1/"

// named are the enumerations of the registry for which the tables have names.
var named = map[string]spirvtab.Enum{
	"Capability": spirvtab.Capabilities, "ExecutionMode": spirvtab.ExecutionModes, "Decoration": spirvtab.Decorations, "BuiltIn": spirvtab.Builtins,
	"StorageClass": spirvtab.StorageClasses, "ExecutionModel": spirvtab.ExecutionModels, "AddressingModel": spirvtab.AddressingModels,
	"MemoryModel": spirvtab.MemoryModels, "Scope": spirvtab.Scopes, "GroupOperation": spirvtab.GroupOperations, "Dim": spirvtab.Dims,
	"ImageFormat": spirvtab.ImageFormats, "ImageOperands": spirvtab.ImageOperands, "MemoryAccess": spirvtab.MemoryOperands,
}

// TestNames: the tables have a name for every number in SPIR-V's registry, and it is one of the registry's names. The
// variable REGISTRY may name the directory of another version of the registry.
func TestNames(t *testing.T) {
	var core struct {
		Instructions []struct {
			Opname  string
			Aliases []string
			Opcode  uint16
		}
		Kinds []struct {
			Category   string
			Kind       string
			Enumerants []struct {
				Enumerant string
				Aliases   []string
				Value     any
			}
		} `json:"operand_kinds"`
	}
	readRegistry(t, "spirv.core.grammar.json", &core)
	names := names{}
	for _, in := range core.Instructions {
		names.add("opcode", uint32(in.Opcode), append(in.Aliases, in.Opname)...)
	}
	kinds := 0
	for _, k := range core.Kinds {
		if named[k.Kind] == nil {
			continue
		}
		kinds++
		for _, e := range k.Enumerants {
			num, err := strconv.ParseUint(fmt.Sprint(e.Value), 0, 32)
			if err != nil {
				t.Fatal(err)
			}
			if num != 0 || k.Category != "BitEnum" {
				names.add(k.Kind, uint32(num), append(e.Aliases, e.Enumerant)...)
			}
		}
	}
	if kinds != len(named) {
		t.Errorf("the registry has %d of %d enumerations", kinds, len(named))
	}
	names.compare(t, "opcode", func(num uint32) (string, bool) {
		if o := spirvtab.Lookup(uint16(num)); o != nil {
			return o.Name, true
		}
		return "", false
	})
	for kind, values := range named {
		names.compare(t, kind, func(num uint32) (string, bool) {
			if v := values.Lookup(num); v != nil {
				return v.Name, true
			}
			return "", false
		})
	}
	var glsl struct {
		Instructions []struct {
			Opname string
			Opcode uint32
		}
	}
	readRegistry(t, "extinst.glsl.std.450.grammar.json", &glsl)
	for _, in := range glsl.Instructions {
		names.add("GLSL.std.450", in.Opcode, in.Opname)
	}
	names.compare(t, "GLSL.std.450", func(num uint32) (string, bool) {
		if x := spirvtab.LookupGLSL(num); x != nil {
			return x.Name, true
		}
		return "", false
	})
	if len(names) < 1400 {
		t.Errorf("only %d numbers compared", len(names))
	}
}

type key struct {
	kind string
	num  uint32
}

// names are the registry's names for each number.
type names map[key][]string

func (n names) add(kind string, num uint32, list ...string) {
	k := key{kind, num}
	n[k] = append(n[k], list...)
}

// compare compares the registry's names of a kind with the tables.
func (n names) compare(t *testing.T, kind string, name func(uint32) (string, bool)) {
	for k, list := range n {
		if k.kind != kind {
			continue
		}
		if got, ok := name(k.num); !ok {
			t.Errorf("%s %d, %s, has no name", kind, k.num, list[0])
		} else if !slices.Contains(list, got) {
			t.Errorf("%s %d is named %s, not one of %v", kind, k.num, got, list)
		}
	}
}

func readRegistry(t *testing.T, file string, into any) {
	t.Helper()
	dir := registry
	if d := os.Getenv("REGISTRY"); d != "" {
		dir = d + "/"
	}
	text, err := os.ReadFile(dir + file)
	if err != nil {
		oracle.Missing(t, file, "spirv-headers")
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}
