// SPDX-License-Identifier: MIT

package vars_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/pass/vars"
)

// TestManyDeadWrites: an array is written several times and then read at one index. After one run of the pass only the
// last writes are left, whatever the number of elements.
func TestManyDeadWrites(t *testing.T) {
	for _, n := range []int{20, 200, 2000} {
		var b strings.Builder
		fmt.Fprintf(&b, "shader compute \"main\"\nworkgroup_size 1 1 1\nvar @1 \"t\" function_temp [%d x u32, 0] fn=1\n"+
			"var @2 \"s\" shared u32\nfn 1 \"main\"() entry {\n", n)
		b.WriteString("b0:\n%0 = load_local_invocation_index.32\n%1 = deref_var.32 modes=shared type=u32 var=@2\n")
		fmt.Fprintf(&b, "%%2 = deref_var.32 modes=function_temp type=[%d x u32, 0] var=@1\n", n)
		for i := range n {
			fmt.Fprintf(&b, "%%%d = load_const.32 value=(%#x)\n%%%d = deref_array.32 %%2, %%%d modes=function_temp type=u32\n",
				10+2*i, i, 11+2*i, 10+2*i)
		}
		for range 3 {
			for i := range n {
				fmt.Fprintf(&b, "store_deref.x1 %%%d, %%0 write_mask=1\n", 11+2*i)
			}
		}
		b.WriteString("%3 = deref_array.32 %2, %0 modes=function_temp type=u32\n%4 = load_deref.32 %3\n" +
			"store_deref.x1 %1, %4 write_mask=1\n}\n")
		got := passtest.Run(t, vars.DeadWriteVars, b.String())
		if left := strings.Count(got, "store_deref"); left != n+1 {
			t.Errorf("%d elements: %d stores are left, want %d", n, left, n+1)
		}
	}
}

// access is an access in a random sequence to an array of vectors. It selects an element (a dynamic one is one of two
// unknown elements), and the whole vector or a component (a dynamic one is any).
type access struct {
	load       bool
	elem, comp int
	mask       uint
}

// The test accesses elements 0 to 2 of the array; larger numbers are dynamic elements. Component -1 is the whole
// vector, and component 2 is dynamic.
const (
	elements, dynamics = 3, 2
	whole, anyComp     = -1, 2
)

// same and apart compare the memory of two accesses.
func (a access) same(b access) bool { return a.elem == b.elem && a.comp == b.comp }

func (a access) apart(b access) bool {
	if a.elem != b.elem && a.elem < elements && b.elem < elements {
		return true
	}
	return a.comp != b.comp && a.comp >= 0 && b.comp >= 0 && a.comp < anyComp && b.comp < anyComp
}

// dead counts the stores that later stores overwrite before any load that may read them.
func dead(list []access) (n int) {
	for i, a := range list {
		left := a.mask
		for _, b := range list[i+1:] {
			if b.load && !a.apart(b) {
				break
			}
			if !b.load && a.same(b) {
				left &^= b.mask
			}
			if left == 0 {
				break
			}
		}
		if !a.load && left == 0 {
			n++
		}
	}
	return n
}

// TestRandomDeadWrites checks the pass against a comparison of all pairs of accesses.
func TestRandomDeadWrites(t *testing.T) {
	removed := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		var b strings.Builder
		b.WriteString("shader compute \"main\"\nworkgroup_size 1 1 1\nvar @1 \"t\" function_temp [3 x u32x2, 0] fn=1\n" +
			"var @2 \"s\" shared u32\nvar @3 \"r\" shared u32x2\nfn 1 \"main\"() entry {\n")
		b.WriteString("b0:\n%0 = load_local_invocation_index.32\n%1 = load_const.32 value=(0x0)\n" +
			"%2 = load_const.32 value=(0x1)\n%3 = load_const.32 value=(0x2)\n%4 = iadd.32 %0, %2\n%5 = mov.32x2 %0.xx\n")
		b.WriteString("%6 = deref_var.32 modes=shared type=u32 var=@2\n%7 = deref_var.32 modes=shared type=u32x2 var=@3\n" +
			"%8 = deref_var.32 modes=function_temp type=[3 x u32x2, 0] var=@1\n")
		index := []string{"%1", "%2", "%3", "%0", "%4"} // indices of elements
		next := 10
		value := func(format string, args ...any) string {
			next++
			fmt.Fprintf(&b, "%%%d = %s\n", next, fmt.Sprintf(format, args...))
			return fmt.Sprint("%", next)
		}
		var list []access
		for range 4 + r.IntN(24) {
			a := access{load: r.IntN(4) == 0, elem: r.IntN(elements + dynamics), comp: r.IntN(4) - 1, mask: 1}
			if r.IntN(3) > 0 {
				a.elem %= elements
			}
			if a.comp > anyComp || r.IntN(2) == 0 {
				a.comp = whole
			}
			if a.comp == whole {
				a.mask = 1 + uint(r.IntN(3))
			}
			list = append(list, a)
			d, n := value("deref_array.32 %%8, %s modes=function_temp type=u32x2", index[a.elem]), 2
			if a.comp != whole {
				d, n = value("deref_array.32 %s, %s modes=function_temp type=u32", d, []string{"%1", "%2", "%0"}[a.comp]), 1
			}
			switch {
			case a.load && n == 2:
				fmt.Fprintf(&b, "store_deref.x2 %%7, %s write_mask=3 access=volatile\n", value("load_deref.32x2 %s", d))
			case a.load:
				fmt.Fprintf(&b, "store_deref.x1 %%6, %s write_mask=1 access=volatile\n", value("load_deref.32 %s", d))
			case n == 2:
				fmt.Fprintf(&b, "store_deref.x2 %s, %%5 write_mask=%d\n", d, a.mask)
			default:
				fmt.Fprintf(&b, "store_deref.x1 %s, %%0 write_mask=1\n", d)
			}
		}
		b.WriteString("%9 = deref_array.32 %8, %0 modes=function_temp type=u32x2\n%10 = load_deref.32x2 %9\n" +
			"store_deref.x2 %7, %10 write_mask=3 access=volatile\n}\n")
		list = append(list, access{load: true, elem: elements + dynamics, comp: whole})
		text := b.String()
		got := passtest.Run(t, vars.DeadWriteVars, text)
		n := strings.Count(text, "store_deref") - strings.Count(got, "store_deref")
		if want := dead(list); n != want {
			t.Errorf("seed %d: %d stores are removed, want %d: %+v\n%s", seed, n, want, list, text)
		}
		removed += n
	}
	if removed < 300 {
		t.Errorf("only %d dead stores in all", removed)
	}
}
