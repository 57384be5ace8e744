// SPDX-License-Identifier: MIT

package archive_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"jacquard.example/cmd/jacquard/archive"
	"jacquard.example/tests/support/fozfile"
)

// Bits of VkShaderStageFlagBits.
const (
	vertex   = 1
	fragment = 16
	compute  = 32
	anyHit   = 0x200
)

// openFoz opens a Fossilize archive of entries.
func openFoz(t *testing.T, entries ...fozfile.Entry) *archive.Archive {
	t.Helper()
	file := fozfile.File(entries)
	a, err := archive.New("a.foz", bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func computeEntry(hash uint64, s fozfile.Stage) fozfile.Entry {
	return fozfile.Entry{Tag: fozfile.ComputePipeline, Hash: hash, Payload: fozfile.ComputePayload(hash, 0, s)}
}

func graphicsEntry(hash uint64, stages ...fozfile.Stage) fozfile.Entry {
	return fozfile.Entry{Tag: fozfile.GraphicsPipeline, Hash: hash, Payload: fozfile.GraphicsPayload(hash, 0, 0, stages...)}
}

func moduleEntry(hash uint64) fozfile.Entry {
	return fozfile.Entry{Tag: fozfile.Module, Hash: hash, Payload: fozfile.ModulePayload(hash, fmt.Appendf(nil, "%04x", hash))}
}

// list returns the names of the members, without the zeros that hashes begin with.
func list(t *testing.T, a *archive.Archive) string {
	t.Helper()
	names, err := a.Names(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return short(strings.Join(names, " "))
}

// short removes the zeros at the beginning of hashes.
func short(text string) string { return strings.ReplaceAll(text, "00000000000000", "") }

// TestStagesAreListedOnce: two stages are one shader only if all that the compiler uses of them agrees.
func TestStagesAreListedOnce(t *testing.T) {
	base := fozfile.Stage{Bit: compute, Module: 0xc1, Entry: "main", Spec: []fozfile.Spec{{ID: 1, Size: 4, Bits: 5}}, Subgroup: 16}
	for _, c := range []struct {
		name   string
		change func(s *fozfile.Stage)
		same   bool
	}{
		{"nothing", func(*fozfile.Stage) {}, true},
		{"module", func(s *fozfile.Stage) { s.Module = 0xc2 }, false},
		{"entry point", func(s *fozfile.Stage) { s.Entry = "main2" }, false},
		{"stage", func(s *fozfile.Stage) { s.Bit = anyHit }, false},
		{"constant", func(s *fozfile.Stage) { s.Spec = []fozfile.Spec{{ID: 2, Size: 4, Bits: 5}} }, false},
		{"value", func(s *fozfile.Stage) { s.Spec = []fozfile.Spec{{ID: 1, Size: 4, Bits: 6}} }, false},
		{"size", func(s *fozfile.Stage) { s.Spec = []fozfile.Spec{{ID: 1, Size: 8, Bits: 5}} }, false},
		{"no constants", func(s *fozfile.Stage) { s.Spec = nil }, false},
		{"more constants", func(s *fozfile.Stage) { s.Spec = append(s.Spec[:1:1], fozfile.Spec{ID: 2, Size: 4}) }, false},
		{"subgroups", func(s *fozfile.Stage) { s.Subgroup = 8 }, false},
		{"any subgroups", func(s *fozfile.Stage) { s.Subgroup = 0 }, false},
	} {
		s := base
		c.change(&s)
		kind := map[uint32]string{compute: "compute", anyHit: "AnyHitKHR"}[s.Bit]
		want := "b1:compute"
		if !c.same {
			want += " b2:" + kind
		}
		a := openFoz(t, moduleEntry(0xc1), moduleEntry(0xc2), computeEntry(0xb1, base), computeEntry(0xb2, s))
		if s.Module != 0xc2 {
			want += " c2.spv"
		}
		if got := list(t, a); got != want {
			t.Errorf("%s: %s, want %s", c.name, got, want)
		}
		x, err := a.Read("00000000000000b2:" + kind) // a member although it is not listed
		if err != nil || string(x.Data) != fmt.Sprintf("%04x", s.Module) || x.Stage.Entry != s.Entry || x.Stage.Subgroup != s.Subgroup {
			t.Errorf("%s: %+v, %v", c.name, x, err)
		}
	}
}

// TestMembers: the names of members, what they lead to, and errors.
func TestMembers(t *testing.T) {
	v, f := fozfile.Stage{Bit: vertex, Module: 0xc1, Entry: "v"}, fozfile.Stage{Bit: fragment, Module: 0xc2, Entry: "f"}
	hit := func(entry string) fozfile.Stage { return fozfile.Stage{Bit: anyHit, Module: 0xc3, Entry: entry} }
	many := make([]fozfile.Stage, 20)
	for i := range many {
		many[i] = hit(fmt.Sprint(i + 2))
	}
	broken := computeEntry(0xa5, v)
	broken.Payload = []byte("{")
	a := openFoz(t, graphicsEntry(0xa1, f, v), graphicsEntry(0xa2, v), graphicsEntry(0xa3, hit("1"), v, hit("1"), hit("2")),
		graphicsEntry(0xa4), broken, graphicsEntry(0xa6, many...), graphicsEntry(0xa7, fozfile.Stage{Bit: vertex, Entry: "v"}),
		moduleEntry(0xc1), moduleEntry(0xc2), moduleEntry(0xc4))
	var rest strings.Builder
	for i := 2; i <= 20; i++ { // the first is a3:AnyHitKHR:3
		fmt.Fprintf(&rest, "a6:AnyHitKHR:%d\n", i)
	}
	want := strings.Fields("a1:fragment a1:vertex a3:AnyHitKHR a3:AnyHitKHR:3 a5 a7:vertex c4.spv " + rest.String())
	got := strings.Fields(list(t, a))
	if len(got) != len(want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, name := range want {
		if !strings.Contains(" "+strings.Join(got, " ")+" ", " "+name+" ") {
			t.Errorf("%q is not listed", name)
		}
	}
	numbered := strings.Fields(rest.String())
	for _, c := range []struct{ name, below, want string }{
		{"a1", "a1:fragment a1:vertex", "the stages of the pipeline are a1:fragment, a1:vertex"},
		{"a1:vertex", "", "c1 v"},
		{"A1:vertex", "", "c1 v"},
		{"a1:fragment", "", "c2 f"},
		{"a1:fragment:2", "", "the stages of the pipeline are a1:fragment, a1:vertex"},
		{"a1:", "", "the stages of the pipeline are a1:fragment, a1:vertex"},
		{"a2", "a2:vertex", "c1 v"},
		{"a3:AnyHitKHR:3", "", "the archive has no shader module c3"},
		{"a4", "", "the pipeline has no stages"},
		{"a5", "a5", "entry 5 at byte"},
		{"a6:x", "", "the stages of the pipeline are a6:AnyHitKHR, " + strings.Join(numbered[:15], ", ") + " and 4 more"},
		{"a7:vertex", "", "the pipeline has no shader module for this stage"},
		{"a8:vertex", "", "the archive has no pipeline a8"},
		{"c1.spv", "", "c1"},
		{"c5.spv", "", "the archive has no shader module c5"},
		{"x.spv", "", "members of Fossilize archives are named HASH:STAGE or HASH.spv, with 16 hexadecimal digits as HASH"},
		{"-1", "", "members of Fossilize archives are named HASH:STAGE or HASH.spv, with 16 hexadecimal digits as HASH"},
	} {
		if c.below != "" {
			if got := short(strings.Join(a.Below(c.name), " ")); got != c.below {
				t.Errorf("below %s are %q, want %q", c.name, got, c.below)
			}
		}
		got := ""
		switch x, err := a.Read(c.name); {
		case err != nil:
			got, _ = strings.CutPrefix(err.Error(), "a.foz/"+c.name+": error: ")
		case x.Stage == nil:
			got = strings.TrimLeft(string(x.Data), "0")
		default:
			got = strings.TrimLeft(string(x.Data), "0") + " " + x.Stage.Entry
		}
		if got = short(got); got != c.want && (c.name != "a5" || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
