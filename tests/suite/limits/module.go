// SPDX-License-Identifier: MIT

package limits

import (
	"slices"

	"jacquard.example/tests/support/spv"
)

// Opcodes and enumerants (SPIR-V specification 3).
const (
	opName, opMemberName                                   = 5, 6
	opExtInstImport, opExtInst                             = 11, 12
	opMemoryModel, opEntryPoint, opExecutionMode           = 14, 15, 16
	opCapability                                           = 17
	opTypeVoid, opTypeBool, opTypeInt, opTypeFloat         = 19, 20, 21, 22
	opTypeVector, opTypeMatrix, opTypeArray                = 23, 24, 28
	opTypeRuntimeArray, opTypeStruct, opTypePointer        = 29, 30, 32
	opTypeFunction                                         = 33
	opConstantTrue, opConstant, opConstantComposite        = 41, 43, 44
	opConstantNull, opSpecConstant, opSpecConstantOp       = 46, 50, 52
	opFunction, opFunctionParameter, opFunctionEnd, opCall = 54, 55, 56, 57
	opVariable, opLoad, opStore, opCopyMemory              = 59, 61, 62, 63
	opAccessChain                                          = 65
	opDecorate, opMemberDecorate                           = 71, 72
	opDecorationGroup, opGroupDecorate                     = 73, 74
	opCompositeConstruct, opCompositeExtract               = 80, 81
	opCompositeInsert                                      = 82
	opIAdd, opFAdd, opIMul, opUDiv                         = 128, 129, 132, 134
	opSelect, opIEqual, opULessThan                        = 169, 170, 176
	opBitwiseXor                                           = 198
	opControlBarrier, opAtomicIAdd                         = 224, 234
	opPhi, opLoopMerge, opSelectionMerge, opLabel          = 245, 246, 247, 248
	opBranch, opBranchConditional, opSwitch                = 249, 250, 251
	opReturn, opReturnValue, opUnreachable                 = 253, 254, 255

	classInput, classWorkgroup, classPrivate, classFunction = 1, 4, 6, 7
	classStorageBuffer                                      = 12

	decBlock, decArrayStride, decBuiltIn    = 2, 6, 11
	decBinding, decDescriptorSet, decOffset = 33, 34, 35
	builtInGlobalInvocationID               = 28
)

// module builds a SPIR-V module: a compute shader with one storage buffer of unsigned integers, data, and the global
// invocation id. The sections follow section 2.4 of the specification.
type module struct {
	bound                             uint32
	caps, names, decs, types, funcs   []uint32
	iface                             []uint32 // interface of the entry point
	void, boolean, uint, float, uint3 uint32
	fnVoid                            uint32
	ptrElem                           uint32 // type of a pointer to an unsigned integer of data
	data                              uint32
	id                                uint32 // the variable
	consts                            map[uint32]uint32
	entry                             uint32
	more                              []uint32 // entry points
	local                             uint32
}

func newModule() *module {
	m := &module{consts: map[uint32]uint32{}, bound: 1, local: 16}
	m.caps = ins(opCapability, 1)
	m.void = m.typ(opTypeVoid)
	m.boolean = m.typ(opTypeBool)
	m.uint = m.typ(opTypeInt, 32, 0)
	m.float = m.typ(opTypeFloat, 32)
	m.uint3 = m.typ(opTypeVector, m.uint, 3)
	m.fnVoid = m.typ(opTypeFunction, m.void)
	arr := m.typ(opTypeRuntimeArray, m.uint)
	m.decorate(arr, decArrayStride, 4)
	m.data = m.buffer(m.block(arr), 0)
	m.ptrElem = m.typ(opTypePointer, classStorageBuffer, m.uint)
	m.id = m.variable(m.uint3, classInput)
	m.decorate(m.id, decBuiltIn, builtInGlobalInvocationID)
	m.iface = append(m.iface, m.id)
	m.entry = m.new()
	return m
}

// ins returns the words of an instruction.
func ins(op uint32, operands ...uint32) []uint32 {
	return append([]uint32{uint32(len(operands)+1)<<16 | op}, operands...)
}

// new allocates an id.
func (m *module) new() uint32 {
	m.bound++
	return m.bound - 1
}

// typ declares a type, or something else whose id is the first operand.
func (m *module) typ(op uint32, operands ...uint32) uint32 {
	id := m.new()
	m.types = append(m.types, uint32(len(operands)+2)<<16|op, id)
	m.types = append(m.types, operands...)
	return id
}

