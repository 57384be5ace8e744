// SPDX-License-Identifier: MIT

package limits

import "math"

// shape is a family of modules: make returns a module of about n instructions.
type shape struct {
	name string
	make func(n int) []byte
}

// shapes are shaders of about n instructions that repeat one construct. Compiling them must take time and memory in
// proportion to n.
var shapes = []shape{
	{"straight line", mixed},
	{"branches", func(n int) []byte { return ifVars(n / 10) }},
	{"nested ifs", deepIfs},
	{"nested loops", deepLoops},
	{"loops", func(n int) []byte { return loops(n / 15) }},
	{"constants", literals},
	{"variables", func(n int) []byte { return variables(n / 6) }},
	{"phis", phis},
	{"changed variables", func(n int) []byte { return changedVariables(n / 12) }},
	{"calls", func(n int) []byte { return calls(n / 4) }},
	{"calls of dead ways", deadWays},
	{"functions", func(n int) []byte { return functions(n / 6) }},
	{"switch", func(n int) []byte { return switchLoads(n/6, 1) }},
	{"switch with gaps", func(n int) []byte { return switchLoads(n/6, 3) }},
	{"leaving ifs", func(n int) []byte { return leaves(n / 12) }},
	{"memory", traffic},
}

// mostNested is the maximum nesting of the growing shapes; the reader takes 1023.
const mostNested = 1000

// deepIfs returns nests of ifs, n instructions in all.
func deepIfs(n int) []byte {
	m := newModule()
	m.begin(m.entry, m.void)
	x := m.lane()
	for left := n / 8; left > 0; left -= mostNested {
		var merges []uint32
		for i := range min(left, mostNested) {
			y := m.get(x)
			then, merge := m.new(), m.new()
			merges = append(merges, merge)
			m.when(m.less(y, m.u(uint32(i)+1)), then, merge)
			m.label(then)
			m.put(x, m.bin(opIMul, y, x))
		}
		for i := len(merges) - 1; i >= 0; i-- {
			m.do(opBranch, merges[i])
			m.label(merges[i])
		}
	}
	m.end()
	return m.bytes()
}

// deepLoops returns nested loops, n instructions in all. Each loop adds the element that it loads to a variable.
func deepLoops(n int) []byte {
	const depth = 60
	m := newModule()
	m.begin(m.entry, m.void)
	v := m.val(opVariable, m.typ(opTypePointer, classFunction, m.uint), classFunction)
	x := m.lane()
	var nest func(n int)
	nest = func(n int) {
		if n > 0 {
			m.loop(10, func(i uint32) {
				m.do(opStore, v, m.bin(opIAdd, m.get(i), m.val(opLoad, m.uint, v)))
				nest(n - 1)
			})
		}
	}
	for left := n / 16; left > 0; left -= depth {
		nest(min(left, depth))
	}
	m.put(x, m.val(opLoad, m.uint, v))
	m.end()
	return m.bytes()
}

// literals returns a chain of n operations, each with a different constant.
func literals(n int) []byte {
	m := newModule()
	m.begin(m.entry, m.void)
	x := m.lane()
	z := m.get(x)
	for i := range uint32(n) {
		z = m.bin([]uint32{opIAdd, opIMul, opBitwiseXor}[i%3], z, m.u(i*0x9E3779B1|0x10000))
	}
	m.put(x, z)
	m.end()
	return m.bytes()
}

// phis returns ifs, each followed by eight phis, n instructions in all.
func phis(n int) []byte {
	m := newModule()
	m.begin(m.entry, m.void)
	x := m.lane()
	var vals [8]uint32
	for k := range vals {
		vals[k] = m.get(m.u(uint32(k)))
	}
	before := m.new()
	m.do(opBranch, before)
	m.label(before)
	for range n / 20 {
		then, merge := m.new(), m.new()
		m.when(m.less(vals[0], vals[7]), then, merge)
		m.label(then)
		var changed, met [8]uint32
		for k := range vals {
			changed[k] = m.bin([]uint32{opIAdd, opIMul, opBitwiseXor}[k%3], vals[k], vals[(k+3)%8])
		}
		m.do(opBranch, merge)
		m.label(merge)
		for k := range vals {
			met[k] = m.val(opPhi, m.uint, vals[k], before, changed[k], then)
		}
		vals, before = met, merge
	}
	for _, v := range vals {
		m.put(x, v)
	}
	m.end()
	return m.bytes()
}

