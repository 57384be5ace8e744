// SPDX-License-Identifier: MIT

package isa

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
	"jacquard.example/gen/internal/isa/isatab"
	"jacquard.example/gen/internal/table"
)

// runTables runs the part on the project's tables with extra rows in a second
// folder, like a user's own tables.
func runTables(t *testing.T, extra string) error {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, isatab.Dir), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, isatab.Dir, "x.toml"), []byte(extra), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx := &domain.Context{
		Roots: []table.Root{{Dir: "../../../defs", Name: "defs"}, {Dir: dir, Name: "mine"}},
		Out:   emit.New(),
	}
	return Run(ctx)
}

func TestProjectTables(t *testing.T) {
	if err := runTables(t, ""); err != nil {
		t.Fatal(err)
	}
}

// layoutRows is the beginning of a layout that is like another.
const layoutRows = "[layout.foo]\ndoc = \"x\"\nlike = \"l12\"\n"

// regFileRows is a file of registers.
const regFileRows = "[regfile.foo]\ndoc = \"x\"\nbytes = 32\ncount = 128\nlast_from = 112\npair = 2\nturn_pressure = 64\n" +
	"turn_end = 112\nschedule_pressure = 80\n"

// TestRefused pins the errors of the checks, with file, line and reason.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ name, rows, want string }{
		{"duplicate opcode", "[eu.foo]\ndoc = \"x\"\ncode = { gen12 = 0x61 }\nformat = \"nop\"\n",
			`mine/intel/isa/x.toml:3:8: error: [eu.foo] code 0x61 on tgl is already used by [eu.mov]`},
		{"opcode too large", "[eu.foo]\ndoc = \"x\"\ncode = { gen12 = 128 }\nformat = \"nop\"\n",
			`mine/intel/isa/x.toml:3:8: error: [eu.foo] code 128 of gen12 is not in 0..127`},
		{"unknown format", "[eu.foo]\ndoc = \"x\"\nformat = \"quaternary\"\n",
			`mine/intel/isa/x.toml:3:10: error: [eu.foo] format: unknown word "quaternary"`},
		{"unknown platform", "[eu.foo]\ndoc = \"x\"\nformat = \"nop\"\ncode = { gen99 = 1 }\n",
			`mine/intel/isa/x.toml:4:8: error: [eu.foo] unknown platform or family "gen99"`},
		{"wrong number of sources", "[eu.foo]\ndoc = \"x\"\nformat = \"ternary\"\nsrc = 2\n",
			`mine/intel/isa/x.toml:4:7: error: [eu.foo] 2 sources do not fit format ternary`},
		{"unknown type", "[eu.foo]\ndoc = \"x\"\nformat = \"basic\"\nsrc = 1\ntypes = [\"ud <- u7\"]\n",
			`mine/intel/isa/x.toml:5:9: error: [eu.foo] unknown type or typeset "u7"`},
		{"accumulator", "[eu.foo]\ndoc = \"x\"\nformat = \"basic\"\nsrc = 1\nacc = \"both\"\n",
			`mine/intel/isa/x.toml:5:7: error: [eu.foo] acc: unknown word "both"`},
		{"missing doc", "[eu.foo]\nformat = \"nop\"\n",
			`mine/intel/isa/x.toml:1:1: error: [eu.foo] doc is missing`},
		{"unknown key", "[eu.foo]\ndoc = \"x\"\nformat = \"nop\"\ncolour = 3\n",
			`mine/intel/isa/x.toml:4:1: error: [eu.foo] unknown field "colour"`},
		{"registers too large for masks of bytes", strings.Replace(regFileRows, "bytes = 32", "bytes = 128", 1),
			`mine/intel/isa/x.toml:3:9: error: [regfile.foo] bytes must be 32 or 64, not 128`},
		{"registers of an odd size", strings.Replace(regFileRows, "bytes = 32", "bytes = 33", 1),
			`mine/intel/isa/x.toml:3:9: error: [regfile.foo] bytes must be 32 or 64, not 33`},
		{"too many registers", strings.Replace(regFileRows, "count = 128", "count = 512", 1),
			`mine/intel/isa/x.toml:4:9: error: [regfile.foo] count must be from 1 to 256, not 512`},
		{"last message beyond the registers", strings.Replace(regFileRows, "last_from = 112", "last_from = 128", 1),
			`mine/intel/isa/x.toml:5:13: error: [regfile.foo] last_from 128 is not within 128 registers`},
		{"reserved beyond the registers", regFileRows + "reserved = [[4, 2], [127, 2]]\n",
			`mine/intel/isa/x.toml:10:12: error: [regfile.foo] [127 2] is not a pair of a first register and a count`},
		{"registers without a size", strings.Replace(regFileRows, "bytes = 32\n", "", 1),
			`mine/intel/isa/x.toml:1:1: error: [regfile.foo] bytes is missing`},
		{"unknown registers", "[platform.foo]\ndoc = \"x\"\ngo = \"Foo\"\nfamily = \"gen12\"\niga = \"x\"\nlayout = \"l12\"\nregisters = \"grf1\"\n",
			`mine/intel/isa/x.toml:7:13: error: [platform.foo] unknown register file "grf1"`},
		{"field outside the word", layoutRows + "[layout.foo.bits]\nsat = \"128:120\"\n",
			`mine/intel/isa/x.toml:5:7: error: [layout.foo] sat: "128:120" is outside the word's 128 bits`},
		{"field backwards", layoutRows + "[layout.foo.bits]\nsat = \"3:7\"\n",
			`mine/intel/isa/x.toml:5:7: error: [layout.foo] sat: "3:7" is not a range of bits hi:lo`},
		{"field with a bit twice", layoutRows + "[layout.foo.bits]\nsat = \"7:3,4\"\n",
			`mine/intel/isa/x.toml:5:7: error: [layout.foo] sat: bit 4 occurs twice`},
		{"layout like none", "[layout.foo]\ndoc = \"x\"\nlike = \"l99\"\n",
			`mine/intel/isa/x.toml:3:8: error: [layout.foo] no layout up to here is named "l99"`},
		{"overlap within a form", layoutRows + "[layout.foo.bits]\nacc_wr = \"34\"\n",
			`mine/intel/isa/x.toml:5:10: error: [layout.foo] bit 34 of field acc_wr also belongs to field sat in [form.unary]`},
		{"field that a form needs", layoutRows + "[layout.foo.bits]\nacc_wr = \"\"\n",
			`mine/intel/isa/x.toml:5:10: error: [layout.foo] field acc_wr, which [group.alu] of [form.unary] needs, has no bits`},
		{"field of the wrong width", layoutRows + "[layout.foo.bits]\nflag = \"23\"\n",
			`mine/intel/isa/x.toml:5:8: error: [layout.foo] field flag has 1 bits, not 2`},
		{"field of no form", layoutRows + "[layout.foo.bits]\nthread_ctrl = \"7\"\n",
			`mine/intel/isa/x.toml:5:15: error: [layout.foo] no form of the layout has the field thread_ctrl`},
		{"unknown field of a layout", layoutRows + "[layout.foo.bits]\ncolour = \"7\"\n",
			`mine/intel/isa/x.toml:5:10: error: [layout.foo] unknown field "colour"`},
		{"field that the group does not offer", layoutRows + "[layout.foo.with]\nhead = [\"sat\"]\n",
			`mine/intel/isa/x.toml:5:8: error: [layout.foo] unknown optional field of [group.head] "sat"`},
		{"constant of no field", layoutRows + "[layout.foo.when]\ndst = { colour = 1 }\n",
			`mine/intel/isa/x.toml:5:7: error: [layout.foo] field colour has no bits`},
		{"constant too wide", layoutRows + "[layout.foo.fixed]\ndst = { dst_mode = 2 }\n",
			`mine/intel/isa/x.toml:5:7: error: [layout.foo] 2 does not fit the 1 bits of dst_mode`},
		{"alternatives that nothing tells apart", layoutRows + "[layout.foo.when]\ndst_ind = {}\n",
			`mine/intel/isa/x.toml:5:11: error: [layout.foo] nothing distinguishes [group.dst] from [group.dst_ind] in [form.unary]`},
		{"code twice", layoutRows + "[layout.foo.codes]\nt_dst_hstride = { 1 = 0, 2 = 0 }\n",
			`mine/intel/isa/x.toml:5:17: error: [layout.foo] t_dst_hstride has code 0 for 1 and for 2`},
		{"code without a value", layoutRows + "[layout.foo.codes]\nfile = { arf = 0, grf = 1, mrf = 2 }\n",
			`mine/intel/isa/x.toml:5:8: error: [layout.foo] file has no value "mrf"`},
		{"code too wide", layoutRows + "[layout.foo.codes]\nfile = { arf = 0, grf = 2 }\n",
			`mine/intel/isa/x.toml:5:8: error: [layout.foo] code 2 of grf does not fit the 1 bits of dst_file`},
		{"value without a code", layoutRows + "[layout.foo.codes]\nfile = { arf = 0 }\n",
			`mine/intel/isa/x.toml:5:8: error: [layout.foo] file has no code for grf`},
		{"nothing left of alternatives", "[layout.foo]\ndoc = \"x\"\nlike = \"l12\"\n" +
			"lacks = [\"far_target\", \"dep\", \"dst\", \"dst_ind\", \"dst16\", \"dst_ind16\", \"ternary_src0_scalar\", \"ternary_src1_scalar\", \"ternary_src2_scalar\"]\n",
			`mine/intel/isa/x.toml:4:9: error: [layout.foo] all alternatives of dst|dst_ind|dst16|dst_ind16 of [form.unary] are lacking`},
		{"unknown group", "[form.foo]\ndoc = \"x\"\nformat = \"basic\"\ngroups = [\"head\", \"tail\"]\n",
			`mine/intel/isa/x.toml:4:10: error: [form.foo] unknown group "tail"`},
		{"unknown field in a group", "[group.foo]\ndoc = \"x\"\nneeds = [\"nothing\"]\n",
			`mine/intel/isa/x.toml:3:9: error: [group.foo] unknown field "nothing"`},
		{"opcode without words", "[eu.foo]\ndoc = \"x\"\ncode = { gen12 = 0x7D }\nformat = \"wait\"\n",
			`mine/intel/isa/x.toml:3:8: error: [eu.foo] tgl has the opcode, but [layout.l12] has no words of format wait`},
		{"platform of no family",
			"[platform.xyz]\ngo = \"XYZ\"\niga = \"99\"\nfamily = \"gen99\"\nlayout = \"l12\"\ndoc = \"x\"\nregisters = \"grf128\"\n",
			`mine/intel/isa/x.toml:4:10: error: [platform.xyz] unknown family "gen99"`},
		{"platform of no layout",
			"[platform.xyz]\ngo = \"XYZ\"\niga = \"99\"\nfamily = \"gen12\"\nlayout = \"l99\"\ndoc = \"x\"\nregisters = \"grf128\"\n",
			`mine/intel/isa/x.toml:5:10: error: [platform.xyz] unknown layout "l99"`},
		{"duplicate type code", "[type.x]\nsize = 4\ncode = { gen12 = 2 }\n",
			`mine/intel/isa/x.toml:3:8: error: [type.x] code 0x2 on tgl is already used by [type.ud]`},
		{"bad size", "[type.x]\nsize = 3\n",
			`mine/intel/isa/x.toml:2:8: error: [type.x] size: 3 is not one of 1, 2, 4, 8`},
		{"duplicate function", "[math.x]\ndoc = \"x\"\ncode = { gen12 = 4 }\n",
			`mine/intel/isa/x.toml:3:8: error: [math.x] code 0x4 on tgl is already used by [math.sqrt]`},
		{"compact bits given twice", "[copy.x]\nlayout = \"l12\"\nform = \"basic\"\nfrom = \"3:0\"\nto = \"67:64\"\n",
			`error: [compact.l12_basic_src0] bit 64 of the full word is also set by [copy.x]`},
		{"compact widths differ", "[copy.x]\nlayout = \"l12\"\nform = \"ternary\"\nfrom = \"3:0\"\nto = \"122\"\n",
			`mine/intel/isa/x.toml:1:1: error: [copy.x] 4 bits are copied to 1`},
		{"message like another", "[message.x]\ndoc = \"x\"\nsfid = \"dc1\"\nfixed = { \"18:14\" = 1 }\n",
			`mine/intel/isa/x.toml:4:9: error: [message.x] cannot be distinguished from [message.untyped_read]`},
		{"message for nobody", "[message.x]\ndoc = \"x\"\nsfid = \"dc9\"\n",
			`mine/intel/isa/x.toml:3:8: error: [message.x] unknown shared function "dc9"`},
		{"message field over fixed bits", "[message.x]\ndoc = \"x\"\nsfid = \"vme\"\nfixed = { \"12\" = 1 }\nfields = [\"lanes\"]\n",
			`mine/intel/isa/x.toml:5:10: error: [message.x] field lanes overlaps the fixed bits`},
		{"message field that differs on no platform", "[msgfield.x]\ndoc = \"x\"\nbits = \"3:0\"\non = { gen99 = { bits = \"4:1\" } }\n",
			`mine/intel/isa/x.toml:4:6: error: [msgfield.x] unknown platform or family "gen99"`},
		{"message that differs on no platform", "[message.x]\ndoc = \"x\"\nsfid = \"vme\"\nfixed = { \"12\" = 1 }\non = { gen99 = { sfid = \"dc1\" } }\n",
			`mine/intel/isa/x.toml:5:6: error: [message.x] unknown platform or family "gen99"`},
		{"message like another on a platform", "[message.x]\ndoc = \"x\"\nsfid = \"vme\"\nfixed = { \"18:14\" = 1 }\non = { skl = { sfid = \"dc1\" } }\n",
			`mine/intel/isa/x.toml:4:9: error: [message.x] cannot be distinguished from [message.untyped_read]`},
		{"message that only an unknown platform has", "[message.x]\ndoc = \"x\"\nsfid = \"vme\"\nfixed = { \"12\" = 1 }\nonly = [\"ps5\"]\n",
			`mine/intel/isa/x.toml:5:8: error: [message.x] unknown platform or family "ps5"`},
		{"message that an unknown platform lacks", "[message.x]\ndoc = \"x\"\nsfid = \"vme\"\nfixed = { \"12\" = 1 }\nnot = [\"ps5\"]\n",
			`mine/intel/isa/x.toml:5:7: error: [message.x] unknown platform or family "ps5"`},
		{"message like another where both exist", "[message.x]\ndoc = \"x\"\nsfid = \"dc1\"\nonly = [\"skl\"]\nfixed = { \"18:14\" = 1 }\n",
			`mine/intel/isa/x.toml:5:9: error: [message.x] cannot be distinguished from [message.untyped_read]`},
		{"one target of one", "[eu.foo]\ndoc = \"x\"\nformat = \"branch\"\ntargets = 1\njip_on = [\"icl\"]\n",
			`mine/intel/isa/x.toml:5:10: error: [eu.foo] an opcode of 1 targets cannot have only the first of two`},
		{"another code in Align16", "[pred.q]\ndoc = \"x\"\nalign16 = { skl = 2 }\n",
			`mine/intel/isa/x.toml:3:11: error: [pred.q] code 2 of skl in Align16 is not its code in Align1, which words of [layout.l9] need`},
		{"code in Align16 twice", "[pred.q]\ndoc = \"x\"\nalign16 = { hsw = 2 }\n",
			`mine/intel/isa/x.toml:3:11: error: [pred.q] code of Align16 0x2 on hsw is already used by [pred.x]`},
		{"code too wide for its field", "[type.x]\nsize = 4\ncode = { hsw = 9 }\n",
			`mine/intel/isa/x.toml:3:8: error: [type.x] code 9 of hsw does not fit the 3 bits of dst_type in [layout.l75]`},
		{"far branches without words for them", layoutRows + "far = [\"jmpi\"]\n",
			`mine/intel/isa/x.toml:4:7: error: [layout.foo] [group.far_target] is for the branches in far, and must be lacking without any`},
		{"message field over fixed bits on a family", "[msgfield.x]\ndoc = \"x\"\nbits = \"3:0\"\non = { gen7 = { bits = \"15:12\" } }\n[message.x]\ndoc = \"x\"\nsfid = \"vme\"\nfixed = { \"14\" = 1 }\nfields = [\"x\"]\n",
			`mine/intel/isa/x.toml:9:10: error: [message.x] field x overlaps the fixed bits`},
		{"length without a meaning", "[message.x]\ndoc = \"x\"\nsfid = \"vme\"\nfields = [\"bti\"]\nmlen = \"2*C\"\n",
			`mine/intel/isa/x.toml:5:8: error: [message.x] "C" is not allowed in a length of this message`},
		{"message field over a length", "[msgfield.x]\nbits = \"20:18\"\n",
			`mine/intel/isa/x.toml:2:8: error: [msgfield.x] bit 20 of a descriptor is not available to messages`},
		{"restriction without a reference", "[restrict.x]\ndoc = \"x\"\ncheck = \"f\"\n",
			`mine/intel/isa/x.toml:1:1: error: [restrict.x] ref is missing: `},
		{"restriction of nothing", "[restrict.x]\ndoc = \"x\"\nref = \"y\"\nops = [\"mul\"]\n",
			`mine/intel/isa/x.toml:1:1: error: [restrict.x] a restriction has either check, or need or forbid`},
		{"restriction of an unknown opcode", "[restrict.x]\ndoc = \"x\"\nref = \"y\"\nops = [\"mull\"]\nneed = [\"sat\"]\n",
			`mine/intel/isa/x.toml:4:7: error: [restrict.x] unknown opcode or format "mull"; known are mul, `},
		{"restriction of an unknown property", "[restrict.x]\ndoc = \"x\"\nref = \"y\"\nneed = [\"colour\"]\n",
			`mine/intel/isa/x.toml:4:8: error: [restrict.x] unknown property "colour"`},
		{"operation lacking on an unknown platform", "[msgenum.x]\ndoc = \"x\"\nvalues = { a = 1 }\nlacks = { ps5 = [\"a\"] }\n",
			`mine/intel/isa/x.toml:4:9: error: [msgenum.x] unknown platform or family "ps5"`},
		{"unknown operation lacking", "[msgenum.x]\ndoc = \"x\"\nvalues = { a = 1 }\nlacks = { gen12 = [\"b\"] }\n",
			`mine/intel/isa/x.toml:4:9: error: [msgenum.x] unknown value "b"; known is a`},
		{"platform without a device",
			"[platform.x]\ndoc = \"x\"\ngo = \"X\"\nfamily = \"gen12\"\niga = \"12p1\"\nlayout = \"l12\"\nregisters = \"grf128\"\n",
			`[platform.x] the platform has no device, so its limits are unknown`},
		{"too many threads of a workgroup",
			"[device.x]\nplatform = \"tgl\"\neus = 8\nsubslices = 1\nthreads_per_eu = 7\ngroup_threads = 64\nscratch_bytes = 1024\n" +
				"doc = \"x\"\n",
			`mine/intel/isa/x.toml:6:17: error: [device.x] 64 threads of a workgroup, which must fit on one subslice`},
		{"scratch space of a thread",
			"[device.x]\nplatform = \"tgl\"\neus = 8\nsubslices = 1\nthreads_per_eu = 7\ngroup_threads = 56\nscratch_bytes = 3000\n" +
				"doc = \"x\"\n",
			`mine/intel/isa/x.toml:7:17: error: [device.x] scratch_bytes must be a power of two and at least 1024, not 3000`},
		{"restriction on an unknown platform", "[restrict.x]\ndoc = \"x\"\nref = \"y\"\non = [\"ps5\"]\nneed = [\"sat\"]\n",
			`mine/intel/isa/x.toml:4:6: error: [restrict.x] unknown platform or family "ps5"`},
		{"device of no platform", "[device.x]\nplatform = \"zzz\"\neus = 8\nsubslices = 1\nthreads_per_eu = 7\ndoc = \"x\"\n",
			`mine/intel/isa/x.toml:2:12: error: [device.x] unknown platform "zzz"`},
		{"unknown kind of row", "[eux.mov]\ndoc = \"x\"\n", `unknown kind of row "eux"`},
		{"duplicate row", "[eu.mov]\ndoc = \"x\"\n", `duplicate name`},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := runTables(t, c.rows)
			if err == nil {
				t.Fatal("accepted")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got:\n%v\nwant: %s", err, c.want)
			}
		})
	}
}

