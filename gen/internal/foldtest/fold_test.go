// SPDX-License-Identifier: MIT

package foldtest

import (
	"math/rand/v2"
	"testing"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/opcodes"
	"jacquard.example/gen/internal/table"
	"jacquard.example/generated/fold"
	"jacquard.example/generated/op"
)

func TestFolderIsTheMeaning(t *testing.T) {
	tab, err := opcodes.Load(&domain.Context{Roots: []table.Root{{Dir: "../../../defs", Name: "defs"}}, Out: emit.New()})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(21, 22))
	for _, o := range tab.Ops {
		code, ok := op.ByName(o.Name)
		if !ok {
			t.Fatalf("%s is in the table but not in generated/op; run go generate", o.Name)
		}
		sizes := o.Sizes
		if !o.Unsized() {
			sizes = []int{0}
		}
		for _, size := range sizes {
			if o.Meaning == nil {
				continue
			}
			for range 300 {
				var src [op.MaxSrc][fold.MaxComps]uint64
				var dst [fold.MaxComps]uint64
				args := make([][]uint64, len(o.Srcs))
				for i, s := range o.Srcs {
					args[i] = src[i][:max(s.Comps, 1)]
					for k := range args[i] {
						args[i][k] = (r.Uint64() >> r.IntN(64)) & (^uint64(0) >> (64 - s.Type(size).Bits))
						if r.IntN(3) == 0 {
							args[i][k] = ^args[i][k] & (^uint64(0) >> (64 - s.Type(size).Bits))
						}
					}
				}
				want, err := o.Run(size, args)
				if err != nil {
					t.Fatal(err)
				}
				if !fold.Eval(code, uint8(size), 1, &src, &dst, 0) {
					t.Fatalf("%s@%d is not folded", o.Name, size)
				}
				for k, x := range want {
					if dst[k] != x {
						t.Fatalf("%s@%d %#x: folder gives %#x, the meaning %#x", o.Name, size, args, dst[:len(want)], want)
					}
				}
			}
		}
	}
}
