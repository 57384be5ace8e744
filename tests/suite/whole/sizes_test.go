// SPDX-License-Identifier: MIT

package whole

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/eu"
	"jacquard.example/core/interp"
	"jacquard.example/core/text"
	"jacquard.example/generated/target"
)

// sizeCases are operations on integers of N bits: the lines of a shader in text form in which %x
// and %y are two values of N bits, %i the invocation's number, %lane its lane, %odd a condition
// that differs between lanes, and %r is the result, of N bits. memory is a deref of N bits of
// workgroup memory, which no other invocation accesses, and out of a storage buffer.
var sizeCases = func() []struct{ name, body string } {
	type c = struct{ name, body string }
	var out []c
	for _, op := range strings.Fields("iadd imul imin umin imax umax iand ior ixor") {
		for _, id := range []string{"reduce", "inclusive_scan", "exclusive_scan"} {
			out = append(out, c{id + " " + op, "%r = " + id + ".N %x reduction_op=" + op})
		}
		out = append(out, c{"cluster " + op, "%r = reduce.N %x reduction_op=" + op + " cluster_size=4"})
	}
	for _, op := range strings.Fields("iadd isub imul imul_high umul_high iand ior ixor imin umin imax umax uadd_sat iadd_sat " +
		"usub_sat isub_sat") {
		out = append(out, c{op, "%r = " + op + ".N %x, %y"})
	}
	for _, op := range strings.Fields("udiv idiv umod irem imod") { // by a value other than 0
		out = append(out, c{op, "%one = u2uN.N %m\n%d = ior.N %y, %one\n%r = " + op + ".N %x, %d"})
	}
	for _, op := range strings.Fields("ishl ishr ushr") {
		out = append(out, c{op, "%r = " + op + ".N %x, %i"})
	}
	for _, op := range strings.Fields("ineg inot iabs bitfield_reverse isign") {
		out = append(out, c{op, "%r = " + op + ".N %x"})
	}
	for _, op := range strings.Fields("ieq ine ilt ige ult uge") {
		out = append(out, c{op, "%c = " + op + ".1 %x, %y\n%r = bcsel.N %c, %x, %y"})
	}
	for _, op := range strings.Fields("bit_count find_lsb ufind_msb ifind_msb") {
		out = append(out, c{op, "%c = " + op + ".32 %x\n%r = u2uN.N %c"})
	}
	for _, n := range []string{"8", "16", "32", "64"} {
		for _, s := range []string{"i", "u"} {
			out = append(out, c{s + "2" + s + n, "%c = " + s + "2" + s + n + "." + n + " %x\n%r = " + s + "2" + s + "N.N %c"})
		}
	}
	return append(out,
		c{"shuffle", "%k = load_const.32 value=(0x5)\n%j = ixor.32 %lane, %k\n%r = shuffle.N %x, %j"},
		c{"shuffle_xor", "%k = load_const.32 value=(0x3)\n%r = shuffle_xor.N %x, %k"},
		c{"shuffle_up", "%k = load_const.32 value=(0x1)\n%v = shuffle_up.N %x, %k\n%c = uge.1 %lane, %k\n%r = bcsel.N %c, %v, %y"},
		c{"shuffle_down", "%k = load_const.32 value=(0x2)\n%v = shuffle_down.N %x, %k\n%j = iadd.32 %lane, %k\n" +
			"%four = load_const.32 value=(0x4)\n%h = load_const.32 value=(0x7)\n%l = iand.32 %lane, %h\n%c = ult.1 %l, %four\n" +
			"%r = bcsel.N %c, %v, %y"},
		c{"rotate", "%k = load_const.32 value=(0x3)\n%r = rotate.N %x, %k cluster_size=8"},
		c{"read_invocation", "%k = load_const.32 value=(0x4)\n%r = read_invocation.N %x, %k"},
		c{"read_first_invocation", "%r = read_first_invocation.N %x"},
		c{"quad_broadcast", "%k = load_const.32 value=(0x2)\n%r = quad_broadcast.N %x, %k"},
		c{"quad_swap", "%r = quad_swap.N %x swap_dir=2"},
		c{"quad_vote_any", "%c = quad_vote_any.1 %odd\n%r = bcsel.N %c, %x, %y"},
		c{"quad_vote_all", "%c = quad_vote_all.1 %odd\n%r = bcsel.N %c, %x, %y"},
		c{"vote_ieq", "%c = vote_ieq.1 %x\n%r = bcsel.N %c, %x, %y"},
		c{"select", "%r = bcsel.N %odd, %x, %y"},
		c{"vectors", "%v = vec2.Nx2 %x, %y\n%w = iadd.Nx2 %v, %v.yx\n%r = imul.N %w.x, %w.y"},
		c{"phi", "if %odd {\n  b10:\n%p = iadd.N %x, %y\n} else {\n  b11:\n%q = ixor.N %x, %y\n}\n  b12:\n%r = phi.N b10: %p, b11: %q"},
		c{"uniform", "%k = load_const.32 value=(0x7)\n%d = deref_array.32 %in, %k modes=ssbo type=uN\n%u = load_deref.N %d\n" +
			"%v = imul.N %u, %u\n%r = iadd.N %v, %x"},
		c{"workgroup memory", "store_deref.x1 %shared, %x write_mask=1\n%v = load_deref.N %shared\n%r = iadd.N %v, %y"},
		c{"vector in memory", "%two = load_const.32 value=(0x2)\n%k = imul.32 %i, %two\n" +
			"%d = deref_array.32 %in, %k modes=ssbo type=uN\n%e = deref_cast.32 %d modes=ssbo type=uNx2\n" +
			"%v = load_deref.Nx2 %e\n%r = isub.N %v.x, %v.y"},
		c{"uniform buffer", "%d = deref_array.32 %ubo, %i modes=ubo type=uN\n%v = load_deref.N %d\n%r = ixor.N %v, %y"},
		c{"private memory", "%three = load_const.32 value=(0x3)\n%k = iand.32 %i, %three\n" +
			"%d = deref_array.32 %priv, %k modes=function_temp type=uN\n%e = deref_array.32 %priv, %three modes=function_temp " +
			"type=uN\nstore_deref.x1 %e, %y write_mask=1\nstore_deref.x1 %d, %x write_mask=1\n%v = load_deref.N %e\n" +
			"%w = load_deref.N %d\n%r = iadd.N %v, %w"},
	)
}()

