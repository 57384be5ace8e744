// SPDX-License-Identifier: MIT

package limits

// nestedStructs returns a module that accesses a variable in the given storage class. The variable's type is n levels of
// structs, each with two members of the level below.
func nestedStructs(n int, class uint32, null bool) []byte {
	m := newModule()
	t := m.uint
	for range n {
		t = m.typ(opTypeStruct, t, t)
	}
	ptr := m.typ(opTypePointer, class, t)
	ptrElem := m.typ(opTypePointer, class, m.uint)
	var v uint32
	var init []uint32
	if null {
		init = []uint32{m.global(opConstantNull, t)}
	}
	if class != classFunction {
		v = m.global(opVariable, ptr, append([]uint32{class}, init...)...)
	}
	m.begin(m.entry, m.void)
	if class == classFunction {
		v = m.val(opVariable, ptr, append([]uint32{class}, init...)...)
	}
	x := m.lane()
	path := []uint32{v}
	for i := range n {
		path = append(path, m.u(uint32(i%2)))
	}
	p := m.val(opAccessChain, ptrElem, path...)
	m.do(opStore, p, x)
	m.put(x, m.val(opLoad, m.uint, p))
	m.end()
	return m.bytes()
}

// nestedBuffer returns a buffer whose type is n levels of structs with two members each.
func nestedBuffer(n int) []byte {
	m := newModule()
	t, size := m.uint, uint32(4)
	for range n {
		t = m.typ(opTypeStruct, t, t)
		m.memberOffset(t, 0, 0)
		m.memberOffset(t, 1, size)
		size *= 2
	}
	a := m.buffer(m.block(t), 1)
	b := m.buffer(m.block(t), 2)
	ptr := m.typ(opTypePointer, classStorageBuffer, t)
	m.begin(m.entry, m.void)
	pa, pb := m.val(opAccessChain, ptr, a, m.u(0)), m.val(opAccessChain, ptr, b, m.u(0))
	m.do(opStore, pa, m.val(opLoad, t, pb))
	m.do(opCopyMemory, pb, pa)
	m.end()
	return m.bytes()
}

// copies returns a module that copies an array of n elements, once as a value and once in memory.
func copies(n int, class uint32) []byte {
	m := newModule()
	t := m.typ(opTypeArray, m.uint, m.u(uint32(n)))
	m.decorate(t, decArrayStride, 4)
	ptr := m.typ(opTypePointer, class, t)
	ptrElem := m.typ(opTypePointer, class, m.uint)
	vars := make([]uint32, 2)
	if class == classStorageBuffer {
		vars[0], vars[1] = m.buffer(m.block(t), 1), m.buffer(m.block(t), 2)
	} else if class != classFunction {
		vars[0], vars[1] = m.variable(t, class), m.variable(t, class)
	}
	m.begin(m.entry, m.void)
	if class == classFunction {
		vars[0], vars[1] = m.val(opVariable, ptr, class), m.val(opVariable, ptr, class)
	}
	if class == classStorageBuffer {
		for i := range vars {
			vars[i] = m.val(opAccessChain, ptr, vars[i], m.u(0))
		}
	}
	x := m.lane()
	m.do(opStore, m.val(opAccessChain, ptrElem, vars[0], x), x)
	m.do(opStore, vars[1], m.val(opLoad, t, vars[0]))
	m.do(opCopyMemory, vars[0], vars[1])
	m.put(x, m.val(opLoad, m.uint, m.val(opAccessChain, ptrElem, vars[0], x)))
	m.end()
	return m.bytes()
}

// hugeArray returns an access by index to an array of 2n elements initialized with OpConstantNull; a 32-bit int can
// express even the largest sizes.
func hugeArray(n int, class uint32) []byte {
	m := newModule()
	t := m.typ(opTypeArray, m.uint, m.u(2*uint32(n)))
	ptrElem := m.typ(opTypePointer, class, m.uint)
	v := m.variable(t, class, m.global(opConstantNull, t))
	m.begin(m.entry, m.void)
	x := m.lane()
	p := m.val(opAccessChain, ptrElem, v, x)
	m.do(opStore, p, x)
	m.put(x, m.val(opLoad, m.uint, p))
	m.end()
	return m.bytes()
}

