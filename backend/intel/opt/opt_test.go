// SPDX-License-Identifier: MIT

package opt_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/mir/validate"
	"jacquard.example/backend/intel/opt"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/message"
)

const (
	ud = isa.TypeUD
	d  = isa.TypeD
	f  = isa.TypeF
)

// fn builds a function of 16 lanes.
type fn struct {
	*mir.Func
	b mir.Builder
}

func newFn() *fn {
	x := &fn{Func: mir.New(16, isa.TGL.Registers())}
	x.b = mir.Builder{F: x.Func}
	x.b.Vector()
	return x
}

func (x *fn) vec(t isa.Type) mir.Operand { return mir.V(x.NewReg(1, 4), t) }

func (x *fn) store(addr, data mir.Operand, n int) {
	x.b.Message(mir.Message{
		Msg:     mir.Msg{Name: message.UntypedWrite, Space: message.Buffer, Comps: uint8(n)},
		Address: addr, AddressLen: 2, Surface: mir.UD(3), Data: data, DataLen: 2 * n,
	})
}

// want compares the code with lines of text.
func (x *fn) want(t *testing.T, lines ...string) {
	t.Helper()
	x.BuildCFG()
	if err := validate.Func(x.Func); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range strings.Split(strings.TrimSpace(x.String()), "\n") {
		if l = strings.TrimSpace(l); !strings.HasSuffix(l, ":") {
			got = append(got, l)
		}
	}
	if strings.Join(got, "\n") != strings.Join(lines, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(lines, "\n"))
	}
}

func TestCoalescePayload(t *testing.T) {
	x := newFn()
	addr, a, c := x.vec(ud), x.vec(f), x.vec(f)
	pair := mir.V(x.NewReg(2, 4), ud)
	x.b.Emit(isa.OpAdd, a, mir.Fixed(4, f), mir.Fixed(6, f))
	x.b.Emit(isa.OpMul, c, a, mir.Fixed(6, f))
	x.b.Emit(isa.OpShl, addr, mir.Fixed(2, ud), mir.UD(2))
	x.b.Mov(pair, a.As(ud))
	x.b.Mov(pair.At(64), c.As(ud))
	x.store(addr, pair, 2)
	x.BuildCFG()
	new(opt.Workspace).Coalesce(x.Func)
	x.want(t,
		"add(16) v4<1>:f r4:f r6:f",
		"mul(16) v4+64<1>:f v4:f r6:f",
		"shl(16) v1<1>:ud r2:ud 0x2:ud",
		"msg.untyped_write(16) null:ud address=v1:ud data=v4:ud surface=0x3:ud space=buffer comps=2 len=2 xlen=4")
}

// TestCoalesceKeepsPayloadsApart checks that the two payloads of a message do not overlap.
func TestCoalesceKeepsPayloadsApart(t *testing.T) {
	x := newFn()
	addr := x.vec(ud)
	pair := mir.V(x.NewReg(2, 4), ud)
	x.b.Emit(isa.OpShl, addr, mir.Fixed(2, ud), mir.UD(2))
	x.b.Mov(pair, addr)
	x.b.Mov(pair.At(64), mir.UD(0))
	x.store(addr, pair, 2)
	x.BuildCFG()
	new(opt.Workspace).Coalesce(x.Func)
	x.want(t,
		"shl(16) v1<1>:ud r2:ud 0x2:ud",
		"mov(16) v2<1>:ud v1:ud",
		"mov(16) v2+64<1>:ud 0x0:ud",
		"msg.untyped_write(16) null:ud address=v1:ud data=v2:ud surface=0x3:ud space=buffer comps=2 len=2 xlen=4")
}

