package memory_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"jacquard.example/core/pass"
	"jacquard.example/core/pass/memory"
	"jacquard.example/core/pass/passtest"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
)

// forwardHead is mergeHead, with blocks of 256 bytes for the first two buffers and one that
// has no fixed size for the last.
var forwardHead = strings.NewReplacer("fn 1 ", `struct S1 "A" block {
  [64 x u32, 4] "a" offset=0
}
struct S2 "B" block {
  [0 x u32, 4] "b" offset=0
}
var @1 "" ssbo S1
var @2 "" ssbo S1 binding=1
var @3 "" ssbo S2 binding=4
fn 1 `).Replace(mergeHead)

// forwardCase is a shader, and its accesses afterwards, except those of forwardHead.
type forwardCase struct {
	name, body string
	want       []string
	full       bool // a value stored to a buffer is forwarded, which must not be shorter than its block
}

func (x *forwardCase) check(t *testing.T, sizes []int, run func(*pass.Context) bool) {
	src := forwardHead + x.body + "}\n"
	s := passtest.Parse(t, src)
	for run(pass.New(s)) {
	}
	if err := validate.Shader(s); err != nil {
		t.Fatalf("%v\n%s", err, text.Print(s))
	}
	var got []string
	for _, m := range accessLine.FindAllStringSubmatch(string(text.Print(s)), -1) {
		got = append(got, m[1])
	}
	if want := append([]string{"load_ubo.32", "load_ubo.32"}, x.want...); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("accesses %v, want %v:\n%s", got, want, text.Print(s))
	}
	for _, size := range sizes {
		if a, b := runMerged(t, passtest.Parse(t, src), size, 0xfc), runMerged(t, s, size, 0xfc); !bytes.Equal(a, b) {
			t.Errorf("buffers of %d bytes: contents\n%x, without the pass\n%x\n%s", size, b, a, text.Print(s))
		}
	}
}

func ld(n int, block, off string) string {
	return fmt.Sprintf("    %%%d = load_ssbo.32 %s, %s align_mul=4\n", n, block, off)
}

func st(v, block, off string) string {
	return fmt.Sprintf("    store_ssbo.x1 %s, %s, %s write_mask=1 align_mul=4\n", v, block, off)
}

const (
	pair    = "    %24 = load_const.32x2 value=(0x1, 0x2)\n    store_ssbo.x2 %24, %0, %0 write_mask=0x3 align_mul=4\n"
	group   = "    barrier memory_scope=workgroup memory_semantics=acquire|release memory_modes=shared\n"
	device  = "    barrier memory_scope=device memory_semantics=acquire|release memory_modes=ssbo\n"
	arms    = "    %28 = ieq.1 %7, %5\n    if %28 {\n      b1:\n"
	orElse  = "    } else {\n      b2:\n"
	join    = "    }\n  b3:\n"
	loop    = "    loop {\n      b1:\n"
	leave   = "        %29 = ieq.1 %20, %20\n        if %29 {\n          b2:\n            jump_break\n        } else {\n          b3:\n        }\n      b4:\n"
	joined  = "    }\n  b5:\n"
	atomic0 = "    %40 = ssbo_atomic.32 %0, %4, %5 atomic_op=iadd\n"
	atomic1 = "    %40 = ssbo_atomic.32 %5, %4, %5 atomic_op=iadd\n"
)

