package pipeline

import (
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/link"
)

// toSlots takes a vertex or fragment shader to the form that linking needs.
var toSlots = ordered(append(append([]pass.Pass{}, Optimize...), lowerStageIO, copyProp, deadCode))

// Link optimizes the vertex and the fragment shader of a pipeline and the interface between them;
// without a fragment shader, nil, the vertex shader keeps the outputs for fixed functions only.
// [ForTarget] takes both further. The traces may be nil.
func Link(vertex, fragment *pass.Context, traceVertex, traceFragment *pass.Trace) (link.Stats, error) {
	if err := vertex.Run(toSlots, traceVertex); err != nil {
		return link.Stats{}, err
	}
	if fragment != nil {
		if err := fragment.Run(toSlots, traceFragment); err != nil {
			return link.Stats{}, err
		}
	}
	stats := link.Shaders(vertex, fragment)
	rest := []pass.Pass{copyProp, deadCode, deadVars}
	if err := vertex.Run(rest, traceVertex); err != nil || fragment == nil {
		return stats, err
	}
	return stats, fragment.Run(rest, traceFragment)
}