// TestMessageOfOnePlatform: a message may have the bits of one that its platform lacks.
func TestMessageOfOnePlatform(t *testing.T) {
	if err := runTables(t, "[message.x]\ndoc = \"x\"\nsfid = \"urb\"\nonly = [\"hsw\"]\nfixed = { \"3:0\" = 7 }\n"); err != nil {
		t.Error(err)
	}
}

// TestSecondPlatform adds a machine: one row, one for a device, and a row where its
// own column overrides its family's.
func TestSecondPlatform(t *testing.T) {
	err := runTables(t, `
[platform.nova]
doc    = "a second machine"
go     = "Nova"
family = "gen12"
iga    = "12p71"
layout = "l12"
registers = "grf128"

[device.nova_128]
doc            = "x"
platform       = "nova"
subslices      = 8
eus            = 128
threads_per_eu = 8
group_threads  = 128
slm_bytes      = 65536
barriers       = 16
scratch_bytes  = 2097152

[eu.add4]
doc    = "dst = src0 + src1 + src2 + 1"
code   = { nova = 0x52 }
format = "ternary"
src    = 3
dst    = true
types  = ["wd <- wd wd wd"]

[math.other]
doc  = "what the second machine lacks"
src  = 2
code = { gen12 = 8, nova = -1 }
`)
	if err != nil {
		t.Fatal(err)
	}
}

