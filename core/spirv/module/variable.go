// SPDX-License-Identifier: MIT

package module

import (
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
	"jacquard.example/generated/spirvtab"
)

// variable reads an OpVariable or OpUntypedVariableKHR outside functions.
func (r *Reader) variable(in []uint32) {
	if in[3] == spirvtab.StorageFunction {
		r.Fail("a variable of class Function must be in a function")
	}
	r.NewVariable(in, 0)
	if info := r.Op(r.At); info == spirvtab.OpVariable && len(in) > 4 {
		r.Initialized = append(r.Initialized, in[2])
	}
}

// NewVariable creates the variable of an OpVariable or OpUntypedVariableKHR, in function fn or, if that is 0, outside
// functions. It creates none if an intrinsic provides the input, or if only another entry point may use the variable.
func (r *Reader) NewVariable(in []uint32, fn ir.Func) {
	id := in[2]
	rec := &r.Ids[id]
	pt := r.TypeOf(id)
	if pt.Op != spirvtab.OpTypePointer || pt.N != in[3] {
		r.Fail("the type is not a pointer of the same storage class")
	}
	elem, init := pt.Elem, in[4:]
	if pt.Untyped || r.Op(r.At) == spirvtab.OpUntypedVariableKHR {
		elem, init = r.untypedVariable(pt, in)
	}
	t := r.TypeAt(elem)
	class := spirvtab.StorageClasses.Lookup(in[3])
	if !class.Read || t.Unsized != 0 {
		rec.Kind = IdOther // rejected where it is used: another entry point may need it
		return
	}
	r.NeedValue(t)
	if in[3] != spirvtab.StorageUniformConstant && r.TypeAt(r.Elements(elem)).Opaque() {
		r.Fail("images and samplers must be variables of class UniformConstant, not %s", class.Name)
	}
	if len(init) > 0 {
		switch r.Ids[init[0]].Kind {
		case IdConst, IdComposite, IdNull, IdUndef:
			if r.Ids[init[0]].Typ != elem {
				r.Fail("the initializer, id %d, has another type", init[0])
			}
		default:
			r.Fail("the initializer, id %d, is not a constant", init[0])
		}
	}
	info := ir.VarInfo{Name: r.NameOf(id), Mode: kind.Mode(class.To), Type: t.Ir, Func: fn, Location: -1, Access: r.Access(id, NoMember)}
	switch in[3] {
	case spirvtab.StorageInput, spirvtab.StorageOutput:
		if !r.connected(&info, id, in[3]) {
			return
		}
		if info.Builtin == 0 && r.S.Types.HoldsBool(t.Ir) {
			// only builtins may be bools: SPIR-V specification, "Universal Validation Rules"
			r.Fail("an input or output that is not a builtin cannot be or contain a bool")
		}
	case spirvtab.StorageUniformConstant:
		r.resource(&info, id, elem)
	case spirvtab.StorageUniform, spirvtab.StorageStorageBuffer:
		r.buffer(&info, id, elem, in[3])
	case spirvtab.StorageWorkgroup:
		if len(init) > 0 {
			// VUID-StandaloneSpirv-OpVariable-04734 (Vulkan specification, "Validation Rules within a Module")
			if r.Op(r.Ids[init[0]].Word) != spirvtab.OpConstantNull {
				r.Fail("the initializer of workgroup memory, id %d, is not OpConstantNull", init[0])
			}
			info.ZeroInit = true
		}
		if r.workgroupLayout && rec.Flags&flagInterface != 0 {
			r.workgroupVariable(id, t.Op == spirvtab.OpTypeStruct && r.Has(elem, spirvtab.DecorationBlock))
		}
		if r.untyped && info.Access&kind.AccessAliased == 0 { // without untyped pointers, all blocks share memory
			info.Access |= kind.AccessRestrict
		}
	case spirvtab.StoragePushConstant:
		if t.Op != spirvtab.OpTypeStruct {
			r.Fail("push constants are not a struct")
		}
	}
	rec.Access = uint16(info.Access)
	rec.Kind, rec.Aux = IdVar, uint32(r.S.NewVar(info))
}

// workgroupVariable records a variable of workgroup memory in the interface. Blocks share their memory, so either all
// variables are blocks or none is (SPIR-V extension SPV_KHR_workgroup_memory_explicit_layout).
func (r *Reader) workgroupVariable(id uint32, block bool) {
	mine, other := 0, 1
	if block {
		mine, other = 1, 0
	}
	r.workgroupVars[mine] = id
	if r.workgroupVars[other] != 0 {
		r.Fail("of the variables in workgroup memory, id %d is a block and id %d is not", r.workgroupVars[1], r.workgroupVars[0])
	}
}

// buffer fills in the binding of a uniform or storage buffer. Before SPIR-V 1.3 a storage buffer is a uniform whose
// struct is decorated BufferBlock.
func (r *Reader) buffer(info *ir.VarInfo, id, typ, class uint32) {
	array := typ
	typ = r.Elements(typ)
	if r.TypeAt(typ).Op != spirvtab.OpTypeStruct {
		r.Fail("a buffer is not a struct")
	}
	if typ != array && !r.Has(typ, spirvtab.DecorationBlock) && !r.Has(typ, spirvtab.DecorationBufferBlock) {
		// VUID-StandaloneSpirv-PushConstant-06675 and VUID-StandaloneSpirv-Uniform-06676
		r.Fail("an array of buffers has elements that are not decorated with Block")
	}
	if class == spirvtab.StorageUniform && r.Has(typ, spirvtab.DecorationBufferBlock) {
		info.Mode = kind.ModeSSBO
	}
	if info.Mode == kind.ModeUBO {
		info.Access |= kind.AccessNonWriteable
	}
	info.Set, _ = r.Find(id, spirvtab.DecorationDescriptorSet)
	info.Binding, _ = r.Find(id, spirvtab.DecorationBinding)
}

// Elements returns the type id of the innermost elements of an array, or typ if it is not an array.
func (r *Reader) Elements(typ uint32) uint32 {
	for t := r.TypeAt(typ); t.Op == spirvtab.OpTypeArray || t.Op == spirvtab.OpTypeRuntimeArray; t = r.TypeAt(typ) {
		typ = t.Elem
	}
	return typ
}

// An untyped pointer (SPV_KHR_untyped_pointers) is a deref of some type, like any other pointer. Each use states the
// type of the memory; if it differs from the deref's type, the use is through a cast of the deref. The explicit layout
// of the memory makes that right: passes assume that casts may overlap.

// untypedVariable reads the type of an untyped variable, and its initializer.
func (r *Reader) untypedVariable(pt *TypeRec, in []uint32) (typ uint32, init []uint32) {
	if !pt.Untyped || r.Op(r.At) != spirvtab.OpUntypedVariableKHR {
		r.Fail("the variable and the pointer type must both be typed or both be untyped")
	}
	switch in[3] {
	case spirvtab.StorageUniform, spirvtab.StorageStorageBuffer, spirvtab.StoragePushConstant, spirvtab.StorageWorkgroup:
	default:
		r.Refuse("untyped variables of storage class %s are not supported", ValueName(spirvtab.StorageClasses.Lookup(in[3]), in[3]))
	}
	if len(in) < 5 {
		r.Refuse("untyped variables without a data type are not supported")
	}
	block := r.TypeAt(in[4]).Op == spirvtab.OpTypeStruct && r.Has(in[4], spirvtab.DecorationBlock)
	if in[3] == spirvtab.StorageWorkgroup && !block {
		r.Fail("an untyped variable in workgroup memory is not a block")
	}
	return in[4], in[5:]
}