// TestBroadcast checks that a value computed in one lane and only copied to all lanes is computed in all lanes,
// unless it has other uses, the instruction sets a flag, or its sources may change.
func TestBroadcast(t *testing.T) {
	for _, c := range []struct {
		name  string
		build func(x *fn, s, out mir.Operand)
		want  []string
	}{
		{"a sum of parameters", func(x *fn, s, out mir.Operand) {
			x.b.Emit(isa.OpAdd, s, mir.Fixed(4, f).WithStride(0), mir.Fixed(5, f).WithStride(0))
			x.b.Vector()
			x.b.Mov(out.As(ud), s.As(ud).WithStride(0))
		}, []string{"add(16) v2<1>:f r4<0>:f r5<0>:f"}},
		{"two copies", func(x *fn, s, out mir.Operand) {
			x.b.Emit(isa.OpAdd, s, mir.Fixed(4, f).WithStride(0), mir.Fixed(5, f).WithStride(0))
			x.b.Vector()
			x.b.Mov(out.As(ud), s.As(ud).WithStride(0))
			x.b.Mov(mir.Fixed(9, ud), mir.UD(0))
			x.b.Mov(x.vec(ud), s.As(ud).WithStride(0))
		}, []string{"add(16) v2<1>:f r4<0>:f r5<0>:f", "mov(16) r9<1>:ud 0x0:ud", "add(16) v3<1>:f r4<0>:f r5<0>:f"}},
		{"another reader", func(x *fn, s, out mir.Operand) {
			x.b.Emit(isa.OpAdd, s, mir.Fixed(4, f).WithStride(0), mir.Fixed(5, f).WithStride(0))
			x.b.Vector()
			x.b.Mov(out.As(ud), s.As(ud).WithStride(0))
			x.b.Emit(isa.OpMul, x.vec(f), s.WithStride(0), mir.Fixed(4, f))
		}, []string{"(W) add(1) v1<1>:f r4<0>:f r5<0>:f", "mov(16) v2<1>:ud v1<0>:ud", "mul(16) v3<1>:f v1<0>:f r4:f"}},
		{"a flag", func(x *fn, s, out mir.Operand) {
			x.b.Emit(isa.OpAdd, s, mir.Fixed(4, f).WithStride(0), mir.Fixed(5, f).WithStride(0)).CMod = isa.CModEQ
			x.b.Vector()
			x.b.Mov(out.As(ud), s.As(ud).WithStride(0))
		}, []string{"(W) add(1) (eq)f0.0 v1<1>:f r4<0>:f r5<0>:f", "mov(16) v2<1>:ud v1<0>:ud"}},
		{"a source that is written twice", func(x *fn, s, out mir.Operand) {
			u := mir.V(x.NewScalar(4), f)
			x.b.Mov(u, mir.Fixed(4, f).WithStride(0))
			x.b.Emit(isa.OpAdd, s, u.WithStride(0), mir.Fixed(5, f).WithStride(0))
			x.b.Mov(u, mir.Fixed(6, f).WithStride(0))
			x.b.Vector()
			x.b.Mov(out.As(ud), s.As(ud).WithStride(0))
		}, []string{"(W) mov(1) v3<1>:f r4<0>:f", "(W) add(1) v1<1>:f v3<0>:f r5<0>:f", "(W) mov(1) v3<1>:f r6<0>:f", "mov(16) v2<1>:ud v1<0>:ud"}},
		{"lanes of a vector", func(x *fn, s, out mir.Operand) {
			v := x.vec(f)
			x.b.Vector()
			x.b.Mov(v, mir.Fixed(4, f))
			x.b.ScalarMode()
			x.b.Emit(isa.OpAdd, s, v.WithStride(0), mir.Fixed(5, f).WithStride(0))
			x.b.Vector()
			x.b.Mov(out.As(ud), s.As(ud).WithStride(0))
		}, []string{"mov(16) v3<1>:f r4:f", "(W) add(1) v1<1>:f v3<0>:f r5<0>:f", "mov(16) v2<1>:ud v1<0>:ud"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := newFn()
			s, out := mir.V(x.NewScalar(4), f), x.vec(f)
			x.b.ScalarMode()
			c.build(x, s, out)
			x.BuildCFG()
			x.MarkSingle()
			new(opt.Workspace).Broadcast(x.Func)
			x.want(t, c.want...)
		})
	}
}

// TestCoalesceInterference checks that a copy is kept if its source is modified while the copy is live.
func TestCoalesceInterference(t *testing.T) {
	x := newFn()
	a, old := x.vec(ud), x.vec(ud)
	x.b.Mov(a, mir.Fixed(2, ud))
	x.b.Mov(old, a)
	x.b.Emit(isa.OpAdd, a, a, mir.UD(1))
	x.store(a, old, 1)
	x.BuildCFG()
	new(opt.Workspace).Coalesce(x.Func)
	x.want(t,
		"mov(16) v1<1>:ud r2:ud",
		"mov(16) v2<1>:ud v1:ud",
		"add(16) v1<1>:ud v1:ud 0x1:ud",
		"msg.untyped_write(16) null:ud address=v1:ud data=v2:ud surface=0x3:ud space=buffer comps=1 len=2 xlen=2")
}