// readsLane reports whether a case reads another lane, which is undefined if that lane is inactive.
func readsLane(name string) bool {
	return strings.HasPrefix(name, "shuffle") || name == "rotate" || name == "read_invocation" || strings.HasPrefix(name, "quad")
}

// atomicCases are the atomics of 32 and 64 bits.
var atomicCases = func() (out []struct{ name, body string }) {
	for _, op := range strings.Fields("iadd imin umin imax umax iand ior ixor xchg") {
		out = append(out, struct{ name, body string }{"atomic " + op, "%r = deref_atomic.N %at, %y atomic_op=" + op})
	}
	return append(out, struct{ name, body string }{"atomic cmpxchg", "%r = deref_atomic_swap.N %at, %x, %y atomic_op=cmpxchg"})
}()

// sizeShader returns the shader of a case; some: only for lanes with a condition.
func sizeShader(body string, bits int, some bool) string {
	names := map[string]int{}
	number := func(text string) string {
		var b strings.Builder
		for {
			i := strings.IndexByte(text, '%')
			if i < 0 {
				return b.String() + text
			}
			j := i + 1
			for j < len(text) && (text[j] >= 'a' && text[j] <= 'z' || text[j] >= '0' && text[j] <= '9') {
				j++
			}
			name := text[i+1 : j]
			if _, ok := names[name]; !ok {
				names[name] = len(names)
			}
			fmt.Fprintf(&b, "%s%%%d", text[:i], names[name])
			text = text[j:]
		}
	}
	if some {
		body = "if %some {\n  b20:\n" + body +
			"\n%st = iadd.N %r, %y\nstore_deref.x1 %dout, %st write_mask=1\n} else {\n  b21:\n}\n  b22:\n"
	} else {
		body += "\nstore_deref.x1 %dout, %r write_mask=1\n"
	}
	src := `shader compute "main"
workgroup_size 40 1 1
struct S1 "B" block {
  [0 x uN, K] "v" offset=0
}
struct S2 "U" block {
  [64 x uN, K] "v" offset=0
}
var @1 "in" ssbo S1
var @2 "out" ssbo S1 binding=1
var @3 "u" ubo S2 binding=2
var @4 "s" shared [40 x uN, 0]
var @5 "p" function_temp [4 x uN, 0] fn=1
fn 1 "main"() entry {
  b0:
%i = load_local_invocation_index.32
%lane = load_subgroup_invocation.32
%m = load_const.32 value=(0x1)
%n = load_const.32 value=(0x30)
%z = load_const.32 value=(0x0)
%a = iand.32 %i, %m
%odd = ine.1 %a, %z
%five = load_const.32 value=(0x5)
%rest = umod.32 %i, %five
%some = ine.1 %rest, %m
%vin = deref_var.32 modes=ssbo type=S1 var=@1
%in = deref_struct.32 %vin modes=ssbo type=[0 x uN, K]
%dx = deref_array.32 %in, %i modes=ssbo type=uN
%x = load_deref.N %dx
%iy = iadd.32 %i, %n
%dy = deref_array.32 %in, %iy modes=ssbo type=uN
%y = load_deref.N %dy
%vu = deref_var.32 modes=ubo type=S2 var=@3
%ubo = deref_struct.32 %vu modes=ubo type=[64 x uN, K]
%vs = deref_var.32 modes=shared type=[40 x uN, 0] var=@4
%shared = deref_array.32 %vs, %i modes=shared type=uN
%priv = deref_var.32 modes=function_temp type=[4 x uN, 0] var=@5
%vout = deref_var.32 modes=ssbo type=S1 var=@2
%out = deref_struct.32 %vout modes=ssbo type=[0 x uN, K]
%dout = deref_array.32 %out, %i modes=ssbo type=uN
%at = deref_array.32 %out, %iy modes=ssbo type=uN
` + body + "}\n"
	n := fmt.Sprint(bits)
	src = strings.NewReplacer(".N", "."+n, "uN", "u"+n, "2iN", "2i"+n, ", K]", fmt.Sprintf(", %d]", bits/8)).Replace(src)
	return number(src)
}

