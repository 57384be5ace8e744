// SPDX-License-Identifier: MIT

package limits

// Modules of size n: each function makes n copies of one construct.

// switchCases returns a switch of n cases, each of which stores a different value to a variable.
func switchCases(n int) []byte {
	m := newModule()
	m.begin(m.entry, m.void)
	v := m.val(opVariable, m.typ(opTypePointer, classFunction, m.uint), classFunction)
	x := m.lane()
	y := m.get(x)
	m.do(opStore, v, y)
	merge := m.new()
	labels := m.choose(y, n, merge, merge)
	for i, l := range labels {
		m.label(l)
		m.do(opStore, v, m.bin(opIMul, y, m.u(uint32(3*i+1))))
		m.do(opBranch, merge)
	}
	m.label(merge)
	m.put(x, m.val(opLoad, m.uint, v))
	m.end()
	return m.bytes()
}

// switchStores returns a switch of n cases that store to the buffer.
func switchStores(n int) []byte {
	m, x := start()
	y := m.get(x)
	merge := m.new()
	labels := m.choose(y, n, merge, merge)
	for i, l := range labels {
		m.label(l)
		m.put(m.u(uint32(i)), m.bin(opIMul, y, m.u(uint32(3*i+1))))
		m.do(opBranch, merge)
	}
	m.label(merge)
	m.end()
	return m.bytes()
}

// switchPhi returns a switch of n cases whose values meet in a phi.
func switchPhi(n int) []byte {
	m, x := start()
	y := m.get(x)
	merge, other := m.new(), m.new()
	labels := m.choose(y, n, other, merge)
	var phi []uint32
	for i, l := range append(labels, other) {
		m.label(l)
		phi = append(phi, m.bin(opIMul, y, m.u(uint32(3*i+1))), l)
		m.do(opBranch, merge)
	}
	m.label(merge)
	m.put(x, m.val(opPhi, m.uint, phi...))
	m.end()
	return m.bytes()
}

// additions returns a chain of n additions.
func additions(n int) []byte {
	m, x := start()
	y := m.get(x)
	z := y
	for range n {
		z = m.bin(opIAdd, z, y)
	}
	m.put(x, z)
	m.end()
	return m.bytes()
}

// mixed returns a chain of n operations that no rule shortens.
func mixed(n int) []byte {
	m, x := start()
	y := m.get(x)
	z := y
	for i := range n {
		z = m.bin([]uint32{opIAdd, opIMul, opBitwiseXor}[i%3], z, []uint32{x, y}[i/3%2])
	}
	m.put(x, z)
	m.end()
	return m.bytes()
}

// doubling returns n functions, each of which calls the previous one twice.
func doubling(n int) []byte {
	m := newModule()
	f := m.new()
	arg := m.begin(f, m.uint, m.uint)
	m.do(opReturnValue, m.bin(opIAdd, arg[0], arg[0]))
	m.do(opFunctionEnd)
	for range n {
		g := m.new()
		args := m.begin(g, m.uint, m.uint)
		a := m.val(opCall, m.uint, f, args[0])
		m.do(opReturnValue, m.bin(opIMul, m.val(opCall, m.uint, f, a), args[0]))
		m.do(opFunctionEnd)
		f = g
	}
	m.begin(m.entry, m.void)
	x := m.lane()
	m.put(x, m.val(opCall, m.uint, f, x))
	m.end()
	return m.bytes()
}

// calls returns one function that is called n times.
func calls(n int) []byte {
	m := newModule()
	f := m.new()
	args := m.begin(f, m.uint, m.uint)
	m.do(opReturnValue, m.bin(opIMul, args[0], m.get(args[0])))
	m.do(opFunctionEnd)
	m.begin(m.entry, m.void)
	x := m.lane()
	z := x
	for range n {
		z = m.val(opCall, m.uint, f, z)
	}
	m.put(x, z)
	m.end()
	return m.bytes()
}