func TestCompareZero(t *testing.T) {
	x := newFn()
	a, r := x.vec(ud), x.vec(ud)
	x.b.Emit(isa.OpAnd, a, mir.Fixed(2, ud), mir.UD(4))
	x.b.Cmp(isa.CModEQ, 0, mir.Null(d), a.As(d), mir.D(0))
	x.b.Sel(0, false, r, mir.Fixed(2, ud), mir.Fixed(4, ud))
	x.store(r, r, 1)
	opt.CompareZero(x.Func)
	new(opt.Workspace).DeadCode(x.Func)
	x.want(t,
		"and(16) (eq)f0.0 null:ud r2:ud 0x4:ud",
		"(f0.0) sel(16) v2<1>:ud r2:ud r4:ud",
		"msg.untyped_write(16) null:ud address=v2:ud data=v2:ud surface=0x3:ud space=buffer comps=1 len=2 xlen=2")
}

// TestCompareZeroFlagInUse checks that a comparison does not move across an instruction that uses the flag.
func TestCompareZeroFlagInUse(t *testing.T) {
	x := newFn()
	a, r := x.vec(ud), x.vec(ud)
	x.b.Cmp(isa.CModLT, 0, mir.Null(d), mir.Fixed(2, d), mir.D(7))
	x.b.Emit(isa.OpAnd, a, mir.Fixed(2, ud), mir.UD(4))
	x.b.Sel(0, false, r, mir.Fixed(2, ud), mir.Fixed(4, ud))
	x.b.Cmp(isa.CModEQ, 0, mir.Null(d), a.As(d), mir.D(0))
	x.b.Sel(0, false, a, mir.Fixed(2, ud), r)
	before := x.String()
	opt.CompareZero(x.Func)
	if x.String() != before {
		t.Errorf("changed to\n%s", x)
	}
}

func TestSameFlag(t *testing.T) {
	x := newFn()
	a := x.vec(ud)
	cmp := func() { x.b.Cmp(isa.CModLT, 0, mir.Null(d), a.As(d), mir.D(7)) }
	x.b.Mov(a, mir.Fixed(2, ud))
	cmp()
	cmp()
	x.b.Emit(isa.OpAdd, a, a, mir.UD(1))
	cmp()
	new(opt.Workspace).SameFlag(x.Func)
	x.want(t,
		"mov(16) v1<1>:ud r2:ud",
		"cmp(16) (lt)f0.0 null:d v1:d 0x7:d",
		"add(16) v1<1>:ud v1:ud 0x1:ud",
		"cmp(16) (lt)f0.0 null:d v1:d 0x7:d")
}