// constants returns an access by index to an array of n constants.
func constants(n int) []byte {
	m := newModule()
	var parts []uint32
	for i := range n {
		parts = append(parts, m.u(uint32(i*i)))
	}
	c := uint32(0)
	var t uint32
	if n > 60000 { // an instruction has 65535 words
		inner := m.typ(opTypeArray, m.uint, m.u(1000))
		var rows []uint32
		for i := 0; i+1000 <= n; i += 1000 {
			rows = append(rows, m.global(opConstantComposite, inner, parts[i:i+1000]...))
		}
		t = m.typ(opTypeArray, inner, m.u(uint32(len(rows))))
		c = m.global(opConstantComposite, t, rows...)
	} else {
		t = m.typ(opTypeArray, m.uint, m.u(uint32(n)))
		c = m.global(opConstantComposite, t, parts...)
	}
	ptr, ptrElem := m.typ(opTypePointer, classFunction, t), m.typ(opTypePointer, classFunction, m.uint)
	m.begin(m.entry, m.void)
	v := m.val(opVariable, ptr, classFunction, c)
	x := m.lane()
	path := []uint32{v, x}
	if n > 60000 {
		path = append(path, x)
	}
	m.put(x, m.val(opLoad, m.uint, m.val(opAccessChain, ptrElem, path...)))
	m.end()
	return m.bytes()
}

// nullRows returns a constant array of n rows, each a null array of n.
func nullRows(n int) []byte {
	m := newModule()
	inner := m.typ(opTypeArray, m.uint, m.u(uint32(n)))
	row := m.global(opConstantNull, inner)
	rows := make([]uint32, n)
	for i := range rows {
		rows[i] = row
	}
	t := m.typ(opTypeArray, inner, m.u(uint32(n)))
	c := m.global(opConstantComposite, t, rows...)
	ptr, ptrElem := m.typ(opTypePointer, classFunction, t), m.typ(opTypePointer, classFunction, m.uint)
	m.begin(m.entry, m.void)
	v := m.val(opVariable, ptr, classFunction, c)
	x := m.lane()
	m.put(x, m.val(opLoad, m.uint, m.val(opAccessChain, ptrElem, v, x, x)))
	m.end()
	return m.bytes()
}

// groups returns n decorations of a group that is applied to n ids.
func groups(n int) []byte {
	m := newModule()
	g := m.new()
	for range n {
		m.decorate(g, decOffset, 0)
	}
	m.decs = append(m.decs, ins(opDecorationGroup, g)...)
	targets := []uint32{g}
	for range n {
		targets = append(targets, m.typ(opTypeStruct, m.uint))
	}
	for len(targets) > 1 {
		k := min(len(targets), 60000)
		m.decs = append(m.decs, ins(opGroupDecorate, append([]uint32{g}, targets[1:k]...)...)...)
		targets = append([]uint32{g}, targets[k:]...)
	}
	m.begin(m.entry, m.void)
	m.end()
	return m.bytes()
}

// specOps returns a chain of n operations on specialization constants.
func specOps(n int) []byte {
	m := newModule()
	c := m.global(opSpecConstant, m.uint, 3)
	m.decorate(c, 1, 0)
	z := c
	for range n {
		z = m.global(opSpecConstantOp, m.uint, opIAdd, z, c)
	}
	m.begin(m.entry, m.void)
	x := m.lane()
	m.put(x, z)
	m.end()
	return m.bytes()
}

// members returns a struct of n members, each of which is read.
func members(n int) []byte {
	m := newModule()
	ms := make([]uint32, n)
	for i := range ms {
		ms[i] = m.uint
	}
	t := m.typ(opTypeStruct, ms...)
	m.decorate(t, decBlock)
	for i := range ms {
		m.memberOffset(t, uint32(i), uint32(4*i))
	}
	v := m.buffer(t, 1)
	m.begin(m.entry, m.void)
	x := m.lane()
	for i := range ms {
		y := m.val(opLoad, m.uint, m.val(opAccessChain, m.ptrElem, v, m.u(uint32(i))))
		m.put(y, x)
	}
	m.end()
	return m.bytes()
}

// variables returns n private variables, each written and read.
func variables(n int) []byte {
	m := newModule()
	ptr := m.typ(opTypePointer, classPrivate, m.uint)
	vars := make([]uint32, n)
	for i := range vars {
		vars[i] = m.global(opVariable, ptr, classPrivate)
	}
	m.begin(m.entry, m.void)
	x := m.lane()
	for _, v := range vars {
		m.do(opStore, v, m.get(x))
	}
	for _, v := range vars {
		m.put(m.val(opLoad, m.uint, v), x)
	}
	m.end()
	return m.bytes()
}

// buffers returns n storage buffers.
func buffers(n int) []byte {
	m := newModule()
	t := m.block(m.uint)
	ptr := m.typ(opTypePointer, classStorageBuffer, t)
	vars := make([]uint32, n)
	for i := range vars {
		vars[i] = m.global(opVariable, ptr, classStorageBuffer)
		m.decorate(vars[i], decDescriptorSet, 1)
		m.decorate(vars[i], decBinding, uint32(i))
	}
	m.begin(m.entry, m.void)
	x := m.lane()
	for _, v := range vars {
		m.do(opStore, m.val(opAccessChain, m.ptrElem, v, m.u(0)), x)
	}
	m.end()
	return m.bytes()
}

