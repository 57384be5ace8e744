// SPDX-License-Identifier: MIT

// Package draw executes the fixed functions of a graphics pipeline as the Vulkan specification describes them: it
// fetches vertex attributes, assembles primitives, clips them, transforms them to the viewport, rasterizes them into
// quads of pixels with samples, tests depths and stencil values, blends and writes attachments.
//
// [Run] executes a [Call] with a [State]. A [Shaders] runs the two shaders: an interpreter or a model of a machine. The
// package knows neither; it exchanges vertices and fragments with them as [Vertex] and [Quad].
//
// Where the specification leaves a choice, positions are rounded to 1/256 of a pixel, a sample on an edge belongs to
// the triangle whose top or left edge it is, and triangles are clipped at the sides of the view volume only by pixels,
// unless they are very large.
package draw