// global declares a constant or a variable with a type.
func (m *module) global(op, typ uint32, operands ...uint32) uint32 {
	id := m.new()
	m.types = append(m.types, uint32(len(operands)+3)<<16|op, typ, id)
	m.types = append(m.types, operands...)
	return id
}

func (m *module) decorate(id, decoration uint32, operands ...uint32) {
	m.decs = append(m.decs, uint32(len(operands)+3)<<16|opDecorate, id, decoration)
	m.decs = append(m.decs, operands...)
}

func (m *module) memberOffset(id, member, offset uint32) {
	m.decs = append(m.decs, ins(opMemberDecorate, id, member, decOffset, offset)...)
}

// block declares a struct for a buffer, with one member at offset 0.
func (m *module) block(member uint32) uint32 {
	s := m.typ(opTypeStruct, member)
	m.decorate(s, decBlock)
	m.memberOffset(s, 0, 0)
	return s
}

// buffer declares a storage buffer.
func (m *module) buffer(typ, binding uint32) uint32 {
	v := m.variable(typ, classStorageBuffer)
	m.decorate(v, decDescriptorSet, 0)
	m.decorate(v, decBinding, binding)
	return v
}

// variable declares a variable outside of functions.
func (m *module) variable(typ, class uint32, init ...uint32) uint32 {
	return m.global(opVariable, m.typ(opTypePointer, class, typ), append([]uint32{class}, init...)...)
}

// u returns a constant unsigned integer.
func (m *module) u(x uint32) uint32 {
	if id := m.consts[x]; id != 0 {
		return id
	}
	id := m.global(opConstant, m.uint, x)
	m.consts[x] = id
	return id
}

// do adds an instruction without a result to the function.
func (m *module) do(op uint32, operands ...uint32) {
	m.funcs = append(m.funcs, uint32(len(operands)+1)<<16|op)
	m.funcs = append(m.funcs, operands...)
}

// val adds an instruction with a type and a result.
func (m *module) val(op, typ uint32, operands ...uint32) uint32 {
	id := m.new()
	m.funcs = append(m.funcs, uint32(len(operands)+3)<<16|op, typ, id)
	m.funcs = append(m.funcs, operands...)
	return id
}

// begin starts a function that returns typ, and its first block.
func (m *module) begin(id, typ uint32, params ...uint32) (args []uint32) {
	ft := m.fnVoid
	if typ != m.void || len(params) > 0 {
		ft = m.typ(opTypeFunction, append([]uint32{typ}, params...)...)
	}
	m.do(opFunction, typ, id, 0, ft)
	for _, p := range params {
		args = append(args, m.val(opFunctionParameter, p))
	}
	m.label(m.new())
	return args
}

func (m *module) label(id uint32) { m.do(opLabel, id) }

// end emits a return and the end of the function.
func (m *module) end() {
	m.do(opReturn)
	m.do(opFunctionEnd)
}

// lane returns the invocation's number.
func (m *module) lane() uint32 {
	return m.val(opCompositeExtract, m.uint, m.val(opLoad, m.uint3, m.id), 0)
}

// elem returns a pointer to data[index].
func (m *module) elem(index uint32) uint32 {
	return m.val(opAccessChain, m.ptrElem, m.data, m.u(0), index)
}

// get and put read and write data[index].
func (m *module) get(index uint32) uint32    { return m.val(opLoad, m.uint, m.elem(index)) }
func (m *module) put(index, value uint32)    { m.do(opStore, m.elem(index), value) }
func (m *module) bin(op, a, b uint32) uint32 { return m.val(op, m.uint, a, b) }

// less compares unsigned integers.
func (m *module) less(a, b uint32) uint32 { return m.val(opULessThan, m.boolean, a, b) }

// str returns a literal string.
func str(s string) []uint32 {
	b := append([]byte(s), make([]byte, 4-len(s)%4)...)
	var out []uint32
	for i := 0; i < len(b); i += 4 {
		out = append(out, uint32(b[i])|uint32(b[i+1])<<8|uint32(b[i+2])<<16|uint32(b[i+3])<<24)
	}
	return out
}

// words returns the whole module.
func (m *module) words() []uint32 {
	entry := ins(opEntryPoint, slices.Concat([]uint32{5, m.entry}, str("main"), m.iface)...)
	return slices.Concat(
		[]uint32{spv.Magic, 0x00010300, 0, m.bound, 0},
		m.caps,
		ins(opMemoryModel, 0, 1),
		entry, m.more,
		ins(opExecutionMode, m.entry, 17, m.local, 1, 1),
		m.names, m.decs, m.types, m.funcs)
}

func (m *module) bytes() []byte { return spv.Bytes(m.words()) }