// descriptors returns an access by index to an array of 4n+3 buffers.
func descriptors(n int) []byte {
	m := newModule()
	t := m.typ(opTypeArray, m.block(m.uint), m.u(4*uint32(n)+3))
	v := m.variable(t, classStorageBuffer)
	m.decorate(v, decDescriptorSet, 1)
	m.decorate(v, decBinding, 0)
	m.begin(m.entry, m.void)
	x := m.lane()
	m.do(opStore, m.val(opAccessChain, m.ptrElem, v, x, m.u(0)), x)
	m.end()
	return m.bytes()
}

// entries returns n entry points.
func entries(n int) []byte {
	m := newModule()
	m.begin(m.entry, m.void)
	m.end()
	for range n {
		f := m.new()
		m.begin(f, m.void)
		m.end()
		m.more = append(m.more, ins(opEntryPoint, append([]uint32{5, f}, str("x"+itoa(f))...)...)...)
	}
	return m.bytes()
}

// inserts returns n changes of an array of 1000 elements, as a value.
func inserts(n int) []byte {
	m := newModule()
	t := m.typ(opTypeArray, m.uint, m.u(1000))
	m.begin(m.entry, m.void)
	x := m.lane()
	z := m.global(opConstantNull, t)
	for i := range n {
		z = m.val(opCompositeInsert, t, x, z, uint32(i*7%1000))
	}
	m.put(x, m.val(opCompositeExtract, m.uint, z, 5))
	m.end()
	return m.bytes()
}

// indirect returns n accesses by index to an array of 16 elements that is stored to.
func indirect(n int) []byte {
	m := newModule()
	t := m.typ(opTypeArray, m.uint, m.u(16))
	ptr, ptrElem := m.typ(opTypePointer, classFunction, t), m.typ(opTypePointer, classFunction, m.uint)
	m.begin(m.entry, m.void)
	v := m.val(opVariable, ptr, classFunction)
	x := m.lane()
	for range n {
		y := m.get(x)
		m.do(opStore, m.val(opAccessChain, ptrElem, v, y), x)
		x = m.val(opLoad, m.uint, m.val(opAccessChain, ptrElem, v, x))
	}
	m.put(x, x)
	m.end()
	return m.bytes()
}

// tables returns n reads by index from an array of 16 elements that is filled first.
func tables(n int) []byte {
	m := newModule()
	t := m.typ(opTypeArray, m.uint, m.u(16))
	ptr, ptrElem := m.typ(opTypePointer, classFunction, t), m.typ(opTypePointer, classFunction, m.uint)
	m.begin(m.entry, m.void)
	v := m.val(opVariable, ptr, classFunction)
	x := m.lane()
	for i := range uint32(16) {
		m.do(opStore, m.val(opAccessChain, ptrElem, v, m.u(i)), m.get(m.u(i)))
	}
	for range n {
		x = m.val(opLoad, m.uint, m.val(opAccessChain, ptrElem, v, x))
	}
	m.put(x, x)
	m.end()
	return m.bytes()
}

// divisions returns n divisions of 64-bit integers.
func divisions(n int) []byte {
	m := newModule()
	m.caps = append(m.caps, ins(opCapability, 11)...)
	long := m.typ(opTypeInt, 64, 0)
	m.begin(m.entry, m.void)
	x := m.lane()
	y := m.val(113, long, x)
	z := y
	for range n {
		z = m.val(opUDiv, long, y, m.val(opIAdd, long, z, y))
	}
	m.put(x, m.val(113, m.uint, z))
	m.end()
	return m.bytes()
}

// ext returns n uses of a GLSL.std.450 function with one operand.
func ext(n int, number uint32) []byte {
	m := newModule()
	set := m.new()
	m.caps = append(m.caps, ins(opExtInstImport, append([]uint32{set}, str("GLSL.std.450")...)...)...)
	m.begin(m.entry, m.void)
	x := m.lane()
	z := m.val(112, m.float, x)
	for range n {
		z = m.val(opExtInst, m.float, set, number, z)
	}
	m.put(x, m.val(109, m.uint, z))
	m.end()
	return m.bytes()
}

// inverses returns n inverses of matrices.
func inverses(n int) []byte {
	m := newModule()
	set := m.new()
	m.caps = append(m.caps, ins(opExtInstImport, append([]uint32{set}, str("GLSL.std.450")...)...)...)
	vec := m.typ(opTypeVector, m.float, 4)
	mat := m.typ(opTypeMatrix, vec, 4)
	m.begin(m.entry, m.void)
	x := m.lane()
	f := m.val(112, m.float, x)
	col := m.val(opCompositeConstruct, vec, f, f, f, f)
	z := m.val(opCompositeConstruct, mat, col, col, col, col)
	for range n {
		z = m.val(opExtInst, mat, set, 34, z)
	}
	m.put(x, m.val(109, m.uint, m.val(opCompositeExtract, m.float, z, 0, 0)))
	m.end()
	return m.bytes()
}

