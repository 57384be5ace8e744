// SPDX-License-Identifier: MIT

package mirtext_test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mir/validate"
	"jacquard.example/backend/intel/mirtext"
	"jacquard.example/generated/target"
	"jacquard.example/tests/support/variants"
)

// head is the start of a unit that needs only code.
const head = `mir 1 compute "main"
target tgl
simd 16
abi jacquard_cs
after select
workgroup_size 16 1 1
payload 3
`

// regs has a register of each kind.
const regs = `reg v1..v3 bytes=64 lane=4 align=32
reg v4 bytes=4 lane=4 align=4 uniform
reg v5 bytes=32 lane=32 align=32 uniform nospill
reg v6 bytes=32 lane=4 align=32 uniform
`

// end returns the last block, with number b.
func end(b int) string {
	return fmt.Sprintf("b%d:\n  (W) mov(8) v5<1>:ud r0:ud\n  (W) send.ts(8) null:ud v5:ud null:ud desc=0x10 len=1 {EOT,effect}\n", b)
}

// unit returns the text of a unit with some instructions in its first block.
func unit(lines ...string) string {
	s := head + regs + "function \"main\"\nb0:\n"
	for _, l := range lines {
		s += "  " + l + "\n"
	}
	return s + strings.TrimPrefix(end(0), "b0:\n")
}

