// SPDX-License-Identifier: MIT

package sampler

import (
	"math"
	"slices"

	"jacquard.example/backend/intel/eu/thread"
	"jacquard.example/core/texture"
	irkind "jacquard.example/generated/kind"
)

// The sampler's messages that filter, compare or gather.

// dims returns the number of coordinates of an image's shape, excluding the layer.
func dims(im *texture.Image) int {
	switch im.Dim {
	case irkind.Dim1D, irkind.DimBuf:
		return 1
	case irkind.Dim3D, irkind.DimCube:
		return 3
	}
	return 2
}

func bitsFloat(v uint32) float32 { return math.Float32frombits(v) }
func floatBits(v float32) uint32 { return math.Float32bits(v) }

// query builds the query from a lane's parameters: as many coordinates as the shape has, followed by the layer.
func query(c *thread.Sampling, p *[numParams]uint32) (q texture.Query, err *thread.OpError) {
	n := dims(c.Image)
	for i := range n {
		q.Coord[i] = bitsFloat(p[parCoord0+thread.Param(i)])
	}
	if n < 3 || c.Image.Dim == irkind.DimCube {
		q.Layer = bitsFloat(p[parCoord0+thread.Param(n)])
	}
	q.LOD, q.Bias, q.MinLOD = bitsFloat(p[parLOD]), bitsFloat(p[parBias]), bitsFloat(p[parMinLOD])
	if c.M.Sampling.Flags&thread.SamplerPacked != 0 && c.Image.Dim == irkind.DimCube && c.Image.Layers > 6 {
		q.Layer = float32((p[parLOD] | p[parBias]) & packedCube)
		q.LOD, q.Bias = bitsFloat(p[parLOD]&^packedCube), bitsFloat(p[parBias]&^packedCube)
	}
	q.Offset = c.Header.Offset
	if c.M.Sampling.Flags&thread.SamplerCompare != 0 {
		q.Compare, q.Ref = true, bitsFloat(p[parRef])
	}
	if c.Image.Dim == irkind.DimCube {
		err = normalized(&q.Coord)
	}
	return q, err
}

// normalized checks that the largest magnitude of a cube's coordinates is 1, since the sampler does not divide by it. A
// zero or non-finite direction is not checked.
func normalized(v *[3]float32) *thread.OpError {
	most := max(math.Abs(float64(v[0])), math.Abs(float64(v[1])), math.Abs(float64(v[2])))
	if most == 0 || most != most || math.IsInf(most, 0) || math.Abs(most-1) < 1e-4 {
		return nil
	}
	return thread.Operr(thread.FaultMessage, "the coordinates of a cube, %g, %g and %g, are not divided by the largest", v[0], v[1], v[2])
}

// derive sets the derivatives of a lane's query to the differences in its quad: lanes 4n to 4n+3, whose pixels
// are in the order (0,0), (1,0), (0,1), (1,1). All four lanes must have coordinates, enabled or not.
func derive(c *thread.Sampling, q *texture.Query, lane int) {
	n := dims(c.Image)
	first, right, below := params(c, lane&^3), params(c, lane&^3|1), params(c, lane&^3|2)
	q.Grad = true
	for i := range n {
		k := parCoord0 + thread.Param(i)
		q.Ddx[i] = bitsFloat(right[k]) - bitsFloat(first[k])
		q.Ddy[i] = bitsFloat(below[k]) - bitsFloat(first[k])
	}
}

// samplerSample returns the result of a message that filters texels.
func samplerSample(c *thread.Sampling, lane int) (texture.Texel, *thread.OpError) {
	p := params(c, lane)
	q, err := query(c, &p)
	if err != nil {
		return texture.Texel{}, err
	}
	if c.M.Sampling.Flags&thread.SamplerQuads != 0 {
		derive(c, &q, lane)
	}
	return found(c, lane, c.Image.Sample(c.Sampler, &q), &q), nil
}

// samplerGradient filters texels with derivatives as parameters. It rejects cubes: how the sampler uses their
// derivatives is undocumented.
func samplerGradient(c *thread.Sampling, lane int) (texture.Texel, *thread.OpError) {
	if c.Image.Dim == irkind.DimCube {
		return texture.Texel{}, thread.Operr(thread.FaultMessage, "%s does not access cubes", c.M.Sampling.Name)
	}
	if c.Image.Dim == irkind.Dim3D && !slices.Contains(c.M.Sampling.Params, parDdx2) {
		return texture.Texel{}, thread.Operr(thread.FaultMessage, "%s has no derivatives of a third coordinate", c.M.Sampling.Name)
	}
	p := params(c, lane)
	q, err := query(c, &p)
	if err != nil {
		return texture.Texel{}, err
	}
	q.Grad = true
	for i := range dims(c.Image) {
		q.Ddx[i], q.Ddy[i] = bitsFloat(p[parDdx0+thread.Param(i)]), bitsFloat(p[parDdy0+thread.Param(i)])
	}
	return found(c, lane, c.Image.Sample(c.Sampler, &q), &q), nil
}

// samplerGather returns a component of four texels, or the results of four comparisons. Offset parameters have
// six bits.
func samplerGather(c *thread.Sampling, lane int) (texture.Texel, *thread.OpError) {
	row := c.M.Sampling
	if dims(c.Image) != 2 && c.Image.Dim != irkind.DimCube {
		return texture.Texel{}, thread.Operr(thread.FaultMessage, "%s does not access images of shape %s", row.Name, c.Image.Dim)
	}
	p := params(c, lane)
	q, err := query(c, &p)
	if err != nil {
		return texture.Texel{}, err
	}
	channel := c.Header.Channel
	if row.Flags&thread.SamplerCompare != 0 {
		channel = 0
	}
	if row.Flags&thread.SamplerOffsets == 0 {
		q.Offset = [3]int32{int32(p[parOffset0]<<26) >> 26, int32(p[parOffset1]<<26) >> 26}
	}
	return found(c, lane, c.Image.Gather(c.Sampler, &q, channel), &q), nil
}

// found records whether the texels of a lane's query have memory.
func found(c *thread.Sampling, lane int, x texture.Texel, q *texture.Query) texture.Texel {
	if q.Unbound {
		c.Unbound |= 1 << lane
	}
	return x
}

// samplerLOD returns the level that sampling would access, and the unclamped level of detail.
func samplerLOD(c *thread.Sampling, lane int) (texture.Texel, *thread.OpError) {
	p := params(c, lane)
	q, err := query(c, &p)
	if err != nil {
		return texture.Texel{}, err
	}
	derive(c, &q, lane)
	var x texture.Texel
	level, lod := c.Image.QueryLOD(c.Sampler, &q)
	x.SetFloat(0, level)
	x.SetFloat(1, lod)
	return x, nil
}