// changedVariables returns n variables that are all set. A branch assigns to each of them the value of another one,
// and all are read at the end, so that most are live at all branches.
func changedVariables(n int) []byte {
	m := newModule()
	m.begin(m.entry, m.void)
	ptr := m.typ(opTypePointer, classFunction, m.uint)
	vars := make([]uint32, n)
	for i := range vars {
		vars[i] = m.val(opVariable, ptr, classFunction)
	}
	x := m.lane()
	for i, v := range vars {
		m.do(opStore, v, m.bin(opIAdd, x, m.u(uint32(i%1000))))
	}
	for i, v := range vars {
		then, merge := m.new(), m.new()
		m.when(m.less(m.u(uint32(i%1000)), x), then, merge)
		m.label(then)
		m.do(opStore, v, m.val(opLoad, m.uint, vars[(7*i+1)%n]))
		m.do(opBranch, merge)
		m.label(merge)
	}
	sum := x
	for _, v := range vars {
		sum = m.bin(opBitwiseXor, sum, m.val(opLoad, m.uint, v))
	}
	m.put(x, sum)
	m.end()
	return m.bytes()
}

// traffic returns loads with addresses that depend on loaded values, each followed by a store, n instructions in all.
func traffic(n int) []byte {
	m := newModule()
	m.begin(m.entry, m.void)
	x := m.lane()
	z := x
	for i := range n / 6 {
		z = m.bin(opIAdd, m.get(z), x)
		m.put(m.bin(opIAdd, x, m.u(uint32(i))), z)
	}
	m.put(x, z)
	m.end()
	return m.bytes()
}

// deadWays returns a function of n instructions, of which a constant chooses a few, and another with up to eight calls of
// it, of which the constant chooses one. The more instructions, the more calls.
func deadWays(n int) []byte {
	m := newModule()
	ptr := m.typ(opTypePointer, classFunction, m.uint)
	function := func(ways int, way func(x, k uint32) uint32) uint32 {
		f := m.new()
		x := m.begin(f, m.uint, m.uint)[0]
		v := m.val(opVariable, ptr, classFunction)
		m.do(opStore, v, x)
		merge := m.new()
		for i, l := range m.choose(m.u(0), ways, merge, merge) {
			m.label(l)
			m.do(opStore, v, way(x, m.u(uint32(i+2))))
			m.do(opBranch, merge)
		}
		m.label(merge)
		m.do(opReturnValue, m.val(opLoad, m.uint, v))
		m.do(opFunctionEnd)
		return f
	}
	f := function(n/6, func(x, k uint32) uint32 { return m.bin(opIMul, x, m.get(k)) })
	g := function(1+int(math.Sqrt(float64(n)))/40, func(x, k uint32) uint32 { return m.val(opCall, m.uint, f, m.bin(opIAdd, x, k)) })
	m.begin(m.entry, m.void)
	x := m.lane()
	m.put(x, m.val(opCall, m.uint, g, x))
	m.end()
	return m.bytes()
}

// switchLoads returns a switch of n cases, with labels by apart, each of which reads a different element of data.
func switchLoads(n, by int) []byte {
	m := newModule()
	m.begin(m.entry, m.void)
	v := m.val(opVariable, m.typ(opTypePointer, classFunction, m.uint), classFunction)
	x := m.lane()
	y := m.get(x)
	m.do(opStore, v, y)
	merge := m.new()
	labels := make([]uint32, n)
	operands := []uint32{y, merge}
	for i := range labels {
		labels[i] = m.new()
		operands = append(operands, uint32(by*i), labels[i])
	}
	m.do(opSelectionMerge, merge, 0)
	m.do(opSwitch, operands...)
	for i, l := range labels {
		m.label(l)
		m.do(opStore, v, m.get(m.bin(opBitwiseXor, y, m.u(uint32(5*i+1)))))
		m.do(opBranch, merge)
	}
	m.label(merge)
	m.put(x, m.val(opLoad, m.uint, v))
	m.end()
	return m.bytes()
}
