// SPDX-License-Identifier: MIT

package layers

import (
	"jacquard.example/backend/run/runner"
	"jacquard.example/generated/kind"
)

// Implicit are operations with an implicit level of detail, which compute shaders have in
// derivative groups, and queries of it.
var Implicit = []Shape{
	{"1d_implicit", "sampler1D", runner.Image{Dim: kind.Dim1D, Width: 16, Height: 1}, false, []string{
		"texture(a, p.x)", "texture(a, p.x, l)", "vec4(textureQueryLod(a, p.x), 0, 0)"}},
	{"2d_implicit", "sampler2D", runner.Image{Dim: kind.Dim2D, Width: 8, Height: 4}, false, []string{
		"texture(a, p.xy)", "texture(a, p.xy * 0.1, l)", "textureOffset(a, p.xy, ivec2(3, -2))", "textureProj(a, vec3(p.xy, 1.5), l)",
		"textureClampARB(a, p.xy * 0.1, l)", "textureOffsetClampARB(a, p.xy * 0.1, ivec2(1, 2), l, -0.5)", "vec4(textureQueryLod(a, p.xy * 0.3), 0, 0)"}},
	{"2d_array_implicit", "sampler2DArray", runner.Image{Dim: kind.Dim2D, Width: 8, Height: 4, Layers: 3}, false, []string{
		"texture(a, p.xyw)", "texture(a, p.xyw * vec3(0.1, 0.2, 1), l)", "textureClampARB(a, p.xyw, l)", "vec4(textureQueryLod(a, p.xy * 0.3), 0, 0)"}},
	{"3d_implicit", "sampler3D", runner.Image{Dim: kind.Dim3D, Width: 8, Height: 4, Depth: 4}, false, []string{
		"texture(a, p.xyz)", "texture(a, p.xyz * 0.1, l)", "vec4(textureQueryLod(a, p.xyz * 0.3), 0, 0)"}},
	{"cube_implicit", "samplerCube", runner.Image{Dim: kind.DimCube, Width: 8, Height: 8, Layers: 6}, false, []string{
		"texture(a, p.xyz)", "texture(a, p.xyz, l)"}},
	{"2d_shadow_implicit", "sampler2DShadow", runner.Image{Dim: kind.Dim2D, Width: 8, Height: 4}, true, []string{
		"vec4(texture(a, vec3(p.xy, 0.5)))", "vec4(texture(a, vec3(p.xy * 0.1, 0.25), l))", "vec4(textureOffset(a, vec3(p.xy, 0.5), ivec2(-1, 1)))",
		"vec4(textureProj(a, vec4(p.xy, 0.5, 1.5), l))"}},
	{"2d_array_shadow_implicit", "sampler2DArrayShadow", runner.Image{Dim: kind.Dim2D, Width: 8, Height: 4, Layers: 3}, true, []string{
		"vec4(texture(a, vec4(p.xyw, 0.5)))"}},
}
