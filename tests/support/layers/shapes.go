// SPDX-License-Identifier: MIT

package layers

import (
	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/kind"
)

// Shape is a shape of images, and operations on it.
type Shape struct {
	Name, Sampler string
	Image         runner.Image
	Shadow        bool
	Ops           []string
}

// Shapes are shapes with layers or faces, and texture operations on them: p is a vector of four coordinates, l a
// level of detail, n integers.
var Shapes = []Shape{
	{"1d_array", "sampler1DArray", runner.Image{Dim: kind.Dim1D, Width: 16, Height: 1, Layers: 3}, false, []string{
		"textureLod(a, p.xw, 0.0)", "textureLod(a, p.xw, l)", "textureLodOffset(a, p.xw, l, -3)", "textureGrad(a, p.xw, p.y * 0.2, p.z * 0.3)",
		"texelFetch(a, n.xz, 0)", "texelFetch(a, n.xz, n.w)", "texelFetchOffset(a, n.xz, 1, 2)", "vec4(textureSize(a, n.w), textureQueryLevels(a), 0)"}},
	{"2d_array", "sampler2DArray", runner.Image{Dim: kind.Dim2D, Width: 8, Height: 4, Layers: 3}, false, []string{
		"textureLod(a, p.xyw, 0.0)", "textureLod(a, p.xyw, l)", "textureLodOffset(a, p.xyw, l, ivec2(7, -8))", "textureGrad(a, p.xyw, p.yz * 0.2, p.zx * 0.3)",
		"textureGradOffset(a, p.xyw, p.yz * 0.2, p.zx * 0.3, ivec2(1, 2))", "textureGather(a, p.xyw, 2)", "textureGatherOffset(a, p.xyw, n.xy - 3, 1)",
		"texelFetch(a, n.xyz, n.w)", "texelFetchOffset(a, n.xyz, 0, ivec2(1, -1))", "vec4(textureSize(a, n.w), textureQueryLevels(a))"}},
	{"2d_array_of_one", "sampler2DArray", runner.Image{Dim: kind.Dim2D, Width: 8, Height: 4, Layers: 1}, false, []string{
		"vec4(textureSize(a, n.w), textureQueryLevels(a))", "textureLod(a, p.xyw, 0.0)"}},
	{"cube", "samplerCube", runner.Image{Dim: kind.DimCube, Width: 8, Height: 8, Layers: 6}, false, []string{
		"textureLod(a, p.xyz, 0.0)", "textureLod(a, p.xyz, l)", "textureGrad(a, p.xyz, p.yzx * 0.2, p.zxy * 0.3)", "textureGather(a, p.xyz, 3)",
		"vec4(textureSize(a, n.w), textureQueryLevels(a), 0)"}},
	{"cube_array", "samplerCubeArray", runner.Image{Dim: kind.DimCube, Width: 8, Height: 8, Layers: 18}, false, []string{
		"textureLod(a, p, 0.0)", "textureLod(a, p, l)", "textureGrad(a, p, p.yzx * 0.2, p.zxy * 0.3)", "textureGather(a, p, 1)",
		"vec4(textureSize(a, n.w), textureQueryLevels(a))"}},
	{"2d_ms", "sampler2DMS", runner.Image{Dim: kind.Dim2D, Width: 8, Height: 4, Samples: 4}, false, []string{
		"texelFetch(a, n.xy, 2)", "texelFetch(a, n.xy, int(i & 3u))", "texelFetch(a, ivec2(i & 15u, n.y), n.w)",
		"vec4(textureSize(a), textureSamples(a), 0)"}},
	{"2d_ms_array", "sampler2DMSArray", runner.Image{Dim: kind.Dim2D, Width: 8, Height: 4, Layers: 3, Samples: 8}, false, []string{
		"texelFetch(a, n.xyz, 2)", "texelFetch(a, n.xyz, int(i & 7u))", "vec4(textureSize(a), textureSamples(a))"}},
	{"2d_array_shadow", "sampler2DArrayShadow", runner.Image{Dim: kind.Dim2D, Width: 8, Height: 4, Layers: 3}, true, []string{
		"vec4(textureGrad(a, vec4(p.xyw, 0.5), p.yz * 0.2, p.zx * 0.3))", "vec4(textureGradOffset(a, vec4(p.xyw, 0.5), p.yz * 0.2, p.zx * 0.3, ivec2(3, -4)))",
		"textureGather(a, p.xyw, 0.5)", "textureGatherOffset(a, p.xyw, 0.25, n.xy * 2 - 9)"}},
	{"cube_shadow", "samplerCubeShadow", runner.Image{Dim: kind.DimCube, Width: 8, Height: 8, Layers: 6}, true, []string{
		"vec4(textureGrad(a, vec4(p.xyz, 0.5), p.yzx * 0.2, p.zxy * 0.3))", "textureGather(a, p.xyz, 0.5)"}},
	{"cube_array_shadow", "samplerCubeArrayShadow", runner.Image{Dim: kind.DimCube, Width: 8, Height: 8, Layers: 12}, true, []string{"textureGather(a, p, 0.5)"}},
	{"1d_array_shadow", "sampler1DArrayShadow", runner.Image{Dim: kind.Dim1D, Width: 16, Height: 1, Layers: 3}, true, []string{
		"vec4(textureGrad(a, vec3(p.xw, 0.5), p.y * 0.2, p.z * 0.3))", "vec4(textureLod(a, vec3(p.xw, 0.5), l))"}},
	{"2d_shadow", "sampler2DShadow", runner.Image{Dim: kind.Dim2D, Width: 8, Height: 4}, true, []string{
		"vec4(textureLod(a, vec3(p.xy, 0.5), 0.0))", "vec4(textureLod(a, vec3(p.xy, 0.5), l))", "vec4(textureLodOffset(a, vec3(p.xy, 0.5), l, ivec2(-1, 1)))",
		"vec4(textureGrad(a, vec3(p.xy, 0.5), p.yz * 0.2, p.zx * 0.3))", "vec4(textureProjLod(a, vec4(p.xy, 0.5, 1.5), l))"}},
}

// Sixteen has images with 16 samples, which the vec4 machine does not have.
var Sixteen = []Shape{
	{"2d_ms_16", "sampler2DMS", runner.Image{Dim: kind.Dim2D, Width: 8, Height: 4, Samples: 16}, false, []string{
		"texelFetch(a, n.xy, 14)", "texelFetch(a, n.xy, int(i & 15u))"}},
}
