// SPDX-License-Identifier: MIT

package intel_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/core/interp"
	"jacquard.example/core/text"
	"jacquard.example/generated/target"
)

// addressAt is the address of the tests' memory. An access that loses the upper half of the address, or the
// carry into it, misses the memory.
const addressAt = 0x0000_7ffe_ffff_ff80

// addressShader is a shader whose body accesses memory at the address in %3, which differs between invocations
// by 16 bytes. %1 is the number of the invocation, %5 the common address.
const addressShader = `shader compute "main"
workgroup_size 40 1 1
struct S1 "P" block {
  u64 "at" offset=0
}
var @1 "push" push_constant S1
var @2 "s" shared [40 x u32, 0]
var @3 "t" function_temp [4 x u32, 0] fn=1
fn 1 "main"() entry {
  b0:
    %0 = deref_var.32 modes=push_constant type=S1 var=@1
    %1 = load_local_invocation_index.32
    %4 = deref_struct.32 %0 modes=push_constant type=u64
    %5 = load_deref.64 %4
    %2 = load_const.32 value=(0x10)
    %6 = umul_2x32_64.64 %1, %2
    %3 = iadd.64 %5, %6
`

// generic makes %36 a pointer to private, shared or global memory, depending on the number of the invocation.
// %29 is 0 where it points to private memory, which holds the number. genericEnd stores the contents of private
// and shared memory.
const (
	generic = `%30 = load_const.32 value=(0x3)
    %29 = umod.32 %1, %30
    %31 = load_const.32 value=(0x0)
    %28 = load_const.32 value=(0x1)
    %27 = i2i64.64 %1
    %26 = i2i64.64 %29
    %32 = deref_var.64 modes=shared type=[40 x u32, 0] var=@2
    %33 = deref_array.64 %32, %27 modes=shared type=u32
    %34 = deref_var.64 modes=function_temp type=[4 x u32, 0] var=@3
    %35 = deref_array.64 %34, %26 modes=function_temp type=u32
    store_deref.x1 %33, %2 write_mask=1
    store_deref.x1 %35, %1 write_mask=1
    %37 = ieq.1 %29, %31
    %38 = ieq.1 %29, %28
    %39 = bcsel.64 %37, %35, %33
    %40 = bcsel.64 %38, %3, %39
    %36 = deref_cast.64 %40 modes=shared|global|function_temp type=u32
`
	genericEnd = `%45 = load_deref.32 %33
    %46 = load_deref.32 %35
    %47 = imul.32 %45, %2
    %48 = iadd.32 %46, %47
    %49 = deref_cast.64 %3 modes=global type=u32 stride=4
    %54 = load_const.64 value=(0x1, 0x0)
    %53 = deref_ptr_as_array.64 %49, %54 modes=global type=u32
    store_deref.x1 %53, %48 write_mask=1
`
)