// TestForwardAccesses: which loads are replaced, which stores removed, and which must stay.
func TestForwardAccesses(t *testing.T) {
	const l, l2, s, s2 = "load_ssbo.32", "load_ssbo.32x2", "store_ssbo.x1", "store_ssbo.x2"
	l3 := "    %22 = load_ssbo.32x2 %0, %0 align_mul=4\n"
	for _, x := range []forwardCase{
		{"a store and its load", st("%9", "%0", "%0") + ld(20, "%0", "%0") + keep("%20"), []string{s, s}, true},
		{"two loads", ld(20, "%0", "%9") + ld(21, "%0", "%9") + keep("%20", "%21"), []string{l, s, s}, false},
		{"a component of a vector", pair + ld(20, "%0", "%1") + keep("%20"), []string{s2, s}, true},
		{"a vector of components", st("%9", "%0", "%1") + st("%7", "%0", "%0") + l3 + keep("%22.x", "%22.y"), []string{s, s, s, s}, true},
		{"a vector known in part", st("%9", "%0", "%1") + l3 + keep("%22.x", "%22.y"), []string{s, l2, s, s}, false},
		{"an overwritten component", pair + st("%9", "%0", "%1") + l3 + keep("%22.x", "%22.y"), []string{s2, s, s, s}, true},
		{"at an unknown offset, which may be out of bounds", st("%7", "%0", "%8") + ld(20, "%0", "%8") + keep("%20"), []string{s, l, s}, false},
		{"past the part of fixed size", st("%7", "%1", "%2") + ld(20, "%1", "%2") + keep("%20"), []string{s, l, s}, false},
		{"in a buffer that is not known", st("%7", "%7", "%0") + ld(20, "%7", "%0") + keep("%20"), []string{s, l, s}, false},
		{"a store at an unknown offset between", ld(20, "%0", "%0") + st("%9", "%0", "%8") + ld(21, "%0", "%0") + keep("%20", "%21"), []string{l, s, l, s, s}, false},
		{"a store to another buffer between", ld(20, "%0", "%0") + st("%9", "%5", "%8") + ld(21, "%0", "%0") + keep("%20", "%21"), []string{l, s, s, s}, false},
		{"a store to one that may alias between", ld(20, "%0", "%0") + st("%9", "%1", "%8") + ld(21, "%0", "%0") + keep("%20", "%21"), []string{l, s, l, s, s}, false},
		{"a store to one that is not known between", ld(20, "%0", "%0") + st("%9", "%7", "%8") + ld(21, "%0", "%0") + keep("%20", "%21"), []string{l, s, l, s, s}, false},
		{"a barrier between", ld(20, "%0", "%0") + device + ld(21, "%0", "%0") + keep("%20", "%21"), []string{l, l, s, s}, false},
		{"a barrier for workgroup memory between", ld(20, "%0", "%0") + group + ld(21, "%0", "%0") + keep("%20", "%21"), []string{l, s, s}, false},
		{"an atomic between", ld(20, "%0", "%0") + atomic0 + ld(21, "%0", "%0") + keep("%20", "%21"), []string{l, l, s, s}, false},
		{"an atomic on another buffer between", ld(20, "%0", "%0") + atomic1 + ld(21, "%0", "%0") + keep("%20", "%21"), []string{l, s, s}, false},
		{"a volatile load", ld(20, "%0", "%0") + "    %21 = load_ssbo.32 %0, %0 access=volatile align_mul=4\n" + keep("%20", "%21"), []string{l, l, s, s}, false},
		{"a coherent load between", ld(20, "%0", "%0") + "    %21 = load_ssbo.32 %5, %0 access=coherent align_mul=4\n" + ld(22, "%0", "%0") + keep("%20", "%21", "%22"), []string{l, l, l, s, s, s}, false},
		{"a coherent store", "    store_ssbo.x1 %9, %0, %0 write_mask=1 access=coherent align_mul=4\n" + ld(20, "%0", "%0") + keep("%20"), []string{s, l, s}, false},
		{"a smaller component", st("%9", "%0", "%0") + "    %20 = load_ssbo.16 %0, %0 align_mul=4\n    %21 = u2u32.32 %20\n" + keep("%21"), []string{s, "load_ssbo.16", s}, false},
		{"a store of what is there", ld(20, "%0", "%9") + st("%20", "%0", "%9"), []string{l}, false},
		{"the same store twice", st("%7", "%0", "%9") + st("%7", "%0", "%9"), []string{s}, false},
		{"the same store with another between", st("%7", "%0", "%0") + st("%9", "%0", "%8") + st("%7", "%0", "%0"), []string{s, s, s}, false},
		{"a component that is not written", "    %24 = load_const.32x2 value=(0x1, 0x2)\n    store_ssbo.x2 %24, %0, %0 write_mask=0x1 align_mul=4\n" + ld(20, "%0", "%1") + keep("%20"), []string{s2, l, s}, false},
		{"workgroup memory at any offset", "    store_shared.x1 %9, %8 write_mask=1 align_mul=4\n" + device + "    %20 = load_shared.32 %8 align_mul=4\n" + keep("%20"), []string{"store_shared.x1", s}, false},
		{"workgroup memory and its barrier", "    store_shared.x1 %9, %8 write_mask=1 align_mul=4\n" + group + "    %20 = load_shared.32 %8 align_mul=4\n" + keep("%20"), []string{"store_shared.x1", "load_shared.32", s}, false},

		{"into the arms of an if", ld(20, "%0", "%9") + arms + ld(21, "%0", "%9") + keep("%21") + orElse + join, []string{l, s}, false},
		{"past an if", ld(20, "%0", "%0") + arms + st("%9", "%5", "%9") + orElse + join + ld(21, "%0", "%0") + st("%21", "%0", "%4"), []string{l, s, s}, false},
		{"past an if that stores", ld(20, "%0", "%0") + arms + orElse + st("%9", "%0", "%0") + join + ld(21, "%0", "%0") + st("%21", "%0", "%4"), []string{l, s, l, s}, false},
		{"out of an arm", arms + ld(20, "%0", "%0") + st("%20", "%0", "%4") + orElse + join + ld(21, "%0", "%0") + st("%21", "%0", "%3"), []string{l, s, l, s}, false},
		{"from arm to arm", arms + ld(20, "%0", "%0") + st("%20", "%0", "%4") + orElse + ld(21, "%0", "%0") + st("%21", "%0", "%3") + join, []string{l, s, l, s}, false},
		{"into a loop and past it", ld(20, "%0", "%0") + loop + ld(21, "%0", "%0") + st("%21", "%0", "%4") + leave + joined + ld(22, "%0", "%0") + st("%22", "%0", "%3"), []string{l, s, s}, false},
		{"what a loop stores later", ld(20, "%0", "%0") + loop + ld(21, "%0", "%0") + st("%21", "%0", "%4") + leave + st("%9", "%0", "%0") + joined + ld(22, "%0", "%0") + st("%22", "%0", "%3"), []string{l, l, s, s, l, s}, false},
	} {
		t.Run(x.name, func(t *testing.T) {
			sizes := []int{0, 8, 12, 256}
			if x.full {
				sizes = sizes[3:]
			}
			x.check(t, sizes, memory.ForwardAccesses)
		})
	}
}