// TestSameVirtualFlag checks that the flag of a comparison replaces the flag of an equal later one, unless the
// difference is observable.
func TestSameVirtualFlag(t *testing.T) {
	cmp := func(x *fn, flag mir.Flag, n int32) *mir.Inst {
		return x.b.Cmp(isa.CModLT, flag, mir.Null(d), mir.Fixed(2, d), mir.D(n))
	}
	sel := func(x *fn, flag mir.Flag) { x.b.Sel(flag, false, mir.Null(d), mir.Fixed(2, d), mir.D(1)) }
	for _, c := range []struct {
		name  string
		build func(x *fn, f, g mir.Flag)
		want  []string
	}{
		{"equal", func(x *fn, f, g mir.Flag) {
			cmp(x, f, 7)
			sel(x, f)
			cmp(x, g, 7)
			sel(x, g)
			sel(x, f)
		}, []string{"cmp v1 7", "sel v1", "sel v1", "sel v1"}},
		{"unequal", func(x *fn, f, g mir.Flag) {
			cmp(x, f, 7)
			cmp(x, g, 8)
		}, []string{"cmp v1 7", "cmp v2 8"}},
		{"a condition that goes on", func(x *fn, f, g mir.Flag) {
			cmp(x, f, 7)
			sel(x, f)
			cmp(x, g, 7)
			cmp(x, g, 8).Pred = isa.PredNormal
			sel(x, g)
		}, []string{"cmp v1 7", "sel v1", "(v1) cmp v1 8", "sel v1"}},
		{"a condition that goes on, the other is read", func(x *fn, f, g mir.Flag) {
			cmp(x, f, 7)
			cmp(x, g, 7)
			cmp(x, g, 8).Pred = isa.PredNormal
			sel(x, g)
			sel(x, f)
		}, []string{"cmp v1 7", "cmp v2 7", "(v2) cmp v2 8", "sel v2", "sel v1"}},
		{"named before", func(x *fn, f, g mir.Flag) {
			sel(x, g)
			cmp(x, f, 7)
			cmp(x, g, 7)
			sel(x, g)
		}, []string{"sel v2", "cmp v1 7", "cmp v2 7", "sel v2"}},
		{"copied", func(x *fn, f, g mir.Flag) {
			cmp(x, f, 7)
			cmp(x, g, 7)
			x.b.ScalarMode()
			x.b.Mov(mir.Arch(isa.ARFA0, 0, ud), g.Whole().WithStride(0))
			x.b.Vector()
		}, []string{"cmp v1 7", "mov v1"}},
	} {
		x := newFn()
		c.build(x, x.NewFlag(), x.NewFlag())
		new(opt.Workspace).SameFlag(x.Func)
		x.BuildCFG()
		if err := validate.Func(x.Func); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		var got []string
		for i := x.Blocks[0].First; i != 0; i = x.Next(i) {
			switch in := x.At(i); {
			case in.Op == isa.OpMov:
				got = append(got, fmt.Sprintf("mov v%d", in.Src[0].Num))
			case in.WritesFlag() && in.ReadsFlag():
				got = append(got, fmt.Sprintf("(%v) cmp %v %d", in.Flag, in.Flag, in.Src[1].Num))
			case in.WritesFlag():
				got = append(got, fmt.Sprintf("cmp %v %d", in.Flag, in.Src[1].Num))
			default:
				got = append(got, fmt.Sprintf("sel %v", in.Flag))
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestDeadCode(t *testing.T) {
	x := newFn()
	a, b := x.vec(ud), x.vec(ud)
	x.b.Mov(a, mir.Fixed(2, ud))
	x.b.Emit(isa.OpAdd, b, a, mir.UD(1))
	x.b.Message(mir.Message{
		Msg:     mir.Msg{Name: message.UntypedRead, Space: message.Buffer, Comps: 1},
		Address: mir.Fixed(2, ud), AddressLen: 2, Surface: mir.UD(3), Dst: a, DstLen: 2,
	})
	x.store(mir.Fixed(2, ud), mir.Fixed(4, ud), 1)
	new(opt.Workspace).DeadCode(x.Func)
	x.want(t, "msg.untyped_write(16) null:ud address=r2:ud data=r4:ud surface=0x3:ud space=buffer comps=1 len=2 xlen=2")
}

func TestEmptyElse(t *testing.T) {
	x := newFn()
	blocks := []isa.Op{isa.OpIf, isa.OpNop, isa.OpElse, 0, isa.OpEndif, 0}
	for b, o := range blocks {
		if b > 0 {
			x.NewBlock()
		}
		if o != 0 {
			x.Append(b, mir.Inst{Op: o, Exec: 16, SideEff: true})
		}
	}
	x.BuildCFG()
	opt.EmptyElse(x.Func)
	x.want(t, "if(16)", "nop(16) {effect}", "endif(16)")
}

// unchanged runs a pass over code that it must not change.
func unchanged(t *testing.T, name string, pass func(*mir.Func), build func(x *fn, a mir.Operand)) {
	t.Helper()
	x := newFn()
	build(x, x.vec(ud))
	x.MarkSingle()
	before := x.String()
	pass(x.Func)
	if x.String() != before {
		t.Errorf("%s: changed to\n%s", name, x)
	}
}

// TestCompareZeroElsewhere checks that a comparison is kept if the instruction that computes the value has
// other lanes or bits, or would set the flag differently.
func TestCompareZeroElsewhere(t *testing.T) {
	for _, c := range []struct {
		name         string
		define, test func(in *mir.Inst)
	}{
		{"computed without a mask", func(in *mir.Inst) { in.NoMask = true }, nil},
		{"tested without a mask", nil, func(in *mir.Inst) { in.NoMask = true }},
		{"fewer lanes", func(in *mir.Inst) { in.Exec = 8 }, nil},
		{"other lanes", func(in *mir.Inst) { in.Exec, in.Chan = 8, 8 }, func(in *mir.Inst) { in.Exec = 8 }},
		{"another part", nil, func(in *mir.Inst) { in.Src[0].Off = 32 }},
		{"some lanes", func(in *mir.Inst) { in.Pred = isa.PredNormal }, nil},
		{"saturated", func(in *mir.Inst) { in.Sat = true }, nil},
		{"words", func(in *mir.Inst) { in.Dst.Type, in.Dst.Stride = isa.TypeUW, 2 }, nil},
		{"its own flag", func(in *mir.Inst) { in.CMod, in.Flag = isa.CModNE, 2 }, nil},
		{"an opcode that sets no flag", func(in *mir.Inst) { in.Op = isa.OpMul }, nil},
		{"less than", nil, func(in *mir.Inst) { in.CMod = isa.CModLT }},
		{"negated", nil, func(in *mir.Inst) { in.Src[0].Neg = true }},
		{"with something else", nil, func(in *mir.Inst) { in.Src[1] = mir.D(1) }},
	} {
		unchanged(t, c.name, opt.CompareZero, func(x *fn, a mir.Operand) {
			define := x.b.Emit(isa.OpAnd, a, mir.Fixed(2, ud), mir.UD(4))
			if c.define != nil {
				c.define(define)
			}
			test := x.b.Cmp(isa.CModEQ, 0, mir.Null(d), a.As(d), mir.D(0))
			if c.test != nil {
				c.test(test)
			}
		})
	}
	for _, between := range []func(x *fn){
		func(x *fn) { x.b.Sel(0, false, x.vec(ud), mir.Fixed(2, ud), mir.Fixed(4, ud)) },
		func(x *fn) { x.b.Cmp(isa.CModLT, 0, mir.Null(d), mir.Fixed(2, d), mir.D(7)) },
		func(x *fn) { x.b.Mov(mir.Arch(isa.ARFF0, 0, ud), mir.UD(0)) },
	} {
		unchanged(t, "flag in use", opt.CompareZero, func(x *fn, a mir.Operand) {
			x.b.Emit(isa.OpAnd, a, mir.Fixed(2, ud), mir.UD(4))
			between(x)
			x.b.Cmp(isa.CModEQ, 0, mir.Null(d), a.As(d), mir.D(0))
		})
	}
}

// TestSameFlagElsewhere checks that a comparison is kept if its operands or the flag have changed since the
// earlier one, or if the two differ.
func TestSameFlagElsewhere(t *testing.T) {
	cmp := func(x *fn, a, b mir.Operand) *mir.Inst { return x.b.Cmp(isa.CModLT, 0, mir.Null(d), a.As(d), b.As(d)) }
	for _, c := range []struct {
		name    string
		between func(x *fn, a, b mir.Operand)
		second  func(in *mir.Inst)
	}{
		{"first source written", func(x *fn, a, b mir.Operand) { x.b.Mov(a, mir.UD(1)) }, nil},
		{"second source written", func(x *fn, a, b mir.Operand) { x.b.Mov(b, mir.UD(1)) }, nil},
		{"flag written", func(x *fn, a, b mir.Operand) { x.b.Mov(mir.Arch(isa.ARFF0, 0, ud), mir.UD(0)) }, nil},
		{"flag computed", func(x *fn, a, b mir.Operand) { x.b.Mov(mir.Null(d), a).CMod = isa.CModNE }, nil},
		{"compared into its first source", func(x *fn, a, b mir.Operand) { x.b.Cmp(isa.CModLT, 0, a.As(d), a.As(d), b.As(d)) }, nil},
		{"compared into its second source", func(x *fn, a, b mir.Operand) { x.b.Cmp(isa.CModLT, 0, b.As(d), a.As(d), b.As(d)) }, nil},
		{"some lanes compared", func(x *fn, a, b mir.Operand) {
			x.b.Cmp(isa.CModGT, 0, mir.Null(d), a.As(d), b.As(d)).Pred = isa.PredNormal
		}, nil},
		{"another condition", nil, func(in *mir.Inst) { in.CMod = isa.CModGE }},
		{"another flag", nil, func(in *mir.Inst) { in.Flag = 2 }},
		{"other lanes", nil, func(in *mir.Inst) { in.Chan = 16 }},
		{"without a mask", nil, func(in *mir.Inst) { in.NoMask = true }},
		{"negated", nil, func(in *mir.Inst) { in.Src[1].Neg = true }},
	} {
		unchanged(t, c.name, new(opt.Workspace).SameFlag, func(x *fn, a mir.Operand) {
			b := x.vec(ud)
			cmp(x, a, b)
			if c.between != nil {
				c.between(x, a, b)
			}
			in := cmp(x, a, b)
			if c.second != nil {
				c.second(in)
			}
		})
	}
}

// TestReadLanes checks that the packed lane numbers are read instead of their widened copy, unless the copy
// contains more than the lane numbers.
func TestReadLanes(t *testing.T) {
	lanes := func(x *fn) mir.Operand {
		return mir.V(x.AddReg(mir.RegInfo{Bytes: 32, Lane: 2, Align: 32}), isa.TypeUW)
	}
	x := newFn()
	l, a, r := lanes(x), x.vec(ud), x.vec(ud)
	x.b.Mov(a, l)
	x.b.Emit(isa.OpAdd, r, a, mir.UD(1))
	x.MarkSingle()
	new(opt.Workspace).ReadLanes(x.Func)
	x.want(t, "mov(16) v2<1>:ud v1:uw", "add(16) v3<1>:ud v1:uw 0x1:ud")
	for _, c := range []struct {
		name  string
		build func(x *fn, a, l mir.Operand)
	}{
		{"written twice", func(x *fn, a, l mir.Operand) {
			x.b.Mov(a, mir.UD(7))
			x.b.Emit(isa.OpAdd, x.vec(ud), a, mir.UD(1))
			x.b.Mov(a, l)
		}},
		{"some lanes", func(x *fn, a, l mir.Operand) { x.b.Mov(a, l).Pred = isa.PredNormal }},
		{"saturated", func(x *fn, a, l mir.Operand) { x.b.Mov(a, l).Sat = true }},
		{"added to", func(x *fn, a, l mir.Operand) { x.b.Emit(isa.OpAdd, a, l, mir.UD(1)) }},
		{"as a float", func(x *fn, a, l mir.Operand) { x.b.Mov(a.As(f), l) }},
		{"signed words", func(x *fn, a, l mir.Operand) { x.b.Mov(a, l.As(isa.TypeW)) }},
	} {
		unchanged(t, c.name, new(opt.Workspace).ReadLanes, func(x *fn, a mir.Operand) {
			c.build(x, a, lanes(x))
			x.b.Emit(isa.OpAdd, x.vec(ud), a, mir.UD(1))
		})
	}
	for _, c := range []struct {
		name string
		read func(x *fn, a mir.Operand)
	}{
		{"multiplied", func(x *fn, a mir.Operand) { x.b.Emit(isa.OpMul, x.vec(ud), a, mir.UD(3)) }},
		{"the amount of a shift", func(x *fn, a mir.Operand) { x.b.Emit(isa.OpShl, x.vec(ud), mir.Fixed(2, ud), a) }},
		{"as a float", func(x *fn, a mir.Operand) { x.b.Emit(isa.OpAdd, x.vec(f), a.As(f), mir.Fixed(2, f)) }},
		{"starting at the second lane", func(x *fn, a mir.Operand) { x.b.Emit(isa.OpAdd, x.vec(ud), a.At(4), mir.UD(1)).Exec = 8 }},
		{"one lane for all", func(x *fn, a mir.Operand) { x.b.Emit(isa.OpAdd, x.vec(ud), a.WithStride(0), mir.UD(1)) }},
		{"negated", func(x *fn, a mir.Operand) { x.b.Emit(isa.OpAdd, x.vec(ud), a.Minus(), mir.UD(1)) }},
	} {
		unchanged(t, c.name, new(opt.Workspace).ReadLanes, func(x *fn, a mir.Operand) {
			x.b.Mov(a, lanes(x))
			c.read(x, a)
		})
	}
}
