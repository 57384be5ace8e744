// SPDX-License-Identifier: MIT

package isel

import (
	"jacquard.example/backend/intel/isel/memory"
	"jacquard.example/backend/intel/isel/texture"
	"jacquard.example/backend/intel/isel/value"
	"jacquard.example/backend/intel/selector"
	"jacquard.example/core/ir"
	"jacquard.example/generated/kind"
)

// emitMessage emits the logical message that the row selected for v names.
func emitMessage(c *value.Context, v ir.Value, m *selector.Message) {
	switch {
	case !c.Target.Messages.Does(m.Name):
		c.Fail(v, "%s is not supported: %s has no message for it", c.S.At(v).Intrinsic(), c.Target)
	case c.S.At(v).Kind == kind.Tex:
		texture.Texture(c, v, m)
	case m.Sampler != 0:
		texture.Query(c, v, m)
	case m.Surface == selector.Image:
		texture.Texel(c, v, m)
	case m.Op != selector.NoOp:
		memory.Atomic(c, v, m)
	case m.Result == selector.InRow:
		memory.LoadRow(c, v, m)
	case m.Result == selector.NoResult:
		memory.Store(c, v, m)
	default:
		memory.Load(c, v, m)
	}
}