// TestIntegerSizes: every operation on integers of 8, 16, 32 and 64 bits has the same result on
// the model of every machine, at every width, as on the interpreter; for all lanes of a subgroup
// and for some.
func TestIntegerSizes(t *testing.T) {
	data := make([]byte, 8*128)
	for i := range data {
		data[i] = byte(i*i*31 + i*7 + i/16*13)
	}
	copy(data[16:], make([]byte, 16)) // some zeros, among them divisors and equal values
	for _, bits := range []int{8, 16, 32, 64} {
		cases := sizeCases
		if bits >= 32 {
			cases = append(cases[:len(cases):len(cases)], atomicCases...)
		}
		for _, c := range cases {
			for _, some := range []bool{false, true} {
				if some && readsLane(c.name) {
					continue // it reads an undefined value from an inactive lane
				}
				t.Run(fmt.Sprintf("%d/%s/%v", bits, c.name, some), func(t *testing.T) {
					src := sizeShader(c.body, bits, some)
					s, err := text.Parse([]byte(src))
					if err != nil {
						t.Fatalf("%v\n%s", err, src)
					}
					first := make([]byte, len(data))
					for i := range first {
						first[i] = byte(i * 5)
					}
					want := map[int][]byte{}
					for _, simd := range widths {
						want[simd] = bytes.Clone(first)
						if _, err := interp.Run(t.Context(), s, &interp.Call{Groups: [3]uint32{1, 1, 1}, Width: simd,
							Buffers: []interp.Buffer{{Data: bytes.Clone(data)}, {Binding: 1, Data: want[simd]}, {Binding: 2, Data: bytes.Clone(data)}}}); err != nil {
							t.Fatalf("%v\n%s", err, src)
						}
					}
					for _, m := range target.All {
						for _, simd := range m.Widths {
							p, err := jacquard.Compile(t.Context(), []byte(src),
								jacquard.Options{Target: jacquard.Target(m.Name), SIMD: simd})
							if err != nil {
								t.Fatalf("%s%d: %v\n%s", m, simd, err, src)
							}
							got := bytes.Clone(first)
							surfaces := []*eu.Surface{{Data: bytes.Clone(data)}, {Data: got}, {Data: bytes.Clone(data)}}[:len(p.ABI.Bindings)]
							sizes := make([]byte, 0, 16)
							mapped := []eu.Mapping(nil)
							if p.ABI.AddressesCount > 0 {
								sizes, mapped = tablesOf(&p.ABI, surfaces)
							}
							_, err = eu.Run(t.Context(), &eu.Dispatch{
								Program: eu.Load(m, p.Variants[0].Code), SIMD: simd, Groups: [3]uint32{1, 1, 1}, LocalSize: p.ABI.LocalSize,
								Surfaces: surfaces, Mappings: mapped, SLMSize: p.ABI.SharedBytes, ScratchPerThread: p.Variants[0].Scratch,
								Payload: eu.ComputePayload(m.ABI, sizes), Options: eu.Options{Poison: true, Undefined: true,
									Addresses: true},
							})
							if err != nil {
								t.Errorf("%s%d: %v", m, simd, err)
							} else if !bytes.Equal(got, want[simd]) {
								t.Errorf("%s%d: got %x\nwant %x", m, simd, got[:40*bits/8], want[simd][:40*bits/8])
							}
						}
					}
				})
			}
		}
	}
}

// tablesOf returns the tables after the push constants, of which there are none, and the mappings of the buffers.
func tablesOf(a *jacquard.ABI, surfaces []*eu.Surface) ([]byte, []eu.Mapping) {
	out := make([]byte, a.AddressesOffset+8*a.AddressesCount)
	var mapped []eu.Mapping
	for i, s := range surfaces[:a.AddressesCount] {
		m := eu.Mapping{Addr: areaB + uint64(i)<<32, Data: s.Data}
		mapped = append(mapped, m)
		binary.LittleEndian.PutUint32(out[a.SizesOffset+4*i:], uint32(len(s.Data)))
		binary.LittleEndian.PutUint64(out[a.AddressesOffset+8*i:], m.Addr)
	}
	return out, mapped
}
