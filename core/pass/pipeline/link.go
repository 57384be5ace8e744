// SPDX-License-Identifier: MIT

package pipeline

import (
	"slices"
	"time"

	"jacquard.example/core/pass"
	"jacquard.example/core/pass/link"
)

// toSlots takes a vertex or fragment shader to the form that linking needs.
var toSlots = ordered(slices.Concat(Optimize, pass.Pipeline{lowerStageIO, copyProp, deadCode}))

// ToSlots optimizes a vertex or fragment shader and lowers its inputs and outputs, for Link.
func ToSlots(c *pass.Context, tr *pass.Trace) error { return c.Run(toSlots, tr) }

// Link simplifies the interface between the vertex and the fragment shader of a pipeline, on both of which ToSlots has
// run. Without a fragment shader (nil), the vertex shader keeps only the outputs for fixed-function hardware. [ForTarget]
// compiles both further. The traces may be nil; they see linking as a pass named "link".
func Link(vertex, fragment *pass.Context, traceVertex, traceFragment *pass.Trace) (link.Stats, error) {
	start := time.Now()
	stats := link.Shaders(vertex, fragment)
	took := time.Since(start)
	rest := pass.Pipeline{copyProp, deadCode, deadVars}
	for _, x := range [...]struct {
		c  *pass.Context
		tr *pass.Trace
	}{{vertex, traceVertex}, {fragment, traceFragment}} {
		if x.c == nil {
			continue
		}
		if x.tr != nil && x.tr.After != nil {
			if err := x.tr.After("link", true, took); err != nil {
				return stats, err
			}
		}
		if err := x.c.Run(rest, x.tr); err != nil {
			return stats, err
		}
	}
	return stats, nil
}
