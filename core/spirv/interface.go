package spirv

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// qualifierOf returns the qualifier for a decoration, or 0 for decorations that are not qualifiers.
func qualifierOf(num uint32) kind.Qualifier {
	if d := spirvtab.Decorations.Lookup(num); d != nil {
		return kind.Qualifier(d.To)
	}
	return 0
}

// connected reads the interface decorations of an input or output. It returns false if the IR has no variable for it:
// an intrinsic provides the input, or it belongs to another entry point; then it is rejected where it is used.
func (r *reader) connected(info *ir.VarInfo, id, class uint32) bool {
	rec := &r.ids[id]
	builtin, isBuiltin := uint32(0), false
	for d := rec.dec; d != 0; d = r.decs[d].next {
		x := &r.decs[d]
		if x.member != noMember {
			continue
		}
		lit := r.words[x.word+min(x.lit, uint32(len(r.ins(x.word)))-1)]
		switch x.num {
		case spirvtab.DecorationBuiltIn:
			builtin, isBuiltin = lit, true
		case spirvtab.DecorationLocation:
			info.Location = int32(lit & 0x7fffffff)
		case spirvtab.DecorationComponent:
			info.Comp = uint8(lit)
		case spirvtab.DecorationIndex:
			info.Index = uint8(lit)
		case spirvtab.DecorationXfbBuffer:
			info.Qual, info.Set = info.Qual|kind.QualifierXfb, lit
		case spirvtab.DecorationXfbStride:
			info.Binding = lit
		case spirvtab.DecorationOffset:
			info.Offset = lit
		default:
			info.Qual |= qualifierOf(x.num)
		}
	}
	if class == spirvtab.StorageInput && rec.flags&flagInterface != 0 {
		r.sampled(info, builtin, isBuiltin)
	}
	if isBuiltin {
		row := spirvtab.Builtins.Lookup(builtin)
		if class == spirvtab.StorageInput && (r.opt.Stage == kind.StageCompute || row != nil && row.To != 0) {
			rec.kind, rec.aux = idBuiltin, builtin
			return false
		}
		info.Builtin = builtin + 1
	}
	if r.opt.Stage == kind.StageCompute || rec.flags&flagInterface == 0 {
		rec.kind = idOther
		return false
	}
	return true
}

// sampled records that a fragment shader runs for each sample. It does "if a fragment shader entry point's interface
// includes an input variable decorated with" SampleId or SamplePosition (Vulkan specification, "SampleId"), used or
// not. An input, or a member, with the decoration Sample has the same effect here; the specification leaves this open
// (ibid., "Sample Shading").
func (r *reader) sampled(info *ir.VarInfo, builtin uint32, isBuiltin bool) {
	if r.opt.Stage != kind.StageFragment {
		return
	}
	qual := info.Qual
	if tt := &r.s.Types; tt.At(info.Type).Kind == ir.TypeStruct {
		for _, m := range tt.Members(info.Type) {
			qual |= m.Qual
		}
	}
	if qual&kind.QualifierSample != 0 || isBuiltin && (builtin == spirvtab.BuiltinSampleId || builtin == spirvtab.BuiltinSamplePosition) {
		r.s.Info.Modes |= kind.StageModeSampleShading
	}
}
