// SPDX-License-Identifier: MIT

package ir_test

import (
	"fmt"
	"strings"
	"testing"

	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// imageIntrinsics are the ten intrinsics of ARB_shader_image_load_store: sources with their components, components of
// the result, flags.
var imageIntrinsics = []struct {
	name  string
	src   []uint8
	dest  uint8
	flags intrinsic.Flag
	op    kind.AtomicOp
}{
	{"image_load", []uint8{4, 1}, 4, intrinsic.CanEliminate, 0},
	{"image_load_raw", []uint8{4, 1}, 2, intrinsic.CanEliminate, 0},
	{"image_store", []uint8{4, 1, 4}, 0, 0, 0},
	{"image_atomic_add", []uint8{4, 1, 1}, 1, 0, kind.AtomicIadd},
	{"image_atomic_min", []uint8{4, 1, 1}, 1, 0, kind.AtomicImin},
	{"image_atomic_max", []uint8{4, 1, 1}, 1, 0, kind.AtomicImax},
	{"image_atomic_and", []uint8{4, 1, 1}, 1, 0, kind.AtomicIand},
	{"image_atomic_or", []uint8{4, 1, 1}, 1, 0, kind.AtomicIor},
	{"image_atomic_xor", []uint8{4, 1, 1}, 1, 0, kind.AtomicIxor},
	{"image_atomic_fadd", []uint8{4, 1, 1}, 1, 0, kind.AtomicFadd},
	{"image_atomic_exchange", []uint8{4, 1, 1}, 1, 0, kind.AtomicXchg},
	{"image_atomic_comp_swap", []uint8{4, 1, 1, 1}, 1, 0, kind.AtomicCmpxchg},
}

// TestI01ImageIntrinsics: the table has exactly these intrinsics.
func TestI01ImageIntrinsics(t *testing.T) {
	queries := map[string]bool{"image_size": true, "image_samples": true, "image_format": true, "image_order": true}
	var found []string
	for id := intrinsic.None + 1; id < intrinsic.Count; id++ {
		if info := id.Info(); info.Target == intrinsic.TargetImage && !queries[info.Name] {
			found = append(found, info.Name)
		}
	}
	var want []string
	for _, x := range imageIntrinsics {
		want = append(want, x.name)
		id, ok := intrinsic.ByName(x.name)
		if !ok {
			continue // checked by the list below
		}
		info := id.Info()
		var src []uint8
		for _, r := range info.Src[:info.NumSrc] {
			src = append(src, r.Comps)
		}
		if fmt.Sprint(src) != fmt.Sprint(x.src) {
			t.Errorf("%s has sources of %v components, want %v", x.name, src, x.src)
		}
		if info.NumOperands() != len(x.src)+1 || info.Target != intrinsic.TargetImage {
			t.Errorf("%s acts on no image besides its sources", x.name)
		}
		if info.HasDest != (x.dest != 0) || info.DestComps != x.dest {
			t.Errorf("%s gives %d components, want %d", x.name, info.DestComps, x.dest)
		}
		if info.Flags != x.flags {
			t.Errorf("%s has the flags %d, want %d", x.name, info.Flags, x.flags)
		}
		atomic := strings.HasPrefix(x.name, "image_atomic_")
		wrong := atomic && kind.AtomicOp(info.Atomic) != x.op
		if id.Is(intrinsic.TraitImageAtomic) != atomic || atomic != (info.Atomic >= 0) || wrong {
			t.Errorf("%s is atomic %d, want %s", x.name, info.Atomic, x.op)
		}
	}
	if fmt.Sprint(found) != fmt.Sprint(want) {
		t.Errorf("image intrinsics are %v, want %v", found, want)
	}
}

// TestI03ImageSources: for every access to a texel, source 0 is a vector of four coordinates and source 1 a sample. The
// interpreter's tests of every shape show that unused components do not matter.
func TestI03ImageSources(t *testing.T) {
	n := 0
	for id := intrinsic.None + 1; id < intrinsic.Count; id++ {
		info := id.Info()
		if info.Target != intrinsic.TargetImage || info.NumSrc < 2 {
			continue
		}
		n++
		// 8 is the set with only the size 32
		if info.Src[0] != (intrinsic.Src{Name: "coord", Comps: 4}) || info.Src[1] != (intrinsic.Src{Name: "sample", Comps: 1, Bits: 8}) {
			t.Errorf("%s starts with the sources %v", info.Name, info.Src[:2])
		}
	}
	if n != len(imageIntrinsics) {
		t.Errorf("%d intrinsics access texels, want %d", n, len(imageIntrinsics))
	}
}
