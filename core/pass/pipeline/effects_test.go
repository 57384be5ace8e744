// SPDX-License-Identifier: MIT

package pipeline_test

import (
	"fmt"
	"strings"
	"testing"

	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/pass/values"
	"jacquard.example/generated/intrinsic"
)

// imageHead defines the coordinates %2, the data %3 and the image %4.
const imageHead = `shader compute "main"
workgroup_size 1 1 1
var @1 "im" image image(u32, 2d, r32ui, storage)
var @2 "out" ssbo u32x4
fn 1 "main"() entry {
  b0:
    %0 = load_const.32 value=(0x0)
    %1 = load_const.32x4 value=(0x0, 0x1, 0x0, 0x0)
    %2 = mov.32x4 %1
    %3 = mov.32x4 %1
    %4 = deref_var.32 modes=image type=image(u32, 2d, r32ui, storage) var=@1
    %5 = deref_var.32 modes=ssbo type=u32x4 var=@2
`

// access returns the text of an image intrinsic; its result, if it has one, is %number.
func access(id intrinsic.ID, number int, more string) string {
	info := id.Info()
	out := "    "
	switch {
	case id == intrinsic.ImageLoadRaw:
		out += fmt.Sprintf("%%%d = %s.32x2 ", number, info.Name)
	case info.HasDest && info.DestComps == 1:
		out += fmt.Sprintf("%%%d = %s.32 ", number, info.Name)
	case info.HasDest:
		out += fmt.Sprintf("%%%d = %s.32x4 ", number, info.Name)
	default:
		out += info.Name + " "
	}
	for i := range int(info.NumSrc) {
		switch {
		case i == 0:
			out += "%2, "
		case i == 1:
			out += "%0, "
		case info.Src[i].Comps == 4:
			out += "%3, "
		default:
			out += "%3.x, "
		}
	}
	return out + "%4 image_dim=2d format=r32ui texel_base=uint" + more + "\n"
}

// floats adapts a shader to an operation on float texels.
var floats = strings.NewReplacer("r32ui", "r32f", "image(u32", "image(f32", "texel_base=uint", "texel_base=float")

// withTexels adapts a shader to the texel type of an operation.
func withTexels(id intrinsic.ID, shader string) string {
	if id == intrinsic.ImageAtomicFadd {
		return floats.Replace(shader)
	}
	return shader
}

// imageAccesses returns the intrinsics that access texels.
func imageAccesses() []intrinsic.ID {
	var out []intrinsic.ID
	for id := intrinsic.None + 1; id < intrinsic.Count; id++ {
		if info := id.Info(); info.Target == intrinsic.TargetImage && info.NumSrc >= 2 {
			out = append(out, id)
		}
	}
	return out
}

// TestI06DeadCodePerFlag: an unused load is removed; stores and atomics stay even if their results are unused.
func TestI06DeadCodePerFlag(t *testing.T) {
	for _, id := range imageAccesses() {
		got := passtest.Run(t, values.DeadCode, withTexels(id, imageHead+access(id, 9, "")+"}\n"))
		load := id == intrinsic.ImageLoad || id == intrinsic.ImageLoadRaw
		if strings.Contains(got, id.String()) == load {
			t.Errorf("%s: present %v afterwards:\n%s", id, !load, got)
		}
		if strings.Contains(got, "deref_var") == load {
			t.Errorf("%s: its image is present %v afterwards:\n%s", id, !load, got)
		}
	}
	if got := passtest.Run(t, values.DeadCode,
		imageHead+access(intrinsic.ImageLoad, 9, " access=volatile")+"}\n"); !strings.Contains(got, "image_load") {
		t.Errorf("an unused volatile load was dropped:\n%s", got)
	}
}

