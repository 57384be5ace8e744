// SPDX-License-Identifier: MIT

package sampler

import (
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/core/texture"
	irkind "jacquard.example/generated/kind"
	"jacquard.example/generated/target"
)

// The sampler's messages about surfaces. The null surface has no size, levels or samples.

// samplerSize returns width, height, depth or layers, and the number of levels. The second component has the
// layers of a 1D array; arrays of cubes count whole cubes. Programs query level 0 and compute the other levels
// from it, since the hardware's answer for other levels is unreliable (IMAGES.md 1.3).
func samplerSize(c *thread.Sampling, lane int) (texture.Texel, *thread.OpError) {
	p := params(c, lane)
	if level := p[parLOD]; level != 0 {
		return texture.Texel{}, thread.Operr(thread.FaultUnsupported, "resinfo of level %d: hardware is reliable for level 0 only", level)
	}
	im := c.Image
	l := &im.Levels[0]
	layers := uint64(im.Layers)
	switch {
	case im.Dim == irkind.DimCube:
		layers /= 6
	case layers == 1 && !c.T.Prog.Machine.Can(target.SingleLayerArrays):
		layers = 0
	}
	x := texture.Texel{uint64(l.Width), uint64(l.Height), layers, uint64(len(im.Levels))}
	switch im.Dim {
	case irkind.DimBuf:
		x[1], x[2] = 0, 0
	case irkind.Dim1D:
		x[1], x[2] = layers, 0
	case irkind.Dim3D:
		x[2] = uint64(l.Depth)
	}
	return x, nil
}

// samplerSamples returns the number of samples.
func samplerSamples(c *thread.Sampling, _ int) (texture.Texel, *thread.OpError) {
	return texture.Texel{uint64(c.Image.Samples)}, nil
}
