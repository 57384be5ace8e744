// SPDX-License-Identifier: MIT

package engine

import (
	"context"

	"jacquard.example/backend/run/runner"
	"jacquard.example/core/ir"
	"jacquard.example/core/pass"
	"jacquard.example/core/pass/pipeline"
	"jacquard.example/generated/kind"
)

// pair reads the shaders of a draw, and links them if Link is set. A draw may have no fragment shader.
func (e *Interp) pair(ctx context.Context, c *runner.DrawCall) (vertex, fragment *ir.Shader, err error) {
	if e.Link {
		e.shaders = nil // linking changes them
	}
	if vertex, err = e.read(ctx, &c.Vertex, kind.StageVertex); err != nil {
		return nil, nil, err
	}
	if c.Fragment.Shader == nil {
		return vertex, nil, nil
	}
	if fragment, err = e.read(ctx, &c.Fragment, kind.StageFragment); err != nil || !e.Link {
		return vertex, fragment, err
	}
	e.shaders = nil
	contexts := [2]*pass.Context{pass.New(vertex), pass.New(fragment)}
	for _, pc := range contexts {
		pc.Options = e.Options
		if err := pipeline.ToSlots(pc, nil); err != nil {
			return nil, nil, err
		}
	}
	e.Linked, err = pipeline.Link(contexts[0], contexts[1], nil, nil)
	return vertex, fragment, err
}