// TestAddresses checks that loads, stores and atomics at 64-bit addresses have the same results on the model
// and in the interpreter, on all machines and at all widths. Memory begins just below a multiple of 4 GiB.
func TestAddresses(t *testing.T) {
	cast := func(name, from, typ string) string {
		return name + " = deref_cast.64 " + from + " modes=global type=" + typ + "\n"
	}
	half := "%10 = iand.32 %1, %2\n%11 = load_const.32 value=(0x0)\n%12 = ieq.1 %10, %11\nif %12 {\nb1:\n"
	atomic := func(typ, rest string) string {
		return cast("%20", "%3", typ) + rest
	}
	for _, c := range []struct {
		name, body string
		interp     string // for the interpreter, if not the body
	}{
		{"dword", cast("%20", "%3", "u32") + "%21 = load_deref.32 %20\n%22 = iadd.32 %21, %1\nstore_deref.x1 %20, %22 write_mask=1\n", ""},
		{"four dwords", cast("%20", "%3", "u32x4") + "%21 = load_deref.32x4 %20\n%22 = iadd.32x4 %21, %21\nstore_deref.x4 %20, %22 write_mask=15\n", ""},
		{"some of four", cast("%20", "%3", "u32x4") + "%21 = load_deref.32x4 %20\n%22 = iadd.32x4 %21, %21\nstore_deref.x4 %20, %22 write_mask=13\n", ""},
		{"quadword", cast("%20", "%3", "u64") + "%21 = load_deref.64 %20\n%22 = iadd.64 %21, %5\nstore_deref.x1 %20, %22 write_mask=1\n", ""},
		{"two quadwords", cast("%20", "%3", "u64x2") + "%21 = load_deref.64x2 %20\n%22 = iadd.64x2 %21, %21\nstore_deref.x2 %20, %22 write_mask=3\n", ""},
		{"constant", "%7 = load_const.64 value=(0xffffff80, 0x7ffe)\n%8 = iadd.64 %7, %6\n" + cast("%20", "%8", "u32") + "%24 = load_const.64 value=(0xffffff88, 0x7ffe)\n%9 = deref_cast.64 %24 modes=global type=u32\n%23 = load_deref.32 %9\n%21 = load_deref.32 %20\n%22 = iadd.32 %21, %23\nstore_deref.x1 %20, %22 write_mask=1\n", ""},
		{"some of four, not split", "%20 = load_global.32x4 %3 align_mul=4\n%21 = iadd.32x4 %20, %20\nstore_global.x4 %21, %3 write_mask=13 align_mul=4\n", ""},
		{"byte", cast("%20", "%3", "u8") + "%21 = load_deref.8 %20\n%22 = iadd.8 %21, %21\nstore_deref.x1 %20, %22 write_mask=1\n", ""},
		{"bytes", cast("%20", "%3", "u8x4") + "%21 = load_deref.8x4 %20\n%22 = iadd.8x4 %21, %21\nstore_deref.x4 %20, %22 write_mask=15\n", ""},
		{"word", cast("%20", "%3", "u16") + "%21 = load_deref.16 %20\n%22 = iadd.16 %21, %21\nstore_deref.x1 %20, %22 write_mask=1\n", ""},
		{"uniform", cast("%20", "%5", "u32x4") + "%21 = load_deref.32x4 %20\n" + cast("%22", "%3", "u32") + "%23 = mov.32 %21.w\nstore_deref.x1 %22, %23 write_mask=1\n", ""},
		{"uniform byte", cast("%20", "%5", "u8x4") + "%21 = load_deref.8x4 %20\n" + cast("%22", "%3", "u8") + "%23 = mov.8 %21.w\nstore_deref.x1 %22, %23 write_mask=1\n", ""},
		{"some lanes", half + cast("%20", "%3", "u32") + "%21 = load_deref.32 %20\n%22 = iadd.32 %21, %1\nstore_deref.x1 %20, %22 write_mask=1\n} else {\nb2:\n}\nb3:\n", ""},
		{"add", atomic("u32", "%50 = deref_atomic.32 %20, %1 atomic_op=iadd\n"), ""},
		{"count, used", atomic("u32", "%23 = load_const.32 value=(0x1)\n%21 = deref_atomic.32 %20, %23 atomic_op=iadd\n%22 = iadd.32 %21, %21\nstore_deref.x1 %20, %22 write_mask=1\n"), ""},
		{"add at one place", cast("%20", "%5", "u32") + "%21 = deref_atomic.32 %20, %1 atomic_op=iadd\n", ""},
		{"exchange", atomic("u32", "%21 = deref_atomic_swap.32 %20, %2, %1 atomic_op=cmpxchg\n%22 = iadd.32 %21, %1\nstore_deref.x1 %20, %22 write_mask=1\n"), ""},
		{"float minimum", atomic("f32", "%50 = deref_atomic.32 %20, %1 atomic_op=fmin\n"), ""},
		{"float sum", atomic("f32", "%22 = load_const.32 value=(0x3f800000)\n%21 = deref_atomic.32 %20, %22 atomic_op=fadd\n"), ""},
		{"add 64", atomic("u64", "%50 = deref_atomic.64 %20, %5 atomic_op=iadd\n"), ""},
		{"maximum 64, used", atomic("i64", "%21 = deref_atomic.64 %20, %5 atomic_op=imax\n%22 = iadd.64 %21, %5\nstore_deref.x1 %20, %22 write_mask=1\n"), ""},
		{"add 64 at one place", cast("%20", "%5", "u64") + "%21 = deref_atomic.64 %20, %6 atomic_op=iadd\n", ""},
		{"exchange 64", atomic("u64", "%24 = load_deref.64 %20\n%21 = deref_atomic_swap.64 %20, %24, %6 atomic_op=cmpxchg\n%22 = iadd.64 %21, %5\n%23 = iadd.64 %22, %6\n%25 = deref_atomic_swap.64 %20, %23, %23 atomic_op=cmpxchg\n%26 = iadd.64 %25, %22\n%27 = deref_atomic.64 %20, %26 atomic_op=ixor\n"), ""},
		{"generic", generic + "%20 = load_deref.32 %36\n%21 = iadd.32 %20, %1\nstore_deref.x1 %36, %21 write_mask=1\n" + genericEnd, ""},
		{"generic atomic", generic + "%42 = bcsel.64 %38, %3, %33\n%20 = deref_cast.64 %42 modes=shared|global type=u32\n%21 = deref_atomic.32 %20, %1 atomic_op=iadd\n" + genericEnd, ""},
		{"two words", "%7 = unpack_64_2x32.32x2 %3\n" + "%20 = deref_cast.32x2 %7 modes=global type=u32 stride=4\n%8 = load_const.32 value=(0x3)\n%9 = deref_ptr_as_array.32x2 %20, %8 modes=global type=u32\n%10 = mov.32x2 %9\n%11 = deref_cast.32x2 %10 modes=global type=u32\n%21 = load_deref.32 %11\n%22 = iadd.32 %21, %1\nstore_deref.x1 %11, %22 write_mask=1\n",
			cast("%7", "%3", "u32") + "%8 = load_const.64 value=(0xc, 0x0)\n%9 = iadd.64 %3, %8\n" + cast("%20", "%9", "u32") + "%21 = load_deref.32 %20\n%22 = iadd.32 %21, %1\nstore_deref.x1 %20, %22 write_mask=1\n"},
		{"shared, one word", "%30 = deref_var.32 modes=shared type=[40 x u32, 0] var=@2\n%31 = deref_array.32 %30, %1 modes=shared type=u32\n%32 = mov.32 %31\n%33 = deref_cast.32 %32 modes=shared type=u32\nstore_deref.x1 %33, %2 write_mask=1\n%34 = deref_atomic.32 %33, %1 atomic_op=iadd\n%35 = load_deref.32 %33\n" + cast("%20", "%3", "u32") + "store_deref.x1 %20, %35 write_mask=1\n",
			"%30 = deref_var.32 modes=shared type=[40 x u32, 0] var=@2\n%31 = deref_array.32 %30, %1 modes=shared type=u32\nstore_deref.x1 %31, %2 write_mask=1\n%34 = deref_atomic.32 %31, %1 atomic_op=iadd\n%35 = load_deref.32 %31\n" + cast("%20", "%3", "u32") + "store_deref.x1 %20, %35 write_mask=1\n"},
		{"shared, two words", "%30 = deref_var.32x2 modes=shared type=[40 x u32, 0] var=@2\n%31 = deref_array.32x2 %30, %1 modes=shared type=u32\n%32 = mov.32x2 %31\n%33 = deref_cast.32x2 %32 modes=shared type=u32\nstore_deref.x1 %33, %1 write_mask=1\n%35 = load_deref.32 %33\n" + cast("%20", "%3", "u32") + "store_deref.x1 %20, %35 write_mask=1\n",
			"%30 = deref_var.32 modes=shared type=[40 x u32, 0] var=@2\n%31 = deref_array.32 %30, %1 modes=shared type=u32\nstore_deref.x1 %31, %1 write_mask=1\n%35 = load_deref.32 %31\n" + cast("%20", "%3", "u32") + "store_deref.x1 %20, %35 write_mask=1\n"},
		{"private, one word", "%29 = load_const.32 value=(0x3)\n%28 = iand.32 %1, %29\n%30 = deref_var.32 modes=function_temp type=[4 x u32, 0] var=@3\n%31 = deref_array.32 %30, %28 modes=function_temp type=u32\n%32 = mov.32 %31\n%33 = deref_cast.32 %32 modes=function_temp type=u32\nstore_deref.x1 %33, %1 write_mask=1\n%35 = load_deref.32 %33\n" + cast("%20", "%3", "u32") + "store_deref.x1 %20, %35 write_mask=1\n",
			"%29 = load_const.32 value=(0x3)\n%28 = iand.32 %1, %29\n%30 = deref_var.32 modes=function_temp type=[4 x u32, 0] var=@3\n%31 = deref_array.32 %30, %28 modes=function_temp type=u32\nstore_deref.x1 %31, %1 write_mask=1\n%35 = load_deref.32 %31\n" + cast("%20", "%3", "u32") + "store_deref.x1 %20, %35 write_mask=1\n"},
		{"some lanes, 64", half + atomic("u64", "%21 = deref_atomic.64 %20, %5 atomic_op=xchg\n%22 = iadd.64 %21, %21\n%50 = deref_atomic.64 %20, %22 atomic_op=umin\n} else {\nb2:\n}\nb3:\n"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := addressShader + c.body + "}\n"
			push := binary.LittleEndian.AppendUint64(nil, addressAt)
			memory := make([]byte, 16*40)
			for i := range memory {
				memory[i] = byte(i*37 + i/7)
			}
			same := src
			if c.interp != "" {
				same = addressShader + c.interp + "}\n"
			}
			s, err := text.Parse([]byte(same))
			if err != nil {
				t.Fatalf("%v\n%s", err, same)
			}
			want := bytes.Clone(memory)
			if _, err := interp.Run(context.Background(), s, &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: 16, Push: push,
				Buffers: []interp.Buffer{{Set: 9, Address: addressAt, Data: want}}}); err != nil {
				t.Fatal(err)
			}
			if bytes.Equal(want, memory) {
				t.Fatal("the shader changes nothing")
			}
			for _, m := range target.All {
				for _, simd := range m.Widths {
					t.Run(fmt.Sprintf("%s%d", m.Name, simd), func(t *testing.T) {
						p, err := jacquard.Compile(t.Context(), []byte(src),
							jacquard.Options{Target: jacquard.Target(m.Name), SIMD: simd, Verify: true})
						if err != nil {
							t.Fatal(err)
						}
						got := bytes.Clone(memory)
						_, err = eu.Run(t.Context(), &eu.Dispatch{
							Program: eu.Load(m, p.Variants[0].Code), SIMD: simd, Groups: [3]uint32{1, 1, 1}, LocalSize: [3]uint32{40, 1, 1},
							Mappings: []eu.Mapping{{Addr: addressAt, Data: got}}, ScratchPerThread: p.Variants[0].Scratch,
							SLMSize: p.ABI.SharedBytes,
							Payload: eu.ComputePayload(m.ABI, push), Options: eu.Options{Poison: true, Undefined: true, Addresses: true},
						})
						if err == nil && bytes.Equal(got, want) {
							return
						}
						var dis strings.Builder
						_ = isatext.Disassemble(m.Platform, p.Variants[0].Code, &dis)
						t.Errorf("%v\ngot  %x\nwant %x\n%s", err, got, want, dis.String())
					})
				}
			}
		})
	}
}
