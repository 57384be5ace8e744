// SPDX-License-Identifier: MIT

package whole

import (
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/values"
	"jacquard.example/core/text"
	"jacquard.example/core/validate"
	"jacquard.example/core/wire"
	"jacquard.example/generated/atomic"
	"jacquard.example/generated/build"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/op"
)

// someWord returns a value for an index that is not its default.
func someWord(ix intrinsic.Index) uint32 {
	info := &intrinsic.Indices[ix]
	switch {
	case ix == intrinsic.IxAlignMul:
		return 8
	case ix == intrinsic.IxForm:
		return uint32(kind.FormIndex)
	case ix == intrinsic.IxAccess || ix == intrinsic.IxSrcAccess:
		return uint32(kind.AccessRestrict) // changes nothing for the passes below
	case info.Class == "i32":
		return ^uint32(4)
	case info.Class == "enum":
		for _, e := range kind.Enums {
			if e.Name == info.Enum && uint32(len(e.Names)-1) != info.Default {
				return uint32(len(e.Names) - 1)
			}
		}
		return 0
	}
	return 1
}

// someSize returns one of the sizes that are allowed, 32 bits if these are among them.
func someSize(allowed uint8) uint8 {
	if allowed == 0 || op.Sizes(allowed)&op.SizeOf(32) != 0 {
		return 32
	}
	for _, n := range []uint8{1, 8, 16, 64} {
		if op.Sizes(allowed)&op.SizeOf(n) != 0 {
			return n
		}
	}
	return 0
}

// twice makes a shader with two equal instructions of an intrinsic; their
// results are read when read is set.
func twice(id intrinsic.ID, read bool) *ir.Shader {
	info := id.Info()
	s := ir.New()
	s.Info.WorkgroupSize = [3]uint32{8, 1, 1}
	for st := range kind.EnumStage.Names {
		if info.Stages.Has(uint32(st)) {
			s.Info.Stage = kind.Stage(st)
			break
		}
	}
	f := s.NewFunc("main")
	s.Func(f).Entry = true
	b := build.New(s)
	b.AtEnd(s.FirstBlock(f))
	comps := info.DestComps
	if comps == 0 {
		comps = 2
	}
	bits := uint8(0)
	if info.HasDest {
		bits = someSize(info.Bits)
	}
	var src []ir.Src
	for _, r := range info.Src[:info.NumSrc] {
		n := r.Comps
		if n == 0 {
			n = comps
		}
		if r.Any && (r.Name == "deref" || r.Name == "dst" || r.Name == "src") {
			typ := s.Types.Vector(s.Types.Scalar(ir.TypeUint, 32), uint32(comps))
			if id == intrinsic.DerefBufferArrayLength {
				typ = s.Types.Array(typ, 0, 4)
			}
			src = append(src, s.All(b.DerefVar(s.NewVar(ir.VarInfo{Mode: kind.ModeSSBO, Type: typ}))))
			continue
		}
		size := someSize(r.Bits)
		if r.Same {
			size = bits
		}
		src = append(src, b.Const(size, make([]uint64, n)...))
	}
	if info.Target != intrinsic.TargetNone {
		src = append(src, b.Imm(0))
	}
	for range 2 {
		v := b.Intrinsic(id, comps, bits, src...)
		for i, ix := range info.Ix[:info.NumIx] {
			s.Words(v)[i] = someWord(ix)
		}
		if id.Slot(intrinsic.IxIOBuiltin) >= 0 {
			s.SetIndex(v, intrinsic.IxBase, 5) // no slot has a negative number
		}
		if info.Atomic >= 0 && id.Slot(intrinsic.IxTexelBase) >= 0 {
			if _, ok := atomic.Texel(id, kind.BaseType(s.Index(v, intrinsic.IxTexelBase))); !ok {
				s.SetIndex(v, intrinsic.IxTexelBase, uint32(kind.BaseUint))
			}
		}
		if info.HasDest && read {
			x := s.All(v)
			x.N = 1
			if bits == 1 {
				x = b.B2I32(x)
			}
			b.StoreGlobal(x, b.ImmN(64, 0), 1, 0, 4, 0)
		}
	}
	return s
}

func count(s *ir.Shader, id intrinsic.ID) int {
	n := 0
	for v := range s.Instrs(s.FirstBlock(s.Entry())) {
		if s.At(v).Kind == kind.Intrinsic && s.At(v).Intrinsic() == id {
			n++
		}
	}
	return n
}

// TestEveryIntrinsic: each row defines an intrinsic that is valid only in its stages,
// is printed, parsed and serialized with all its indices, and is treated by passes
// according to its flags: without can_eliminate it is kept although nothing reads it,
// and two equal ones are merged only if it also has can_reorder.
func TestEveryIntrinsic(t *testing.T) {
	n := 0
	for id := intrinsic.None + 1; id < intrinsic.Count; id++ {
		info := id.Info()
		if id.Slot(intrinsic.IxReg) >= 0 || id.Slot(intrinsic.IxParam) >= 0 {
			continue // needs a register or a parameter: the text format's own tests have them
		}
		n++
		s := twice(id, true)
		if err := validate.Shader(s); err != nil {
			t.Errorf("%s: %v\n%s", id, err, text.Print(s))
			continue
		}
		printed := string(text.Print(s))
		parsed, err := text.Parse([]byte(printed))
		if err != nil || string(text.Print(parsed)) != printed {
			t.Errorf("%s: from its text (%v):\n%s", id, err, printed)
		}
		back, err := wire.Unmarshal(wire.Marshal(s))
		if err != nil || string(text.Print(back)) != printed {
			t.Errorf("%s: from its binary form (%v):\n%s", id, err, printed)
		}
		for st, name := range kind.EnumStage.Names {
			s.Info.Stage = kind.Stage(st)
			if err := validate.Shader(s); (err == nil) != info.Stages.Has(uint32(st)) {
				t.Errorf("%s in stage %s: %v", id, name, err)
			}
		}

		merged := 2
		if info.HasDest && info.Flags&intrinsic.CanReorder != 0 {
			merged = 1
		}
		s = twice(id, true)
		values.CSE(pass.New(s))
		if got := count(s, id); got != merged {
			t.Errorf("%s: of two equal ones CSE leaves %d, want %d\n%s", id, got, merged, text.Print(s))
		}
		unread := 2
		if info.Flags&intrinsic.CanEliminate != 0 {
			unread = 0
		}
		s = twice(id, false)
		values.DeadCode(pass.New(s))
		if got := count(s, id); got != unread {
			t.Errorf("%s: of two that nothing reads %d are left, want %d\n%s", id, got, unread, text.Print(s))
		}
	}
	if n < 140 {
		t.Errorf("%d intrinsics", n)
	}
}