// TestI06CSEPerFlag: two equal accesses stay two, whatever is between them, even loads without access flags. Equal
// system values, which may be reordered, are merged.
func TestI06CSEPerFlag(t *testing.T) {
	use := "    store_deref.x4 %5, %9.xxxx write_mask=15\n    store_deref.x4 %5, %10.xxxx write_mask=15\n"
	for _, id := range imageAccesses() {
		for _, between := range []string{"", access(intrinsic.ImageStore, 0, "")} {
			for _, more := range []string{"", " access=coherent", " access=can_reorder"} {
				body := access(id, 9, more) + between + access(id, 10, more)
				if id.Info().HasDest {
					body += use
				}
				want := 2
				if (id == intrinsic.ImageLoad || id == intrinsic.ImageLoadRaw) && strings.Contains(more, "can_reorder") {
					want = 1
				}
				if id == intrinsic.ImageStore && between != "" {
					want = 3
				}
				got := passtest.Run(t, values.CSE, withTexels(id, imageHead+body+"}\n"))
				if n := strings.Count(got, id.String()+" ") + strings.Count(got, id.String()+"."); n != want {
					t.Errorf("%s%s: %d are left, want %d:\n%s", id, more, n, want, got)
				}
			}
		}
	}
	got := passtest.Run(t, values.CSE, imageHead+`    %9 = load_local_invocation_index.32
    %10 = load_local_invocation_index.32
`+use+"}\n")
	if strings.Count(got, "load_local_invocation_index") != 1 {
		t.Errorf("equal system values were not merged:\n%s", got)
	}
}

// TestI09QualifiersKeepLoadsApart: two loads of a texel that may be reordered are merged if and only if their
// qualifiers and all other indices are equal.
func TestI09QualifiersKeepLoadsApart(t *testing.T) {
	use := "    store_deref.x4 %5, %9.xxxx write_mask=15\n    store_deref.x4 %5, %10.xxxx write_mask=15\n"
	load := func(number int, format, access, base string) string {
		return fmt.Sprintf("    %%%d = image_load.32x4 %%2, %%0, %%4 image_dim=2d format=%s access=%s texel_base=%s\n", number,
			format, access, base)
	}
	forms := [][3]string{
		{"r32ui", "can_reorder", "uint"}, {"r32i", "can_reorder", "uint"}, {"r32ui", "can_reorder", "int"},
		{"r32ui", "coherent|can_reorder", "uint"}, {"r32ui", "restrict|can_reorder", "uint"},
		{"r32ui", "non_writeable|can_reorder", "uint"}, {"r32ui", "coherent|restrict|can_reorder", "uint"},
	}
	for i, a := range forms {
		for j, b := range forms {
			want := 2
			if i == j {
				want = 1
			}
			got := passtest.Run(t, values.CSE, imageHead+load(9, a[0], a[1], a[2])+load(10, b[0], b[1], b[2])+use+"}\n")
			if n := strings.Count(got, "image_load"); n != want {
				t.Errorf("of loads with %v and %v %d are left, want %d:\n%s", a, b, n, want, got)
			}
		}
	}
}

// TestD09DeadDerefs: an unused deref is removed together with the derefs above it and the index; a used deref keeps its
// parent and its index.
func TestD09DeadDerefs(t *testing.T) {
	head := `shader compute "main"
workgroup_size 1 1 1
struct S1 "B" block {
  [8 x f32, 4] "a" offset=0
}
var @1 "x" ssbo S1
fn 1 "main"() entry {
  b0:
    %0 = load_local_invocation_index.32
    %1 = load_const.32 value=(0x3f800000) // 1
    %2 = deref_var.32 modes=ssbo type=S1 var=@1 // &x
    %3 = deref_struct.32 %2 modes=ssbo type=[8 x f32, 4] // &x.a
    %4 = deref_array.32 %3, %0 modes=ssbo type=f32 // &x.a[%0]
    %5 = deref_cast.32 %4 modes=ssbo type=u32 // &(u32 *)x.a[%0]
`
	store := "    store_deref.x1 %4, %1 write_mask=1\n"
	if got := passtest.Run(t, values.DeadCode, head+"}\n"); strings.Contains(got, "%0") {
		t.Errorf("an unused chain is left:\n%s", got)
	}
	got := passtest.Run(t, values.DeadCode, head+store+"}\n")
	want := strings.Split(head, "    %5")[0] + store + "}\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