// functions returns n functions that are called once each.
func functions(n int) []byte {
	m := newModule()
	var fs []uint32
	for i := range n {
		f := m.new()
		args := m.begin(f, m.uint, m.uint)
		m.do(opReturnValue, m.bin(opIMul, args[0], m.get(m.u(uint32(i)))))
		m.do(opFunctionEnd)
		fs = append(fs, f)
	}
	m.begin(m.entry, m.void)
	x := m.lane()
	z := x
	for _, f := range fs {
		z = m.val(opCall, m.uint, f, z)
	}
	m.put(x, z)
	m.end()
	return m.bytes()
}

// ifs returns n ifs one after the other.
func ifs(n int) []byte {
	m, x := start()
	for i := range n {
		y := m.get(x)
		then, merge := m.new(), m.new()
		m.when(m.less(y, m.u(uint32(i))), then, merge)
		m.label(then)
		m.put(x, m.bin(opIMul, y, x))
		m.do(opBranch, merge)
		m.label(merge)
	}
	m.end()
	return m.bytes()
}

// ifVars returns n ifs one after the other that change a variable.
func ifVars(n int) []byte {
	m := newModule()
	m.begin(m.entry, m.void)
	v := m.val(opVariable, m.typ(opTypePointer, classFunction, m.uint), classFunction)
	x := m.lane()
	m.do(opStore, v, x)
	for i := range n {
		y := m.val(opLoad, m.uint, v)
		then, merge := m.new(), m.new()
		m.when(m.less(y, m.u(uint32(i))), then, merge)
		m.label(then)
		m.do(opStore, v, m.bin(opIMul, y, m.get(y)))
		m.do(opBranch, merge)
		m.label(merge)
	}
	m.put(x, m.val(opLoad, m.uint, v))
	m.end()
	return m.bytes()
}

// nestedIfs returns n ifs, each in the one before.
func nestedIfs(n int) []byte {
	m, x := start()
	var merges []uint32
	for i := range n {
		y := m.get(x)
		then, merge := m.new(), m.new()
		merges = append(merges, merge)
		m.when(m.less(y, m.u(uint32(i))), then, merge)
		m.label(then)
		m.put(x, m.bin(opIMul, y, x))
	}
	for i := len(merges) - 1; i >= 0; i-- {
		m.do(opBranch, merges[i])
		m.label(merges[i])
	}
	m.end()
	return m.bytes()
}

// start begins a module's entry point and returns the number of the invocation.
func start() (m *module, x uint32) {
	m = newModule()
	m.begin(m.entry, m.void)
	return m, m.lane()
}

// choose starts a switch over x whose default label is other, and returns the labels of its cases 0 to n-1.
func (m *module) choose(x uint32, n int, other, merge uint32) []uint32 {
	labels := make([]uint32, n)
	operands := []uint32{x, other}
	for i := range labels {
		labels[i] = m.new()
		operands = append(operands, uint32(i), labels[i])
	}
	m.do(opSelectionMerge, merge, 0)
	m.do(opSwitch, operands...)
	return labels
}

// when starts an if without an else part.
func (m *module) when(cond, then, merge uint32) {
	m.do(opSelectionMerge, merge, 0)
	m.do(opBranchConditional, cond, then, merge)
}

// loop adds a loop of count iterations; body emits its body and gets the counter.
func (m *module) loop(count uint32, body func(i uint32)) {
	v := m.new()
	head, test, inside := m.new(), m.new(), m.new()
	cont, merge := m.new(), m.new()
	before := m.new()
	m.do(opBranch, before)
	m.label(before)
	m.do(opBranch, head)
	m.label(head)
	next := m.new()
	m.do(opPhi, m.uint, v, m.u(0), before, next, cont)
	m.do(opLoopMerge, merge, cont, 0)
	m.do(opBranch, test)
	m.label(test)
	less := m.less(v, m.u(count))
	m.do(opBranchConditional, less, inside, merge)
	m.label(inside)
	body(v)
	m.do(opBranch, cont)
	m.label(cont)
	m.do(opIAdd, m.uint, next, v, m.u(1))
	m.do(opBranch, head)
	m.label(merge)
}

