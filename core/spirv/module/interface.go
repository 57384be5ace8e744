// SPDX-License-Identifier: MIT

package module

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
func (r *Reader) connected(info *ir.VarInfo, id, class uint32) bool {
	rec := &r.Ids[id]
	builtin, isBuiltin := uint32(0), false
	for d := rec.Dec; d != 0; d = r.decs[d].next {
		x := &r.decs[d]
		if x.member != NoMember {
			continue
		}
		lit := r.Words[x.word+min(x.lit, uint32(len(r.Ins(x.word)))-1)]
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
	if class == spirvtab.StorageInput && rec.Flags&flagInterface != 0 {
		r.sampled(info, builtin, isBuiltin)
	}
	if isBuiltin {
		row := spirvtab.Builtins.Lookup(builtin)
		if class == spirvtab.StorageInput && (r.Opt.Stage == kind.StageCompute || row != nil && row.To != 0) {
			rec.Kind, rec.Aux = IdBuiltin, builtin
			return false
		}
		info.Builtin = builtin + 1
	}
	if r.Opt.Stage == kind.StageCompute || rec.Flags&flagInterface == 0 {
		rec.Kind = IdOther
		return false
	}
	return true
}

// sampled sets StageModeSampleShading if an input makes a fragment shader run for each sample. The shader does "if a
// fragment shader entry point's interface includes an input variable decorated with" SampleId or SamplePosition (Vulkan
// specification, "SampleId"), used or not. An input, or a member, with the decoration Sample has the same effect here;
// the specification leaves this open (ibid., "Sample Shading").
func (r *Reader) sampled(info *ir.VarInfo, builtin uint32, isBuiltin bool) {
	if r.Opt.Stage != kind.StageFragment {
		return
	}
	qual := info.Qual
	if tt := &r.S.Types; tt.At(info.Type).Kind == ir.TypeStruct {
		for _, m := range tt.Members(info.Type) {
			qual |= m.Qual
		}
	}
	if qual&kind.QualifierSample != 0 || isBuiltin && (builtin == spirvtab.BuiltinSampleId || builtin == spirvtab.BuiltinSamplePosition) {
		r.S.Info.Modes |= kind.StageModeSampleShading
	}
}