// barriers returns n barriers.
func barriers(n int) []byte {
	m, x := start()
	for range n {
		m.put(x, m.get(x))
		m.do(opControlBarrier, m.u(2), m.u(2), m.u(0x48))
	}
	m.end()
	return m.bytes()
}

// unreachable returns n blocks that nothing leads to.
func unreachable(n int) []byte {
	m := newModule()
	m.begin(m.entry, m.void)
	m.do(opReturn)
	for range n {
		m.label(m.new())
		m.do(opUnreachable)
	}
	m.do(opFunctionEnd)
	return m.bytes()
}

// fallthroughs returns a switch of n cases, each of which runs into the next.
func fallthroughs(n int) []byte {
	m, x := start()
	y := m.get(x)
	merge := m.new()
	labels := m.choose(y, n, merge, merge)
	for i, l := range labels {
		m.label(l)
		m.put(m.u(uint32(i)), m.bin(opIMul, y, m.u(uint32(3*i+1))))
		m.do(opBranch, append(labels, merge)[i+1])
	}
	m.label(merge)
	m.end()
	return m.bytes()
}

// sharedCase returns a switch with min(n, 32000) values that all lead to one block.
func sharedCase(n int) []byte {
	m, x := start()
	y := m.get(x)
	merge, block := m.new(), m.new()
	operands := []uint32{y, merge}
	for i := range min(n, 32000) {
		operands = append(operands, uint32(2*i), block)
	}
	m.do(opSelectionMerge, merge, 0)
	m.do(opSwitch, operands...)
	m.label(block)
	m.put(x, y)
	m.do(opBranch, merge)
	m.label(merge)
	m.end()
	return m.bytes()
}

// nestedSwitches returns n switches, each in the one before, all of which leave the
// outermost loop.
func nestedSwitches(n int) []byte {
	m := newModule()
	m.begin(m.entry, m.void)
	v := m.counter()
	x := m.lane()
	m.loop2(v, func(cont, merge, i uint32) {
		y := m.get(i)
		var merges []uint32
		for range n {
			a, b := m.new(), m.new()
			c, after := m.new(), m.new()
			m.do(opSelectionMerge, after, 0)
			m.do(opSwitch, y, c, 1, a, 2, b)
			m.label(c)
			m.do(opBranch, merge)
			m.label(b)
			m.do(opBranch, cont)
			m.label(a)
			m.put(y, x)
			merges = append(merges, after)
		}
		for i := len(merges) - 1; i >= 0; i-- {
			m.do(opBranch, merges[i])
			m.label(merges[i])
		}
	})
	m.end()
	return m.bytes()
}

// manyLive returns n variables that are live throughout a loop with many ifs.
func manyLive(n int) []byte {
	m := newModule()
	m.begin(m.entry, m.void)
	ptr := m.typ(opTypePointer, classFunction, m.uint)
	vars := make([]uint32, n)
	for i := range vars {
		vars[i] = m.val(opVariable, ptr, classFunction)
	}
	x := m.lane()
	for _, v := range vars {
		m.do(opStore, v, m.get(x))
	}
	m.loop(10, func(uint32) {
		for _, v := range vars {
			then, merge := m.new(), m.new()
			y := m.val(opLoad, m.uint, v)
			m.when(m.less(y, x), then, merge)
			m.label(then)
			m.do(opStore, v, m.bin(opIMul, y, x))
			m.do(opBranch, merge)
			m.label(merge)
		}
	})
	for _, v := range vars {
		m.put(m.val(opLoad, m.uint, v), x)
	}
	m.end()
	return m.bytes()
}

// names returns a module with n bytes of names.
func names(n int) []byte {
	m := newModule()
	long := make([]byte, 200000)
	for i := range long {
		long[i] = 'a'
	}
	for i := 0; i < n; i += len(long) {
		m.names = append(m.names, ins(opName, append([]uint32{m.id}, str(string(long))...)...)...)
	}
	m.begin(m.entry, m.void)
	m.end()
	return m.bytes()
}

// chains returns n equal access chains through 200 nested structs.
func chains(n int) []byte {
	m := newModule()
	t := m.uint
	for range 200 {
		t = m.typ(opTypeStruct, t)
		m.memberOffset(t, 0, 0)
	}
	m.decorate(t, decBlock)
	v := m.buffer(t, 1)
	path := []uint32{v}
	for range 200 {
		path = append(path, m.u(0))
	}
	m.begin(m.entry, m.void)
	x := m.lane()
	for range n {
		m.do(opStore, m.val(opAccessChain, m.ptrElem, path...), x)
	}
	m.end()
	return m.bytes()
}