// loops returns n loops one after the other.
func loops(n int) []byte {
	m, x := start()
	for range n {
		m.loop(10, func(i uint32) { m.put(x, m.bin(opIAdd, m.get(i), x)) })
	}
	m.end()
	return m.bytes()
}

// nestedLoops returns n loops, each in the one before.
func nestedLoops(n int) []byte {
	m, x := start()
	var nest func(n int)
	nest = func(n int) {
		if n == 0 {
			return
		}
		m.loop(10, func(i uint32) {
			m.put(x, m.bin(opIAdd, m.get(i), x))
			nest(n - 1)
		})
	}
	nest(n)
	m.end()
	return m.bytes()
}

// leaves returns a loop with n ifs that leave its body, in turn to the end of the loop and to its next iteration.
func leaves(n int) []byte {
	m := newModule()
	m.begin(m.entry, m.void)
	v := m.counter()
	x := m.lane()
	m.loop2(v, func(cont, merge, i uint32) {
		for k := range n {
			y := m.get(i)
			then, after := m.new(), m.new()
			m.when(m.less(y, m.u(uint32(k))), then, after)
			m.label(then)
			m.put(x, y)
			m.do(opBranch, []uint32{cont, merge}[k%2])
			m.label(after)
			m.put(y, x)
		}
	})
	m.end()
	return m.bytes()
}

// counter declares the counter of loop2, at the start of a function.
func (m *module) counter() uint32 {
	return m.val(opVariable, m.typ(opTypePointer, classFunction, m.uint), classFunction)
}

// loop2 is like loop, with a counter in variable v. body gets the labels to continue the loop and to leave it.
func (m *module) loop2(v uint32, body func(cont, merge, i uint32)) {
	head, inside := m.new(), m.new()
	cont, merge := m.new(), m.new()
	m.do(opBranch, head)
	m.label(head)
	m.do(opLoopMerge, merge, cont, 0)
	m.do(opBranch, inside)
	m.label(inside)
	i := m.val(opLoad, m.uint, v)
	body(cont, merge, i)
	m.do(opBranch, cont)
	m.label(cont)
	m.do(opStore, v, m.bin(opIAdd, m.val(opLoad, m.uint, v), m.u(1)))
	m.do(opBranch, head)
	m.label(merge)
}

// returns returns n ifs that return from the function, one after the other.
func returns(n int) []byte {
	m := newModule()
	f := m.new()
	args := m.begin(f, m.uint, m.uint)
	for k := range n {
		y := m.get(args[0])
		then, after := m.new(), m.new()
		m.when(m.less(y, m.u(uint32(k))), then, after)
		m.label(then)
		m.do(opReturnValue, y)
		m.label(after)
		m.put(y, args[0])
	}
	m.do(opReturnValue, args[0])
	m.do(opFunctionEnd)
	m.begin(m.entry, m.void)
	x := m.lane()
	m.put(x, m.val(opCall, m.uint, f, x))
	m.end()
	return m.bytes()
}

// pressure returns n loads, followed by the uses of all loaded values.
func pressure(n int) []byte {
	m, x := start()
	vals := make([]uint32, n)
	z := x
	for i := range vals {
		z = m.bin(opIAdd, z, x)
		vals[i] = m.get(m.bin(opIAdd, x, m.u(uint32(i))))
	}
	m.do(opControlBarrier, m.u(2), m.u(2), m.u(0x48))
	for i := len(vals) - 1; i >= 0; i-- {
		z = m.bin(opIMul, z, vals[i])
	}
	m.put(x, z)
	m.end()
	return m.bytes()
}
