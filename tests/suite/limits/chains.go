// SPDX-License-Identifier: MIT

package limits

// Opcodes of floats, and of GLSL.std.450.
const (
	opBitcast, opFNegate, opFSub, opFMul, opFDiv = 124, 127, 131, 133, 136
	opShiftLeft                                  = 196

	extFAbs, extFMin, extFMax, extFMix, extFma = 4, 37, 40, 46, 50
)

// chain is a module whose functions compute a single float.
type chain struct {
	*module
	ext  uint32 // import of GLSL.std.450
	seed uint32 // the float that the chain starts with
	n    int    // index of the current link
}

func (c *chain) f(op uint32, operands ...uint32) uint32 { return c.val(op, c.float, operands...) }

func (c *chain) call(ext uint32, operands ...uint32) uint32 {
	return c.val(opExtInst, c.float, append([]uint32{c.ext, ext}, operands...)...)
}

// num returns a constant of about x/4, different in each of the first thousand links.
func (c *chain) num(x uint32) uint32 {
	return c.global(opConstant, c.float, floatBits(x+uint32(c.n)%1000))
}

// floatBits returns the bits of x/4 as a float, for a small x that is not 0.
func floatBits(x uint32) uint32 {
	e := uint32(0)
	for x>>e > 1 {
		e++
	}
	return (127-2+e)<<23 | x<<(23-e)&(1<<23-1)
}

// floatChains are shaders that repeat one or several operations, each on the result of the previous one. If a rule moves
// something outwards, toward the leaves or past an operation, it may move past all of them.
var floatChains = []struct {
	name string
	link func(c *chain, x uint32) uint32
}{
	{"products and sums", func(c *chain, x uint32) uint32 { return c.f(opFAdd, c.f(opFMul, x, c.num(5)), c.num(3)) }},
	{"sums and products", func(c *chain, x uint32) uint32 { return c.f(opFMul, c.f(opFAdd, x, c.num(3)), c.num(5)) }},
	{"sums", func(c *chain, x uint32) uint32 { return c.f(opFAdd, c.f(opFAdd, x, c.num(3)), c.seed) }},
	{"products", func(c *chain, x uint32) uint32 { return c.f(opFMul, c.f(opFMul, x, c.num(3)), c.seed) }},
	{"quotients", func(c *chain, x uint32) uint32 { return c.f(opFAdd, c.f(opFDiv, x, c.num(5)), c.num(3)) }},
	{"quotients of constants", func(c *chain, x uint32) uint32 { return c.f(opFDiv, c.num(5), c.f(opFAdd, x, c.num(3))) }},
	{"quotients of variables", func(c *chain, x uint32) uint32 { return c.f(opFDiv, x, c.f(opFAdd, c.seed, c.num(3))) }},
	{"mix with constants", func(c *chain, x uint32) uint32 { return c.call(extFMix, x, c.num(5), c.num(1)) }},
	{"mix by the last", func(c *chain, x uint32) uint32 { return c.call(extFMix, c.seed, c.num(5), x) }},
	{"mix with itself", func(c *chain, x uint32) uint32 { return c.call(extFMix, x, c.f(opFMul, x, c.num(5)), c.seed) }},
	{"signs of products", func(c *chain, x uint32) uint32 { return c.f(opFNegate, c.f(opFMul, x, c.seed)) }},
	{"signs of sums", func(c *chain, x uint32) uint32 { return c.f(opFSub, c.num(3), c.f(opFMul, x, c.seed)) }},
	{"magnitudes", func(c *chain, x uint32) uint32 { return c.call(extFAbs, c.f(opFMul, x, c.num(5))) }},
	{"bounds", func(c *chain, x uint32) uint32 {
		return c.call(extFMin, c.call(extFMax, c.f(opFNegate, x), c.num(1)), c.num(5))
	}},
	{"polynomial", func(c *chain, x uint32) uint32 { return c.call(extFma, x, c.seed, c.num(5)) }},
	{"squares", func(c *chain, x uint32) uint32 { return c.f(opFAdd, c.f(opFMul, x, x), c.num(3)) }},
	{"one product in many sums", func(c *chain, x uint32) uint32 { return c.call(extFMax, x, c.f(opFAdd, c.seed, c.num(3))) }},
	{"integers", func(c *chain, x uint32) uint32 {
		i := c.bin(opIMul, c.bin(opIAdd, c.val(opBitcast, c.uint, x), c.u(uint32(c.n))), c.u(5))
		return c.f(opBitcast, c.bin(opShiftLeft, i, c.u(3)))
	}},
}

// makeChain returns a module with a chain of n links.
func makeChain(n int, link func(c *chain, x uint32) uint32) []byte {
	c := &chain{module: newModule()}
	c.ext = c.new()
	c.caps = append(c.caps, ins(opExtInstImport, append([]uint32{c.ext}, str("GLSL.std.450")...)...)...)
	c.begin(c.entry, c.void)
	lane := c.lane()
	x := c.f(opBitcast, c.get(lane))
	c.seed = c.f(opFMul, x, x)
	for c.n = range n {
		x = link(c, x)
	}
	c.put(lane, c.val(opBitcast, c.uint, x))
	c.end()
	return c.bytes()
}