// TestForwardRobust: with bounds required, the value of a store that may be out of bounds is
// not forwarded.
func TestForwardRobust(t *testing.T) {
	x := forwardCase{"", st("%9", "%0", "%0") + ld(20, "%0", "%0") + keep("%20"), []string{"store_ssbo.x1", "load_ssbo.32", "store_ssbo.x1"}, false}
	x.check(t, []int{0, 8, 256}, func(c *pass.Context) bool {
		c.Options.Robust = true
		return memory.ForwardAccesses(c)
	})
}

// TestDeadStores: which stores are removed, and which must stay.
func TestDeadStores(t *testing.T) {
	const l, s, s2 = "load_ssbo.32", "store_ssbo.x1", "store_ssbo.x2"
	for _, x := range []forwardCase{
		{"overwritten", st("%5", "%0", "%0") + st("%6", "%0", "%0"), []string{s}, false},
		{"overwritten at an unknown offset", st("%5", "%0", "%9") + st("%6", "%0", "%9"), []string{s}, false},
		{"overwritten in parts", pair + st("%6", "%0", "%0") + st("%9", "%0", "%1"), []string{s, s}, false},
		{"overwritten in part", pair + st("%6", "%0", "%0"), []string{s2, s}, false},
		{"read between", st("%5", "%0", "%0") + ld(20, "%0", "%0") + st("%6", "%0", "%0") + keep("%20"), []string{s, l, s, s}, false},
		{"read at an unknown offset between", st("%5", "%0", "%0") + ld(20, "%0", "%8") + st("%6", "%0", "%0") + keep("%20"), []string{s, l, s, s}, false},
		{"another place read between", st("%5", "%0", "%0") + ld(20, "%0", "%1") + st("%6", "%0", "%0") + keep("%20"), []string{l, s, s}, false},
		{"another buffer read between", st("%5", "%0", "%0") + ld(20, "%5", "%8") + st("%6", "%0", "%0") + keep("%20"), []string{l, s, s}, false},
		{"one that may alias read between", st("%5", "%0", "%0") + ld(20, "%1", "%8") + st("%6", "%0", "%0") + keep("%20"), []string{s, l, s, s}, false},
		{"an atomic between", st("%5", "%0", "%4") + atomic0 + st("%6", "%0", "%4"), []string{s, s}, false},
		{"a barrier between", st("%5", "%0", "%0") + device + st("%6", "%0", "%0"), []string{s, s}, false},
		{"a barrier for workgroup memory between", st("%5", "%0", "%0") + group + st("%6", "%0", "%0"), []string{s}, false},
		{"volatile", "    store_ssbo.x1 %5, %0, %0 write_mask=1 access=volatile align_mul=4\n" + st("%6", "%0", "%0"), []string{s, s}, false},
		{"overwritten in an if only", st("%5", "%0", "%0") + arms + st("%6", "%0", "%0") + orElse + join, []string{s, s}, false},
		{"workgroup memory that nothing reads", "    store_shared.x1 %9, %8 write_mask=1 align_mul=4\n" + st("%5", "%0", "%0"), []string{s}, false},
		{"volatile workgroup memory", "    store_shared.x1 %9, %8 write_mask=1 access=volatile align_mul=4\n", []string{"store_shared.x1"}, false},
		{"workgroup memory that an atomic reads", "    store_shared.x1 %9, %8 write_mask=1 align_mul=4\n    %20 = shared_atomic.32 %0, %5 atomic_op=iadd\n" + keep("%20"), []string{"store_shared.x1", s}, false},
		{"workgroup memory that is read in an arm", "    store_shared.x1 %9, %8 write_mask=1 align_mul=4\n" + arms + "    %20 = load_shared.32 %0 align_mul=4\n" + st("%20", "%0", "%0") + orElse + join, []string{"store_shared.x1", "load_shared.32", s}, false},
		{"a ballot between", st("%5", "%0", "%0") + "    %20 = ieq.1 %7, %5\n    %21 = ballot.32 %20\n" + st("%21", "%0", "%0"), []string{s}, false},
	} {
		t.Run(x.name, func(t *testing.T) { x.check(t, []int{0, 4, 8, 12, 256}, memory.DeadStores) })
	}
}
