package pipeline

import (
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/link"
)

// toSlots takes a vertex or fragment shader to the form that linking needs.
var toSlots = ordered(append(append([]pass.Pass{}, Optimize...), lowerStageIO, copyProp, deadCode))

// ToSlots optimizes a vertex or fragment shader and lowers its inputs and outputs, for Link.
func ToSlots(c *pass.Context, tr *pass.Trace) error { return c.Run(toSlots, tr) }

// Link simplifies the interface between the vertex and the fragment shader of a pipeline, which
// have been through ToSlots; without a fragment shader, nil, the vertex shader keeps the outputs for
// fixed functions only. [ForTarget] takes both further. The traces may be nil.
func Link(vertex, fragment *pass.Context, traceVertex, traceFragment *pass.Trace) (link.Stats, error) {
	stats := link.Shaders(vertex, fragment)
	rest := []pass.Pass{copyProp, deadCode, deadVars}
	if err := vertex.Run(rest, traceVertex); err != nil || fragment == nil {
		return stats, err
	}
	return stats, fragment.Run(rest, traceFragment)
}