// otherMachine is a second machine of Gen12.
const otherMachine = `[platform.nova]
doc       = "x"
go        = "Nova"
family    = "gen12"
iga       = "12p71"
layout    = "l12"
registers = "grf128"

[device.nova_128]
doc            = "x"
platform       = "nova"
subslices      = 8
eus            = 128
threads_per_eu = 8
group_threads  = 128
slm_bytes      = 65536
barriers       = 16
scratch_bytes  = 2097152
`

// TestEnumerationDiffers: platforms may have different codes for the values of an enumeration, except for constants and
// registers.
func TestEnumerationDiffers(t *testing.T) {
	for _, c := range []struct{ rows, want string }{
		{"[sync.other]\ndoc = \"x\"\ncode = { gen12 = 5, nova = 6 }\n", ""},
		{"[sync.other]\ndoc = \"x\"\ncode = { nova = 0 }\n",
			"x.toml:21:8: error: [sync.other] code 0x0 on nova is already used by [sync.nop]"},
		{"[cmod.other]\ndoc = \"x\"\ncode = { nova = 0 }\n", "x.toml:21:8: error: [cmod.other] code 0 of nova means no condition modifier"},
		{"[arf.other]\ndoc = \"x\"\ncode = { tgl = 0xE0, nova = 0xF0 }\n",
			"x.toml:21:8: error: [arf.other] code 240 of nova differs from 224 of an earlier platform"},
		{"[math.other]\ndoc = \"x\"\ncode = { nova = 8 }\n[math.ninth]\ndoc = \"x\"\ncode = { nova = 9 }\n[math.tenth]\n" +
			"doc = \"x\"\ncode = { nova = 10 }\n", "x.toml:25:1: error: [math.tenth] an enumeration has at most 16 values"},
	} {
		err := runTables(t, otherMachine+c.rows)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", c.rows, err, c.want)
		}
	}
}