// TestReadAndWrite checks that everything that the text can express is printed as it was written.
func TestReadAndWrite(t *testing.T) {
	for _, text := range []string{
		unit(),
		unit("mov(16) v1<1>:ud 0x0:ud"),
		unit("(W) mov(1) v4<1>:ud r1+4<0>:ud"),
		unit("(W) mov(1) v4<1>:ud r1+4<0>:ud {scratch_base}"),
		unit("add(16) (eq)f0.0 (sat) v1<1>:f -(abs)v2:f (abs)v3:f"),
		unit("(~f1.0.any2h) add(16) v1<1>:d -v2:d 0xffffffff:d"),
		unit("(f0.0) sel(8|M8) v1+32<1>:f v2+32:f v3+32:f"),
		unit("cmp(16) (lt)f1.0 null:d v1:d 0x7:d", "cmp(8) (lt)f0.1 null:d v1:d 0x7:d"),
		unit("math.inv(16) v1<1>:f v2:f {@1,$3}", "math.iqot(8) v1<1>:d v2:d v3:d {$4}"),
		unit("sync.nop(1) null:ud {$3.dst}", "sync.allwr(1)", "sync.bar(1) null:ud {$15.src}", "mov(16) v1<1>:ud v2:ud {@7,$0.dst}"),
		unit("(W) or(1) a0<1>:ud v4<0>:ud 0x4205e00:ud", "send.dc1(16) v1<1>:ud v2:ud null:ud a0:ud desc=0x5e00 len=2 rlen=2"),
		unit("send.dc1(16) null:ud v1:ud v2:ud desc=0x5e00 exdesc=0x40 len=2 xlen=2 {effect}"),
		unit("msg.untyped_read(16) v1<1>:ud address=v2:ud surface=v4<0>:ud space=buffer comps=1 len=2 rlen=2",
			"msg.atomic(16) null:ud address=v2:ud space=shared op=5 len=2", "(W) msg.scratch_read(8) v5<1>:ud offset=0x20:ud rlen=1"),
		unit("msg.untyped_write(16) null:ud address=v4<0>:ud data=-v1<2>:w surface=0x0:ud space=buffer comps=1 len=2 xlen=2"),
		unit("mul(8) acc0<1>:ud v2:ud v3<2>:uw", "mach(8) v1<1>:ud v2:ud v3:ud {AccWrEn}", "mulh(8) v1<1>:ud v2:ud 0x3:ud", "undef(16) v1<1>:ud"),
		unit("mov(16) v1<1>:ud v2<0;4,1>:ud", "(W) add(8) v6<1>:ud -v6<4;4,0>:ud v6+4<2;2,0>:ud", "mov(16) v1<1>:ud v2<2;4,2>:uw", "mov(16) v1<1>:ud r3<1;8,0>:ud"),
		unit("mad(16) v1<1>.xz:f v2<1>.yyyw:f -(abs)v3<1>.wzyx:f r4:f", "mad(8) v1+32<1>.yw:hf r4:hf r5+16<1>.zzzz:hf r6:hf", "mad(16) (gt)f0.0 null<1>.yzw:f v1:f v2:f v3:f",
			"mad(16) v1<1>.:f v1:f v2:f v3:f", "mad(4) v1<1>.y:f v1<1>.xxyy:f v2:f v3:f"),
		unit("indirect(16) v1<1>:ud r3:ud v2<2>:uw len=4"),
		unit("mov(8) v1<1>:w 0x76543210:v", "mov(8) v1<2>:hf 0x3c00:hf", "mov(8) v1<4>:ub v2<4>:b", "mov(16) acc0<1>:f 0x0:f", "mov(1) f0+2<1>:uw 0xff:uw {effect}"),
		strings.Replace(unit(), "payload 3\n", "payload 5\nshared_bytes 1024\npush_bytes 8\nsizes 2\nbuffers 2\nbarrier yes\nprivate_bytes 12\nspill_bytes 64\nscratch 1024\nspills 2\nfills 3\nregisters 90\n"+
			"binding 0 count=1 set=0 binding=1 ssbo\nbinding 1 count=1 set=2 binding=0 ubo\n", 1),
		strings.Replace(unit(), "payload 3\n", "payload 3\nbuffers 4\nbinding 0 count=1 set=0 binding=0 ssbo access=readonly\nbinding 1 count=2 set=0 binding=1 image shape=2d format=r32ui unformatted\n"+
			"binding 3 count=1 set=0 binding=2 image access=writeonly shape=3d_array format=unknown\n", 1),
		strings.Replace(unit(), "payload 3\n", "payload 3\nbuffers 2\nbinding 0 count=2 set=0 binding=0 ubo\nrange 0 start=0 bytes=64\nrange 1 start=4064 bytes=32\n", 1),
		strings.Replace(unit(), "abi jacquard_cs\n", "abi jacquard_cs version=2 hash=51c4911b0480cab1\n", 1),
		head + regs + "function \"main\"\nb0: // lanes to b1, b5\n  (f0.0) if(16)\n" +
			"b1: // lanes to b2\nb2: // lanes to b3\n  loop(16)\n  mov(16) v1<1>:ud v2:ud\n  (f0.0) break(16)\n" +
			"b3: // lanes to b2, b4\n  (f0.0) while(16)\nb4: // lanes to b6; thread to b5\n  else(16)\nb5: // lanes to b6\n" +
			"b6: // lanes to b7; thread to b8\n  endif(16)\nb7: // lanes to b8; thread to b8\n  halt(16)\nb8:\n  halt_target(16)\n" + strings.TrimPrefix(end(8), "b8:\n"),
	} {
		u, err := mirtext.Parse([]byte(text), nil)
		if err != nil {
			t.Errorf("%v\n%s", err, text)
			continue
		}
		want := text
		if i := strings.Index(text, "loop(16)"); i >= 0 { // comments are regenerated
			want = withoutComments(want)
			if got := withoutComments(string(mirtext.Print(u))); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			continue
		}
		if got := string(mirtext.Print(u)); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

// TestRegions checks that a region with equidistant lanes is printed as a stride, in whatever form it was
// written.
func TestRegions(t *testing.T) {
	for region, want := range map[string]string{
		"<8;8,1>": "v2", "<16;16,1>": "v2", "<4;1,0>": "v2<4>", "<1;1,0>": "v2", "<0;1,0>": "v2<0>", "<4;2,2>": "v2<2>",
		"<1;4,0>": "v2<1;4,0>", "<2;4,1>": "v2<2;4,1>",
	} {
		u, err := mirtext.Parse([]byte(unit("mov(8) v1<2>:uw v2"+region+":uw")), nil)
		if err != nil {
			t.Errorf("%s: %v", region, err)
		} else if got := u.Func.Text(u.Func.Blocks[0].First); got != "mov(8) v1<2>:uw "+want+":uw" {
			t.Errorf("%s is printed as %s", region, got)
		}
	}
}

// TestIdentitySwizzle checks that the identity swizzle and the full mask are parsed but not printed.
func TestIdentitySwizzle(t *testing.T) {
	u, err := mirtext.Parse([]byte(unit("mad(8) v1<1>.xyzw:f v2<1>.xyzw:f v3:f r4:f")), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := u.Func.Text(u.Func.Blocks[0].First), "mad(8) v1<1>:f v2:f v3:f r4:f"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func withoutComments(s string) string {
	var out []string
	for _, l := range strings.Split(s, "\n") {
		l, _, _ = strings.Cut(l, " //")
		out = append(out, l)
	}
	return strings.Join(out, "\n")
}

// bases are instructions that together can have every field.
var bases = []string{
	"mov(8) v1<1>:ud v2:ud", "cmp(8) (lt)f1.0 null:d v1:d v2:d", "(f0.0) sel(8) v1<1>:f v2:f v3:f", "math.inv(8) v1<1>:f v2:f",
	"sync.nop(1) null:ud", "send.dc1(8) v1<1>:ud v2:ud v3:ud desc=0x5e00 len=1 xlen=1 rlen=1", "mad(8) v1<1>:f v2:f v3:f r4:f",
	"add(8) v1<1>:ud v2:ud 0x1:ud", "mov(8) v1<1>:uq 0x123456789abcdef0:uq", "(W) mov(1) f0<1>:ud 0x0:ud", "loop(8)\nb1:\n  (f0.0) while(8)\nb2:",
}

// TestEveryField checks that each field of an instruction, an operand and a register is printed and parsed. A
// new field needs a row.
func TestEveryField(t *testing.T) {
	skip := map[string]bool{
		"Block": true, "Prev": true, "Next": true, // links of the list of instructions
		"Loc":     true,                                                         // source locations are not in the text
		"EOT":     true,                                                         // ends every text
		"Dst.Neg": true, "Dst.Abs": true, "Dst.Rows": true, "Dst.Swizzle": true, // only for sources
		"Src[0].Mask": true, "Src[1].Mask": true, "Src[2].Mask": true, // only for the destination
	}
	read := map[string]bool{}
	parse := func(text string) *mir.Unit {
		u, err := mirtext.Parse([]byte(text), nil)
		if err != nil {
			return nil
		}
		return u
	}
	// each calls fn for every exported field, including elements of arrays and fields of structs.
	var each func(name string, v reflect.Value, fn func(name string, v reflect.Value))
	each = func(name string, v reflect.Value, fn func(string, reflect.Value)) {
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				if f := v.Type().Field(i); f.IsExported() {
					each(strings.TrimPrefix(name+"."+f.Name, "."), v.Field(i), fn)
				}
			}
		case reflect.Array:
			for i := range v.Len() {
				each(fmt.Sprintf("%s[%d]", name, i), v.Index(i), fn)
			}
		default:
			fn(name, v)
		}
	}
	machines := target.Names()
	// vary sets a field to other values until one changes the text and is parsed back.
	vary := func(u *mir.Unit, v reflect.Value) bool {
		was := string(mirtext.Print(u))
		old := reflect.ValueOf(v.Interface())
		for x := range uint64(130) {
			switch v.Kind() {
			case reflect.Bool:
				v.SetBool(x == 1)
			case reflect.String:
				if v.SetString(fmt.Sprint("name", x)); x < uint64(len(machines)) {
					v.SetString(machines[x]) // a unit's target has to exist
				}
			case reflect.Int:
				v.SetInt(int64(x))
			default:
				if v.OverflowUint(x) {
					continue
				}
				v.SetUint(x)
			}
			if v.Interface() == old.Interface() {
				continue
			}
			text := string(mirtext.Print(u))
			if text == was {
				continue
			}
			if again := parse(text); again != nil && string(mirtext.Print(again)) == text {
				v.Set(old)
				return true
			}
		}
		v.Set(old)
		return false
	}
	for _, line := range bases {
		u := parse(unit(line))
		if u == nil {
			t.Fatal(line)
		}
		f := u.Func
		i := f.Blocks[0].First
		try := func(name string, v reflect.Value) {
			if !read[name] {
				read[name] = vary(u, v)
			}
		}
		each("", reflect.ValueOf(f.At(i)).Elem(), func(name string, v reflect.Value) {
			if !skip[name] {
				try("Inst."+name, v)
			}
		})
		each("RegInfo", reflect.ValueOf(f.Reg(6)).Elem(), try)
		if o := f.At(i).Dst; o.File == mir.VReg { // has a definition
			try("RegInfo.Def", reflect.ValueOf(&f.Reg(mir.Reg(o.Num)).Def).Elem())
		}
		each("Unit", reflect.ValueOf(u).Elem(), func(name string, v reflect.Value) {
			if v.Kind() != reflect.Pointer && v.Kind() != reflect.Slice { // bindings: TestReadAndWrite
				try(name, v)
			}
		})
		for name, v := range map[string]any{"Func.Name": &f.Name, "Func.Payload": &f.Payload, "Func.Width": &f.Width} {
			try(name, reflect.ValueOf(v).Elem())
		}
	}
	n := 0
	for name, ok := range read {
		if n++; !ok {
			t.Errorf("%s is not in the text", name)
		}
	}
	if n < 50 {
		t.Errorf("only %d fields", n)
	}
}

// TestErrors checks that each error is reported once, with its position.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "1:1: machine IR starts with the word 'mir', found end of file"},
		{"mir 2 compute \"main\"\n", "1:5: version 2 is unknown; this is version 1"},
		{"mir 1 compute main\n", "1:15: expected the name of the entry point in quotes, found 'main'"},
		{"mir 1 compute \"main\"\nspeed 9\n", "2:1: unknown declaration 'speed'"},
		{unit("mad(8) v1<1>.zx:f v2:f v3:f r4:f"), "14:15: a write mask has some of x, y, z, w in order, not \"zx\""},
		{unit("mad(8) v1<1>:f v2<1>.xyz:f v3:f r4:f"), "14:23: a swizzle has four of x, y, z, w, not \"xyz\""},
		{unit("mad(8) v1<1>.y:f v2:f v3:f 0x1<1>.x:f"), "14:33: expected the end of the line, found '<'"},
		{"mir 1 compute \"main\"\nbinding 0 count=1 set=0 binding=0 image access=readwrite shape=2d format=r8\n", "2:48: access is readonly or writeonly, found 'readwrite'"},
		{"mir 1 compute \"main\"\nworkgroup_size 8 0 1\n", "2:18: a size is 0; the minimum is 1"},
		{"mir 1 compute \"main\"\nsimd 99\n", "2:6: 99 is too large; the maximum is 32"},
		{"mir 1 compute \"main\"\nsimd 16\nsimd 16\n", "3:1: duplicate line simd"},
		{"mir 1 compute \"main\"\nfunction \"main\"\nb0:\n", "1:1: machine IR needs a line target"},
		{"mir 1 compute \"main\"\ntarget tgl\nfunction \"main\"\nb0:\n", "1:1: 0 lanes; 8, 16 and 32 are possible"},
		{"mir 1 compute \"main\"\ntarget foo\nfunction \"main\"\nb0:\n", `2:8: unknown target "foo"`},
		{"mir 1 compute \"main\"\nsimd 16\nscratch 1024\nprivate_bytes 68\nfunction \"main\"\n", "3:9: a thread needs 2048 bytes of scratch space for private memory and spilled registers"},
		{"mir 1 compute \"main\"\nsimd 16\nscratch 1024\nfunction \"main\"\n", "3:9: a thread needs 0 bytes of scratch space for private memory and spilled registers"},
		{"mir 1 compute \"main\"\nabi jacquard_cs version=-1\n", "2:25: expected a number, found '-'"},
		{"mir 1 compute \"main\"\nabi jacquard_cs hash=1 version=1\n", "2:24: expected the end of the line, found 'version'"},
		{head + "reg v2 bytes=4\n", "8:5: registers are declared in order; the next one is v1"},
		{head + "reg v1..v9999999 bytes=4\n", "8:5: v9999999: the number is too large"},
		{head + "reg v1 bytes=4 colour=3\n", "8:16: there is no 'colour'"},
		{head + "reg v1 bytes=4 lane=4 align=3 uniform\nfunction \"main\"\nb0:\n", "1:1: register v1: an alignment of 3 bytes"},
		{head + "reg v1 bytes=64 lane=4 align=32 single\nfunction \"main\"\nb0:\n  mov(16) v1<1>:ud 0x0:ud\n  mov(16) v1<1>:ud 0x1:ud\n",
			"12:3: writes v1, whose single definition is another instruction"},
		{head + "reg v1 bytes=64 lane=4 align=32 single\nfunction \"main\"\nb0:\n  mov(16) r4<1>:ud v1:ud\n", "1:1: register v1: its single definition is missing"},
		{head + "function \"main\"\nb1:\n", "9:1: blocks are numbered in order; the next one is b0"},
		{head + "function \"main\"\n", "9:1: expected a block (b0:), found end of file"},
		{head + "function \"main\"\n  mov(16) v1<1>:ud 0x0:ud\n", "9:3: expected a block (b0:), found 'mov'"},
		{unit("fly(16) v1<1>:ud 0x0:ud"), "14:3: there is no instruction \"fly\""},
		{unit("math.fly(16) v1<1>:f v2:f"), "14:3: math has no function \"fly\""},
		{unit("mov.fly(16) v1<1>:f v2:f"), "14:3: mov has no functions"},
		{unit("mov(16) v1<1>:ud 0x0:zz"), "14:24: there is no type \"zz\""},
		{unit("mov(16) v1<1>:ud 0x100000000:ud"), "14:3: source 0 has more than 32 bits"},
		{unit("mov(16) v1<1>:ud 0x10000000000000000:uq"), "14:20: \"0x10000000000000000\" is not a number of at most 64 bits"},
		{unit("mov(16) v1<1>:ud q7:ud"), "14:20: there is no register \"q7\""},
		{unit("mov(16) v1<1>:ud r128:ud"), "14:20: r128: the number is too large"},
		{unit("mov(16) v1<1:ud v2:ud"), "14:15: expected '>', found ':'"},
		{unit("mov(16) v1<1>:ud v2<3;4,1>:ud"), "14:23: no operand has the region <3;4,1>"},
		{unit("mov(16) v1<1>:ud v2<8;2,3>:ud"), "14:23: no operand has the region <8;2,3>"},
		{unit("mov(16) v1<1>:ud v2<4;1,1>:ud"), "14:23: no operand has the region <4;1,1>"},
		{unit("mov(16) v1<1>:ud v2<0;4,0>:ud"), "14:23: no operand has the region <0;4,0>"},
		{unit("mov(16) v1<1>:ud v2<4;4>:ud"), "14:26: expected ',', found '>'"},
		{unit("mov(16) v1<0;4,1>:ud v2:ud"), "14:3: the destination has rows"},
		{unit("(f0.2) mov(16) v1<1>:ud v2:ud"), "14:4: there is no flag register \"f0.2\""},
		{unit("(f0.0.none) mov(16) v1<1>:ud v2:ud"), "14:4: there is no predicate \"none\""},
		{unit("(f0.0) cmp(16) (lt)f1.0 null:d v1:d v2:d"), "14:22: the predicate uses another flag register"},
		{unit("cmp(16) (zz)f1.0 null:d v1:d v2:d"), "14:12: there is no condition \"zz\" here"},
		{unit("mov(16) v1<1>:ud v2:ud v3:ud"), "14:3: takes 1 sources"},
		{unit("mov(16) v1<1>:ud v2:ud v3:ud v3:ud v3:ud"), "14:38: expected the end of the line, found 'v3'"},
		{unit("mov(16) v1<1>:ud v2:ud speed=3"), "14:26: there is no 'speed'"},
		{unit("mov(16) v1<1>:ud v2:ud {fast}"), "14:27: an instruction has no 'fast'"},
		{unit("mov(16) v1<1>:ud v2:ud {@8}"), "14:28: 8 is too large; the maximum is 7"},
		{unit("mov(16) v1<1>:ud v2:ud {$16.dst}"), "14:28: there is no token \"16.dst\""},
		{unit("mov(16) v1<1>:ud v2:ud {@1,$3.src}"), "14:36: the instruction cannot wait for @1,$3.src; use a sync.nop"},
		{unit("mov(16) v1<1>:ud v2:ud {F@1}"), "14:30: the instruction cannot wait for F@1; use a sync.nop"},
		{unit("mov(16) v1<1>:ud v2:ud {$1}"), "14:29: only sends and math allocate a token; write $1.dst or .src"},
		{unit("msg.untyped_read(16) v1<1>:ud data=v2:ud space=buffer comps=1 len=2 rlen=2"), "14:33: untyped_read takes no data here"},
		{unit("msg.untyped_read(16) v1<1>:ud address=v2:ud space=nowhere comps=1 len=2 rlen=2"), "14:53: space cannot be 'nowhere'"},
		{unit("(W) mov(1) v4<1>:ud r1<0>:ud {scratch_base}", "(W) mov(1) v4<1>:ud r1<0>:ud {scratch_base}"), "15:3: there is a scratch_base already"},
		{unit("mov(16) v9<1>:ud v2:ud"), "14:3: the destination names no register"},
		{unit("mov(16) v1<1>:ud v2:ud §"), "14:26: unexpected character 'Â'"},
		{head + regs + "function \"main\"\nb0:\n  mov(16) v1<1>:ud v2:ud\n", "1:1: the code does not end with the end of the thread"},
	} {
		u, err := mirtext.Parse([]byte(c.text), nil)
		if err == nil || err.Error() != c.want || u != nil {
			t.Errorf("got  %v\nwant %s\n%s", err, c.want, c.text)
		}
	}
}

