// SPDX-License-Identifier: MIT

package sampler

import (
	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/core/texture"
	irkind "jacquard.example/generated/kind"
)

// The sampler's messages that read single texels. Coordinates are unsigned; outside the surface all components
// are 0. Hardware may return an alpha of 1 for formats without alpha (IMAGES.md 11); programs cannot rely on
// it.

// fetch reads a texel at a lane's coordinates, in a given level and sample.
func fetch(c *thread.Sampling, lane int, p *[numParams]uint32, level, sample uint32) texture.Texel {
	im := c.Image
	x, y := int64(p[parCoord0]), int64(0)
	z, layer := int64(0), int64(0)
	switch im.Dim {
	case irkind.DimBuf:
	case irkind.Dim1D:
		layer = int64(p[parCoord1])
	case irkind.Dim3D:
		y, z = int64(p[parCoord1]), int64(p[parCoord2])
	default:
		y, layer = int64(p[parCoord1]), int64(p[parCoord2])
	}
	b, resident := im.Resident(int(level), x, y, z, layer, int64(sample))
	if !resident {
		c.Unbound |= 1 << lane
	}
	if b == nil {
		c.T.Stats.Memory.LoadsOutOfBounds++
		return texture.Texel{}
	}
	return im.Format.Decode(b)
}

func samplerFetch(c *thread.Sampling, lane int) (texture.Texel, *thread.OpError) {
	p := params(c, lane)
	return fetch(c, lane, &p, p[parLOD], 0), nil
}

// The multisample control surface records for each texel and sample the slice that holds the sample's value, in
// mcsBits bits. Code reads it (ld_mcs) and passes it on (ld2dms, ld2dms_w). In the model every sample has its own slice,
// so that code that passes on a wrong value reads wrong samples.

// mcsBits returns the size of a slice number by the number of samples.
func mcsBits(samples uint32) uint32 {
	if samples <= 4 {
		return 2
	}
	return 4
}

// samplerMCS returns the control surface's element of a texel, in one or two components.
func samplerMCS(c *thread.Sampling, lane int) (texture.Texel, *thread.OpError) {
	if err := manySamples(c); err != nil {
		return texture.Texel{}, err
	}
	p := params(c, lane)
	im := c.Image
	var x texture.Texel
	if im.Bytes(0, int64(p[parCoord0]), int64(p[parCoord1]), 0, int64(p[parCoord2]), 0) == nil || im.Samples == 1 {
		return x, nil
	}
	mcs := uint64(0)
	for s := range im.Samples {
		mcs |= uint64(s) << (s * mcsBits(im.Samples))
	}
	x[0], x[1] = mcs&0xFFFFFFFF, mcs>>32
	return x, nil
}

// samplerFetchSample reads a sample of a texel. If the control surface's element is a parameter, it selects the
// slice.
func samplerFetchSample(c *thread.Sampling, lane int) (texture.Texel, *thread.OpError) {
	if err := manySamples(c); err != nil {
		return texture.Texel{}, err
	}
	p := params(c, lane)
	sample := p[parSample]
	if n := c.Image.Samples; n > 1 && sample < n && c.M.Sampling.Params[1] == parMCS0 {
		mcs := uint64(p[parMCS0]) | uint64(p[parMCS1])<<32
		if c.M.HalfParams {
			mcs = uint64(p[parMCS0]) | uint64(p[parMCS1])<<16 | uint64(p[parMCS2])<<32 | uint64(p[parMCS3])<<48
		}
		sample = uint32(mcs>>(sample*mcsBits(n))) & (1<<mcsBits(n) - 1)
	}
	return fetch(c, lane, &p, 0, sample), nil
}

func manySamples(c *thread.Sampling) *thread.OpError {
	if dims(c.Image) != 2 {
		return thread.Operr(thread.FaultMessage, "%s does not access images of shape %s", c.M.Sampling.Name, c.Image.Dim)
	}
	return nil
}
