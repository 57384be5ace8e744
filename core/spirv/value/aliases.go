// SPDX-License-Identifier: MIT

package value

import (
	"cmp"
	"slices"

	"jacquard.example/core/ir"
	"jacquard.example/core/spirv/module"
	"jacquard.example/generated/intrinsic"
	"jacquard.example/generated/kind"
)

// AliasedAccess clears NonWritable wherever the memory may be written through another variable. Variables with the same
// set and binding are the same memory (Vulkan specification, "DescriptorSet and Binding Assignment"). In SPIR-V the
// decoration applies only to accesses through its variable (SPIR-V specification, "Decoration"); in the IR it promises
// that nothing writes the memory.
func AliasedAccess(r *module.Reader) {
	s := r.S
	var list []ir.Var
	claims := false
	for x := range s.Vars(kind.ModeSSBO | kind.ModeImage) {
		list = append(list, x)
		claims = claims || claimed(r, x)
	}
	if !claims {
		return
	}
	slices.SortStableFunc(list, func(a, b ir.Var) int {
		x, y := s.Var(a), s.Var(b)
		return cmp.Or(cmp.Compare(x.Set, y.Set), cmp.Compare(x.Binding, y.Binding))
	})
	var written []ir.Var // groups of variables with a writable one
	for len(list) > 0 {
		n, first := 1, s.Var(list[0])
		for n < len(list) && s.Var(list[n]).Set == first.Set && s.Var(list[n]).Binding == first.Binding {
			n++
		}
		if group := list[:n]; n > 1 && slices.ContainsFunc(group, func(v ir.Var) bool { return writable(r, v) }) {
			written = append(written, group...)
		}
		list = list[n:]
	}
	if len(written) == 0 {
		return
	}
	slices.Sort(written)
	for _, x := range written {
		s.Var(x).Access &^= kind.AccessNonWriteable
	}
	for f := range s.Funcs() {
		for b := range s.Blocks(f) {
			for v := range s.Instrs(b) {
				clearAliased(r, v, written)
			}
		}
	}
}

// claimed reports whether a variable, or a member of its block, is decorated NonWritable.
func claimed(r *module.Reader, x ir.Var) bool {
	info := r.S.Var(x)
	claims := info.Access&kind.AccessNonWriteable != 0
	if t := r.S.Types.Innermost(info.Type); r.S.Types.At(t).Kind == ir.TypeStruct {
		for _, m := range r.S.Types.Members(t) {
			claims = claims || m.Access&kind.AccessNonWriteable != 0
		}
	}
	return claims
}

// writable reports whether the shader may write to x or to a member of its block.
func writable(r *module.Reader, x ir.Var) bool {
	info := r.S.Var(x)
	return (info.Access|r.S.Types.BlockAccess(info.Type))&kind.AccessNonWriteable == 0
}

// clearAliased clears NonWritable of an access to one of the given variables or to unknown memory.
func clearAliased(r *module.Reader, v ir.Value, written []ir.Var) {
	s := r.S
	if s.At(v).Kind != kind.Intrinsic {
		return
	}
	pointers := 1
	if s.At(v).Intrinsic().Slot(intrinsic.IxSrcAccess) >= 0 {
		pointers = 2
	}
	aliased := false
	for i := range int(s.At(v).NSrc) {
		d := s.Src(v, i).Val
		if s.At(d).Kind != kind.Deref {
			continue
		}
		pointers--
		x, known := root(r, d)
		_, found := slices.BinarySearch(written, x)
		aliased = aliased || found || !known
	}
	if !aliased && pointers <= 0 {
		return
	}
	for _, ix := range [...]intrinsic.Index{intrinsic.IxAccess, intrinsic.IxSrcAccess} {
		if s.At(v).Intrinsic().Slot(ix) >= 0 {
			s.SetIndex(v, ix, s.Index(v, ix)&^uint32(kind.AccessNonWriteable))
		}
	}
}

// root returns the variable that a deref refers to, and whether it is known.
func root(r *module.Reader, d ir.Value) (x ir.Var, known bool) {
	s := r.S
	for s.At(d).Kind == kind.Deref {
		if s.At(d).DerefKind() == kind.DerefVar {
			return ir.Var(s.Words(d)[kind.FieldDerefVarVar]), true
		}
		d = s.Src(d, 0).Val
	}
	return 0, false
}