// FuzzParse checks that the parser never panics, that accepted text prints as text that is accepted again, and
// that the edges can be rebuilt from it.
func FuzzParse(fuzz *testing.F) {
	f := variants.Of(fuzz)
	f.Add([]byte(unit("send.dc1(16) v1<1>:ud v2:ud null:ud a0:ud desc=0x5e00 len=2 rlen=2",
		"(~f1.0.any2h) add(16) v1<1>:d -v2:d 0xffffffff:d")))
	f.Add([]byte(head + regs + "function \"main\"\nb0:\n (f0.0) if(16)\nb1:\n loop(16)\n (f0.0) break(16)\nb2:\n" +
		" (f0.0) while(16)\nb3:\n else(16)\nb4:\nb5:\n endif(16)\n" + end(6)))
	for _, line := range append(bases, "mov(16) v1<1>:ud v2<4;4,0>:ud") {
		f.Add([]byte(unit(line)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		u, err := mirtext.Parse(data, nil)
		if err != nil {
			return
		}
		if err := validate.Func(u.Func); err != nil {
			t.Fatal(err)
		}
		text := mirtext.Print(u)
		again, err := mirtext.Parse(text, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if more := mirtext.Print(again); !bytes.Equal(text, more) {
			t.Fatalf("printed again\n%s\ninstead of\n%s", more, text)
		}
	})
}
