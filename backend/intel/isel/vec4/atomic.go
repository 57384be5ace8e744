// SPDX-License-Identifier: MIT

package vec4

import (
	"jacquard.example/backend/intel/isel/memory"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/selector"
	"jacquard.example/core/ir"
	"jacquard.example/generated/isa"
)

// atomic emits an atomic for each vertex. Its operands are components x and y of the second register of the payload, and its
// result is component x of the response.
func (c *Context) atomic(v ir.Value, row *selector.Message, surface mir.Operand) {
	op, ok := memory.AtomicOp(c.Context, v, row)
	if !ok || !c.Target.Atomic(op) {
		c.Fail(v, "the atomic %v is not supported in vec4 code", op)
		return
	}
	code := memory.CodeOf(c.Context, v, op)
	n := code.Operands()
	length := 1 + min(n, 1)
	payload := mir.V(c.newReg(length), isa.TypeUD)
	c.address(payload, v, row, 0)
	if n > 0 {
		var srcs [channels]ir.Src
		for i := range n {
			srcs[i] = row.Data[i].Of(c.S, v).X()
		}
		c.fill(&filling{dst: payload.At(c.F.GRF.Bytes()), rest: whole(n), taken: whole(n), zero: empty}, srcs)
	}
	m := mir.Message{
		Msg:     mir.Msg{Name: row.Name.Info().OfVertices, Space: row.Space, Op: uint8(code)},
		Address: payload, AddressLen: length, Surface: surface,
	}
	if c.Needed[v] {
		p := c.placeOf(v)
		m.Dst, m.DstLen = mir.V(p.reg, isa.TypeUD).At(p.off), 1
	}
	c.B.Vector()
	c.B.Message(m).Align16 = true
}
